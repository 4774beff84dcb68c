//! Who may see a definition: from the words in front of its name, the name, and the place where it stands.

use super::ast::Node;
use super::found::Found;
use super::head::Head;
use super::reader::Reader;
use super::scope::{Holder, Scope};
use crate::facts::word_in;
use crate::symbol::{SymbolKind, Visibility};

impl Reader<'_, '_, '_> {
    /// How visible a definition is, where the language says so.
    pub(super) fn visibility(
        &self,
        found: &Found<'_>,
        kind: SymbolKind,
        head: &Head<'_, '_>,
        scope: &Scope,
    ) -> Option<Visibility> {
        let rules = self.description.facts.visibility.as_ref()?;
        let start = head.declared.start_byte();
        let modifiers = self.text(start..head.name_bytes.start.max(start));
        if let Some(said) = word_in(modifiers, rules.words) {
            return Some(said);
        }
        if scope.holder == Holder::Module
            && let Some(said) = word_in(modifiers, rules.module_words)
        {
            return Some(said);
        }
        if rules.exported_by.contains(&found.node.kind()) {
            return Some(Visibility::Public);
        }
        if let Some(said) = rules.of_name(&head.name) {
            return Some(said);
        }
        // A part of an enumeration is as visible as the whole.
        if kind == SymbolKind::Variant && scope.visibility.is_some() {
            return scope.visibility;
        }
        let members = rules.members.unwrap_or(rules.default);
        match scope.holder {
            Holder::Module => Some(rules.default),
            Holder::Class => Some(self.section.or(rules.class_members).unwrap_or(members)),
            Holder::Interface => Some(rules.interface_members.unwrap_or(members)),
            Holder::Type => Some(self.section.unwrap_or(members)),
            // Its section is somewhere else.
            Holder::Elsewhere if !rules.sections.is_empty() => None,
            Holder::Elsewhere => Some(members),
            Holder::Body => Some(Visibility::Private),
        }
    }

    /// Remembers what a section says, if the node begins one.
    pub(super) fn begin_section(&mut self, node: Node<'_>) {
        if let Some(rules) = &self.description.facts.visibility
            && rules.sections.contains(&node.kind())
        {
            self.section = word_in(self.text(node.byte_range()), rules.words).or(self.section);
        }
    }
}
