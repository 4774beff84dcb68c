//! What does a file offer, and what do its imports bring in?

use std::ops::Range;

use super::super::languages;
use super::super::rules::Family;
use super::memo::Question;
use super::{Lookup, Meaning, Resolver, symbols};
use crate::Provenance;
use crate::facts::ScopeKind;

impl Resolver<'_> {
    /// What a file offers under a name.
    pub(crate) fn exported(&self, file: u32, name: &str, depth: u32) -> Lookup {
        let question = Question::Offered(file, name.to_owned());
        self.memo.answer(question, || self.find_exported(file, name, depth))
    }

    fn find_exported(&self, file: u32, name: &str, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        if table.rules.family != Family::JavaScript {
            return languages::offered(self, file, table, name, depth + 1);
        }
        if name == "default" {
            return self.default_export(file, depth + 1);
        }
        let mut found = Lookup::default();
        for &at in table.exports(name) {
            found.extend(self.offered_by(file, at, depth + 1));
        }
        if !table.exports(name).is_empty() {
            return found;
        }
        let tops = table.members(None, name);
        let public = tops.iter().filter(|at| table.symbol(**at).is_some_and(|one| one.is_public));
        let public: Vec<u32> = public.copied().collect();
        if !public.is_empty() {
            return symbols(table, file, &public);
        }
        found = self.through_wildcards(file, name, true, depth + 1);
        if found.is_empty() && !found.is_external {
            // `module.exports = Store` offers what the class or object has.
            if let Some(at) = table.default_export
                && table.fact(at).kind == ScopeKind::ExportDefault
                && tops.is_empty()
            {
                for (meaning, _) in self.default_export(file, depth + 1).meanings {
                    found.extend(self.member(&meaning, name, depth + 1));
                }
            }
        }
        found
    }

    /// What a file offers by default.
    pub(super) fn default_export(&self, file: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if let Some(at) = table.default_export {
            return self.offered_by(file, at, depth + 1);
        }
        symbols(table, file, table.members(None, "default"))
    }

    /// What a fact offers to other files.
    pub(super) fn offered_by(&self, file: u32, at: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        let fact = table.fact(at);
        if fact.kind == ScopeKind::Reexport {
            return self.imported(file, at, depth + 1);
        }
        let Some(name) = &fact.name else { return Lookup::default() };
        self.in_file(file, table.facts.str(name), depth + 1)
    }

    /// What an import, or a name that is handed on, stands for.
    pub(crate) fn imported(&self, file: u32, at: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let fact = table.fact(at);
        let Some(from) = &fact.from else { return Lookup::default() };
        let place = fact.name.as_ref().or(fact.alias.as_ref()).unwrap_or(from).start;
        let Some(module) = self.module(file, at, from, place) else { return Lookup::external() };
        let found = match (&fact.kind, &fact.name) {
            (ScopeKind::ImportDefault, _) => {
                let Meaning::File(other) = module else { return Lookup::default() };
                let default = self.exported(other, "default", depth + 1);
                if default.is_empty() {
                    Lookup { meanings: vec![(module, Provenance::Import)], is_external: false }
                } else {
                    default
                }
            },
            (_, Some(name)) => self.member(&module, table.facts.str(name), depth + 1),
            (_, None) => {
                let module = languages::whole(self, file, table, at, module);
                Lookup { meanings: vec![(module, Provenance::Import)], is_external: false }
            },
        };
        found.by(Provenance::Import)
    }

    /// The module that a fact names; none where it is not part of the project.
    fn module(&self, file: u32, at: u32, from: &Range<u32>, place: u32) -> Option<Meaning> {
        let found = self.memo.answer(Question::Module(file, at), || {
            let Some(table) = self.project.table(file) else { return Lookup::external() };
            let module = languages::module(self, file, table, table.facts.str(from), place);
            let mut found = Lookup { is_external: module.is_none(), ..Lookup::default() };
            module.into_iter().for_each(|module| found.add(module, Provenance::Import));
            found
        });
        found.meanings.into_iter().next().map(|(module, _)| module)
    }

    /// What comes with everything of some modules.
    pub(crate) fn through_wildcards(
        &self,
        file: u32,
        name: &str,
        is_offered: bool,
        depth: u32,
    ) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(file) else { return found };
        if self.is_spent(depth) {
            return found;
        }
        if table.rules.family == Family::C {
            return languages::c::through_includes(self, file, name).by(Provenance::Import);
        }
        for &at in &table.wildcards {
            let fact = table.fact(at);
            if is_offered
                && table.rules.family == Family::JavaScript
                && fact.kind != ScopeKind::ReexportAll
            {
                continue;
            }
            if !is_offered
                && fact.kind == ScopeKind::ReexportAll
                && table.rules.family == Family::JavaScript
            {
                continue;
            }
            let Some(from) = &fact.from else { continue };
            let place = fact.alias.as_ref().unwrap_or(from).start;
            match self.module(file, at, from, place) {
                Some(Meaning::File(own)) if own == file => {},
                Some(module) => found.extend(languages::among_all(self, &module, name, depth + 1)),
                None => found.is_external = true,
            }
        }
        found.by(Provenance::Import)
    }
}
