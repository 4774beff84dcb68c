//! `kgResults`: what the graph knows around the best evidence of an answer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gik_base::{FileKey, Result};
use gik_contract::{AskKgResult, Extra, KgNode, KgNodeKind, RagChunk, Timestamp};
use gik_graph::walk::{Direction, Limits, Selection, nearby};
use gik_graph::{EdgeKind, Node};
use gik_store::{FileRow, Snapshot};

use super::bodies::EdgeBody;
use super::records::{Detail, Recorder};
use super::stack::Stack;
use super::{Catalog, ids};
use crate::Workspace;
use crate::graph::Graph;

/// Files of the best evidence that are looked around.
const MOST_FILES: usize = 3;
/// Symbols of one piece of evidence that are looked around.
const MOST_SYMBOLS: usize = 2;
/// What is told around one file at most.
const LIMITS: Limits = Limits { depth: 1, fan_out: 8, nodes: 20 };
/// Who names a file that more others rest on is not asked: that is everyone.
const MOST_SOURCES: usize = 200;
/// Edges that help to understand.
const TOLD: &[EdgeKind] = &[
    EdgeKind::Calls,
    EdgeKind::Imports,
    EdgeKind::Exports,
    EdgeKind::Extends,
    EdgeKind::Implements,
    EdgeKind::Tests,
];

/// What is around the best evidence, facts only. `files` are all of the snapshot, sorted by path.
pub(crate) fn around(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
    chunks: &[RagChunk],
    time: Timestamp,
) -> Result<Vec<AskKgResult>> {
    let mut catalog = Catalog::new(ws, snapshot, files);
    let mut graph = Graph::with_files(snapshot, Cow::Borrowed(files));
    let stack = Stack::read(ws);
    let packages = stack.packages();
    let mut results = Vec::new();
    let mut seen = BTreeSet::new();
    for chunk in chunks {
        let key = FileKey::from_text(chunk.path.as_str());
        let Some(place) = catalog.file_at(&key) else { continue };
        if results.len() >= MOST_FILES || !seen.insert(place) {
            continue;
        }
        let roots = roots(&mut catalog, place, chunk)?;
        let is_everywhere = graph.sources_of(files[place as usize].id)?.len() > MOST_SOURCES;
        let direction = if is_everywhere { Direction::Forward } else { Direction::Both };
        let selection = Selection::new(direction, TOLD).facts_only();
        let found = nearby(&mut graph, &roots, &selection, LIMITS, &mut || true)?;
        let mut recorder = Recorder::new(&mut catalog, Detail::Symbols, &stack, &packages);
        let bodies = recorder.edges(place, &found.edges)?;
        if bodies.is_empty() {
            continue;
        }
        let mut nodes = BTreeSet::new();
        for reached in &found.nodes {
            nodes.insert(recorder.shown(reached.node)?);
        }
        let mut told: Vec<KgNode> = Vec::new();
        for node in nodes {
            told.push(told_of(&mut catalog, node, time)?);
        }
        for edge in &bodies {
            told.extend(endpoint(edge, time));
        }
        let root_node_ids = roots.iter().map(|node| Ok(catalog.place(*node)?.id));
        results.push(AskKgResult {
            reason: format!("matched RAG chunk: {}", chunk.path),
            root_node_ids: root_node_ids.collect::<Result<_>>()?,
            nodes: told,
            edges: bodies.into_iter().map(|body| body.told(time)).collect(),
        });
    }
    Ok(results)
}

/// The file of a piece of evidence, and what it defines there.
fn roots(catalog: &mut Catalog<'_>, place: u32, chunk: &RagChunk) -> Result<Vec<Node>> {
    let known = catalog.symbols(place)?;
    let lines = chunk.start_line..=chunk.end_line;
    let inside = (0..).zip(known.rows.iter()).filter(|(_, row)| {
        lines.contains(&u64::from(row.start.0)) && ids::node_kind(&row.kind).is_some()
    });
    let symbols = inside.take(MOST_SYMBOLS).map(|(at, _)| Node::symbol(place, at));
    Ok([Node::file(place)].into_iter().chain(symbols).collect())
}

/// A file or symbol as a node of `kg/`.
fn told_of(catalog: &mut Catalog<'_>, node: Node, time: Timestamp) -> Result<KgNode> {
    let found = catalog.place(node)?;
    let mut props = Extra::new();
    let mut kind = KgNodeKind::File;
    if node.symbol.is_some() {
        kind = ids::node_kind(&found.kind).unwrap_or(KgNodeKind::Function);
        props.insert("definedIn".to_owned(), found.path.into());
        props.insert("symbolKind".to_owned(), found.kind.into());
        props.extend(found.line.map(|line| ("line".to_owned(), line.into())));
    }
    let (id, label) = (found.id, found.name);
    Ok(KgNode { id, kind, label, props, branch: None, created_at: time, updated_at: time })
}

/// The endpoint that an edge ends in.
fn endpoint(edge: &EdgeBody<'_>, time: Timestamp) -> Option<KgNode> {
    let (id, label) = (edge.to.to_string(), edge.to.strip_prefix("endpoint:")?.to_owned());
    let mut props = Extra::new();
    props.insert("route".to_owned(), label.as_str().into());
    if let Some(served) = &edge.known.served {
        props.insert("httpMethod".to_owned(), served.methods.as_str().into());
        props.insert("framework".to_owned(), served.framework.into());
    }
    let kind = KgNodeKind::Endpoint;
    Some(KgNode { id, kind, label, props, branch: None, created_at: time, updated_at: time })
}
