//! What a name may stand for, and how that is known.

use super::super::rules::Family;
use super::super::table::Table;
use crate::Provenance;

/// A symbol of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub(super) fn inherited(mut self, file: u32) -> Self {
        for (meaning, how) in &mut self.meanings {
            if matches!(meaning, Meaning::Symbol(target) if target.file != file) {
                *how = (*how).max(Provenance::Type);
            }
        }
        self
    }

    /// The same, known by no better means than these.
    pub(super) fn by(mut self, how: Provenance) -> Self {
        for (_, known) in &mut self.meanings {
            *known = (*known).max(how);
        }
        self
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
            let has_overloads = matches!(
                table.rules.family,
                Family::Jvm | Family::CSharp | Family::C | Family::Rust
            );
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
