//! What may break when this changes, and why?

use std::collections::BTreeMap;

use super::{Cut, Direction, Limits, Patience, Selection, best_steps, steps};
use crate::{Edge, EdgeKind, Edges, Node};

/// Kinds of edges along which a change is felt by who names the changed thing.
const FELT_BY: &[EdgeKind] = &[
    EdgeKind::Calls,
    EdgeKind::Uses,
    EdgeKind::Imports,
    EdgeKind::Exports,
    EdgeKind::Extends,
    EdgeKind::Implements,
    EdgeKind::Tests,
];

/// What a change may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impact {
    /// Nearest first, then surest, then by node; what changed is not among them.
    pub affected: Vec<Affected>,
    /// What was left out.
    pub cut: Cut,
}

/// Something that a change may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affected {
    /// The node.
    pub node: Node,
    /// Steps from what changed.
    pub depth: u32,
    /// How sure it is, in percent: each step of the way takes its share.
    pub confidence: u8,
    /// Whether the way has a step that is one of several candidates.
    pub by_candidates: bool,
    /// The way: from this node's own edge down to the one that ends at what changed.
    pub way: Vec<Edge>,
}

/// Everything that leads to one of `changed`, with the shortest and surest way.
///
/// What an import brings into a file is felt by its importers only where it is handed on: who imports a file that
/// imports the changed one is not touched for that alone.
pub fn impact<E: Edges>(
    edges: &mut E,
    changed: &[Node],
    selection: &Selection,
    limits: Limits,
    patience: Patience<'_>,
) -> Result<Impact, E::Failure> {
    let mut cut = Cut::default();
    let selection = Selection {
        direction: Direction::Backward,
        kinds: FELT_BY
            .iter()
            .copied()
            .filter(|kind| selection.kinds.is_empty() || selection.kinds.contains(kind))
            .collect(),
        ..selection.clone()
    };
    let mut known: BTreeMap<Node, Option<Affected>> =
        changed.iter().map(|node| (*node, None)).collect();
    let mut layer: Vec<Node> = known.keys().copied().collect();
    let mut depth = 0;
    'layers: while !layer.is_empty() {
        // The best way to each node of the next layer.
        let mut reached: BTreeMap<Node, Affected> = BTreeMap::new();
        for &node in &layer {
            if !patience() {
                cut.time = true;
                break 'layers;
            }
            let before = known.get(&node).cloned().flatten();
            let fresh = best_steps(steps(edges, node, &selection)?);
            let felt = fresh
                .into_iter()
                .filter(|(from, edge)| !known.contains_key(from) && is_felt(before.as_ref(), edge));
            let fresh: Vec<_> = felt.collect();
            if depth >= limits.depth {
                cut.depth |= !fresh.is_empty();
                continue;
            }
            if fresh.len() > limits.fan_out as usize {
                cut.fan_out += 1;
            }
            for (from, edge) in fresh.into_iter().take(limits.fan_out as usize) {
                let candidate = Affected::by(from, edge, before.as_ref());
                match reached.get(&from) {
                    Some(other) if other.order() <= candidate.order() => {},
                    _ => drop(reached.insert(from, candidate)),
                }
            }
        }
        depth += 1;
        layer.clear();
        for (node, affected) in reached {
            if known.len() >= limits.nodes as usize {
                cut.nodes = true;
                break;
            }
            known.insert(node, Some(affected));
            layer.push(node);
        }
    }
    let mut affected: Vec<Affected> = known.into_values().flatten().collect();
    affected.sort_by(|a, b| a.order().cmp(&b.order()).then_with(|| a.node.cmp(&b.node)));
    Ok(Impact { affected, cut })
}

/// Whether who names `edge.to` feels what happened to it.
fn is_felt(before: Option<&Affected>, edge: &Edge) -> bool {
    let Some(before) = before else { return true };
    let by_import = before.way.first().is_some_and(|way| way.kind == EdgeKind::Imports);
    !(by_import && matches!(edge.kind, EdgeKind::Imports | EdgeKind::Exports))
}

impl Affected {
    fn by(node: Node, edge: Edge, before: Option<&Self>) -> Self {
        let so_far = before.map_or(100, |before| u32::from(before.confidence));
        let confidence = so_far * u32::from(edge.confidence.min(100)) / 100;
        let by_candidates =
            edge.candidates > 1 || before.is_some_and(|before| before.by_candidates);
        let depth = before.map_or(0, |before| before.depth) + 1;
        let mut way = vec![edge];
        way.extend(before.iter().flat_map(|before| before.way.iter().cloned()));
        Self {
            node,
            depth,
            confidence: u8::try_from(confidence).unwrap_or(100),
            by_candidates,
            way,
        }
    }

    fn order(&self) -> (u32, bool, std::cmp::Reverse<u8>, &[Edge]) {
        (self.depth, self.by_candidates, std::cmp::Reverse(self.confidence), &self.way)
    }
}
