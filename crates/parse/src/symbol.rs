//! What a symbol is: a named definition, and the id that finds it again after edits.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use gik_base::FileKey;
use gik_base::collections::HashMap;

use crate::language::Language;

/// A named definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The simple name: `open`.
    pub name: String,
    /// The name with its containers: `Store::open`.
    pub qualified: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The qualified name of what encloses it.
    pub container: Option<String>,
    /// The declaration without its body, on one line.
    pub signature: String,
    /// SCIP-style id, independent of body and line: `scip:gik rust . src/store.rs/Store#open().`
    pub symbol_id: String,
    /// The definition without its documentation comment and attributes.
    pub bytes: Range<usize>,
    /// Where `bytes` starts.
    pub start: Position,
    /// Where `bytes` ends, exclusive.
    pub end: Position,
    /// `bytes` counted in UTF-16 code units.
    pub utf16: Range<usize>,
    /// Where the simple name stands, or the first of its parts where other words lie between them; empty where no name
    /// is written.
    pub name_bytes: Range<usize>,
    /// Who may use it, in languages that say so.
    pub visibility: Option<Visibility>,
    /// The documentation comment without comment marks, cut where it is very long.
    pub doc: String,
}

/// Longer documentation is cut.
pub(crate) const DOC_MAX: usize = 2048;

impl Symbol {
    /// What symbols are sorted by: their start, outer ones first.
    pub(crate) fn order(&self) -> (usize, Reverse<usize>) {
        (self.bytes.start, Reverse(self.bytes.end))
    }

    /// Adds lines of documentation as far as there is room.
    pub(crate) fn add_doc(&mut self, text: &str) {
        if !self.doc.is_empty() && !text.is_empty() && self.doc.len() < DOC_MAX {
            self.doc.push('\n');
        }
        let room = DOC_MAX.saturating_sub(self.doc.len());
        self.doc.push_str(&text[..text.floor_char_boundary(room)]);
    }
}

/// Who may use a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Everyone.
    Public,
    /// Its type and the types derived from it.
    Protected,
    /// Its package, crate or assembly.
    Internal,
    /// Its type, file or module.
    Private,
}

impl Visibility {
    /// Every visibility.
    pub const ALL: [Self; 4] = [Self::Public, Self::Protected, Self::Internal, Self::Private];

    /// The name in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Protected => "protected",
            Self::Internal => "internal",
            Self::Private => "private",
        }
    }

    /// The visibility with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|visibility| visibility.as_str() == name)
    }
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// 1-based.
    pub line: u32,
    /// 0-based, in bytes.
    pub col: u32,
}

/// The kinds of [`Symbol`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymbolKind {
    Function,
    Method,
    Constructor,
    Class,
    Struct,
    Enum,
    Variant,
    Union,
    Trait,
    Interface,
    Protocol,
    TypeAlias,
    Const,
    Var,
    Field,
    Property,
    Module,
    Macro,
}

impl SymbolKind {
    /// Every kind.
    pub const ALL: [Self; 18] = [
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Class,
        Self::Struct,
        Self::Enum,
        Self::Variant,
        Self::Union,
        Self::Trait,
        Self::Interface,
        Self::Protocol,
        Self::TypeAlias,
        Self::Const,
        Self::Var,
        Self::Field,
        Self::Property,
        Self::Module,
        Self::Macro,
    ];

    /// The name in contracts and after `@definition.` in patterns.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Union => "union",
            Self::Trait => "trait",
            Self::Interface => "interface",
            Self::Protocol => "protocol",
            Self::TypeAlias => "typealias",
            Self::Const => "const",
            Self::Var => "var",
            Self::Field => "field",
            Self::Property => "property",
            Self::Module => "module",
            Self::Macro => "macro",
        }
    }

    /// The kind with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether functions inside are methods.
    pub(crate) fn is_type(self) -> bool {
        match self {
            Self::Class
            | Self::Struct
            | Self::Enum
            | Self::Union
            | Self::Trait
            | Self::Interface
            | Self::Protocol => true,
            Self::Function
            | Self::Method
            | Self::Constructor
            | Self::Variant
            | Self::TypeAlias
            | Self::Const
            | Self::Var
            | Self::Field
            | Self::Property
            | Self::Module
            | Self::Macro => false,
        }
    }

    /// Whether it lives inside its container's text and never makes a chunk of its own.
    pub(crate) fn is_part(self) -> bool {
        matches!(self, Self::Field | Self::Variant | Self::Property)
    }
}

/// The part of an id that does not depend on where the file is: the containers and the name.
pub fn descriptors_of<'i>(id: &'i str, language: Option<&Language>, path: &FileKey) -> &'i str {
    let prefix = prefix(language.map_or("", |language| language.id), path);
    id.strip_prefix(prefix.as_str()).unwrap_or(id)
}

/// The id that [`descriptors_of`] was taken from.
pub fn symbol_id_of(descriptors: &str, language_id: &str, path: &FileKey) -> String {
    [prefix(language_id, path).as_str(), descriptors].concat()
}

/// What the ids of a file start with.
fn prefix(language_id: &str, path: &FileKey) -> String {
    let path = path.as_str();
    let quoted = if path.contains([' ', '`']) { quote(path) } else { path.to_owned() };
    format!("scip:gik {language_id} . {quoted}/")
}

/// Makes symbol ids of one file, each of them once.
#[derive(Debug)]
pub(crate) struct SymbolIds {
    prefix: String,
    used: HashMap<String, u32>,
}

