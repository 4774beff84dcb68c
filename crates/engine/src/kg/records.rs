//! What one file adds to `kg/`: itself, what it defines, and every edge that it says.
//!
//! An edge belongs to the file whose text says it; that file is the `path` of its evidence.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::{Result, hash};
use gik_contract::{Extra, KgEdgeKind, KgNodeKind};
use gik_graph::endpoints::{Endpoint, Source, endpoints, may_have_endpoints};
use gik_graph::{Edge, EdgeKind, Node};
use gik_store::{FileRow, FileState, SymbolRow};
use serde_json::json;

use super::pages::{Pages, of_page};
use super::stack::Stack;
use super::{Catalog, ids, owners};

/// How much of the graph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Files, what they define, and all edges.
    Symbols,
    /// Files, endpoints and dependencies, and edges between them.
    Files,
}

/// A node without its times.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeBody {
    pub(crate) id: String,
    pub(crate) kind: KgNodeKind,
    pub(crate) label: String,
    pub(crate) props: Extra,
}

/// An edge without its times.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EdgeBody {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: KgEdgeKind,
    pub(crate) props: Extra,
}

impl EdgeBody {
    /// The same for the same ends and kind, on every machine.
    pub(crate) fn id(&self) -> String {
        let kind = self.kind.as_str();
        let (from, to) = (self.from.as_bytes(), self.to.as_bytes());
        // What leaves another file than the one that says it may be said by several.
        let path = self.props.get("evidence").and_then(|evidence| evidence.get("path"));
        let path = path.and_then(|path| path.as_str()).unwrap_or_default();
        let said_by = if ids::is_of(&self.from, path) { "" } else { path };
        let hash = if said_by.is_empty() {
            hash::fast128_hex(&[from, to, kind.as_bytes()])
        } else {
            hash::fast128_hex(&[from, to, kind.as_bytes(), said_by.as_bytes()])
        };
        format!("edge:{}:{kind}", hash.get(..16).unwrap_or(&hash))
    }
}

/// What one file adds.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) nodes: Vec<NodeBody>,
    pub(crate) edges: Vec<EdgeBody>,
}

/// Makes records of files.
#[derive(Debug)]
pub(crate) struct Recorder<'c, 'a> {
    pub(crate) catalog: &'c mut Catalog<'a>,
    detail: Detail,
    stack: &'c Stack,
    packages: &'c BTreeSet<String>,
    pages: Pages,
}

impl<'c, 'a> Recorder<'c, 'a> {
    pub(crate) fn new(
        catalog: &'c mut Catalog<'a>,
        detail: Detail,
        stack: &'c Stack,
        packages: &'c BTreeSet<String>,
    ) -> Self {
        Self { catalog, detail, stack, packages, pages: Pages::default() }
    }

    /// The records of a file; `said` are the edges that its text says.
    pub(crate) fn file(&mut self, place: u32, said: &[Edge]) -> Result<Records> {
        let file = self.catalog.file(place)?;
        let path = file.key.as_str();
        let mut records = Records::default();
        records.nodes.push(self.file_node(place, file)?);
        let mut edges = Gathered::default();
        self.stack.of_manifest(path, &mut edges);
        let names_owners = owners::path(self.catalog.files()) == Some(path);
        let is_read =
            self.detail == Detail::Symbols || names_owners || may_have_endpoints(&file.language);
        let text = if is_read { self.catalog.text(place)?.map(str::to_owned) } else { None };
        if let Some(text) = &text {
            self.endpoints(place, file, text, &mut edges)?;
            if names_owners {
                let files = self.catalog.files().iter();
                let files = files.filter(|file| file.state == FileState::Indexed);
                let paths = files.map(|file| file.key.as_str());
                owners::add(path, text, paths, &mut records.nodes, &mut edges);
            }
        }
        let parts = match (&text, self.detail) {
            (Some(text), Detail::Symbols) => {
                of_page(self.catalog, &mut self.pages, place, text, &mut records, &mut edges)?
            },
            _ => BTreeMap::new(),
        };
        if self.detail == Detail::Symbols {
            self.symbols(place, file, &parts, &mut records, &mut edges)?;
        }
        for edge in said {
            self.edge(edge, &mut edges)?;
        }
        records.edges = edges.bodies(path);
        // One part of a page may be defined twice in one file.
        records.nodes.sort_by(|a, b| a.id.cmp(&b.id));
        records.nodes.dedup_by(|b, a| a.id == b.id);
        Ok(records)
    }

