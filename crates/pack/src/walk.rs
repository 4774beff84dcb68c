//! What is near some nodes along some kinds of edges? The shortest ways first, of equal ones the surest.

use std::collections::{BTreeMap, BTreeSet};

use gik_contract::pack::{Expansion, Strictness};
use gik_graph::{Edge, EdgeKind, Edges, Node};

use crate::candidate::{lacks, strength};
use crate::points::Points;

/// So many edges of one node are looked at.
const MOST_EDGES_OF_NODE: usize = 1000;
/// So many edges in one walk.
const MOST_EDGES: u64 = 20_000;

/// Which edges are followed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Way {
    /// From who names to what is named.
    pub(crate) out: Vec<EdgeKind>,
    /// The other way round.
    pub(crate) into: Vec<EdgeKind>,
}

impl Way {
    pub(crate) fn is_empty(&self) -> bool {
        self.out.is_empty() && self.into.is_empty()
    }
}

/// What holds for a walk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) expansion: &'a Expansion,
    pub(crate) strictness: Strictness,
    /// So many nodes are wanted at most.
    pub(crate) most_nodes: usize,
}

/// A node and the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    pub(crate) node: Node,
    pub(crate) strength: Points,
    /// From a start on.
    pub(crate) path: Vec<Edge>,
}

/// What a walk found, and what it cost.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The nearest first, then the surest, then by node.
    pub(crate) reached: Vec<Reached>,
    /// Nodes that only edges without required evidence lead to.
    pub(crate) refused: Vec<(Node, Edge)>,
    pub(crate) nodes: u64,
    pub(crate) edges: u64,
    /// Whether there is more than was looked at.
    pub(crate) is_cut: bool,
}

/// A node of a level: how sure the best way to it is, its last edge, and the place of the node before.
struct Arrival {
    strength: Points,
    edge: Edge,
    before: Option<usize>,
}

/// Follows edges from `starts`, level by level.
pub(crate) fn walk<G: Edges>(
    graph: &mut G,
    starts: &BTreeSet<Node>,
    way: &Way,
    terms: Terms<'_>,
) -> Result<Walked, G::Failure> {
    let mut walked = Walked::default();
    let mut known: BTreeSet<Node> = starts.clone();
    let mut refused: BTreeMap<Node, Edge> = BTreeMap::new();
    // A node to go on from, and its place in `reached`; starts have none.
    let mut frontier: Vec<(Node, Option<usize>)> =
        starts.iter().map(|node| (*node, None)).collect();
    for _ in 0..terms.expansion.max_hops {
        let mut level: BTreeMap<Node, Arrival> = BTreeMap::new();
        for (node, before) in std::mem::take(&mut frontier) {
            if walked.edges >= MOST_EDGES {
                walked.is_cut = true;
                break;
            }
            walked.nodes += 1;
            let surety = before.map_or(Points::ALL, |at| walked.reached[at].strength);
            for (edge, end) in leaving(graph, node, way, &mut walked)? {
                if known.contains(&end) {
                    continue;
                }
                if is_refused(&edge, terms) {
                    refused.entry(end).or_insert(edge);
                    continue;
                }
                let strength = surety.times(strength(&edge, terms.expansion));
                let arrival = Arrival { strength, edge, before };
                let is_better = level.get(&end).is_none_or(|best| {
                    (best.strength, &arrival.edge) < (arrival.strength, &best.edge)
                });
                if is_better {
                    level.insert(end, arrival);
                }
            }
        }
        let mut level: Vec<(Node, Arrival)> = level.into_iter().collect();
        level.sort_by_key(|(node, arrival)| (std::cmp::Reverse(arrival.strength), *node));
        for (node, arrival) in level {
            if walked.reached.len() >= terms.most_nodes {
                walked.is_cut = true;
                break;
            }
            known.insert(node);
            let mut path =
                arrival.before.map_or_else(Vec::new, |at| walked.reached[at].path.clone());
            // Nothing follows from a guess.
            if arrival.edge.candidates == 1 {
                frontier.push((node, Some(walked.reached.len())));
            }
            path.push(arrival.edge);
            walked.reached.push(Reached { node, strength: arrival.strength, path });
        }
        if frontier.is_empty() || walked.is_cut {
            break;
        }
    }
    walked.refused = refused.into_iter().filter(|(node, _)| !known.contains(node)).collect();
    Ok(walked)
}

/// The edges of a node that are followed, with their other ends.
fn leaving<G: Edges>(
    graph: &mut G,
    node: Node,
    way: &Way,
    walked: &mut Walked,
) -> Result<Vec<(Edge, Node)>, G::Failure> {
    let mut edges = Vec::new();
    if !way.out.is_empty() {
        let out = graph.from(node)?.into_iter().filter(|edge| way.out.contains(&edge.kind));
        edges.extend(out.map(|edge| (edge.to, edge)).map(|(end, edge)| (edge, end)));
    }
    if !way.into.is_empty() {
        let into = graph.to(node)?.into_iter().filter(|edge| way.into.contains(&edge.kind));
        edges.extend(into.map(|edge| (edge.from, edge)).map(|(end, edge)| (edge, end)));
    }
    if edges.len() > MOST_EDGES_OF_NODE {
        walked.is_cut = true;
        edges.truncate(MOST_EDGES_OF_NODE);
    }
    walked.edges += edges.len() as u64;
    Ok(edges)
}

fn is_refused(edge: &Edge, terms: Terms<'_>) -> bool {
    terms.strictness == Strictness::Strict
        && terms.expansion.require_evidence
        && lacks(edge, terms.expansion).is_some()
}
