//! What encloses the items being read: their qualified names, ids and containers come from it.

use super::grammar::Role;
use crate::language::SyntaxDescription;
use crate::outline::Zone;
use crate::symbol::{Symbol, SymbolKind, Visibility, descriptor, identifier};

/// A file, module, type or implementation block.
#[derive(Debug)]
pub(super) struct Scope {
    /// Its place in the outline.
    pub(super) item: Option<usize>,
    pub(super) qualified: String,
    /// The qualified name as SCIP descriptors.
    pub(super) descriptors: String,
    /// What an implementation block is for.
    pub(super) purpose: String,
    is_type: bool,
    is_enum: bool,
    /// Whether parts are data and no definitions.
    pub(super) is_table: bool,
    pub(super) zone: Zone,
    /// The symbol that it is the inside of.
    pub(super) symbol: Option<usize>,
    /// How visible that symbol is.
    pub(super) visibility: Option<Visibility>,
    pub(super) holder: Holder,
}

/// What kind of thing holds the items of a scope, as far as their visibility depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// A file or module.
    Module,
    Class,
    /// A trait, an interface or the implementation of one.
    Interface,
    /// Any other type.
    Type,
    /// A type that is defined elsewhere and only named here.
    Elsewhere,
    /// A function, or a value with functions inside.
    Body,
}

impl Scope {
    /// The whole file.
    pub(super) fn file() -> Self {
        Self {
            item: None,
            qualified: String::new(),
            descriptors: String::new(),
            purpose: String::new(),
            is_type: false,
            is_enum: false,
            is_table: false,
            zone: Zone::Product,
            symbol: None,
            visibility: None,
            holder: Holder::Module,
        }
    }

    /// The whole file, seen from here.
    pub(super) fn root(&self) -> Self {
        Self { item: self.item, zone: self.zone, ..Self::file() }
    }

    /// The inside of a symbol that is no container.
    pub(super) fn body(symbol: &Symbol, descriptors: &str) -> Self {
        Self {
            qualified: symbol.qualified.clone(),
            descriptors: descriptors.to_owned(),
            is_type: symbol.kind.is_type(),
            visibility: symbol.visibility,
            holder: if symbol.kind.is_type() { Holder::Type } else { Holder::Body },
            ..Self::file()
        }
    }

    /// The inside of an item.
    pub(super) fn inner(&self, role: Role, name: &str, purpose: &str) -> Self {
        let own = match (role.kind(), name, purpose) {
            (_, "", _) => String::new(),
            (Some(kind), name, _) => descriptor(name, kind, 0),
            (None, name, "") => format!("{}#", identifier(name)),
            (None, name, purpose) => format!("{}#[{}]", identifier(name), identifier(purpose)),
        };
        let (is_type, is_enum) = match role.kind() {
            Some(kind) => (kind.is_type(), kind == SymbolKind::Enum),
            None => (self.is_type || !name.is_empty(), self.is_enum && name.is_empty()),
        };
        let holder = match role.kind() {
            Some(SymbolKind::Class) => Holder::Class,
            Some(SymbolKind::Trait | SymbolKind::Interface | SymbolKind::Protocol) => {
                Holder::Interface
            },
            None if !purpose.is_empty() => Holder::Interface,
            None if name.is_empty() => self.holder,
            Some(SymbolKind::Module) => Holder::Module,
            Some(_) | None => Holder::Type,
        };
        Self {
            item: self.item,
            qualified: self.qualified.clone(),
            descriptors: format!("{}{own}", self.descriptors),
            purpose: purpose.to_owned(),
            is_type,
            is_enum,
            is_table: false,
            zone: self.zone,
            symbol: None,
            visibility: None,
            holder,
        }
    }

    /// The scope of a definition that names its container: `void Store::open() {}`.
    pub(super) fn named(
        &self,
        description: &SyntaxDescription,
        container: &str,
        kind: SymbolKind,
    ) -> Self {
        Self {
            item: self.item,
            qualified: self.qualify(description, container),
            descriptors: format!("{}{}", self.descriptors, descriptor(container, kind, 0)),
            purpose: String::new(),
            is_type: kind.is_type(),
            is_enum: false,
            is_table: false,
            zone: self.zone,
            symbol: None,
            visibility: None,
            holder: if kind.is_type() { Holder::Elsewhere } else { Holder::Module },
        }
    }

    /// A function inside a type is a method, a variable is a field; nothing is constructed outside of one.
    pub(super) fn kind_inside(&self, kind: SymbolKind) -> SymbolKind {
        if self.is_type && kind == SymbolKind::Function {
            SymbolKind::Method
        } else if self.is_type && kind == SymbolKind::Var {
            SymbolKind::Field
        } else if !self.is_type && kind == SymbolKind::Constructor {
            SymbolKind::Function
        } else {
            kind
        }
    }

    pub(super) fn is_type(&self) -> bool {
        self.is_type
    }

    /// Whether such a definition can be here; in a text with errors a part may have lost what it is a part of.
    pub(super) fn can_hold(&self, kind: SymbolKind) -> bool {
        if kind == SymbolKind::Variant {
            self.is_enum
        } else {
            !kind.is_part() || !(self.qualified.is_empty() || self.is_table)
        }
    }

    /// The qualified name of something inside.
    pub(super) fn qualify(&self, description: &SyntaxDescription, name: &str) -> String {
        let separator =
            if self.is_type { description.member_separator } else { description.separator };
        match (self.qualified.as_str(), name) {
            ("", name) => name.to_owned(),
            (container, "") => container.to_owned(),
            (container, name) => [container, separator, name].concat(),
        }
    }

    /// Whether that is its simple name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let is_name_sign = |c: char| c.is_alphanumeric() || c == '_';
        let outer = self.qualified.strip_suffix(name).filter(|_| !name.is_empty());
        outer.is_some_and(|outer| !outer.ends_with(is_name_sign))
    }

    /// The words that say where an item is.
    pub(super) fn words(&self) -> String {
        match (self.qualified.as_str(), self.purpose.as_str()) {
            (qualified, "") => qualified.to_owned(),
            (qualified, purpose) => format!("{qualified} {purpose}"),
        }
    }
}