    /// Edges as they are written, and the endpoints that a file defines.
    pub(crate) fn edges(&mut self, place: u32, edges: &[Edge]) -> Result<Vec<EdgeBody>> {
        // What leads here from other files stands in those.
        let mut by_file: BTreeMap<u32, Gathered> = BTreeMap::new();
        if let Some(text) = self.catalog.text(place)?.map(str::to_owned) {
            let file = self.catalog.file(place)?;
            self.endpoints(place, file, &text, by_file.entry(place).or_default())?;
        }
        for edge in edges {
            let says = edge.evidence.as_ref().map_or(edge.from.file, |evidence| evidence.file);
            self.edge(edge, by_file.entry(says).or_default())?;
        }
        let mut bodies = Vec::new();
        for (says, gathered) in by_file {
            bodies.extend(gathered.bodies(self.catalog.file(says)?.key.as_str()));
        }
        bodies.sort_by_cached_key(EdgeBody::id);
        Ok(bodies)
    }

    /// The node that stands for one in `kg/`.
    pub(crate) fn shown(&mut self, node: Node) -> Result<Node> {
        let Some(symbol) = node.symbol else { return Ok(node) };
        let known = self.catalog.symbols(node.file)?;
        let nearest = known.around.get(symbol as usize).and_then(|around| around.nearest);
        Ok(Node { file: node.file, symbol: nearest })
    }

    fn file_node(&mut self, place: u32, file: &FileRow) -> Result<NodeBody> {
        let mut props = Extra::new();
        if !file.language.is_empty() {
            props.insert("language".to_owned(), (*file.language).into());
        }
        if self.detail == Detail::Symbols
            && let Some(text) = self.catalog.text(place)?
        {
            props.insert("lines".to_owned(), text.lines().count().into());
        }
        props.insert("base".to_owned(), (*file.base).into());
        let path = file.key.as_str().to_owned();
        Ok(NodeBody { id: ids::file_id(&path), kind: KgNodeKind::File, label: path, props })
    }

