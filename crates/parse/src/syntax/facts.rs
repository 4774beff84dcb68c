//! The rules of a language's `facts.toml`, looked up by kind and field instead of by name.

use std::num::NonZeroU16;

use gik_base::collections::HashSet;
use tree_sitter::Language;

use crate::facts::{FactRole, FactsDescription};

/// The place of a first child, in rules.
const FIRST: &str = "first";

/// What is known about the kinds of nodes of one grammar.
#[derive(Debug)]
pub(super) struct Facts {
    /// By kind id.
    kinds: Vec<KindFacts>,
    /// Rows of roles by field id, for the kinds that have any.
    roles: Vec<Option<FactRole>>,
    /// The length of a row; field ids begin with 1, and 0 is no field.
    n_fields: usize,
    pub(super) words: Words,
}

/// Names with a meaning of their own.
#[derive(Debug)]
pub(super) struct Words {
    /// What, by itself, never refers to anything.
    pub(super) ignored: HashSet<&'static str>,
    /// What is no name, wherever it stands.
    pub(super) keywords: HashSet<&'static str>,
    /// Functions that import what a string names.
    pub(super) imports: HashSet<&'static str>,
}

/// What the rules say about nodes of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindFacts {
    /// The role of a leaf that is a name.
    pub(super) name: Option<FactRole>,
    /// The role of every child for which no field says another.
    every: Option<FactRole>,
    /// The role of the first child, for grammars that give it no field.
    pub(super) first: Option<FactRole>,
    /// The row of [`Facts::roles`].
    row: Option<u16>,
    pub(super) shape: Shape,
    /// The field that says where imported names come from.
    pub(super) source: Option<NonZeroU16>,
    pub(super) interest: Interest,
    /// Whether the role of a child depends on the field it stands in.
    pub(super) has_places: bool,
    /// Whether it may be a definition, inside functions as well.
    pub(super) may_define: bool,
    /// Whether patterns about scopes may start at it.
    pub(super) has_scopes: bool,
    /// Whether nodes of the kind are more than a sign or a keyword.
    pub(super) is_named: bool,
}

/// How a kind of node passes on to its children what it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    Pass,
    /// Says a name and what it belongs to.
    Path {
        receiver: Option<NonZeroU16>,
        name: Option<NonZeroU16>,
    },
    /// Names in a row, each belonging to what stands before it.
    Chain,
    Tokens,
}

/// What a walk does at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interest {
    /// Looks inside.
    Inside,
    /// Passes by: a sign, a keyword, something the rules skip.
    Nothing,
    Comment,
    Name,
    /// Looks inside where code may be inside.
    Text,
}

impl KindFacts {
    const NOTHING: Self = Self {
        name: None,
        every: None,
        first: None,
        row: None,
        shape: Shape::Plain,
        source: None,
        interest: Interest::Nothing,
        has_places: false,
        may_define: false,
        has_scopes: false,
        is_named: false,
    };
    /// A kind that no rule is about.
    pub(super) const PLAIN: Self =
        Self { interest: Interest::Inside, is_named: true, ..Self::NOTHING };

    /// Whether children get nothing from a node of the kind, unless it was given a role itself.
    pub(super) fn is_plain(&self) -> bool {
        !self.has_places && self.every.is_none() && matches!(self.shape, Shape::Plain)
    }
}

impl Facts {
    /// What is known of a kind; the parts that the parser could not read have none of their own.
    pub(super) fn kind(&self, kind_id: u16) -> &KindFacts {
        self.kinds.get(usize::from(kind_id)).unwrap_or(&KindFacts::PLAIN)
    }

    /// Notes that a kind may be a definition, inside functions as well.
    pub(super) fn may_define(&mut self, kind_id: u16) {
        if let Some(kind) = self.kinds.get_mut(usize::from(kind_id)) {
            kind.may_define = true;
        }
    }

    /// Notes which kinds patterns about scopes may start at.
    pub(super) fn note_scopes(&mut self, are_about: impl Fn(u16) -> bool) {
        for (id, kind) in (0_u16..).zip(self.kinds.iter_mut()) {
            kind.has_scopes = are_about(id);
        }
    }

    /// The role that the rules give to a child of a node.
    pub(super) fn role(&self, kind: &KindFacts, field: Option<NonZeroU16>) -> Option<FactRole> {
        let in_field = kind.row.zip(field).and_then(|(row, field)| {
            let at = usize::from(row) * self.n_fields + usize::from(field.get());
            self.roles.get(at).copied().flatten()
        });
        in_field.or(kind.every)
    }

