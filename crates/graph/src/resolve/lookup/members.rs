//! What has a value, a type or a module under a name, of its own or by inheritance?

use super::super::{expression, languages};
use super::memo::Question;
use super::{Lookup, Meaning, Resolver, Target, symbols};
use crate::Provenance;
use crate::facts::SymbolKind;

/// How many types a type may inherit from, with theirs.
const ANCESTORS_MAX: usize = 48;

impl Resolver<'_> {
    /// The member of something.
    pub(crate) fn member(&self, of: &Meaning, name: &str, depth: u32) -> Lookup {
        if self.is_spent(depth) {
            return Lookup::default();
        }
        match of {
            Meaning::File(file) => self.exported(*file, name, depth + 1).by(Provenance::Import),
            Meaning::Folder(folder) => {
                languages::in_folder(self, folder, name).by(Provenance::Import)
            },
            Meaning::Value(target) => {
                self.member_of_type(*target, name, depth + 1).by(Provenance::Type)
            },
            Meaning::Package(package) => {
                languages::in_package(self, package, name).by(Provenance::Import)
            },
            Meaning::Many(_) => Lookup::default(),
            Meaning::Symbol(target) => {
                let Some(table) = self.project.table(target.file) else { return Lookup::default() };
                let Some(symbol) = table.symbol(target.symbol) else { return Lookup::default() };
                if symbol.kind.is_type() {
                    let found = self.member_of_type(*target, name, depth + 1);
                    if found.is_empty() && languages::makes_values(table, name) {
                        let meanings = vec![(Meaning::Value(*target), Provenance::Type)];
                        return Lookup { meanings, is_external: false };
                    }
                    return found;
                }
                if symbol.kind == SymbolKind::Module
                    && let Some(file) = languages::module_file(self, table, *target)
                {
                    return self.exported(file, name, depth + 1).by(Provenance::Import);
                }
                let own = symbols(table, target.file, table.members(Some(target.symbol), name));
                if !own.is_empty() || symbol.kind == SymbolKind::Module {
                    return own;
                }
                let mut found = Lookup::default();
                for (meaning, _) in self.values_of_symbol(*target, depth + 1).meanings {
                    found.extend(self.member(&meaning, name, depth + 1).by(Provenance::Type));
                }
                found
            },
        }
    }

    pub(crate) fn is_type(&self, target: Target) -> bool {
        let table = self.project.table(target.file);
        table
            .and_then(|table| table.symbol(target.symbol))
            .is_some_and(|symbol| symbol.kind.is_type())
    }

    /// The member of a type, its own or one that it inherits.
    pub(crate) fn member_of_type(&self, of: Target, name: &str, depth: u32) -> Lookup {
        let mut waiting = vec![of];
        let mut seen = vec![of];
        let mut is_external = false;
        while let Some(here) = waiting.pop() {
            let Some(table) = self.project.table(here.file) else { continue };
            let mut found = symbols(table, here.file, table.members(Some(here.symbol), name));
            if found.is_empty() {
                found = languages::member_elsewhere(self, table, here, name);
            }
            if found.is_empty() {
                for &at in table.attributes(here.symbol, name) {
                    found.extend(self.value_of(here.file, at, depth + 1).by(Provenance::Type));
                }
                if !table.attributes(here.symbol, name).is_empty() {
                    return found;
                }
            }
            if !found.is_empty() {
                return found;
            }
            if seen.len() < ANCESTORS_MAX && !self.is_spent(depth) {
                let bases = self.all_bases(here, depth + 1);
                is_external |= bases.is_external;
                for base in targets(bases).into_iter().rev() {
                    if !seen.contains(&base) {
                        seen.push(base);
                        waiting.push(base);
                    }
                }
            }
        }
        Lookup { meanings: Vec::new(), is_external }
    }

    /// The types that a type derives from, in order.
    pub(crate) fn bases(&self, of: Target, depth: u32) -> Vec<Target> {
        targets(self.all_bases(of, depth))
    }

    /// The types that a type derives from, and whether some are not part of the project.
    fn all_bases(&self, of: Target, depth: u32) -> Lookup {
        self.memo.answer(Question::Bases(of), || self.find_bases(of, depth))
    }

    fn find_bases(&self, of: Target, depth: u32) -> Lookup {
        let mut bases = Lookup::default();
        let Some(table) = self.project.table(of.file) else { return Lookup::external() };
        for at in table.bases_of(of.symbol) {
            let found = self.base(of, at, depth + 1);
            bases.is_external |= found.is_empty();
            for (meaning, _) in found.meanings {
                if let Meaning::Symbol(target) = meaning
                    && target != of
                    && self.is_type(target)
                {
                    bases.add(meaning, Provenance::Type);
                }
            }
        }
        bases
    }

    /// What the text of a base stands for, seen from around the type.
    pub(crate) fn base(&self, of: Target, at: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(of.file) else { return Lookup::default() };
        let Some(name) = &table.fact(at).name else { return Lookup::default() };
        let text = table.facts.str(name);
        let plain = text.split(['<', '[', '(']).next().unwrap_or(text);
        let Some(steps) = expression::steps(plain) else { return Lookup::default() };
        // A type sees itself by its name; what is around it is what it derives from.
        let found = self.chain(of.file, name.start, &steps, depth + 1);
        let is_other = |(meaning, _): &(Meaning, Provenance)| *meaning != Meaning::Symbol(of);
        Lookup {
            meanings: found.meanings.into_iter().filter(is_other).collect(),
            is_external: found.is_external,
        }
    }
}

/// The symbols among meanings.
fn targets(found: Lookup) -> Vec<Target> {
    let symbol = |meaning| if let Meaning::Symbol(target) = meaning { Some(target) } else { None };
    found.meanings.into_iter().filter_map(|(meaning, _)| symbol(meaning)).collect()
}
