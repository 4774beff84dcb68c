//! A part of the graph made ready for drawing.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{KgEdge, KgNode, KgNodeKind};
use gik_graph::export::{Drawing, DrawnEdge, DrawnNode};
use gik_graph::{Edge, Node};

use super::{Catalog, Place};
use crate::Workspace;
use crate::view::count;
use gik_ledger::jsonl;

/// Nodes and the edges between them; several edges of a kind between the same nodes are drawn once, as the surest.
pub(crate) fn drawing(
    catalog: &mut Catalog<'_>,
    nodes: &[Node],
    edges: &[Edge],
    note: String,
) -> Result<Drawing> {
    let mut places: BTreeMap<Node, usize> = BTreeMap::new();
    let mut drawn = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let Place { id, name, kind, path, .. } = catalog.place(node)?;
        places.insert(node, drawn.len());
        drawn.push(DrawnNode { id, label: name, kind, path });
    }
    let mut surest: BTreeMap<(usize, usize, &'static str), &Edge> = BTreeMap::new();
    for edge in edges {
        let (Some(&from), Some(&to)) = (places.get(&edge.from), places.get(&edge.to)) else {
            continue;
        };
        let known = surest.entry((from, to, edge.kind.as_str())).or_insert(edge);
        let sure = |edge: &Edge| (std::cmp::Reverse(edge.candidates), edge.confidence);
        if sure(edge) > sure(known) {
            *known = edge;
        }
    }
    let edges = surest.into_iter().map(|((from, to, kind), edge)| DrawnEdge {
        from,
        to,
        kind: kind.to_owned(),
        confidence: edge.confidence,
        provenance: edge.provenance.as_str().to_owned(),
        candidates: edge.candidates.max(1),
    });
    Ok(Drawing { note, nodes: drawn, edges: edges.collect() })
}

/// More nodes make no picture.
const MOST_DRAWN: usize = 500;

/// The graph that the last commit wrote, between what is no part of a file. Of too many nodes, those with the most edges
/// are kept.
pub(crate) fn committed_drawing(ws: &Workspace<'_>) -> Result<Drawing> {
    let dir = ws.branch.kg_dir();
    if !super::is_written(ws) {
        return Err(Failure::new(ErrorCode::NodeMissing, "no commit has written a graph yet")
            .hint("`gik commit` writes it; `gik verify --repair` restores it"));
    }
    let nodes: Vec<KgNode> = jsonl::read_lines(&dir.join("nodes.jsonl"))?;
    let edges: Vec<KgEdge> = jsonl::read_lines(&dir.join("edges.jsonl"))?;
    let is_drawn = |node: &&KgNode| {
        matches!(
            node.kind,
            KgNodeKind::File | KgNodeKind::Endpoint | KgNodeKind::Dependency | KgNodeKind::Service
        )
    };
    let mut degrees: BTreeMap<&str, usize> =
        nodes.iter().filter(is_drawn).map(|node| (node.id.as_str(), 0)).collect();
    for edge in &edges {
        if degrees.contains_key(edge.from.as_str()) && degrees.contains_key(edge.to.as_str()) {
            for end in [&edge.from, &edge.to] {
                degrees.entry(end).and_modify(|degree| *degree += 1);
            }
        }
    }
    let mut wanted: Vec<&KgNode> = nodes.iter().filter(is_drawn).collect();
    let total = wanted.len();
    let degree = |node: &KgNode| degrees.get(node.id.as_str()).copied().unwrap_or(0);
    wanted.sort_by(|a, b| degree(b).cmp(&degree(a)).then_with(|| a.id.cmp(&b.id)));
    wanted.truncate(MOST_DRAWN);
    wanted.sort_by(|a, b| a.id.cmp(&b.id));
    let place = |id: &str| wanted.binary_search_by(|node| node.id.as_str().cmp(id)).ok();
    let text = |edge: &KgEdge, name: &str| {
        edge.props.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
    };
    let number = |edge: &KgEdge, name: &str| {
        edge.props.get(name).and_then(serde_json::Value::as_u64).unwrap_or(1)
    };
    let drawn = edges.iter().filter_map(|edge| {
        let confidence = edge.props.get("confidence").and_then(serde_json::Value::as_f64);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
        let percent = (confidence.unwrap_or(1.0).clamp(0.0, 1.0) * 100.0).round() as u8;
        Some(DrawnEdge {
            from: place(&edge.from)?,
            to: place(&edge.to)?,
            kind: edge.kind.as_str().to_owned(),
            confidence: percent,
            provenance: text(edge, "provenance"),
            candidates: u32::try_from(number(edge, "candidates")).unwrap_or(u32::MAX),
        })
    });
    let drawn: Vec<DrawnEdge> = drawn.collect();
    let note = if total > MOST_DRAWN {
        format!("not all: {MOST_DRAWN} of {}", count(total as u64, "node", "nodes"))
    } else {
        String::new()
    };
    let nodes = wanted.iter().map(|node| DrawnNode {
        id: node.id.clone(),
        label: node.label.clone(),
        kind: node.kind.as_str().to_owned(),
        path: node.id.strip_prefix("file:").unwrap_or_default().to_owned(),
    });
    Ok(Drawing { note, nodes: nodes.collect(), edges: drawn })
}