    /// Functions, types and modules; `parts` says which of them are components of a page.
    fn symbols(
        &mut self,
        place: u32,
        file: &FileRow,
        parts: &BTreeMap<usize, (KgNodeKind, &'static str)>,
        records: &mut Records,
        edges: &mut Gathered,
    ) -> Result<()> {
        let known = self.catalog.symbols(place)?;
        for (at, (row, id)) in known.rows.iter().zip(&known.ids).enumerate() {
            let Some(kind) = ids::node_kind(&row.kind) else { continue };
            let part = parts.get(&at);
            let mut props = symbol_props(file, row);
            if let Some((_, framework)) = part {
                props.insert("framework".to_owned(), (*framework).into());
            }
            records.nodes.push(NodeBody {
                id: id.clone(),
                kind: part.map_or(kind, |(kind, _)| *kind),
                label: crate::symbols::qualified(row, &file.language),
                props,
            });
            let parent = known.around[at].parent.and_then(|parent| known.ids.get(parent as usize));
            let (from, kind) = match parent {
                Some(parent) => (parent.clone(), KgEdgeKind::Contains),
                None => (ids::file_id(file.key.as_str()), KgEdgeKind::Defines),
            };
            let line = Some(row.start.0);
            edges.add(Key { from, to: id.clone(), kind }, Known::of_text("syntax", 100, line));
        }
        Ok(())
    }

    fn endpoints(
        &mut self,
        place: u32,
        file: &FileRow,
        text: &str,
        edges: &mut Gathered,
    ) -> Result<()> {
        let source = Source {
            path: file.key.as_str(),
            language: &file.language,
            text,
            packages: self.packages,
        };
        let mut routes: BTreeMap<String, Vec<Endpoint>> = BTreeMap::new();
        for endpoint in endpoints(&source) {
            routes.entry(endpoint.route.clone()).or_default().push(endpoint);
        }
        for (route, endpoints) in routes {
            let methods: BTreeSet<&str> = endpoints.iter().map(|it| it.method.as_str()).collect();
            let methods: Vec<&str> = methods.into_iter().collect();
            let Some(first) = endpoints.first() else { continue };
            let at = u32::try_from(first.at.0).unwrap_or(u32::MAX);
            let key = Key {
                from: ids::file_id(source.path),
                to: format!("endpoint:{route}"),
                kind: KgEdgeKind::DefinesEndpoint,
            };
            let line = self.catalog.line_of(place, at)?;
            let known = edges.add(key, Known::of_text("syntax", 100, line));
            known.count = endpoints.len() as u64;
            known.props.insert("httpMethod".to_owned(), methods.join(",").into());
            known.props.insert("framework".to_owned(), first.framework.as_str().into());
        }
        Ok(())
    }

    /// An edge of the graph, between what is written of it.
    fn edge(&mut self, edge: &Edge, edges: &mut Gathered) -> Result<()> {
        // What stays in a file says nothing between files, and what is contained is told for files of every language.
        let is_inside = self.detail == Detail::Files && edge.from.file == edge.to.file;
        if is_inside || edge.kind == EdgeKind::Contains {
            return Ok(());
        }
        let (from, from_kind) = self.end(edge.from)?;
        let (to, to_kind) = self.end(edge.to)?;
        if from == to {
            return Ok(());
        }
        let (kind, relation) = match edge.kind {
            EdgeKind::Calls => (KgEdgeKind::Calls, None),
            EdgeKind::Uses => (KgEdgeKind::Uses, None),
            EdgeKind::Imports => (KgEdgeKind::Imports, None),
            EdgeKind::Exports => (KgEdgeKind::Imports, Some("exports")),
            EdgeKind::Extends => (KgEdgeKind::Extends, None),
            EdgeKind::Implements => (KgEdgeKind::Implements, None),
            EdgeKind::Contains => return Ok(()),
            EdgeKind::Dataflow => (KgEdgeKind::RelatedTo, Some("dataflow")),
            EdgeKind::Tests => (KgEdgeKind::RelatedTo, Some("tests")),
            EdgeKind::Mentions => (KgEdgeKind::RelatedTo, Some("mentions")),
            EdgeKind::Together => (KgEdgeKind::RelatedTo, Some("together")),
        };
        // Between files a call is told as the need that it is.
        let is_of_files = from_kind == KgNodeKind::File && to_kind == KgNodeKind::File;
        let is_between_symbols =
            matches!(kind, KgEdgeKind::Calls | KgEdgeKind::Extends | KgEdgeKind::Implements);
        let kind = if is_of_files && is_between_symbols { KgEdgeKind::Uses } else { kind };
        let kind = if self.is_component(edge, kind)? { KgEdgeKind::UsesUiComponent } else { kind };
        let from = if kind == KgEdgeKind::UsesUiComponent {
            ids::file_id(self.catalog.file(edge.from.file)?.key.as_str())
        } else {
            from
        };
        let line = match (&edge.evidence, self.detail) {
            (Some(evidence), Detail::Symbols) => {
                self.catalog.line_of(evidence.file, evidence.start)?
            },
            _ => None,
        };
        let known = Known {
            candidates: edge.candidates.max(1),
            ..Known::of_text(edge.provenance.as_str(), edge.confidence, line)
        };
        let known = edges.add(Key { from, to, kind }, known);
        known.relations.extend(relation);
        Ok(())
    }

    /// The id and kind of the node that stands for an end of an edge.
    fn end(&mut self, node: Node) -> Result<(String, KgNodeKind)> {
        let path = self.catalog.file(node.file)?.key.as_str();
        if self.detail == Detail::Symbols
            && let Some(symbol) = node.symbol
        {
            let known = self.catalog.symbols(node.file)?;
            let nearest = known.around.get(symbol as usize).and_then(|around| around.nearest);
            if let Some(at) = nearest.map(|at| at as usize)
                && let (Some(id), Some(row)) = (known.ids.get(at), known.rows.get(at))
            {
                let kind = ids::node_kind(&row.kind).unwrap_or(KgNodeKind::Function);
                return Ok((id.clone(), kind));
            }
        }
        Ok((ids::file_id(path), KgNodeKind::File))
    }

    /// Whether an edge is the use of a component of a page.
    fn is_component(&mut self, edge: &Edge, kind: KgEdgeKind) -> Result<bool> {
        if self.detail == Detail::Files || !matches!(kind, KgEdgeKind::Calls | KgEdgeKind::Uses) {
            return Ok(false);
        }
        let Some(symbol) = edge.to.symbol else { return Ok(false) };
        self.pages.is_component(self.catalog, edge.to.file, symbol)
    }
}

fn symbol_props(file: &FileRow, row: &SymbolRow) -> Extra {
    let mut props = Extra::new();
    props.insert("language".to_owned(), (*file.language).into());
    props.insert("definedIn".to_owned(), file.key.as_str().into());
    props.insert("symbolKind".to_owned(), row.kind.as_str().into());
    props.insert("line".to_owned(), row.start.0.into());
    if let Some(visibility) = &row.visibility {
        props.insert("visibility".to_owned(), visibility.as_str().into());
    }
    props
}

/// What tells edges apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: KgEdgeKind,
}

