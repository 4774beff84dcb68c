//! What does a chain of names, members and calls stand for, and what is a value?

use super::super::expression::{self, Step};
use super::super::languages;
use super::super::rules::Family;
use super::{Lookup, MEANINGS_MAX, Meaning, Resolver, Target};
use crate::Provenance;
use crate::facts::ScopeKind;

impl Resolver<'_> {
    /// What is known of a name that facts of a scope bind: what is imported, or values of a type.
    pub(super) fn bound(&self, file: u32, scope: Option<u32>, name: &str, depth: u32) -> Lookup {
        let mut found = self.imports(file, scope, name, depth);
        found.extend(self.bound_values(file, scope, name, depth));
        found
    }

    /// The values that facts of a scope say a name holds.
    pub(super) fn bound_values(
        &self,
        file: u32,
        scope: Option<u32>,
        name: &str,
        depth: u32,
    ) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(file) else { return found };
        for &at in table.bindings(scope, name) {
            found.extend(self.value_of(file, at, depth + 1));
        }
        found
    }

    /// What a fact says that a name holds.
    pub(super) fn value_of(&self, file: u32, at: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let fact = table.fact(at);
        let Some(from) = &fact.from else { return Lookup::default() };
        let text = table.facts.str(from);
        let last = match fact.kind {
            ScopeKind::Typed => return self.typed(file, from.start, text, depth + 1),
            ScopeKind::Called => Some(Step::Call),
            ScopeKind::Element => Some(Step::Element),
            ScopeKind::Valued => None,
            ScopeKind::Import
            | ScopeKind::ImportAll
            | ScopeKind::ImportDefault
            | ScopeKind::Reexport
            | ScopeKind::ReexportAll
            | ScopeKind::Export
            | ScopeKind::ExportDefault
            | ScopeKind::Extends
            | ScopeKind::Implements
            | ScopeKind::Returns
            | ScopeKind::Package
            | ScopeKind::Property
            | ScopeKind::Module
            | ScopeKind::Local => return Lookup::default(),
        };
        let Some(mut steps) = expression::steps(text) else { return Lookup::default() };
        steps.extend(last);
        self.chain(file, from.start, &steps, depth + 1)
    }

    /// Values of the types that a text names.
    pub(crate) fn typed(&self, file: u32, place: u32, text: &str, depth: u32) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(file) else { return found };
        for named in expression::types(text, table.rules) {
            let steps: Vec<Step<'_>> = named
                .path
                .iter()
                .enumerate()
                .map(|(at, name)| if at == 0 { Step::Name(name) } else { Step::Member(name) })
                .collect();
            let types = self.chain(file, place, &steps, depth + 1);
            found.is_external |= types.is_external;
            for (meaning, how) in types.meanings {
                let Meaning::Symbol(target) = meaning else { continue };
                if self.is_type(target) {
                    let value =
                        if named.is_many { Meaning::Many(target) } else { Meaning::Value(target) };
                    found.add(value, how.max(Provenance::Type));
                }
            }
        }
        found
    }

    /// What a chain of names, members and calls stands for.
    pub(crate) fn chain(&self, file: u32, place: u32, steps: &[Step<'_>], depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        let opened;
        let steps = if table.rules.family == Family::Rust {
            opened = languages::rust::without_wrappers(steps);
            opened.as_slice()
        } else {
            steps
        };
        let Some((Step::Name(first), rest)) = steps.split_first() else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let (mut here, mut rest) = self.first(file, place, first, rest, depth + 1);
        while let Some((step, after)) = rest.split_first() {
            if here.is_empty() || here.meanings.len() > MEANINGS_MAX {
                return Lookup { meanings: Vec::new(), is_external: here.is_external };
            }
            let mut next = Lookup { is_external: here.is_external, ..Lookup::default() };
            for (meaning, how) in &here.meanings {
                let found = match step {
                    Step::Name(name) | Step::Member(name) => self.member(meaning, name, depth + 1),
                    Step::Call => self.called(meaning, depth + 1),
                    Step::Element => self.element(meaning, depth + 1),
                };
                next.extend(found.by(*how));
            }
            here = next;
            rest = after;
        }
        here
    }

    /// What a chain starts with, and the steps that follow.
    pub(super) fn first<'s, 't>(
        &self,
        file: u32,
        place: u32,
        name: &str,
        rest: &'s [Step<'t>],
        depth: u32,
    ) -> (Lookup, &'s [Step<'t>]) {
        let Some(table) = self.project.table(file) else { return (Lookup::default(), rest) };
        let own_type = || table.type_at(place).map(|symbol| Target { file, symbol });
        let one =
            |meaning| Lookup { meanings: vec![(meaning, Provenance::Syntax)], is_external: false };
        if let Some(found) = languages::leading_path(self, file, table, place, name, rest) {
            return found;
        }
        if table.rules.own_words.contains(&name) {
            let own = own_type().map(Meaning::Value).or_else(|| {
                languages::own_object(table, place)
                    .map(|symbol| Meaning::Symbol(Target { file, symbol }))
            });
            return (own.map_or_else(Lookup::default, one), rest);
        }
        if table.rules.type_words.contains(&name) {
            return (own_type().map(Meaning::Symbol).map_or_else(Lookup::default, one), rest);
        }
        let super_word =
            table.rules.super_words.iter().find(|word| word.trim_end_matches("()") == name);
        if let Some(word) = super_word {
            let rest = match rest.split_first() {
                Some((Step::Call, after)) if word.ends_with("()") => after,
                _ => rest,
            };
            let mut found = Lookup::default();
            if let Some(own) = own_type() {
                for base in self.bases(own, depth + 1) {
                    found.add(Meaning::Value(base), Provenance::Type);
                }
            }
            return (found, rest);
        }
        (self.bare(file, place, name, true, depth), rest)
    }

    /// What is known of the value that a symbol holds.
    pub(super) fn values_of_symbol(&self, target: Target, depth: u32) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(target.file) else { return found };
        let Some(symbol) = table.symbol(target.symbol) else { return found };
        if symbol.kind.is_callable() {
            if table.is_property(target.symbol) {
                return self.given(target, None, depth + 1);
            }
            return found;
        }
        let scope = table.scope_at(symbol.name_start, Some(symbol.name_start));
        for &at in table.bindings(scope, &symbol.name) {
            found.extend(self.value_of(target.file, at, depth + 1));
        }
        found
    }

    /// What a call gives.
    pub(super) fn called(&self, of: &Meaning, depth: u32) -> Lookup {
        let Meaning::Symbol(target) = of else { return Lookup::default() };
        let Some(table) = self.project.table(target.file) else { return Lookup::default() };
        let Some(symbol) = table.symbol(target.symbol) else { return Lookup::default() };
        if symbol.kind.is_type() {
            let meanings = vec![(Meaning::Value(*target), Provenance::Type)];
            return Lookup { meanings, is_external: false };
        }
        if symbol.kind.is_callable() {
            return self.given(*target, None, depth + 1);
        }
        // A variable that is another name for a type or a function.
        let mut found = Lookup::default();
        for (meaning, _) in self.values_of_symbol(*target, depth + 1).meanings {
            if matches!(meaning, Meaning::Symbol(other) if other != *target) {
                found.extend(self.called(&meaning, depth + 1));
            }
        }
        found
    }

    /// Values of the types that a function says it gives.
    pub(super) fn given(&self, function: Target, receiver: Option<Target>, depth: u32) -> Lookup {
        let Some(table) = self.project.table(function.file) else { return Lookup::default() };
        let Some(symbol) = table.symbol(function.symbol) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let Some(text) = table.return_type(function.symbol) else {
            let mut found = Lookup::default();
            for at in table.given_by(function.symbol) {
                found.extend(self.value_of(function.file, at, depth + 1));
            }
            return found.by(Provenance::Type);
        };
        if matches!(text.trim_matches(['"', '\'']), "Self" | "this" | "self" | "static") {
            let owner = receiver
                .map(|target| (target.file, target.symbol))
                .or_else(|| table.type_at(symbol.name_start).map(|owner| (function.file, owner)));
            let owner = owner.map(|(file, symbol)| Meaning::Value(Target { file, symbol }));
            return Lookup {
                meanings: owner.into_iter().map(|owner| (owner, Provenance::Type)).collect(),
                is_external: false,
            };
        }
        self.typed(function.file, symbol.name_start, text, depth + 1)
    }

    /// One of the values that something holds.
    pub(super) fn element(&self, of: &Meaning, depth: u32) -> Lookup {
        let mut found = Lookup::default();
        if let Meaning::Many(target) = of {
            found.add(Meaning::Value(*target), Provenance::Type);
        }
        if let Meaning::Symbol(target) = of
            && !self.is_type(*target)
        {
            for (meaning, how) in self.values_of_symbol(*target, depth + 1).meanings {
                if let Meaning::Many(target) = meaning {
                    found.add(Meaning::Value(target), how);
                }
            }
        }
        found
    }
}
