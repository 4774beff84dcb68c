//! `kg/nodes.jsonl`, `kg/edges.jsonl` and `kg/stats.json`, written by commits.
//!
//! Lines are sorted by the file they belong to, so a commit of a few files replaces their lines, and those of the files
//! that have or had an edge to one of them. What belongs to no file (endpoints, dependencies, services) is at the end.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use gik_base::{ErrorCode, Failure, FileStat, Result, fs, line_ends, mmap};
use gik_contract::{
    Extra, KgEdge, KgEdgeKind, KgNode, KgNodeKind, KgStats, Timestamp, kg::KG_VERSION,
};
use gik_graph::resolve::file_key;
use gik_ledger::{Durability, Transaction, jsonl};
use gik_store::{FileRow, FileState, Snapshot, Unprojected};
use regex::bytes::Regex;

use super::bodies::{EdgeBody, NodeBody, NodeProps};
use super::ids::is_of;
use super::lines::{Line, by_id, is_behind, written};
use super::pages::{is_markup, is_style};
use super::records::{Detail, Recorder, Records};
use super::stack::Stack;
use super::{Catalog, owners};
use crate::Workspace;
use crate::graph::{Graph, RESOLVER_VERSION, in_batches};
use crate::ingest::Recent;
use crate::projection::{Splice, first_line, put_splices};

const NODES: &str = "kg/nodes.jsonl";
const EDGES: &str = "kg/edges.jsonl";
const STATS: &str = "kg/stats.json";
/// Where more files than this changed, everything is written anew.
const MOST_CHANGED: usize = 400;
/// The same where more were touched by that, and one in so many.
const TOUCHED_PART: usize = 8;

/// Everything needed to write the graph.
#[derive(Debug)]
pub(crate) struct KgProjector<'a> {
    pub(crate) ws: &'a Workspace<'a>,
    pub(crate) snapshot: &'a Snapshot<'a>,
    /// All files of the index, sorted by name.
    pub(crate) files: &'a [FileRow],
    /// What was just read of some.
    pub(crate) recent: &'a Recent,
    /// Those that changed since the last commit, sorted by name.
    pub(crate) changed: &'a [Unprojected],
    pub(crate) stack: &'a Stack,
    /// That of the revision.
    pub(crate) time: Timestamp,
}

/// Changes whenever the same texts may give other lines, such as more endpoints.
const READING: u32 = 2;

/// Whether all files of `kg/` are there.
pub(crate) fn is_written(ws: &Workspace<'_>) -> bool {
    let dir = ws.branch.kg_dir();
    ["nodes.jsonl", "edges.jsonl", "stats.json"].iter().all(|name| fs::exists(&dir.join(name)))
}

/// What the index has to remember of the files that are in place now.
pub(crate) fn note(ws: &Workspace<'_>, detail: Detail) -> Result<Option<String>> {
    let of = |name: &str| -> Result<Option<String>> {
        let stat = FileStat::at(&ws.branch.kg_dir().join(name))?;
        Ok(stat.map(|stat| format!("{}:{}:{}", stat.size, stat.mtime_ns, stat.inode)))
    };
    let (Some(nodes), Some(edges)) = (of("nodes.jsonl")?, of("edges.jsonl")?) else {
        return Ok(None);
    };
    Ok(Some(format!("{KG_VERSION}.{READING}.{RESOLVER_VERSION}:{detail:?}:{nodes}:{edges}")))
}

