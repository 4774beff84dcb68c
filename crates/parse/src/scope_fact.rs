//! What a scope fact is: something that a file says about names which helps to tell what they stand for.

use std::ops::Range;

/// Where a name comes from, what type it has, or what a type derives from. All places are bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeFact {
    /// What is said.
    pub kind: ScopeFactKind,
    /// The name it is said of, or the base of a type.
    pub name: Option<Range<u32>>,
    /// The module, type, function or value that the name is tied to.
    pub from: Option<Range<u32>>,
    /// Another name for it.
    pub alias: Option<Range<u32>>,
}

/// The kinds of [`ScopeFact`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScopeFactKind {
    /// A name of a module is brought in; without a name the module itself.
    Import,
    /// Everything of a module is brought in.
    ImportAll,
    /// What a module offers by default is brought in.
    ImportDefault,
    /// A name of another module is handed on; without a name the module itself.
    Reexport,
    /// Everything of another module is handed on.
    ReexportAll,
    /// A name of the file is offered, perhaps by another name.
    Export,
    /// What the file offers by default.
    ExportDefault,
    /// The type around the place inherits from this one; from outside of the type, `from` names the type.
    Extends,
    /// The type around the place fulfils this interface; from outside of the type, `from` names the type.
    Implements,
    /// A name has a type.
    Typed,
    /// A name is what a call gives; without a name, the function around the place gives it.
    Called,
    /// A name is another name for something; without a name, the function around the place gives it.
    Valued,
    /// A name is one of many.
    Element,
    /// The function around the place gives a value of a type.
    Returns,
    /// The package or namespace of the file, or of what is around the place.
    Package,
    /// Reading the member calls it.
    Property,
    /// A file is a part of the module: `mod name;`.
    Module,
    /// A local name hides one that the file defines or imports.
    Local,
}

impl ScopeFactKind {
    /// Every kind.
    pub const ALL: [Self; 18] = [
        Self::Import,
        Self::ImportAll,
        Self::ImportDefault,
        Self::Reexport,
        Self::ReexportAll,
        Self::Export,
        Self::ExportDefault,
        Self::Extends,
        Self::Implements,
        Self::Typed,
        Self::Called,
        Self::Valued,
        Self::Element,
        Self::Returns,
        Self::Package,
        Self::Property,
        Self::Module,
        Self::Local,
    ];

    /// The name in patterns and goldens.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::ImportAll => "import.all",
            Self::ImportDefault => "import.default",
            Self::Reexport => "reexport",
            Self::ReexportAll => "reexport.all",
            Self::Export => "export",
            Self::ExportDefault => "export.default",
            Self::Extends => "extends",
            Self::Implements => "implements",
            Self::Typed => "typed",
            Self::Called => "called",
            Self::Valued => "valued",
            Self::Element => "element",
            Self::Returns => "returns",
            Self::Package => "package",
            Self::Property => "property",
            Self::Module => "module",
            Self::Local => "local",
        }
    }

    /// The kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Its place in [`ScopeFactKind::ALL`].
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The kind at that place.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_name_and_one_number() {
        for kind in ScopeFactKind::ALL {
            assert_eq!(ScopeFactKind::from_name(kind.as_str()), Some(kind));
            assert_eq!(ScopeFactKind::from_number(kind.number()), Some(kind));
        }
    }
}
