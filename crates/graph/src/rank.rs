//! Which nodes matter most, seen from some of them? Personalised PageRank in whole numbers, so that every machine gives
//! the same.

use crate::{Edge, EdgeKind, Memory, Node};
use std::collections::BTreeMap;

/// All shares together.
const WHOLE: u64 = 1 << 44;
/// Steps after which the shares hardly move.
const ROUNDS: usize = 40;
/// Of a share, what goes on along edges, in percent; the rest starts again.
const DAMPING: u64 = 85;

/// What a node got, of [`Rank::WHOLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// The node.
    pub node: Node,
    /// Its share.
    pub share: u64,
}

impl Rank {
    /// All shares together are at most this.
    pub const WHOLE: u64 = WHOLE;
}

/// How much of a share an edge takes along.
fn weight(edge: &Edge) -> u64 {
    let by_kind = match edge.kind {
        EdgeKind::Calls | EdgeKind::Extends | EdgeKind::Implements => 10,
        EdgeKind::Uses | EdgeKind::Exports => 6,
        EdgeKind::Imports => 4,
        EdgeKind::Mentions => 2,
        EdgeKind::Tests | EdgeKind::Dataflow => 1,
        EdgeKind::Contains | EdgeKind::Together => 1,
    };
    by_kind * u64::from(edge.confidence.max(1)) / u64::from(edge.candidates.max(1))
}

/// Ranks all nodes of `nodes`, which is sorted, highest first, then by node. Walks start at `seeds`, each as often as its
/// weight says, or anywhere where there are none.
pub fn rank(graph: &Memory, nodes: &[Node], seeds: &BTreeMap<Node, u64>) -> Vec<Rank> {
    let place = |node: Node| nodes.binary_search(&node).ok();
    let mut links: Vec<Vec<(usize, u64)>> = Vec::with_capacity(nodes.len());
    for (own, node) in nodes.iter().enumerate() {
        let mut to: BTreeMap<usize, u64> = BTreeMap::new();
        for edge in graph.leaving(*node) {
            if let Some(target) = place(edge.to).filter(|target| *target != own) {
                *to.entry(target).or_default() += weight(edge);
            }
        }
        links.push(to.into_iter().filter(|(_, weight)| *weight > 0).collect());
    }
    let start = starting_shares(nodes, seeds);
    let mut shares = start.clone();
    for _ in 0..ROUNDS {
        let mut next = vec![0u64; nodes.len()];
        let mut moved = 0;
        for (own, to) in links.iter().enumerate() {
            let total: u64 = to.iter().map(|(_, weight)| weight).sum();
            let going = part(shares[own], DAMPING, 100);
            for &(target, weight) in to {
                let along = part(going, weight, total);
                next[target] += along;
                moved += along;
            }
        }
        // What did not move along an edge starts again: what damping keeps back, what ends nowhere, what division lost.
        let again = WHOLE - moved.min(WHOLE);
        for (share, start) in next.iter_mut().zip(&start) {
            *share += part(again, *start, WHOLE);
        }
        shares = next;
    }
    let mut ranks: Vec<Rank> =
        nodes.iter().zip(shares).map(|(&node, share)| Rank { node, share }).collect();
    ranks.sort_by(|a, b| b.share.cmp(&a.share).then_with(|| a.node.cmp(&b.node)));
    ranks
}

fn starting_shares(nodes: &[Node], seeds: &BTreeMap<Node, u64>) -> Vec<u64> {
    let weight = |node: &Node| seeds.get(node).copied().unwrap_or(0);
    let total: u64 = nodes.iter().map(weight).fold(0, u64::saturating_add);
    if total == 0 {
        let each = WHOLE / (nodes.len() as u64).max(1);
        return vec![each; nodes.len()];
    }
    nodes.iter().map(|node| part(WHOLE, weight(node), total)).collect()
}

/// `whole * share / total`, rounded down, without overflow.
fn part(whole: u64, share: u64, total: u64) -> u64 {
    let product = u128::from(whole) * u128::from(share);
    u64::try_from(product / u128::from(total.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Provenance;
    use gik_testkit::Rng;

    fn edge(from: u32, to: u32) -> Edge {
        Edge {
            from: Node::file(from),
            to: Node::file(to),
            kind: EdgeKind::Imports,
            provenance: Provenance::Import,
            confidence: 100,
            candidates: 1,
            evidence: None,
        }
    }

    fn nodes(n: u32) -> Vec<Node> {
        (0..n).map(Node::file).collect()
    }

    #[test]
    fn what_all_name_is_first_and_seeds_pull_their_surroundings_up() {
        let graph = Memory::new(vec![edge(0, 9), edge(1, 9), edge(2, 9), edge(3, 4), edge(4, 5)]);
        let everywhere = rank(&graph, &nodes(10), &BTreeMap::new());
        assert_eq!(everywhere[0].node, Node::file(9));
        let near = rank(&graph, &nodes(10), &BTreeMap::from([(Node::file(3), 1)]));
        let order: Vec<u32> = near.iter().take(3).map(|it| it.node.file).collect();
        assert_eq!(order, [3, 4, 5]);
        assert_eq!(near[3].share, 0, "what no walk reaches has nothing");
    }

    #[test]
    fn shares_never_exceed_the_whole_on_any_graph() {
        let mut rng = Rng::new(7);
        for _ in 0..60 {
            let n = 1 + u32::try_from(rng.below(30)).unwrap();
            let mut any = || u32::try_from(rng.below(u64::from(n))).unwrap();
            let edges: Vec<Edge> = (0..3 * n).map(|_| edge(any(), any())).collect();
            let seeds = BTreeMap::from([(Node::file(any()), 3), (Node::file(any()), 5)]);
            for seeds in [BTreeMap::new(), seeds] {
                let ranks = rank(&Memory::new(edges.clone()), &nodes(n), &seeds);
                let total: u64 = ranks.iter().map(|it| it.share).sum();
                assert!(total <= Rank::WHOLE && total > Rank::WHOLE / 100 * 99, "{total}");
                let mut shuffled = edges.clone();
                shuffled.reverse();
                assert_eq!(rank(&Memory::new(shuffled), &nodes(n), &seeds), ranks);
            }
        }
    }

    #[test]
    fn an_empty_graph_has_no_ranks() {
        assert_eq!(rank(&Memory::default(), &[], &BTreeMap::new()), []);
    }
}