impl KgProjector<'_> {
    /// Adds the files of `kg/` to a transaction. Says how much they hold.
    pub(crate) fn project(&self, transaction: &Transaction<'_>) -> Result<Detail> {
        let indexed = self.files.iter().filter(|file| file.state == FileState::Indexed);
        let bytes: u64 = indexed.map(|file| file.stat.size).sum();
        let detail = if bytes <= self.ws.settings.indexing.projection_text_bytes {
            Detail::Symbols
        } else {
            Detail::Files
        };
        let known = self.snapshot.meta("projected:kg")?;
        let is_known = known.is_some() && known == note(self.ws, detail)?;
        let dir = self.ws.branch.kg_dir();
        let stats: Option<KgStats> = jsonl::read_json(&dir.join("stats.json")).unwrap_or(None);
        let old = (old_bytes(&dir.join("nodes.jsonl"))?, old_bytes(&dir.join("edges.jsonl"))?);
        let old = Old { nodes: &old.0, edges: &old.1 };
        if let Some(stats) = stats.filter(|_| is_known)
            && let Some(touched) = self.touched(&old)?
        {
            self.patch(detail, &old, &stats, &touched, transaction)?;
        } else {
            self.write(detail, &old, transaction)?;
        }
        Ok(detail)
    }

    /// Writes everything anew.
    fn write(&self, detail: Detail, old: &Old<'_>, transaction: &Transaction<'_>) -> Result<()> {
        let (ws, files, recent) = (self.ws, self.files, self.recent);
        let (stack, time) = (self.stack, self.time);
        let packages = stack.packages();
        let known_nodes = by_id::<KgNode>(old.nodes);
        let known_edges = by_id::<KgEdge>(old.edges);
        let places: Vec<u32> = self.members().map(|(place, _)| place).collect();
        let lines_of = |snapshot: &Snapshot<'_>, places: &[u32]| -> Result<Lines> {
            let mut catalog = Catalog::new(ws, snapshot, files).with_recent(recent);
            let mut recorder = Recorder::new(&mut catalog, detail, stack, &packages);
            let mut graph = Graph::with_files(snapshot, Cow::Borrowed(files));
            let mut lines = Lines::default();
            for &place in places {
                ws.ctx.cancel.check()?;
                let records = recorder.file(place, &graph.of_file(place)?)?;
                recorder.catalog.forget_text(place);
                lines.routes.add(&records.edges);
                lines.node_count += records.nodes.len() as u64;
                lines.edge_count += records.edges.len() as u64;
                lines.nodes.push(written(&records.nodes, &known_nodes, time)?);
                lines.edges.push(written(&records.edges, &known_edges, time)?);
            }
            Ok(lines)
        };
        let (mut node_count, mut edge_count) = (0, 0);
        let mut routes = Routes::default();
        transaction.replace_with(NODES, Durability::Cached, |nodes| {
            let edges = transaction.replace_with(EDGES, Durability::Cached, |edges| {
                let each = in_batches(ws, &places, lines_of, |lines| {
                    node_count += lines.node_count;
                    edge_count += lines.edge_count;
                    routes.join(lines.routes);
                    put(nodes, NODES, &lines.nodes)?;
                    put(edges, EDGES, &lines.edges)
                });
                each.map_err(io::Error::other)
            });
            edges.map_err(io::Error::other)?;
            let rest = self.of_no_file(std::mem::take(&mut routes));
            let rest = written(&rest, &known_nodes, time).map_err(io::Error::other)?;
            node_count += count_lines(&rest);
            nodes.write_all(rest.as_bytes())
        })?;
        let stats = self.stats(node_count, edge_count);
        transaction.replace(STATS, jsonl::to_json(&stats)?, Durability::Cached);
        Ok(())
    }

    /// Replaces the lines of the files that are touched.
    fn patch(
        &self,
        detail: Detail,
        old: &Old<'_>,
        stats: &KgStats,
        touched: &BTreeSet<String>,
        transaction: &Transaction<'_>,
    ) -> Result<()> {
        let mut catalog = Catalog::new(self.ws, self.snapshot, self.files).with_recent(self.recent);
        let packages = self.stack.packages();
        let mut recorder = Recorder::new(&mut catalog, detail, self.stack, &packages);
        let mut graph = Graph::with_files(self.snapshot, Cow::Borrowed(self.files));
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        let tail = first_line(old.nodes, |line| is_behind::<KgNode>(line, |_| false));
        let known_tail = by_id::<KgNode>(&old.nodes[tail..]);
        let mut routes = Routes::default();
        if known_tail.values().any(|node| node.kind == KgNodeKind::Endpoint) {
            routes.add_old(old.edges, touched);
        }
        for path in touched {
            let found = self.files.binary_search_by(|file| file.key.as_str().cmp(path));
            let is_there = |at: &usize| self.files[*at].state == FileState::Indexed;
            let place = found.ok().filter(is_there).and_then(|at| u32::try_from(at).ok());
            let records = match place {
                Some(place) => {
                    let leaving = graph.of_file(place)?;
                    recorder.file(place, &leaving)?
                },
                None => Records::default(),
            };
            routes.add(&records.edges);
            let place = lines_of::<KgNode>(old.nodes, path);
            let known = by_id::<KgNode>(&old.nodes[place.clone()]);
            let new = written(&records.nodes, &known, self.time)?;
            nodes.push(Splice { old: place, new });
            let place = lines_of::<KgEdge>(old.edges, path);
            let known = by_id::<KgEdge>(&old.edges[place.clone()]);
            let new = written(&records.edges, &known, self.time)?;
            edges.push(Splice { old: place, new });
        }
        let new = written(&self.of_no_file(routes), &known_tail, self.time)?;
        nodes.push(Splice { old: tail..old.nodes.len(), new });
        let changes = |splices: &mut Vec<Splice>, old: &[u8]| -> (u64, u64) {
            splices.retain(|splice| old[splice.old.clone()] != *splice.new.as_bytes());
            let gone = splices.iter().map(|it| count_bytes(&old[it.old.clone()])).sum();
            (splices.iter().map(|it| count_lines(&it.new)).sum(), gone)
        };
        let (new_nodes, gone_nodes) = changes(&mut nodes, old.nodes);
        let (new_edges, gone_edges) = changes(&mut edges, old.edges);
        if nodes.is_empty() && edges.is_empty() {
            return Ok(());
        }
        let stats = self.stats(
            (stats.node_count + new_nodes).saturating_sub(gone_nodes),
            (stats.edge_count + new_edges).saturating_sub(gone_edges),
        );
        if !nodes.is_empty() {
            put_splices(transaction, NODES, old.nodes, nodes)?;
        }
        if !edges.is_empty() {
            put_splices(transaction, EDGES, old.edges, edges)?;
        }
        transaction.replace(STATS, jsonl::to_json(&stats)?, Durability::Cached);
        Ok(())
    }

    /// Files with chunks, by place.
    fn members(&self) -> impl Iterator<Item = (u32, &FileRow)> {
        (0..).zip(self.files).filter(|(_, file)| file.state == FileState::Indexed)
    }

    /// The files whose lines may have changed; `None` where that may be all.
    fn touched(&self, old: &Old<'_>) -> Result<Option<BTreeSet<String>>> {
        let is_ground = |file: &Unprojected| {
            gik_stack::is_manifest(&file.key) || rules_imports(file.key.as_str())
        };
        if self.changed.len() > MOST_CHANGED || self.changed.iter().any(is_ground) {
            return Ok(None);
        }
        let paths = self.changed.iter().map(|file| file.key.as_str());
        let mut touched: BTreeSet<String> = paths.clone().map(str::to_owned).collect();
        let language = |path: &str| {
            let at = self.files.binary_search_by(|file| file.key.as_str().cmp(path)).ok()?;
            Some(self.files[at].language.clone())
        };
        let ends = [".css", ".scss", ".less", ".sass"];
        let is_sheet = |path: &str| {
            ends.iter().any(|end| path.ends_with(end))
                || language(path).is_some_and(|it| is_style(&it))
        };
        if paths.clone().any(is_sheet) {
            let pages = self.members().filter(|(_, file)| is_markup(&file.language));
            touched.extend(pages.map(|(_, file)| file.key.as_str().to_owned()));
        }
        let graph = Graph::with_files(self.snapshot, Cow::Borrowed(self.files));
        let keys = self.changed.iter().map(|file| file_key(file.key.as_str())).collect();
        for source in self.snapshot.graph_resting_on(&keys)? {
            let place = graph.place_of(source);
            touched.extend(place.map(|place| self.files[place as usize].key.as_str().to_owned()));
        }
        touched.extend(old.owners_of_edges_with(paths)?);
        // Which files there are decides who owns what.
        touched.extend(owners::path(self.files).map(str::to_owned));
        let most = MOST_CHANGED.max(self.files.len() / TOUCHED_PART);
        Ok((touched.len() <= most).then_some(touched))
    }

    /// Endpoints, dependencies and services.
    fn of_no_file(&self, routes: Routes) -> Vec<NodeBody<'static>> {
        let mut nodes = routes.nodes();
        nodes.extend(self.stack.nodes());
        nodes.sort_by(|a, b| a.id.cmp(&b.id));
        nodes
    }

    fn stats(&self, node_count: u64, edge_count: u64) -> KgStats {
        KgStats { node_count, edge_count, last_updated: self.time, version: KG_VERSION.to_owned() }
    }
}

