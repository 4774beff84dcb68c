//! Questions about all nodes at once: which of them does nothing lead to, and which do many lead to?

use std::collections::{BTreeMap, BTreeSet};

use super::Selection;
use crate::{Memory, Node};

/// How many others a node is connected with; two edges between the same two nodes count once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Degree {
    /// The node.
    pub node: Node,
    /// Nodes that name it.
    pub incoming: u32,
    /// Nodes that it names.
    pub outgoing: u32,
}

/// Every node with an edge that counts: those that most others name first, then those that name most, then by node.
pub fn degrees(graph: &Memory, selection: &Selection) -> Vec<Degree> {
    let pairs: BTreeSet<(Node, Node)> = graph
        .edges()
        .iter()
        .filter(|edge| edge.from != edge.to && selection.takes(edge))
        .map(|edge| (edge.from, edge.to))
        .collect();
    let mut counts: BTreeMap<Node, (u32, u32)> = BTreeMap::new();
    for (from, to) in pairs {
        counts.entry(from).or_default().1 += 1;
        counts.entry(to).or_default().0 += 1;
    }
    let mut degrees: Vec<Degree> = counts
        .into_iter()
        .map(|(node, (incoming, outgoing))| Degree { node, incoming, outgoing })
        .collect();
    degrees.sort_by(|a, b| {
        (b.incoming, b.outgoing).cmp(&(a.incoming, a.outgoing)).then_with(|| a.node.cmp(&b.node))
    });
    degrees
}

/// Those of `nodes` at which no edge that counts ends, but for their own; in their order.
pub fn unreached(graph: &Memory, nodes: &[Node], selection: &Selection) -> Vec<Node> {
    let is_unreached =
        |node: &Node| !graph.ending(*node).any(|edge| edge.from != *node && selection.takes(edge));
    nodes.iter().copied().filter(is_unreached).collect()
}
