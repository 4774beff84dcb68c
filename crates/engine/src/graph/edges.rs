//! Edges as the index has them, by either end.

use std::borrow::Cow;
use std::cell::RefCell;

use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, Result};
use gik_graph::{Edge, EdgeKind, Edges, Evidence, Memory, Node, Provenance};
use gik_index::FileNo;
use gik_store::{EdgeRow, FileGraph, FileRow, Snapshot};

use super::changed::is_as;

/// The graph of a snapshot; call [`super::bring_up_to_date`] before.
pub struct Graph<'s> {
    snapshot: &'s Snapshot<'s>,
    files: Cow<'s, [FileRow]>,
    /// The place of each file by its row.
    places: HashMap<u32, u32>,
    /// Whether files are what they were when their edges were found, as far as that was asked, by row: symbols are
    /// known by their places, so edges of others would lead astray.
    current: RefCell<HashMap<u32, bool>>,
    /// What was read already.
    read: HashMap<u32, FileGraph>,
}

impl<'s> Graph<'s> {
    /// Opens the graph.
    pub fn open(snapshot: &'s Snapshot<'s>) -> Result<Self> {
        Ok(Self::with_files(snapshot, Cow::Owned(snapshot.files()?)))
    }

    /// The same for who has all files of the snapshot at hand.
    pub(crate) fn with_files(snapshot: &'s Snapshot<'s>, files: Cow<'s, [FileRow]>) -> Self {
        let places = (0..).zip(files.iter()).map(|(place, file)| (file.id.0, place)).collect();
        let (current, read) = (RefCell::default(), HashMap::default());
        Self { snapshot, files, places, current, read }
    }

    /// All files, by place.
    pub fn files(&self) -> &[FileRow] {
        &self.files
    }

    /// The file of a node.
    pub fn file(&self, node: Node) -> Option<&FileRow> {
        self.files.get(node.file as usize)
    }

    /// The place of a file.
    pub fn place_of(&self, file: FileNo) -> Option<u32> {
        self.places.get(&file.0).copied()
    }

    /// All edges at once.
    pub fn load(&self) -> Result<Memory> {
        let mut edges = Vec::new();
        for known in self.snapshot.graph_files()? {
            let is_current = self.row(known.file).is_some_and(|file| is_as(file, &known));
            self.current.borrow_mut().insert(known.file.0, is_current);
        }
        self.snapshot.for_each_graph(|file, graph| {
            if let Some(&place) = self.places.get(&file.0)
                && self.is_current(file)
            {
                edges.extend(contained(place, &graph));
                edges.extend(graph.edges.iter().filter_map(|row| self.edge(place, row)));
            }
        })?;
        Ok(Memory::new(edges))
    }

    /// All edges that the text of a file says, sorted, without what holds what.
    pub(crate) fn of_file(&mut self, place: u32) -> Result<Vec<Edge>> {
        let graph = self.graph_of(place)?.clone();
        let said = graph.edges.iter().filter_map(|row| self.edge(place, row));
        let mut edges: Vec<Edge> = said.collect();
        edges.sort_unstable();
        edges.dedup();
        Ok(edges)
    }

    /// The places of the files with edges that end in a file.
    pub(crate) fn sources_of(&self, file: FileNo) -> Result<Vec<u32>> {
        let sources = self.snapshot.graph_sources(file)?;
        Ok(sources.into_iter().filter_map(|source| self.place_of(source)).collect())
    }

    fn row(&self, file: FileNo) -> Option<&FileRow> {
        self.files.get(self.place_of(file)? as usize)
    }

    /// Whether a file is what it was when its edges were found; not where that cannot be read.
    fn is_current(&self, file: FileNo) -> bool {
        if let Some(&known) = self.current.borrow().get(&file.0) {
            return known;
        }
        let known = self.snapshot.graph_file(file).ok().flatten();
        let is_current = known.zip(self.row(file)).is_some_and(|(known, file)| is_as(file, &known));
        self.current.borrow_mut().insert(file.0, is_current);
        is_current
    }

    /// The edges of a file, read once.
    fn graph_of(&mut self, place: u32) -> Result<&FileGraph> {
        if !self.read.contains_key(&place) {
            let file = self.files.get(place as usize).ok_or_else(|| {
                Failure::new(ErrorCode::Internal, format!("the graph has no file {place}"))
            })?;
            let graph =
                if self.is_current(file.id) { self.snapshot.graph_of(file.id)? } else { None };
            let graph = graph.unwrap_or_default();
            self.read.insert(place, graph);
        }
        self.read.get(&place).ok_or_else(|| {
            Failure::new(ErrorCode::Internal, format!("the graph lost file {place}"))
        })
    }