/// Whether a file says how imports are meant.
fn rules_imports(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.ends_with("config.json")
        || matches!(name, "compile_commands.json" | "go.work")
        || path.ends_with("config/application.rb")
}

/// The files as they are.
struct Old<'m> {
    nodes: &'m [u8],
    edges: &'m [u8],
}

impl Old<'_> {
    /// The files with edges that start or end in one of `paths`.
    fn owners_of_edges_with<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Result<BTreeSet<String>> {
        let paths: Vec<&str> = paths.collect();
        let escaped: Vec<String> = paths
            .iter()
            .filter_map(|path| serde_json::to_string(path).ok())
            .map(|path| format!(":{}", regex::escape(path.trim_matches('"'))))
            .collect();
        let mut owners = BTreeSet::new();
        if escaped.is_empty() {
            return Ok(owners);
        }
        // Nothing but what ends in the paths: so they are found many bytes at a time.
        let pattern = Regex::new(&escaped.join("|")).map_err(|error| {
            Failure::new(ErrorCode::Internal, "the paths that changed make no pattern")
                .caused_by(error)
        })?;
        let mut at = 0;
        while let Some(found) = pattern.find_at(self.edges, at) {
            let line = line_at(self.edges, found.start());
            at = line.end;
            let edge: Option<KgEdge> = serde_json::from_slice(&self.edges[line]).ok();
            let ends = |edge: &KgEdge| {
                paths.iter().any(|path| is_of(&edge.from, path) || is_of(&edge.to, path))
            };
            owners.extend(edge.filter(ends).and_then(owner));
        }
        Ok(owners)
    }
}

