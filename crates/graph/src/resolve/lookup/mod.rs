//! What does a name stand for? Through scopes, imports, exports and types, as far as the texts say it.
//!
//! A name is looked up in the scopes around it here, a chain of names in `chain`, what a value has in `members`, and
//! what other files offer in `modules`.

mod chain;
mod meaning;
mod members;
mod memo;
mod modules;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gik_base::collections::HashMap;

pub(crate) use self::meaning::{Lookup, Meaning, Target, symbols};
use self::memo::{Memo, Question};
use super::languages;
use super::project::Project;
use super::rules::{Family, Shares};
use crate::facts::SymbolKind;

/// How many steps one question may take, through all that it leads to.
const FUEL: u32 = 600;
/// How deep names may lead to further names.
const DEPTH_MAX: u32 = 48;
/// More meanings than this are none.
pub(crate) const MEANINGS_MAX: usize = 8;

/// Answers what names stand for.
pub(crate) struct Resolver<'p> {
    pub(crate) project: Project<'p>,
    fuel: Cell<u32>,
    memo: Memo,
    /// What files of C include, as far as that was asked.
    included: RefCell<HashMap<u32, Rc<languages::c::Includes>>>,
}

impl<'p> Resolver<'p> {
    pub(crate) fn new(project: Project<'p>) -> Self {
        let (memo, included) = (Memo::new(), RefCell::default());
        Self { project, fuel: Cell::new(0), memo, included }
    }

    /// Begins a question.
    pub(crate) fn refuel(&self) {
        self.fuel.set(FUEL);
        self.memo.begin();
    }

    /// What a file of C includes.
    pub(crate) fn includes(&self, file: u32) -> Rc<languages::c::Includes> {
        if let Some(known) = self.included.borrow().get(&file) {
            return Rc::clone(known);
        }
        let found = Rc::new(languages::c::includes(self, file));
        self.included.borrow_mut().insert(file, Rc::clone(&found));
        found
    }

    fn is_spent(&self, depth: u32) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        let is_spent = left == 0 || depth > DEPTH_MAX;
        if is_spent {
            self.memo.limit();
        }
        is_spent
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
        let (inside, owned) = (table.innermost(place), name.to_owned());
        self.memo.answer(Question::Bare { file, inside, name: owned, is_receiver }, || {
            self.find_bare(file, inside, name, is_receiver, depth)
        })
    }

    fn find_bare(
        &self,
        file: u32,
        inside: Option<u32>,
        name: &str,
        is_receiver: bool,
        depth: u32,
    ) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let mut here = inside;
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
        let question = Question::InFile(file, name.to_owned());
        self.memo.answer(question, || self.find_in_file(file, name, depth))
    }

    fn find_in_file(&self, file: u32, name: &str, depth: u32) -> Lookup {
        let Some(table) = self.project.table(file) else { return Lookup::default() };
        if self.is_spent(depth) {
            return Lookup::default();
        }
        let mut found = symbols(table, file, table.members(None, name));
        // Values, and modules of Rust, may have the name of something that is imported.
        let is_rust = table.rules.family == Family::Rust;
        let is_defined_by_value = found.meanings.iter().all(|(meaning, _)| {
            matches!(meaning, Meaning::Symbol(target)
            if table.symbol(target.symbol).is_some_and(|symbol| {
                symbol.kind == SymbolKind::Value
                    || is_rust && symbol.kind == SymbolKind::Module
            }))
        });
        if found.is_empty() || is_defined_by_value {
            found.extend(self.imports(file, None, name, depth + 1));
        }
        if found.is_empty() && !found.is_external {
            found = self.through_wildcards(file, name, false, depth + 1);
        }
        if found.is_empty() {
            found.extend(languages::in_own_namespaces(table, file, name));
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
}