    fn edge(&self, place: u32, row: &EdgeRow) -> Option<Edge> {
        let to = *self.places.get(&row.file.0)?;
        // A file that takes no part has no symbols either.
        if row.symbol.is_some() && !self.is_current(row.file) {
            return None;
        }
        let from = match row.source {
            Some(source) if !self.is_current(source) => return None,
            Some(source) => *self.places.get(&source.0)?,
            None => place,
        };
        Some(Edge {
            from: Node { file: from, symbol: row.from },
            to: Node { file: to, symbol: row.symbol },
            kind: *EdgeKind::ALL.get(usize::from(row.kind))?,
            provenance: *Provenance::ALL.get(usize::from(row.provenance))?,
            confidence: row.confidence,
            candidates: row.candidates,
            evidence: row.evidence.map(|(start, end)| Evidence { file: place, start, end }),
        })
    }
}

/// What holds what in a file.
fn contained(place: u32, graph: &FileGraph) -> impl Iterator<Item = Edge> {
    (0..).zip(&graph.parents).map(move |(symbol, parent)| {
        contains(Node { file: place, symbol: *parent }, Node::symbol(place, symbol))
    })
}

fn contains(from: Node, to: Node) -> Edge {
    Edge {
        from,
        to,
        kind: EdgeKind::Contains,
        provenance: Provenance::Syntax,
        confidence: 100,
        candidates: 1,
        evidence: None,
    }
}

/// What the index keeps of an edge that a file says.
pub(super) fn row(edge: &Edge, own: u32, files: &[FileRow]) -> Option<EdgeRow> {
    Some(EdgeRow {
        from: edge.from.symbol,
        evidence: edge.evidence.as_ref().map(|evidence| (evidence.start, evidence.end)),
        kind: edge.kind as u8,
        provenance: edge.provenance as u8,
        confidence: edge.confidence,
        candidates: edge.candidates,
        file: files.get(edge.to.file as usize)?.id,
        symbol: edge.to.symbol,
        source: if edge.from.file == own {
            None
        } else {
            Some(files.get(edge.from.file as usize)?.id)
        },
    })
}

impl Edges for Graph<'_> {
    type Failure = Failure;

    fn from(&mut self, node: Node) -> Result<Vec<Edge>> {
        let graph = self.graph_of(node.file)?.clone();
        let held = contained(node.file, &graph);
        let mut edges: Vec<Edge> = held.filter(|edge| edge.from == node).collect();
        let leaving = |row: &&EdgeRow| row.source.is_none() && row.from == node.symbol;
        let own = graph.edges.iter().filter(leaving);
        edges.extend(own.filter_map(|row| self.edge(node.file, row)));
        // What flows out of it is said by those who call it.
        let Some(file) = self.file(node) else { return Ok(edges) };
        let id = file.id;
        for source in self.snapshot.graph_flows_from(id)? {
            let Some(place) = self.place_of(source) else { continue };
            self.graph_of(place)?;
            let Some(graph) = self.read.get(&place) else { continue };
            let flowing = |row: &&EdgeRow| row.source == Some(id) && row.from == node.symbol;
            edges
                .extend(graph.edges.iter().filter(flowing).filter_map(|row| self.edge(place, row)));
        }
        edges.sort_unstable();
        edges.dedup();
        Ok(edges)
    }

    fn to(&mut self, node: Node) -> Result<Vec<Edge>> {
        let Some(file) = self.file(node) else { return Ok(Vec::new()) };
        let id = file.id;
        let own = self.graph_of(node.file)?;
        let held = contained(node.file, own);
        let mut edges: Vec<Edge> = held.filter(|edge| edge.to == node).collect();
        let mut sources = self.snapshot.graph_sources(id)?;
        sources.push(id);
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            let Some(place) = self.place_of(source) else { continue };
            self.graph_of(place)?;
            let Some(graph) = self.read.get(&place) else { continue };
            let ending =
                graph.edges.iter().filter(|row| row.file == id && row.symbol == node.symbol);
            edges.extend(ending.filter_map(|row| self.edge(place, row)));
        }
        edges.sort_unstable();
        edges.dedup();
        Ok(edges)
    }
}

impl std::fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph").field("files", &self.files.len()).finish_non_exhaustive()
    }
}
