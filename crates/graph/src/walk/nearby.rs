//! What is within so many steps?

use std::collections::{BTreeMap, BTreeSet};

use super::{Cut, Limits, Patience, Selection, best_steps, steps};
use crate::{Edge, Edges, Node};

/// A part of the graph around some nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearby {
    /// The start and what was reached, nearest first, then in the order in which they were met.
    pub nodes: Vec<Reached>,
    /// All edges that count between these nodes, sorted.
    pub edges: Vec<Edge>,
    /// What was left out.
    pub cut: Cut,
}

/// A node and how it was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The node.
    pub node: Node,
    /// Steps from the start.
    pub depth: u32,
    /// The edge it was first reached by; none for the start.
    pub via: Option<Edge>,
}

/// Everything within the limits around `start`, breadth first.
pub fn nearby<E: Edges>(
    edges: &mut E,
    start: &[Node],
    selection: &Selection,
    limits: Limits,
    patience: Patience<'_>,
) -> Result<Nearby, E::Failure> {
    let mut cut = Cut::default();
    let mut nodes: Vec<Reached> = Vec::new();
    let mut places: BTreeMap<Node, usize> = BTreeMap::new();
    let mut met: BTreeSet<Edge> = BTreeSet::new();
    for &node in start {
        if nodes.len() >= limits.nodes as usize {
            cut.nodes = true;
            break;
        }
        places.entry(node).or_insert_with(|| {
            nodes.push(Reached { node, depth: 0, via: None });
            nodes.len() - 1
        });
    }
    let mut next = 0;
    while next < nodes.len() {
        if !patience() {
            cut.time = true;
            break;
        }
        let (node, depth) = (nodes[next].node, nodes[next].depth);
        next += 1;
        let steps = steps(edges, node, selection)?;
        // Edges back to known nodes are part of the picture even where no new node may be added.
        met.extend(steps.iter().map(|(_, edge)| edge.clone()));
        let fresh: Vec<(Node, Edge)> =
            best_steps(steps).into_iter().filter(|(node, _)| !places.contains_key(node)).collect();
        if depth >= limits.depth {
            cut.depth |= !fresh.is_empty();
            continue;
        }
        if fresh.len() > limits.fan_out as usize {
            cut.fan_out += 1;
        }
        for (node, edge) in fresh.into_iter().take(limits.fan_out as usize) {
            if nodes.len() >= limits.nodes as usize {
                cut.nodes = true;
                break;
            }
            places.insert(node, nodes.len());
            nodes.push(Reached { node, depth: depth + 1, via: Some(edge) });
        }
    }
    let inside = |edge: &Edge| places.contains_key(&edge.from) && places.contains_key(&edge.to);
    let edges = met.into_iter().filter(inside).collect();
    Ok(Nearby { nodes, edges, cut })
}
