//! What does a name stand for? Through scopes, imports, exports and types, as far as the texts say it.

use std::cell::Cell;

use super::expression::{self, Step};
use super::languages;
use super::project::Project;
use super::rules::{Family, Shares};
use super::table::Table;
use crate::Provenance;
use crate::facts::{ScopeKind, SymbolKind};

/// How many steps one question may take, through all that it leads to.
const FUEL: u32 = 600;
/// How deep names may lead to further names.
const DEPTH_MAX: u32 = 48;
/// How many types a type may inherit from, with theirs.
const ANCESTORS_MAX: usize = 48;
/// More meanings than this are none.
pub(crate) const MEANINGS_MAX: usize = 8;

/// A symbol of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) file: u32,
    pub(crate) symbol: u32,
}

/// What a name or an expression stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// The symbol itself.
    Symbol(Target),
    /// A file that is a module.
    File(u32),
    /// A folder that is a package.
    Folder(String),
    /// A package that files name.
    Package(String),
    /// Some value of a type.
    Value(Target),
    /// Many values of a type.
    Many(Target),
}

/// All meanings that were found, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lookup {
    pub(crate) meanings: Vec<(Meaning, Provenance)>,
    /// Whether it leads out of the project.
    pub(crate) is_external: bool,
}

impl Lookup {
    pub(crate) fn external() -> Self {
        Self { is_external: true, ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.meanings.is_empty()
    }

    pub(crate) fn add(&mut self, meaning: Meaning, how: Provenance) {
        if !self.meanings.iter().any(|(known, _)| *known == meaning) {
            self.meanings.push((meaning, how));
        }
    }

    pub(crate) fn extend(&mut self, other: Self) {
        for (meaning, how) in other.meanings {
            self.add(meaning, how);
        }
        self.is_external |= other.is_external;
    }

    /// The same, where what another file defines is known through a type.
    fn inherited(mut self, file: u32) -> Self {
        for (meaning, how) in &mut self.meanings {
            if matches!(meaning, Meaning::Symbol(target) if target.file != file) {
                *how = (*how).max(Provenance::Type);
            }
        }
        self
    }

    /// The same, known by no better means than these.
    fn by(mut self, how: Provenance) -> Self {
        for (_, known) in &mut self.meanings {
            *known = (*known).max(how);
        }
        self
    }
}

/// Answers what names stand for.
pub(crate) struct Resolver<'p> {
    pub(crate) project: Project<'p>,
    fuel: Cell<u32>,
}

impl<'p> Resolver<'p> {
    pub(crate) fn new(project: Project<'p>) -> Self {
        Self { project, fuel: Cell::new(0) }
    }

    /// Begins a question.
    pub(crate) fn refuel(&self) {
        self.fuel.set(FUEL);
    }

