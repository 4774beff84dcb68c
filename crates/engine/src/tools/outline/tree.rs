//! What stands in what? Symbols in the order of their lines become a tree.

use std::collections::BTreeMap;
use std::ops::Range;

use gik_parse::Symbol;
use gik_store::{FileRow, SymbolRow};
use schemars::JsonSchema;
use serde::Serialize;

use crate::symbols::{id_of, qualified};

/// A symbol and what stands in it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The simple name.
    pub name: String,
    /// The name with what it stands in.
    pub qualified: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// `public`, `protected`, `internal` or `private`, in languages that say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    /// The declaration without its body.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The stable id.
    pub symbol_id: String,
    /// What stands in it, in the order of the lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Self>,
}

/// A symbol before it has its place in the tree.
pub(super) struct Item {
    node: Node,
    container: Option<String>,
    bytes: Range<usize>,
}

impl Item {
    pub(super) fn stored(row: SymbolRow, file: &FileRow, text: &str) -> Self {
        Self {
            node: Node {
                qualified: qualified(&row, &file.language),
                symbol_id: id_of(&row, file),
                signature: row.signature.line(text, row.bytes.start),
                name: row.name,
                kind: row.kind,
                start_line: row.start.0,
                end_line: row.end.0,
                visibility: row.visibility,
                children: Vec::new(),
            },
            container: row.container,
            bytes: row.bytes,
        }
    }

    pub(super) fn parsed(symbol: Symbol) -> Self {
        Self {
            node: Node {
                qualified: symbol.qualified,
                symbol_id: symbol.symbol_id,
                name: symbol.name,
                kind: symbol.kind.as_str().to_owned(),
                start_line: symbol.start.line,
                end_line: symbol.end.line,
                visibility: symbol.visibility.map(|visibility| visibility.as_str().to_owned()),
                signature: symbol.signature,
                children: Vec::new(),
            },
            container: symbol.container,
            bytes: symbol.bytes,
        }
    }
}

/// Puts each symbol below what it stands in. A method may be written apart from its type; its container says where it
/// belongs. Symbols come in the order of their start.
pub(super) fn tree(items: Vec<Item>) -> Vec<Node> {
    let mut first_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        first_of.entry(item.node.qualified.as_str()).or_insert(at);
    }
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(items.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        while open.last().is_some_and(|&outer| items[outer].bytes.end < item.bytes.end) {
            open.pop();
        }
        while open.last().is_some_and(|&outer| items[outer].bytes.end <= item.bytes.start) {
            open.pop();
        }
        let around = open.last().copied();
        let is_meant = |at: usize| item.container.as_deref() == Some(&*items[at].node.qualified);
        let named = item.container.as_deref().and_then(|name| first_of.get(name).copied());
        parents.push(around.filter(|&at| is_meant(at)).or(named).or(around).filter(|&p| p != at));
        open.push(at);
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    let mut roots = Vec::new();
    for at in 0..items.len() {
        match parents[at].filter(|_| !is_own_ancestor(at, &parents)) {
            Some(parent) => children[parent].push(at),
            None => roots.push(at),
        }
    }
    let mut nodes: Vec<Option<Node>> = items.into_iter().map(|item| Some(item.node)).collect();
    roots.into_iter().filter_map(|root| grown(root, &children, &mut nodes)).collect()
}

/// Whether names that contain each other would make a circle.
fn is_own_ancestor(at: usize, parents: &[Option<usize>]) -> bool {
    let ancestors = std::iter::successors(parents[at], |&parent| parents[parent]);
    ancestors.take(parents.len()).any(|ancestor| ancestor == at)
}

fn grown(at: usize, children: &[Vec<usize>], nodes: &mut [Option<Node>]) -> Option<Node> {
    let mut node = nodes[at].take()?;
    node.children =
        children[at].iter().filter_map(|&child| grown(child, children, nodes)).collect();
    Some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(qualified: &str, container: Option<&str>, bytes: Range<usize>) -> Item {
        Item {
            node: Node {
                name: qualified.to_owned(),
                qualified: qualified.to_owned(),
                kind: "function".to_owned(),
                start_line: 1,
                end_line: 1,
                visibility: None,
                signature: String::new(),
                symbol_id: String::new(),
                children: Vec::new(),
            },
            container: container.map(str::to_owned),
            bytes,
        }
    }

    fn shape(nodes: &[Node]) -> String {
        let shown = nodes.iter().map(|node| match node.children.as_slice() {
            [] => node.qualified.clone(),
            below => format!("{}({})", node.qualified, shape(below)),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn symbols_stand_below_what_they_are_written_in_or_belong_to() {
        let nodes = tree(vec![
            item("S", None, 0..10),
            item("S::a", Some("S"), 2..4),
            item("S::m", Some("S"), 20..30),
            item("inner", Some("S::m"), 22..24),
            item("m", None, 40..80),
            item("m::f", Some("m"), 50..60),
            item("Foreign::g", Some("Foreign"), 90..95),
        ]);
        assert_eq!(shape(&nodes), "S(S::a S::m(inner)) m(m::f) Foreign::g");
    }

    #[test]
    fn names_that_contain_each_other_are_still_all_there() {
        let nodes = tree(vec![
            item("a", Some("b"), 0..10),
            item("b", Some("a"), 20..30),
            item("c", Some("a"), 40..50),
        ]);
        assert_eq!(shape(&nodes), "a(c) b");
    }
}
