//! What a language's `facts.toml` says, as `build.rs` writes it down.

use crate::symbol::Visibility;

/// Which names of a syntax tree refer to something, and who may see a definition.
pub(crate) struct FactsDescription {
    /// Kinds of leaves that are names, with the role they have by default.
    pub(crate) names: &'static [(&'static str, FactRole)],
    /// Names that, by themselves, never refer to anything.
    pub(crate) ignore: &'static [&'static str],
    /// Words that are no names, wherever they stand.
    pub(crate) keywords: &'static [&'static str],
    /// Functions that import what their first argument, a string, names.
    pub(crate) import_calls: &'static [&'static str],
    /// Kinds through which a role reaches the names inside.
    pub(crate) pass: &'static [&'static str],
    /// Kinds never looked into.
    pub(crate) skip: &'static [&'static str],
    /// Kinds that hold bare tokens.
    pub(crate) tokens: &'static [&'static str],
    /// Kind, field (empty for all children) and the role of the name that stands there.
    pub(crate) roles: &'static [(&'static str, &'static str, FactRole)],
    /// Kind, field of the receiver and field of the name.
    pub(crate) paths: &'static [(&'static str, &'static str, &'static str)],
    /// Kinds of imports and the field that says where the names come from.
    pub(crate) sources: &'static [(&'static str, &'static str)],
    pub(crate) visibility: Option<VisibilityRules>,
}

/// What the place of a name makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactRole {
    Call,
    /// An element of a page: a call if the name begins with a capital letter, else a tag of no interest.
    Component,
    Usage,
    /// A usage that makes the definition of that name public.
    Export,
    Import,
    Type,
    Write,
    /// The name of something local.
    Bind,
    /// The name of something local, or the usage of a constant, which begins with a capital letter.
    Pattern,
    None,
}

impl FactRole {
    /// Whether it reaches everything below, not only what the rules pass it on to.
    pub(crate) fn is_deep(self) -> bool {
        matches!(self, Self::Import | Self::Type)
    }
}

/// How visible a definition is, from its words, its name and its place.
pub(crate) struct VisibilityRules {
    pub(crate) default: Visibility,
    pub(crate) members: Option<Visibility>,
    pub(crate) class_members: Option<Visibility>,
    pub(crate) interface_members: Option<Visibility>,
    pub(crate) by_name: Option<ByName>,
    /// Kinds around a definition that make it public.
    pub(crate) exported_by: &'static [&'static str],
    /// Kinds between definitions whose word counts for all that follow.
    pub(crate) sections: &'static [&'static str],
    /// Words in front of the name, longest first.
    pub(crate) words: &'static [(&'static str, Visibility)],
    /// The same, outside of types only.
    pub(crate) module_words: &'static [(&'static str, Visibility)],
}

/// What the first letter of a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByName {
    /// A capital letter makes it public, anything else private.
    Uppercase,
    /// A leading `_` makes it private, unless the name ends with `__`.
    Underscore,
    /// A leading `#` makes it private.
    Hash,
}

/// What is further from the start of a definition is no word about it. One that names thousands would be read as often.
const WORDS_WITHIN: usize = 1024;

/// The first of the words that a text holds, as a word of its own.
pub(crate) fn word_in(text: &str, words: &[(&'static str, Visibility)]) -> Option<Visibility> {
    let text = &text[..text.floor_char_boundary(WORDS_WITHIN)];
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while at < text.len() {
        let here = &text[at..];
        let found = words.iter().find(|(word, _)| {
            here.strip_prefix(word)
                .is_some_and(|rest| !(word.ends_with(is_word) && rest.starts_with(is_word)))
        });
        if let Some((_, visibility)) = found {
            return Some(*visibility);
        }
        let skipped = here.find(|c: char| !is_word(c)).unwrap_or(here.len());
        let after = &here[skipped..];
        at += skipped + after.chars().next().map_or(0, char::len_utf8);
    }
    None
}

impl VisibilityRules {
    /// What the name alone says.
    pub(crate) fn of_name(&self, name: &str) -> Option<Visibility> {
        match self.by_name? {
            ByName::Uppercase => Some(if name.starts_with(char::is_uppercase) {
                Visibility::Public
            } else {
                Visibility::Private
            }),
            ByName::Underscore => {
                (name.starts_with('_') && !name.ends_with("__")).then_some(Visibility::Private)
            },
            ByName::Hash => name.starts_with('#').then_some(Visibility::Private),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_the_longest_first() {
        let words = [("pub(crate)", Visibility::Internal), ("pub", Visibility::Public)];
        assert_eq!(word_in("pub(crate) fn ", &words), Some(Visibility::Internal));
        assert_eq!(word_in("static pub fn ", &words), Some(Visibility::Public));
        assert_eq!(word_in("public xpub ü ", &words), None);
    }
}
