//! What symbols are called in `kg/`: `sym:<language>:<path>:<kind>:<name>[#<n>]`.

use std::rc::Rc;

use gik_base::collections::HashMap;
use gik_contract::KgNodeKind;
use gik_store::{FileRow, SymbolRow};

use crate::symbols::qualified;

/// What kind of node a symbol is; none for what is part of another one: fields, variants, constants.
pub(crate) fn node_kind(symbol_kind: &str) -> Option<KgNodeKind> {
    Some(match symbol_kind {
        "function" | "method" | "constructor" | "macro" => KgNodeKind::Function,
        "class" => KgNodeKind::Class,
        "struct" | "enum" | "union" | "typealias" => KgNodeKind::Struct,
        "trait" | "interface" | "protocol" => KgNodeKind::Trait,
        "module" => KgNodeKind::Module,
        _ => return None,
    })
}

/// The id of a file.
pub(crate) fn file_id(path: &str) -> Rc<str> {
    ["file:", path].concat().into()
}

/// Whether an id is that of a file or of something in it.
pub(crate) fn is_of(id: &str, path: &str) -> bool {
    let in_file = |rest: &str| rest.split_once(':').is_some_and(|(_, rest)| is_below(rest, path));
    id.strip_prefix("file:") == Some(path) || id.strip_prefix("sym:").is_some_and(in_file)
}

fn is_below(rest: &str, path: &str) -> bool {
    rest.strip_prefix(path).is_some_and(|rest| rest.starts_with(':'))
}

/// The id of something in a file that has a name.
pub(crate) fn named_id(language: &str, path: &str, kind: KgNodeKind, name: &str) -> Rc<str> {
    let language = if language.is_empty() { "text" } else { language };
    ["sym:", language, ":", path, ":", kind.as_str(), ":", name].concat().into()
}

/// The ids and labels of all symbols of a file; empty for those that are no nodes. A second one of the same name gets
/// a number in its id.
pub(crate) fn symbol_ids(file: &FileRow, symbols: &[SymbolRow]) -> (Vec<Rc<str>>, Vec<String>) {
    let mut used: HashMap<Rc<str>, u32> = HashMap::default();
    let none: Rc<str> = Rc::default();
    let named = symbols.iter().map(|symbol| {
        let Some(kind) = node_kind(&symbol.kind) else { return (Rc::clone(&none), String::new()) };
        let label = qualified(symbol, &file.language);
        let id = named_id(&file.language, file.key.as_str(), kind, &label);
        let count = used.entry(Rc::clone(&id)).or_insert(0);
        let numbered = if *count == 0 { id } else { format!("{id}#{count}").into() };
        *count += 1;
        (numbered, label)
    });
    named.unzip()
}

/// What stands around a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Around {
    /// The nearest symbol that is a node, itself included; none where only the file is.
    pub(crate) nearest: Option<u32>,
    /// The nearest one around it.
    pub(crate) parent: Option<u32>,
}

/// What stands around each symbol of a file.
pub(crate) fn surroundings(symbols: &[SymbolRow]) -> Vec<Around> {
    let mut found: Vec<Around> = Vec::with_capacity(symbols.len());
    // Symbols are sorted by their start, outer ones first, so those around one are still open.
    let mut open: Vec<usize> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        while let Some(&last) = open.last() {
            let outer = &symbols[last].bytes;
            if outer.end >= symbol.bytes.end && outer.start <= symbol.bytes.start {
                break;
            }
            open.pop();
        }
        let parent = open.last().and_then(|&last| found[last].nearest);
        let own = u32::try_from(at).ok().filter(|_| node_kind(&symbol.kind).is_some());
        found.push(Around { nearest: own.or(parent), parent });
        open.push(at);
    }
    found
}