    fn is_spent(&self, depth: u32) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left == 0 || depth > DEPTH_MAX
    }

    /// What a name by itself stands for at a place. The parser leaves out names that are local; that of a receiver may
    /// be, so what a scope says of it counts, also where it says nothing but that the name is its own.
    pub(crate) fn bare(
        &self,
        file: u32,
        place: u32,
        name: &str,
        is_receiver: bool,
        depth: u32,
    ) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let mut here = table.innermost(place);
        while let Some(at) = here {
            here = table.around[at as usize];
            let Some(symbol) = table.symbol(at) else { break };
            let found = match symbol.kind {
                SymbolKind::Type | SymbolKind::Interface | SymbolKind::Alias => {
                    if !table.rules.sees_members {
                        continue;
                    }
                    let own = Target { file, symbol: at };
                    self.member_of_type(own, name, depth + 1).inherited(file)
                },
                SymbolKind::Value => continue,
                SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Constructor
                | SymbolKind::Module
                | SymbolKind::Macro => {
                    let own = Some(at);
                    if !table.bindings(own, name).is_empty() {
                        // A local name hides all others, also where nothing is known of it.
                        let symbols = symbols(table, file, table.members(own, name));
                        let mut found = if is_receiver {
                            self.bound(file, own, name, depth + 1)
                        } else {
                            self.imports(file, own, name, depth + 1)
                        };
                        found.extend(symbols);
                        if is_receiver || !found.is_empty() || found.is_external {
                            return found;
                        }
                        continue;
                    }
                    symbols(table, file, table.members(own, name))
                },
            };
            if !found.is_empty() {
                return found;
            }
            if symbol.kind == SymbolKind::Method && table.rules.sees_members {
                // A method that stands outside of its type.
                if let Some(owner) = table.type_at(symbol.name_start)
                    && table.around[at as usize] != Some(owner)
                {
                    let found =
                        self.member_of_type(Target { file, symbol: owner }, name, depth + 1);
                    if !found.is_empty() {
                        return found;
                    }
                }
            }
        }
        if is_receiver && table.bindings(None, name).iter().any(|at| !table.is_import(*at)) {
            let own = self.bound_values(file, None, name, depth + 1);
            if !own.is_empty() || table.members(None, name).is_empty() {
                return own;
            }
        }
        self.in_file(file, name, depth + 1)
    }

    /// What a name stands for outside of everything in a file.
    pub(crate) fn in_file(&self, file: u32, name: &str, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let mut found = symbols(table, file, table.members(None, name));
        let is_defined_by_value = found.meanings.iter().all(|(meaning, _)| {
            matches!(meaning, Meaning::Symbol(target)
                if table.symbol(target.symbol).is_some_and(|symbol| symbol.kind == SymbolKind::Value))
        });
        if found.is_empty() || is_defined_by_value {
            found.extend(self.imports(file, None, name, depth + 1));
        }
        if found.is_empty() && !found.is_external {
            found = self.through_wildcards(file, name, false, depth + 1);
        }
        if found.is_empty() && table.rules.shares != Shares::Nothing {
            found.extend(languages::shared(self, file, table, name));
        }
        if found.is_empty() {
            found.extend(languages::elsewhere(self, file, table, name));
        }
        found
    }

    /// What imports of a scope bring in under a name.
    fn imports(&self, file: u32, scope: Option<u32>, name: &str, depth: u32) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(file) else { return found };
        for &at in table.bindings(scope, name) {
            if table.is_import(at) {
                found.extend(self.imported(file, at, depth + 1));
            }
        }
        found
    }

    /// What is known of a name that facts of a scope bind: what is imported, or values of a type.
    fn bound(&self, file: u32, scope: Option<u32>, name: &str, depth: u32) -> Lookup {
        let mut found = self.imports(file, scope, name, depth);
        found.extend(self.bound_values(file, scope, name, depth));
        found
    }

    /// The values that facts of a scope say a name holds.
    fn bound_values(&self, file: u32, scope: Option<u32>, name: &str, depth: u32) -> Lookup {
        let mut found = Lookup::default();
        let Some(table) = self.project.table(file) else { return found };
        for &at in table.bindings(scope, name) {
            found.extend(self.value_of(file, at, depth + 1));
        }
        found
    }

    /// What a fact says that a name holds.
    fn value_of(&self, file: u32, at: u32, depth: u32) -> Lookup {
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
    fn first<'s, 't>(
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
                    return self.member_of_type(*target, name, depth + 1);
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

    /// What is known of the value that a symbol holds.
    fn values_of_symbol(&self, target: Target, depth: u32) -> Lookup {
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
    fn called(&self, of: &Meaning, depth: u32) -> Lookup {
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
    fn given(&self, function: Target, receiver: Option<Target>, depth: u32) -> Lookup {
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
    fn element(&self, of: &Meaning, depth: u32) -> Lookup {
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
                let (bases, has_external) = self.all_bases(here, depth + 1);
                is_external |= has_external;
                for base in bases.into_iter().rev() {
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
        self.all_bases(of, depth).0
    }

    /// The types that a type derives from, and whether some are not part of the project.
    fn all_bases(&self, of: Target, depth: u32) -> (Vec<Target>, bool) {
        let (mut bases, mut is_external) = (Vec::new(), false);
        let Some(table) = self.project.table(of.file) else { return (bases, true) };
        for at in table.bases_of(of.symbol) {
            let found = self.base(of, at, depth + 1);
            is_external |= found.is_empty();
            for (meaning, _) in found.meanings {
                if let Meaning::Symbol(target) = meaning
                    && target != of
                    && self.is_type(target)
                    && !bases.contains(&target)
                {
                    bases.push(target);
                }
            }
        }
        (bases, is_external)
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

    /// What a file offers under a name.
    pub(crate) fn exported(&self, file: u32, name: &str, depth: u32) -> Lookup {
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
    fn default_export(&self, file: u32, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if let Some(at) = table.default_export {
            return self.offered_by(file, at, depth + 1);
        }
        symbols(table, file, table.members(None, "default"))
    }

    /// What a fact offers to other files.
    fn offered_by(&self, file: u32, at: u32, depth: u32) -> Lookup {
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
        let module = languages::module(self, file, table, table.facts.str(from), place);
        let Some(module) = module else { return Lookup::external() };
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
            match languages::module(self, file, table, table.facts.str(from), place) {
                Some(Meaning::File(own)) if own == file => {},
                Some(module) => found.extend(languages::among_all(self, &module, name, depth + 1)),
                None => found.is_external = true,
            }
        }
        found.by(Provenance::Import)
    }
}

/// Symbols with one name and one owner, as one meaning where the language takes them for one.
pub(crate) fn symbols(table: &Table, file: u32, places: &[u32]) -> Lookup {
    let mut found = Lookup::default();
    let mut add =
        |symbol: u32| found.add(Meaning::Symbol(Target { file, symbol }), Provenance::Syntax);
    match places {
        [] => {},
        [only] => add(*only),
        [first, .., last] => {
            let has_overloads =
                matches!(table.rules.family, Family::Jvm | Family::CSharp | Family::C);
            if has_overloads {
                places.iter().copied().for_each(add);
            } else if places.iter().any(|at| table.is_property(*at)) {
                add(*first);
            } else {
                add(*last);
            }
        },
    }
    found
}
