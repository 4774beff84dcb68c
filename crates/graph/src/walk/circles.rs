//! What leads back to itself: groups of nodes of which each leads to every other.

use std::collections::BTreeMap;

use super::{Direction, Limits, Selection, path};
use crate::{Edge, Memory, Node};

/// A group of nodes that lead to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circle {
    /// All of them, sorted.
    pub nodes: Vec<Node>,
    /// One shortest way around through the first node: each edge starts where the one before ends.
    pub way: Vec<Edge>,
}

/// All groups of two and more, largest first, then by their first node. What merely calls itself is none.
pub fn circles(graph: &Memory, selection: &Selection) -> Vec<Circle> {
    let selection = Selection { direction: Direction::Forward, ..selection.clone() };
    let mut circles: Vec<Circle> = groups(graph, &selection)
        .into_iter()
        .filter(|nodes| nodes.len() > 1)
        .map(|nodes| Circle { way: way_around(graph, &nodes, &selection), nodes })
        .collect();
    circles.sort_by(|a, b| b.nodes.len().cmp(&a.nodes.len()).then_with(|| a.nodes.cmp(&b.nodes)));
    circles
}

const UNSEEN: usize = usize::MAX;

/// A node that was entered, and the next of its targets to look at.
struct Call {
    node: usize,
    next: usize,
}

/// Tarjan's algorithm, without recursion: a chain of calls may be longer than a stack is deep.
fn groups(graph: &Memory, selection: &Selection) -> Vec<Vec<Node>> {
    let mut places: BTreeMap<Node, usize> = BTreeMap::new();
    for edge in graph.edges().iter().filter(|edge| selection.takes(edge)) {
        places.insert(edge.from, 0);
        places.insert(edge.to, 0);
    }
    let nodes: Vec<Node> = places.keys().copied().collect();
    for (place, node) in nodes.iter().enumerate() {
        places.insert(*node, place);
    }
    let targets: Vec<Vec<usize>> = nodes
        .iter()
        .map(|node| {
            let leaving = graph.leaving(*node).iter().filter(|edge| selection.takes(edge));
            leaving.filter_map(|edge| places.get(&edge.to).copied()).collect()
        })
        .collect();

    let mut order = vec![UNSEEN; nodes.len()];
    let mut lowest = vec![UNSEEN; nodes.len()];
    let mut is_open = vec![false; nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut groups = Vec::new();
    let mut seen = 0;
    for root in 0..nodes.len() {
        if order[root] != UNSEEN {
            continue;
        }
        let mut calls = vec![Call { node: root, next: 0 }];
        while let Some(call) = calls.last_mut() {
            let node = call.node;
            if order[node] == UNSEEN {
                order[node] = seen;
                lowest[node] = seen;
                seen += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&target) = targets[node].get(call.next) {
                // A target that was entered from here is looked at once more on the way back, for its lowest.
                if order[target] == UNSEEN {
                    calls.push(Call { node: target, next: 0 });
                    continue;
                }
                call.next += 1;
                if is_open[target] {
                    lowest[node] = lowest[node].min(lowest[target]);
                }
                continue;
            }
            calls.pop();
            if lowest[node] == order[node] {
                let start = open.iter().rposition(|member| *member == node).unwrap_or(0);
                let mut group: Vec<Node> = Vec::new();
                for member in open.drain(start..) {
                    is_open[member] = false;
                    group.push(nodes[member]);
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}

fn way_around(graph: &Memory, nodes: &[Node], selection: &Selection) -> Vec<Edge> {
    let Some(&first) = nodes.first() else { return Vec::new() };
    let mut inside: Vec<Edge> = Vec::new();
    for node in nodes {
        let leaving = graph.leaving(*node).iter();
        inside.extend(
            leaving
                .filter(|edge| selection.takes(edge) && nodes.binary_search(&edge.to).is_ok())
                .cloned(),
        );
    }
    let mut inside = Memory::new(inside);
    let starts: Vec<Edge> =
        inside.leaving(first).iter().filter(|edge| edge.to != first).cloned().collect();
    let after: Vec<Node> = starts.iter().map(|edge| edge.to).collect();
    let Ok(found) = path(&mut inside, &after, &[first], selection, Limits::NONE, &mut || true);
    let Some(steps) = found.steps else { return Vec::new() };
    let start = steps.first().and_then(|(node, _)| starts.iter().find(|edge| edge.to == *node));
    start.cloned().into_iter().chain(steps.into_iter().filter_map(|(_, edge)| edge)).collect()
}
