//! How does one thing lead to another? The way with the fewest steps.

use std::collections::BTreeMap;

use super::{Cut, Limits, Patience, Selection, best_steps, steps};
use crate::{Edge, Edges, Node};

/// What looking for a way found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The nodes on the way and the edge that leads to each; the first has none. `None` where there is no way, or none
    /// within the limits.
    pub steps: Option<Vec<(Node, Option<Edge>)>>,
    /// What was left out: with anything here, "no way" means "none was found".
    pub cut: Cut,
}

/// The shortest way from one of `from` to one of `to`; among equally short ones the surest first step counts, then the
/// first node.
pub fn path<E: Edges>(
    edges: &mut E,
    from: &[Node],
    to: &[Node],
    selection: &Selection,
    limits: Limits,
    patience: Patience<'_>,
) -> Result<Found, E::Failure> {
    let mut cut = Cut::default();
    let mut came_by: BTreeMap<Node, Option<(Node, Edge)>> = BTreeMap::new();
    let mut queue: Vec<(Node, u32)> = Vec::new();
    for &node in from {
        if came_by.insert(node, None).is_none() {
            queue.push((node, 0));
        }
    }
    if let Some(&same) = from.iter().find(|node| to.contains(node)) {
        return Ok(Found { steps: Some(vec![(same, None)]), cut });
    }
    let mut next = 0;
    while next < queue.len() {
        if !patience() {
            cut.time = true;
            break;
        }
        let (node, depth) = queue[next];
        next += 1;
        let fresh = best_steps(steps(edges, node, selection)?);
        let fresh: Vec<_> =
            fresh.into_iter().filter(|(node, _)| !came_by.contains_key(node)).collect();
        if depth >= limits.depth {
            cut.depth |= !fresh.is_empty();
            continue;
        }
        if let Some((end, edge)) = fresh.iter().find(|(node, _)| to.contains(node)) {
            came_by.insert(*end, Some((node, edge.clone())));
            return Ok(Found { steps: Some(way_to(*end, &came_by)), cut: Cut::default() });
        }
        if fresh.len() > limits.fan_out as usize {
            cut.fan_out += 1;
        }
        for (reached, edge) in fresh.into_iter().take(limits.fan_out as usize) {
            if queue.len() >= limits.nodes as usize {
                cut.nodes = true;
                break;
            }
            came_by.insert(reached, Some((node, edge)));
            queue.push((reached, depth + 1));
        }
    }
    Ok(Found { steps: None, cut })
}

/// The nodes from a start to `end`, by the way they were met.
fn way_to(end: Node, came_by: &BTreeMap<Node, Option<(Node, Edge)>>) -> Vec<(Node, Option<Edge>)> {
    let mut way = Vec::new();
    let mut at = end;
    loop {
        match came_by.get(&at) {
            Some(Some((before, edge))) => {
                way.push((at, Some(edge.clone())));
                at = *before;
            },
            Some(None) | None => {
                way.push((at, None));
                break;
            },
        }
    }
    way.reverse();
    way
}
