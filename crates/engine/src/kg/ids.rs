//! What symbols are called in `kg/`: `sym:<language>:<path>:<kind>:<name>[#<n>]`.

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
pub(crate) fn file_id(path: &str) -> String {
    format!("file:{path}")
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
pub(crate) fn named_id(language: &str, path: &str, kind: KgNodeKind, name: &str) -> String {
    let language = if language.is_empty() { "text" } else { language };
    format!("sym:{language}:{path}:{}:{name}", kind.as_str())
}

/// The ids of all symbols of a file; empty for those that are no nodes. A second one of the same name gets a number.
pub(crate) fn symbol_ids(file: &FileRow, symbols: &[SymbolRow]) -> Vec<String> {
    let mut used: HashMap<String, u32> = HashMap::default();
    let mut ids = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let Some(kind) = node_kind(&symbol.kind) else {
            ids.push(String::new());
            continue;
        };
        let name = qualified(symbol, &file.language);
        let id = named_id(&file.language, file.key.as_str(), kind, &name);
        let count = used.entry(id.clone()).or_insert(0);
        ids.push(if *count == 0 { id } else { format!("{id}#{count}") });
        *count += 1;
    }
    ids
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
