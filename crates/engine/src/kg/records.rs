//! What one file adds to `kg/`: itself, what it defines, and every edge that it says.
//!
//! An edge belongs to the file whose text says it; that file is the `path` of its evidence.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gik_base::Result;
use gik_contract::{Extra, KgEdgeKind, KgNodeKind};
use gik_graph::endpoints::{Endpoint, Source, endpoints, may_have_endpoints};
use gik_graph::{Edge, EdgeKind, Node};
use gik_store::{FileRow, FileState};

use super::bodies::{Defined, EdgeBody, Known, NodeBody, NodeProps, Served};
use super::gathered::{Gathered, Key};
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

/// What one file adds.
#[derive(Debug, Default)]
pub(crate) struct Records<'a> {
    pub(crate) nodes: Vec<NodeBody<'a>>,
    pub(crate) edges: Vec<EdgeBody<'a>>,
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
    pub(crate) fn file(&mut self, place: u32, said: &[Edge]) -> Result<Records<'a>> {
        let file = self.catalog.file(place)?;
        let path = file.key.as_str();
        let mut records = Records::default();
        records.nodes.push(self.file_node(place, file)?);
        let mut edges = Gathered::new(path);
        self.stack.of_manifest(path, &mut edges);
        let names_owners = owners::path(self.catalog.files()) == Some(path);
        let is_read =
            self.detail == Detail::Symbols || names_owners || may_have_endpoints(&file.language);
        let text = if is_read { self.catalog.own_text(place)? } else { None };
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
        records.edges = edges.bodies();
        // One part of a page may be defined twice in one file.
        records.nodes.sort_by(|a, b| a.id.cmp(&b.id));
        records.nodes.dedup_by(|b, a| a.id == b.id);
        Ok(records)
    }

    /// Edges as they are written, and the endpoints that a file defines.
    pub(crate) fn edges(&mut self, place: u32, edges: &[Edge]) -> Result<Vec<EdgeBody<'a>>> {
        // What leads here from other files stands in those.
        let mut by_file: BTreeMap<u32, Gathered<'a>> = BTreeMap::new();
        if let Some(text) = self.catalog.own_text(place)? {
            let file = self.catalog.file(place)?;
            let gathered = by_file.entry(place).or_insert(Gathered::new(file.key.as_str()));
            self.endpoints(place, file, &text, gathered)?;
        }
        for edge in edges {
            let says = edge.evidence.as_ref().map_or(edge.from.file, |evidence| evidence.file);
            let path = self.catalog.file(says)?.key.as_str();
            self.edge(edge, by_file.entry(says).or_insert(Gathered::new(path)))?;
        }
        let mut bodies: Vec<EdgeBody<'a>> =
            by_file.into_values().flat_map(Gathered::bodies).collect();
        bodies.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(bodies)
    }

    /// The node that stands for one in `kg/`.
    pub(crate) fn shown(&mut self, node: Node) -> Result<Node> {
        let Some(symbol) = node.symbol else { return Ok(node) };
        let known = self.catalog.symbols(node.file)?;
        let nearest = known.around.get(symbol as usize).and_then(|around| around.nearest);
        Ok(Node { file: node.file, symbol: nearest })
    }

    fn file_node(&mut self, place: u32, file: &FileRow) -> Result<NodeBody<'a>> {
        let mut props = Extra::new();
        if !file.language.is_empty() {
            props.insert("language".to_owned(), (*file.language).into());
        }
        if self.detail == Detail::Symbols
            && let Some(lines) = self.catalog.count_lines(place)?
        {
            props.insert("lines".to_owned(), lines.into());
        }
        props.insert("base".to_owned(), (*file.base).into());
        let path = file.key.as_str();
        Ok(NodeBody {
            id: ids::file_id(path),
            kind: KgNodeKind::File,
            label: path.to_owned(),
            props: NodeProps::Other(props),
        })
    }

    /// Functions, types and modules; `parts` says which of them are components of a page.
    fn symbols(
        &mut self,
        place: u32,
        file: &'a FileRow,
        parts: &BTreeMap<usize, (KgNodeKind, &'static str)>,
        records: &mut Records<'a>,
        edges: &mut Gathered<'a>,
    ) -> Result<()> {
        let path = file.key.as_str();
        let file_id = ids::file_id(path);
        let known = self.catalog.symbols(place)?;
        for (at, (row, id)) in known.rows.iter().zip(&known.ids).enumerate() {
            let Some(kind) = ids::node_kind(&row.kind) else { continue };
            let part = parts.get(&at);
            let props = Defined {
                language: &file.language,
                defined_in: path,
                symbol_kind: Some(row.kind.clone()),
                line: Some(row.start.0),
                visibility: row.visibility.clone(),
                framework: part.map(|(_, framework)| *framework),
            };
            records.nodes.push(NodeBody {
                id: id.clone(),
                kind: part.map_or(kind, |(kind, _)| *kind),
                label: known.labels[at].clone(),
                props: NodeProps::Defined(props),
            });
            let parent = known.around[at].parent.and_then(|parent| known.ids.get(parent as usize));
            let (from, kind) = match parent {
                Some(parent) => (parent.clone(), KgEdgeKind::Contains),
                None => (file_id.clone(), KgEdgeKind::Defines),
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
        edges: &mut Gathered<'a>,
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
                to: format!("endpoint:{route}").into(),
                kind: KgEdgeKind::DefinesEndpoint,
            };
            let line = self.catalog.line_of(place, at)?;
            let known = edges.add(key, Known::of_text("syntax", 100, line));
            known.count = endpoints.len() as u64;
            let framework = first.framework.as_str();
            known.served = Some(Served { methods: methods.join(","), framework });
        }
        Ok(())
    }

    /// An edge of the graph, between what is written of it.
    fn edge(&mut self, edge: &Edge, edges: &mut Gathered<'a>) -> Result<()> {
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
    fn end(&mut self, node: Node) -> Result<(Rc<str>, KgNodeKind)> {
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