/// What is known of all edges with the same ends and kind.
#[derive(Debug)]
pub(crate) struct Known {
    provenance: &'static str,
    confidence: u8,
    candidates: u32,
    count: u64,
    line: Option<u32>,
    relations: BTreeSet<&'static str>,
    props: Extra,
}

impl Known {
    /// A fact that a line of the text says.
    pub(crate) fn of_text(provenance: &'static str, confidence: u8, line: Option<u32>) -> Self {
        Self {
            provenance,
            confidence,
            candidates: 1,
            count: 1,
            line,
            relations: BTreeSet::new(),
            props: Extra::new(),
        }
    }

    /// One of so many that a name may mean.
    pub(crate) fn one_of(mut self, candidates: usize) -> Self {
        self.candidates = u32::try_from(candidates).unwrap_or(u32::MAX).max(1);
        self
    }

    fn sureness(&self) -> (std::cmp::Reverse<u32>, u8) {
        (std::cmp::Reverse(self.candidates), self.confidence)
    }
}

/// The edges of a file, each pair of ends and kind once.
#[derive(Debug, Default)]
pub(crate) struct Gathered(BTreeMap<Key, Known>);

impl Gathered {
    /// Adds an edge; the surest of several says how it is known, the first line where.
    pub(crate) fn add(&mut self, key: Key, known: Known) -> &mut Known {
        use std::collections::btree_map::Entry;
        match self.0.entry(key) {
            Entry::Vacant(new) => new.insert(known),
            Entry::Occupied(old) => {
                let old = old.into_mut();
                old.count += 1;
                old.line = match (old.line, known.line) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                if known.sureness() > old.sureness() {
                    old.provenance = known.provenance;
                    old.confidence = known.confidence;
                    old.candidates = known.candidates;
                }
                old
            },
        }
    }

    pub(super) fn bodies(self, path: &str) -> Vec<EdgeBody> {
        let body = |(key, known): (Key, Known)| {
            let mut props = known.props;
            let confidence = f64::from(known.confidence) / 100.0;
            props.insert("confidence".to_owned(), confidence.into());
            props.insert("provenance".to_owned(), known.provenance.into());
            props.insert("candidates".to_owned(), known.candidates.into());
            props.insert("count".to_owned(), known.count.into());
            if !known.relations.is_empty() {
                let relations: Vec<&str> = known.relations.into_iter().collect();
                props.insert("relation".to_owned(), relations.join(",").into());
            }
            let evidence = match known.line {
                Some(line) => json!({ "path": path, "line": line }),
                None => json!({ "path": path }),
            };
            props.insert("evidence".to_owned(), evidence);
            EdgeBody { from: key.from, to: key.to, kind: key.kind, props }
        };
        let mut bodies: Vec<EdgeBody> = self.0.into_iter().map(body).collect();
        bodies.sort_by_cached_key(EdgeBody::id);
        bodies
    }
}