    /// Looks up all names; those that the grammar does not have are left out.
    pub(super) fn compile(language: &Language, description: &FactsDescription) -> Self {
        let n_fields = language.field_count() + 1;
        let mut facts = Self {
            kinds: vec![KindFacts::NOTHING; language.node_kind_count()],
            roles: Vec::new(),
            n_fields,
            words: Words {
                ignored: description.ignore.iter().chain(description.keywords).copied().collect(),
                keywords: description.keywords.iter().copied().collect(),
                imports: description.import_calls.iter().copied().collect(),
            },
        };
        for (id, kind) in (0_u16..).zip(facts.kinds.iter_mut()) {
            if language.node_kind_is_named(id) {
                kind.is_named = true;
                let name = language.node_kind_for_id(id).unwrap_or_default();
                kind.interest = match name {
                    "haddock" => Interest::Comment,
                    name if name.contains("comment") => Interest::Comment,
                    // Strings in a row may have names between them.
                    name if name.contains("string") && !name.contains("concat") => Interest::Text,
                    _ => Interest::Inside,
                };
            }
        }
        let field = |name: &str| language.field_id_for_name(name);
        for (name, role) in description.names {
            facts.each(language, name, |kind| {
                kind.name = Some(*role);
                kind.interest = Interest::Name;
            });
        }
        for name in description.pass {
            facts.each(language, name, |kind| kind.shape = Shape::Pass);
        }
        for name in description.tokens {
            facts.each(language, name, |kind| kind.shape = Shape::Tokens);
        }
        for (name, receiver, simple) in description.paths {
            facts.each(language, name, |kind| {
                kind.shape = if receiver.is_empty() && simple.is_empty() {
                    Shape::Chain
                } else {
                    Shape::Path { receiver: field(receiver), name: field(simple) }
                };
                kind.has_places = true;
            });
        }
        for (name, source) in description.sources {
            facts.each(language, name, |kind| {
                kind.source = field(source);
                kind.has_places = true;
            });
        }
        for name in description.skip {
            facts.each(language, name, |kind| kind.interest = Interest::Nothing);
        }
        for (name, place, role) in description.roles {
            facts.add_role(language, name, place, *role);
        }
        facts
    }

    fn add_role(&mut self, language: &Language, name: &str, place: &str, role: FactRole) {
        if place.is_empty() {
            return self.each(language, name, |kind| kind.every = Some(role));
        }
        if place == FIRST {
            return self.each(language, name, |kind| {
                kind.first = Some(role);
                kind.has_places = true;
            });
        }
        let Some(field) = language.field_id_for_name(place) else { return };
        let mut roles = std::mem::take(&mut self.roles);
        let n_fields = self.n_fields;
        self.each(language, name, |kind| {
            let row = kind.row.or_else(|| u16::try_from(roles.len() / n_fields).ok());
            let Some(number) = row else { return };
            let start = usize::from(number) * n_fields;
            if start == roles.len() {
                roles.resize(start + n_fields, None);
            }
            roles[start + usize::from(field.get())] = Some(role);
            kind.row = row;
            kind.has_places = true;
        });
        self.roles = roles;
    }

    /// A grammar may have several kinds of one name.
    fn each(&mut self, language: &Language, name: &str, mut change: impl FnMut(&mut KindFacts)) {
        for (id, kind) in (0_u16..).zip(self.kinds.iter_mut()) {
            if language.node_kind_is_named(id) && language.node_kind_for_id(id) == Some(name) {
                change(kind);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Structure, languages};

    #[test]
    fn the_facts_of_every_language_name_kinds_and_fields_of_its_grammar() {
        let mut unknown = Vec::new();
        for language in languages() {
            let Structure::Syntax(description) = language.structure() else { continue };
            // A kind may be known only to one of the languages that share the facts: elements of pages to TSX.
            let grammars: Vec<Language> = languages()
                .iter()
                .filter_map(|other| {
                    let Structure::Syntax(syntax) = other.structure() else { return None };
                    (syntax.facts_of == language.id).then_some(syntax)
                })
                .map(|syntax| (syntax.grammar)())
                .collect();
            let facts = &description.facts;
            let mut check = |kind: &str, field: &str| {
                if !grammars.iter().any(|grammar| grammar.id_for_node_kind(kind, true) != 0) {
                    unknown.push(format!("{}: no kind `{kind}`", language.id));
                }
                let has_field = |grammar: &Language| grammar.field_id_for_name(field).is_some();
                if !field.is_empty() && field != FIRST && !grammars.iter().any(has_field) {
                    unknown.push(format!("{}: no field `{field}` for `{kind}`", language.id));
                }
            };
            if description.facts_of != language.id {
                continue;
            }
            facts.names.iter().for_each(|(kind, _)| check(kind, ""));
            facts.roles.iter().for_each(|(kind, field, _)| check(kind, field));
            facts.sources.iter().for_each(|(kind, field)| check(kind, field));
            for (kind, receiver, name) in facts.paths {
                check(kind, receiver);
                check(kind, name);
            }
            let lists = [facts.pass, facts.skip, facts.tokens];
            lists.into_iter().flatten().for_each(|kind| check(kind, ""));
            if let Some(rules) = &facts.visibility {
                rules.exported_by.iter().chain(rules.sections).for_each(|kind| check(kind, ""));
            }
        }
        assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    }
}
