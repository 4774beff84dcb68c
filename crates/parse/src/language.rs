//! Which languages there are and how each is recognised; the table is made by `build.rs` from `languages/`.

use std::fmt;

use crate::facts::{ByName, FactRole, FactsDescription, VisibilityRules};
use crate::symbol::Visibility;

/// What a language is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LanguageClass {
    /// Programs, build scripts, templates, schemas.
    Code,
    /// Text for people.
    Prose,
    /// Records and documents for programs.
    Data,
    /// Settings.
    Config,
}

impl LanguageClass {
    /// The name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Prose => "prose",
            Self::Data => "data",
            Self::Config => "config",
        }
    }
}

/// A language and how it is recognised.
pub struct Language {
    /// Stable lower-case id: `rust`, `typescript`.
    pub id: &'static str,
    /// Name for people: `Rust`, `TypeScript`.
    pub name: &'static str,
    /// What it is used for.
    pub class: LanguageClass,
    /// Extensions without the dot, lower-case.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub filenames: &'static [&'static str],
    /// What starts a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// What starts and what ends a longer comment.
    pub block_comments: &'static [(&'static str, &'static str)],
    structure: Structure,
    index: u16,
}

/// How the structure of a language is read.
pub(crate) enum Structure {
    /// Not at all: chunks follow blank lines and indentation.
    None,
    /// By headings.
    Markdown,
    /// By adorned titles.
    Restructuredtext,
    /// By titles with equals signs.
    Asciidoc,
    /// By sectioning commands.
    Latex,
    /// By elements, headings and embedded scripts: pages and components.
    Html,
    /// By elements.
    Xml,
    /// By rules, mixins and variables.
    Stylesheet,
    /// By keys.
    Json,
    /// By keys.
    Yaml,
    /// By tables.
    Toml,
    /// By cells.
    Notebook,
    /// By a grammar and patterns.
    Syntax(&'static SyntaxDescription),
}

/// What a language's folder says about its grammar.
pub(crate) struct SyntaxDescription {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// The package of the grammar and its version: `tree-sitter-rust 0.24.0`.
    pub(crate) package: &'static str,
    pub(crate) tags: &'static str,
    pub(crate) chunks: &'static str,
    pub(crate) imports: &'static str,
    /// Empty where nothing is known of scopes.
    pub(crate) scopes: &'static str,
    /// Which texts the grammar would take far too long for.
    pub(crate) guard: Option<fn(&str) -> bool>,
    /// What makes a text readable that the grammar fails at, with every byte at its place.
    pub(crate) mask: Option<fn(&str) -> String>,
    /// Between the parts of a qualified name.
    pub(crate) separator: &'static str,
    /// Between a type and what it holds.
    pub(crate) member_separator: &'static str,
    /// Each of these characters ends a name within the text that holds it: `(` of `open(path)`.
    pub(crate) name_end: &'static str,
    /// Whether the grammar is shown letters in place of what is not ASCII, because it reads nothing else safely.
    pub(crate) ascii_only: bool,
    /// A sign after which the grammar looks for the end of the line, and does so for ever where there is none.
    pub(crate) line_end_after: Option<char>,
    /// What the path of a name may hold without being a container: `prototype`.
    pub(crate) silent_names: &'static [&'static str],
    /// What a documentation comment on the next item starts with.
    pub(crate) doc_markers: &'static [&'static str],
    /// What a documentation comment on the enclosing item starts with.
    pub(crate) inner_doc_markers: &'static [&'static str],
    /// What the attributes of a test item contain.
    pub(crate) test_markers: &'static [&'static str],
    /// What names refer to, and who may see a definition.
    pub(crate) facts: FactsDescription,
    /// The language whose folder has the facts.
    #[cfg(test)]
    pub(crate) facts_of: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// How many languages the table holds.
pub(crate) const LANGUAGE_COUNT: usize = LANGUAGES.len();

/// All languages, sorted by id.
pub fn languages() -> &'static [Language] {
    &LANGUAGES
}

/// The language with that id.
pub fn language_by_id(id: &str) -> Option<&'static Language> {
    LANGUAGES.binary_search_by(|language| language.id.cmp(id)).ok().map(|idx| &LANGUAGES[idx])
}

