//! A graph that is in memory as a whole, for questions about all of it.

use std::convert::Infallible;

use crate::{Edge, Edges, Node};

/// All edges, found by either end.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Sorted.
    edges: Vec<Edge>,
    /// Places in `edges`, sorted by where they end.
    by_end: Vec<u32>,
}

impl Memory {
    /// Sorts the edges; equal ones become one.
    pub fn new(mut edges: Vec<Edge>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut by_end: Vec<u32> = (0..).take(edges.len()).collect();
        by_end.sort_by_key(|&place| edges[place as usize].to);
        Self { edges, by_end }
    }

    /// All of them, sorted.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Those that leave `node`, sorted.
    pub fn leaving(&self, node: Node) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.from < node);
        let rest = &self.edges[start..];
        &rest[..rest.partition_point(|edge| edge.from == node)]
    }

    /// Those that end at `node`, sorted.
    pub fn ending(&self, node: Node) -> impl Iterator<Item = &Edge> {
        let edge = |&place: &u32| &self.edges[place as usize];
        let start = self.by_end.partition_point(|place| edge(place).to < node);
        self.by_end[start..].iter().map(edge).take_while(move |edge| edge.to == node)
    }
}

impl Edges for Memory {
    type Failure = Infallible;

    fn from(&mut self, node: Node) -> Result<Vec<Edge>, Infallible> {
        Ok(self.leaving(node).to_vec())
    }

    fn to(&mut self, node: Node) -> Result<Vec<Edge>, Infallible> {
        Ok(self.ending(node).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EdgeKind, Provenance};

    fn call(from: (u32, u32), to: (u32, u32)) -> Edge {
        Edge {
            from: Node::symbol(from.0, from.1),
            to: Node::symbol(to.0, to.1),
            kind: EdgeKind::Calls,
            provenance: Provenance::Syntax,
            confidence: 100,
            candidates: 1,
            evidence: None,
        }
    }

    #[test]
    fn edges_are_found_by_either_end() {
        let graph = Memory::new(vec![
            call((1, 0), (0, 2)),
            call((0, 0), (0, 2)),
            call((0, 0), (0, 1)),
            call((0, 0), (0, 1)),
        ]);
        assert_eq!(graph.edges().len(), 3);
        assert_eq!(graph.leaving(Node::symbol(0, 0)).len(), 2);
        let callers: Vec<Node> = graph.ending(Node::symbol(0, 2)).map(|edge| edge.from).collect();
        assert_eq!(callers, [Node::symbol(0, 0), Node::symbol(1, 0)]);
        assert!(graph.leaving(Node::file(0)).is_empty());
    }
}