/// Where the lines of a file are, or belong.
fn lines_of<L: Line>(lines: &[u8], path: &str) -> Range<usize> {
    let start = first_line(lines, |line| is_behind::<L>(line, |owner| owner >= path));
    let length = first_line(&lines[start..], |line| is_behind::<L>(line, |owner| owner > path));
    start..start + length
}

fn owner(edge: KgEdge) -> Option<String> {
    Line::owner(&edge).map(str::to_owned)
}

/// The line around a place, without its end.
fn line_at(lines: &[u8], at: usize) -> Range<usize> {
    let start = lines[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
    let end =
        lines[at..].iter().position(|byte| *byte == b'\n').map_or(lines.len(), |end| at + end);
    start..end
}

fn put(out: &mut dyn Write, name: &str, lines: &[String]) -> Result<()> {
    let mut each = lines.iter();
    each.try_for_each(|lines| out.write_all(lines.as_bytes()))
        .map_err(|error| fs::failure("write", Path::new(name), error))
}

/// What some files have to say.
#[derive(Default)]
struct Lines {
    /// File by file.
    nodes: Vec<String>,
    edges: Vec<String>,
    node_count: u64,
    edge_count: u64,
    routes: Routes,
}

/// What all files say of routes.
#[derive(Default)]
struct Routes(BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>);

impl Routes {
    fn add(&mut self, edges: &[EdgeBody<'_>]) {
        for edge in edges {
            if let Some(served) = &edge.known.served {
                self.put(&edge.to, &served.methods, served.framework);
            }
        }
    }

    /// Those of the files that are not touched.
    fn add_old(&mut self, edges: &[u8], touched: &BTreeSet<String>) {
        const MARK: &str = "\"kind\":\"definesEndpoint\"";
        let Ok(mark) = Regex::new(&regex::escape(MARK)) else { return };
        for found in mark.find_iter(edges) {
            let line = &edges[line_at(edges, found.start())];
            let Ok(edge) = serde_json::from_slice::<KgEdge>(line) else { continue };
            let is_touched =
                edge.from.strip_prefix("file:").is_some_and(|path| touched.contains(path));
            if edge.kind == KgEdgeKind::DefinesEndpoint && !is_touched {
                let word = |name: &str| edge.props.get(name).and_then(|value| value.as_str());
                let (methods, framework) = (word("httpMethod"), word("framework"));
                self.put(&edge.to, methods.unwrap_or_default(), framework.unwrap_or_default());
            }
        }
    }

    fn join(&mut self, other: Self) {
        for (id, (methods, frameworks)) in other.0 {
            let known = self.0.entry(id).or_default();
            known.0.extend(methods);
            known.1.extend(frameworks);
        }
    }

    fn put(&mut self, id: &str, methods: &str, framework: &str) {
        let known = self.0.entry(id.to_owned()).or_default();
        known.0.extend(methods.split(',').map(str::to_owned));
        known.1.insert(framework.to_owned());
    }

    fn nodes(self) -> Vec<NodeBody<'static>> {
        let joined = |words: BTreeSet<String>| words.into_iter().collect::<Vec<_>>().join(",");
        let node = |(id, (methods, frameworks)): (String, (BTreeSet<String>, BTreeSet<String>))| {
            let route = id.strip_prefix("endpoint:").unwrap_or(&id).to_owned();
            let mut props = Extra::new();
            props.insert("route".to_owned(), route.as_str().into());
            props.insert("httpMethod".to_owned(), joined(methods).into());
            props.insert("framework".to_owned(), joined(frameworks).into());
            let (id, props) = (id.into(), NodeProps::Other(props));
            NodeBody { id, kind: KgNodeKind::Endpoint, label: route, props }
        };
        self.0.into_iter().map(node).collect()
    }
}

/// A file that may not be there.
fn old_bytes(path: &Path) -> Result<mmap::Bytes> {
    if !fs::exists(path) {
        return Ok(mmap::Bytes::Owned(Vec::new()));
    }
    mmap::Bytes::map(path)
}

fn count_lines(text: &str) -> u64 {
    count_bytes(text.as_bytes())
}

fn count_bytes(text: &[u8]) -> u64 {
    line_ends(text).count() as u64
}