/// The language that a code fence, an editor or a person calls so: an id, an alias or an extension, any case.
pub fn language_by_tag(tag: &str) -> Option<&'static Language> {
    let tag = tag.to_ascii_lowercase();
    find(&BY_TAG, &tag).or_else(|| find(&BY_EXTENSION, &tag))
}

pub(crate) fn by_extension(extension: &str) -> Option<&'static Language> {
    find(&BY_EXTENSION, extension)
}

pub(crate) fn by_filename(name: &str) -> Option<&'static Language> {
    find(&BY_FILENAME, name)
}

/// By what a name starts with: `Dockerfile.dev`, `LICENSE-MIT`.
pub(crate) fn by_prefix(name: &str) -> Option<&'static Language> {
    let matching = BY_PREFIX.iter().filter(|(prefix, _)| name.starts_with(prefix));
    let longest = matching.max_by_key(|(prefix, _)| prefix.len());
    longest.map(|(_, idx)| &LANGUAGES[usize::from(*idx)])
}

pub(crate) fn by_interpreter(name: &str) -> Option<&'static Language> {
    find(&BY_INTERPRETER, name)
}

fn find(table: &[(&str, u16)], key: &str) -> Option<&'static Language> {
    let found = table.binary_search_by(|(candidate, _)| (*candidate).cmp(key)).ok()?;
    Some(&LANGUAGES[usize::from(table[found].1)])
}

impl Language {
    /// Whether items of the language are told apart, not only paragraphs.
    pub fn has_structure(&self) -> bool {
        !matches!(self.structure, Structure::None)
    }

    /// The package of the grammar that reads it, with its version.
    pub fn grammar(&self) -> Option<&'static str> {
        match &self.structure {
            Structure::Syntax(description) => Some(description.package),
            Structure::None
            | Structure::Markdown
            | Structure::Restructuredtext
            | Structure::Asciidoc
            | Structure::Latex
            | Structure::Html
            | Structure::Xml
            | Structure::Stylesheet
            | Structure::Json
            | Structure::Yaml
            | Structure::Toml
            | Structure::Notebook => None,
        }
    }

    /// Whether its references are known.
    pub fn has_references(&self) -> bool {
        matches!(&self.structure, Structure::Syntax(description) if !description.facts.names.is_empty())
    }

    /// The name of something inside a container, as people of this language write it.
    pub fn qualify(&self, container: Option<&str>, name: &str) -> String {
        let separator = match &self.structure {
            Structure::Syntax(description) => description.separator,
            Structure::Html | Structure::Notebook => ".",
            Structure::Json | Structure::Yaml | Structure::Toml => ".",
            Structure::Xml => "/",
            Structure::Stylesheet => " / ",
            Structure::None
            | Structure::Markdown
            | Structure::Restructuredtext
            | Structure::Asciidoc
            | Structure::Latex => " > ",
        };
        container.map_or_else(|| name.to_owned(), |container| [container, separator, name].concat())
    }

    pub(crate) fn structure(&'static self) -> &'static Structure {
        &self.structure
    }

    /// The place in [`languages`].
    pub(crate) fn index(&self) -> usize {
        usize::from(self.index)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_language_knows_its_place() {
        assert!(languages().is_sorted_by(|one, other| one.id < other.id));
        for (idx, language) in languages().iter().enumerate() {
            assert_eq!(language.index(), idx);
            assert_eq!(language_by_id(language.id), Some(language));
        }
    }

    #[test]
    fn every_extension_and_file_name_leads_to_its_language() {
        for language in languages() {
            for extension in language.extensions {
                assert_eq!(by_extension(extension), Some(language), "{extension}");
                assert_eq!(*extension, extension.to_ascii_lowercase());
            }
            for filename in language.filenames {
                assert_eq!(by_filename(filename), Some(language), "{filename}");
            }
        }
    }

    #[test]
    fn tags_of_code_fences_are_ids_aliases_or_extensions_in_any_case() {
        let id = |tag| language_by_tag(tag).map(|language| language.id);
        assert_eq!(id("rust"), Some("rust"));
        assert_eq!(id("RS"), Some("rust"));
        assert_eq!(id("Shell"), Some("bash"));
        assert_eq!(id("hpp"), Some("cpp"));
        assert_eq!(id("no-such-language"), None);
    }
}