impl SymbolIds {
    pub(crate) fn new(language_id: &str, path: &FileKey) -> Self {
        Self { prefix: prefix(language_id, path), used: HashMap::default() }
    }

    /// The id of a definition below the descriptors of its containers.
    ///
    /// A second definition with the same id (one per platform, say) gets a disambiguator, as SCIP has it.
    pub(crate) fn make(&mut self, containers: &str, name: &str, kind: SymbolKind) -> String {
        let Self { prefix, used } = self;
        let nth = |nth| [prefix.as_str(), containers, &descriptor(name, kind, nth)].concat();
        unused(used, nth(0), nth)
    }

    /// Whether there is such a definition already.
    pub(crate) fn has(&self, containers: &str, name: &str, kind: SymbolKind) -> bool {
        let id = format!("{}{containers}{}", self.prefix, descriptor(name, kind, 0));
        self.used.contains_key(&id)
    }

    /// The part of an id of this file that does not depend on where the file is.
    pub(crate) fn descriptors<'i>(&self, id: &'i str) -> &'i str {
        id.strip_prefix(self.prefix.as_str()).unwrap_or(id)
    }

    /// Counts an id that is in use already.
    pub(crate) fn note(&mut self, id: &str) {
        *self.used.entry(without_disambiguator(id).0).or_insert(0) += 1;
        self.used.entry(id.to_owned()).or_insert(1);
    }

    /// The id of a definition in an embedded part, from the one it has in the part's own language.
    pub(crate) fn adopt(&mut self, id: &str) -> String {
        let tail = id.strip_prefix("scip:gik ").and_then(|rest| rest.split_once(' '));
        let own = self.prefix.strip_prefix("scip:gik ").and_then(|rest| rest.split_once(' '));
        let (Some((_, tail)), Some((language_id, _))) = (tail, own) else { return id.to_owned() };
        let (base, at) = without_disambiguator(&format!("scip:gik {language_id} {tail}"));
        let (name, suffix) = base.split_at(at);
        let suffix = suffix.strip_prefix("()").unwrap_or(suffix);
        let next = |nth| format!("{name}(+{nth}){suffix}");
        unused(&mut self.used, base.clone(), next)
    }
}

/// The first id, or where that is taken the next one that is not: a method and a field share their disambiguators.
fn unused(used: &mut HashMap<String, u32>, first: String, next: impl Fn(u32) -> String) -> String {
    let Some(count) = used.get(&first).copied() else {
        used.insert(first.clone(), 1);
        return first;
    };
    let mut nth = count;
    while used.contains_key(&next(nth)) {
        nth += 1;
    }
    let id = next(nth);
    used.insert(first, nth + 1);
    used.insert(id.clone(), 1);
    id
}

/// An id as the first of its name has it, and where in it a disambiguator would stand.
fn without_disambiguator(id: &str) -> (String, usize) {
    let end = id.len() - usize::from(id.ends_with(['.', '#', '/', '!']));
    let (name, suffix) = id.split_at(end);
    if let Some(name) = name.strip_suffix("()") {
        return (id.to_owned(), name.len());
    }
    let Some((simple, number)) = name.rsplit_once("(+") else { return (id.to_owned(), end) };
    let is_number = number.strip_suffix(')').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    if !is_number {
        return (id.to_owned(), end);
    }
    (format!("{simple}{suffix}"), simple.len())
}

/// One step of a SCIP symbol; `nth` tells equal ones apart.
pub(crate) fn descriptor(name: &str, kind: SymbolKind, nth: u32) -> String {
    let sign = match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor if nth == 0 => "().",
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Constructor
        | SymbolKind::Const
        | SymbolKind::Var
        | SymbolKind::Field
        | SymbolKind::Property => ".",
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Variant
        | SymbolKind::Union
        | SymbolKind::Trait
        | SymbolKind::Interface
        | SymbolKind::Protocol
        | SymbolKind::TypeAlias => "#",
        SymbolKind::Module => "/",
        SymbolKind::Macro => "!",
    };
    let name = identifier(name);
    if nth == 0 { [&*name, sign].concat() } else { format!("{name}(+{nth}){sign}") }
}

/// A name as SCIP writes it: quoted where it is not simple.
pub(crate) fn identifier(name: &str) -> Cow<'_, str> {
    let is_simple =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'$');
    if !name.is_empty() && name.bytes().all(is_simple) { name.into() } else { quote(name).into() }
}

fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_follow_scip_and_are_unique() {
        let mut ids = SymbolIds::new("rust", &FileKey::from_text("src/store.rs"));
        let id = ids.make("Store#", "open", SymbolKind::Method);
        assert_eq!(id, "scip:gik rust . src/store.rs/Store#open().");
        let twin = ids.make("Store#", "open", SymbolKind::Method);
        assert_eq!(twin, "scip:gik rust . src/store.rs/Store#open(+1).");
        let spaced = SymbolIds::new("rust", &FileKey::from_text("a b.rs")).make(
            "",
            "größe",
            SymbolKind::Const,
        );
        assert_eq!(spaced, "scip:gik rust . `a b.rs`/`größe`.");
    }

    #[test]
    fn every_kind_has_one_name() {
        for kind in SymbolKind::ALL {
            assert_eq!(SymbolKind::from_name(kind.as_str()), Some(kind));
        }
        for visibility in Visibility::ALL {
            assert_eq!(Visibility::from_name(visibility.as_str()), Some(visibility));
        }
    }
}
