//! The graph with one kind of edge more: files that commits change together. The history of git says so, and no text.

use gik_base::{Failure, Result};
use gik_graph::{Edge, EdgeKind, Edges, Node, Provenance};

use super::Graph;
use crate::Workspace;
use crate::history::{Past, no_history};

/// Edges of both kinds, or of texts alone.
#[derive(Debug)]
pub(crate) struct WithHistory<'s> {
    graph: Graph<'s>,
    past: Option<Past>,
}

impl<'s> WithHistory<'s> {
    /// The edges along `kinds`. The history is followed where it is named: it is no part of the files.
    pub(crate) fn along(ws: &Workspace<'_>, graph: Graph<'s>, kinds: &[EdgeKind]) -> Result<Self> {
        let past = if kinds.contains(&EdgeKind::Together) {
            Some(Past::of(ws)?.ok_or_else(|| no_history(&ws.root))?)
        } else {
            None
        };
        Ok(Self { graph, past })
    }

    /// The files that change with that of a node, and how surely.
    fn together(&self, node: Node) -> Vec<(Node, u8)> {
        let past = self.past.as_ref().filter(|_| node.symbol.is_none());
        let (Some(past), Some(file)) = (past, self.graph.file(node)) else { return Vec::new() };
        let files = self.graph.files();
        let found = |(key, percent): (String, u8)| {
            let at = files.binary_search_by(|file| file.key.as_str().cmp(&key)).ok()?;
            Some((Node::file(u32::try_from(at).ok()?), percent))
        };
        past.changing_with(file.key.as_str()).into_iter().filter_map(found).collect()
    }
}

impl Edges for WithHistory<'_> {
    type Failure = Failure;

    fn from(&mut self, node: Node) -> Result<Vec<Edge>> {
        let together = self.together(node).into_iter();
        let mut edges = self.graph.from(node)?;
        edges.extend(together.map(|(other, percent)| changed(node, other, percent)));
        Ok(edges)
    }

    fn to(&mut self, node: Node) -> Result<Vec<Edge>> {
        let together = self.together(node).into_iter();
        let mut edges = self.graph.to(node)?;
        edges.extend(together.map(|(other, percent)| changed(other, node, percent)));
        Ok(edges)
    }
}

fn changed(from: Node, to: Node, confidence: u8) -> Edge {
    Edge {
        from,
        to,
        kind: EdgeKind::Together,
        provenance: Provenance::Heuristic,
        confidence,
        candidates: 1,
        evidence: None,
    }
}
