//! Edges that an index of a compiler knows, put in place of those that were guessed.
//!
//! Places are joined with the symbols of our own index. A name counts only where the file says today what the index
//! says: an index that is older than a file loses the parts that no longer fit. What is put in is part of what is known
//! of a file, so it goes when the file changes, or one that its edges rest on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gik_base::clock::{self, Timestamp};
use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_graph::resolve::file_key;
use gik_graph::scip::{self, Document, Encoding, Index, Occurrence};
use gik_graph::{EdgeKind, Provenance};
use gik_index::FileNo;
use gik_parse::ReferenceRole;
use gik_store::{Access, EdgeRow, FileGraph, FileRow, Looked, Snapshot, SymbolRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Catalog;
use crate::{Workspace, graph};

/// What an import brought.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The file that was imported.
    pub source: String,
    /// Who made it, as it says.
    pub tool: String,
    /// When it was made, as far as the time of the file tells.
    pub made_at: Timestamp,
    /// When it was imported.
    pub imported_at: Timestamp,
    /// Files that got edges.
    pub files: u64,
    /// Edges that were put in.
    pub edges: u64,
    /// Files of it that are not in our index.
    pub unknown_files: u64,
    /// Names of it that the files do not have at their places any more.
    pub stale_names: u64,
}

const META: &str = "scip";

/// What was imported last, if anything was.
pub(crate) fn imported(snapshot: &Snapshot<'_>) -> Result<Option<Imported>> {
    Ok(snapshot.meta(META)?.and_then(|text| serde_json::from_str(&text).ok()))
}

/// How many edges of an import are still known.
pub(crate) fn living(snapshot: &Snapshot<'_>) -> Result<u64> {
    let mut edges = 0;
    snapshot.for_each_graph(|_, graph| {
        let is_scip = |edge: &&EdgeRow| edge.provenance == Provenance::Scip as u8;
        edges += graph.edges.iter().filter(is_scip).count() as u64;
    })?;
    Ok(edges)
}

/// Reads an index and puts its edges in.
pub(crate) fn import(ws: &Workspace<'_>, path: &Path) -> Result<Imported> {
    let bytes = fs::read(path)?;
    let index = scip::read(&bytes).map_err(|broken| {
        Failure::new(
            ErrorCode::SourceInvalid,
            format!("`{}` is no SCIP index: byte {} makes no sense", path.display(), broken.at),
        )
        .hint("make it with `rust-analyzer scip .`, `scip-typescript index` or `scip-python index`")
    })?;
    if index.documents.is_empty() {
        return Err(Failure::new(
            ErrorCode::SourceInvalid,
            format!("`{}` has no files in it", path.display()),
        ));
    }
    let held = ws.hold()?;
    let mut store = ws.store(Access::ReadWrite)?;
    graph::update(ws, &held, &mut store)?;
    let snapshot = store.snapshot()?;
    let files = snapshot.files()?;
    let made_at = fs::metadata(path)?.modified().ok().and_then(|time| time.try_into().ok());
    let mut imported = Imported {
        source: path.display().to_string(),
        tool: index.tool.clone(),
        made_at: made_at.unwrap_or_else(clock::now),
        imported_at: clock::now(),
        ..Imported::default()
    };
    let found = Joining::new(ws, &snapshot, &files, &index).join(&mut imported)?;
    drop(snapshot);
    let writer = store.writer()?;
    let mut looked = Looked::default();
    for File { file, graph, inputs } in &found {
        writer.put_graph(*file, graph, inputs, &mut looked)?;
    }
    writer.put_looked(&mut looked)?;
    let text = serde_json::to_string(&imported).map_err(|error| {
        Failure::new(ErrorCode::Internal, "the note of an import cannot be written")
            .caused_by(error)
    })?;
    writer.set_meta(META, &text)?;
    // The contract files have other edges now, in any number of files.
    writer.set_meta("projected:kg", "")?;
    graph::mark_current(&writer)?;
    writer.commit()?;
    Ok(imported)
}

/// What is put in for a file.
struct File {
    file: FileNo,
    graph: FileGraph,
    inputs: Vec<u32>,
}

/// Where a symbol of an index is in ours: the place of its file, and of the symbol in it.
type Definition = (u32, u32);

struct Joining<'a> {
    snapshot: &'a Snapshot<'a>,
    files: &'a [FileRow],
    index: &'a Index,
    catalog: Catalog<'a>,
}

impl<'a> Joining<'a> {
    fn new(
        ws: &'a Workspace<'a>,
        snapshot: &'a Snapshot<'a>,
        files: &'a [FileRow],
        index: &'a Index,
    ) -> Self {
        Self { snapshot, files, index, catalog: Catalog::new(ws, snapshot, files) }
    }

    fn join(mut self, imported: &mut Imported) -> Result<Vec<File>> {
        let known: BTreeSet<FileNo> =
            self.snapshot.graph_files()?.into_iter().map(|row| row.file).collect();
        let mut documents: BTreeMap<u32, &Document> = BTreeMap::new();
        for document in &self.index.documents {
            let key = FileKey::from_text(document.path.as_str());
            let place = self.catalog.file_at(&key);
            match place.filter(|&place| known.contains(&self.files[place as usize].id)) {
                Some(place) => drop(documents.insert(place, document)),
                None => imported.unknown_files += 1,
            }
        }
        let mut definitions: HashMap<u32, Definition> = HashMap::default();
        for (&place, document) in &documents {
            self.definitions(place, document, &mut definitions)?;
        }
        let mut found = Vec::new();
        for (&place, document) in &documents {
            found.extend(self.file(place, document, &definitions, imported)?);
        }
        Ok(found)
    }

    fn definitions(
        &mut self,
        place: u32,
        document: &Document,
        definitions: &mut HashMap<u32, Definition>,
    ) -> Result<()> {
        let Some(text) = self.catalog.text(place)?.map(str::to_owned) else { return Ok(()) };
        let lines = Lines::of(&text);
        let rows = &self.catalog.symbols(place)?.rows;
        for occurrence in document.occurrences.iter().filter(|it| it.is_definition) {
            let Some((start, _)) = lines.place(occurrence, document.encoding) else { continue };
            let named =
                |row: &SymbolRow| row.name_start == start && text[start..].starts_with(&row.name);
            if let Some(at) = rows.iter().position(named).and_then(|at| u32::try_from(at).ok()) {
                definitions.entry(occurrence.symbol).or_insert((place, at));
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        place: u32,
        document: &Document,
        definitions: &HashMap<u32, Definition>,
        imported: &mut Imported,
    ) -> Result<Option<File>> {
        let file = &self.files[place as usize];
        let Some(text) = self.catalog.text(place)?.map(str::to_owned) else { return Ok(None) };
        let lines = Lines::of(&text);
        let facts = self.snapshot.facts_of(file.id)?;
        let roles: HashMap<u32, u8> =
            facts.references.iter().map(|it| (it.name.start, it.role)).collect();
        let mut graph = self.snapshot.graph_of(file.id)?.unwrap_or_default();
        let mut replaced: BTreeSet<u32> = BTreeSet::new();
        let mut edges = Vec::new();
        let mut inputs = BTreeSet::new();
        for occurrence in document.occurrences.iter().filter(|it| !it.is_definition) {
            let Some(&(other, symbol)) = definitions.get(&occurrence.symbol) else { continue };
            let name = self.catalog.symbols(other)?.rows[symbol as usize].name.clone();
            let range = lines.place(occurrence, document.encoding);
            let Some((start, end)) =
                range.filter(|range| text.get(range.0..range.1) == Some(name.as_str()))
            else {
                // Another name for it is as good, a place that is none of ours is not.
                imported.stale_names += 1;
                continue;
            };
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { continue };
            let kind = kind_of(occurrence, roles.get(&start).copied());
            let from = if kind == EdgeKind::Imports {
                None
            } else {
                innermost(&self.catalog.symbols(place)?.rows, start)
            };
            if from == Some(symbol) && other == place && kind != EdgeKind::Calls {
                continue;
            }
            replaced.insert(start);
            inputs.insert(file_key(self.files[other as usize].key.as_str()));
            edges.push(EdgeRow {
                from,
                evidence: Some((start, end)),
                kind: kind as u8,
                provenance: Provenance::Scip as u8,
                confidence: 100,
                candidates: 1,
                file: self.files[other as usize].id,
                symbol: Some(symbol),
                source: None,
            });
        }
        for (own, other) in &document.implements {
            if let (Some(&(at, from)), Some(&(other, symbol))) =
                (definitions.get(own), definitions.get(other))
                && at == place
            {
                inputs.insert(file_key(self.files[other as usize].key.as_str()));
                edges.push(EdgeRow {
                    from: Some(from),
                    evidence: None,
                    kind: EdgeKind::Implements as u8,
                    provenance: Provenance::Scip as u8,
                    confidence: 100,
                    candidates: 1,
                    file: self.files[other as usize].id,
                    symbol: Some(symbol),
                    source: None,
                });
            }
        }
        if edges.is_empty() {
            return Ok(None);
        }
        graph.edges.retain(|edge| !is_replaced(edge, &replaced));
        imported.files += 1;
        imported.edges += edges.len() as u64;
        graph.edges.extend(edges);
        graph.edges.sort_unstable();
        graph.edges.dedup();
        Ok(Some(File { file: file.id, graph, inputs: inputs.into_iter().collect() }))
    }
}

/// Whether an edge says what a name means at a place where a compiler says it.
fn is_replaced(edge: &EdgeRow, replaced: &BTreeSet<u32>) -> bool {
    let names = [EdgeKind::Calls, EdgeKind::Uses, EdgeKind::Imports];
    names.iter().any(|kind| edge.kind == *kind as u8)
        && edge.evidence.is_some_and(|(start, _)| replaced.contains(&start))
        // That a file needs another one stays true.
        && edge.symbol.is_some()
}

fn kind_of(occurrence: &Occurrence, role: Option<u8>) -> EdgeKind {
    match role.and_then(ReferenceRole::from_number) {
        Some(ReferenceRole::Call) => EdgeKind::Calls,
        Some(ReferenceRole::Import) => EdgeKind::Imports,
        Some(ReferenceRole::Usage | ReferenceRole::Type | ReferenceRole::Write) | None => {
            if occurrence.is_import {
                EdgeKind::Imports
            } else {
                EdgeKind::Uses
            }
        },
    }
}

/// The innermost symbol around a byte.
fn innermost(rows: &[SymbolRow], at: u32) -> Option<u32> {
    let around = (0..).zip(rows).filter(|(_, row)| row.bytes.contains(&(at as usize)));
    around.min_by_key(|(place, row)| (row.bytes.len(), *place)).map(|(place, _)| place)
}

/// Lines of a text, for places in columns of any kind.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: [0].into_iter().chain(after).collect() }
    }

    /// The bytes of a place; none where there is no such place.
    fn place(&self, occurrence: &Occurrence, encoding: Encoding) -> Option<(usize, usize)> {
        let start = self.byte(occurrence.start, encoding)?;
        let end = self.byte(occurrence.end, encoding)?;
        (start < end).then_some((start, end))
    }

    fn byte(&self, (line, column): (u32, u32), encoding: Encoding) -> Option<usize> {
        let start = *self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(start..end)?;
        let column = column as usize;
        let within = match encoding {
            Encoding::Utf8 => Some(column).filter(|column| line.is_char_boundary(*column)),
            Encoding::Utf16 | Encoding::Utf32 => {
                let mut units = 0;
                let mut chars = line.char_indices();
                loop {
                    if units == column {
                        break Some(chars.next().map_or(line.len(), |(at, _)| at));
                    }
                    let (_, c) = chars.next()?;
                    units += if encoding == Encoding::Utf16 { c.len_utf16() } else { 1 };
                }
            },
        };
        within.map(|within| start + within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: (u32, u32), end: (u32, u32)) -> Occurrence {
        Occurrence { start, end, symbol: 0, is_definition: false, is_import: false }
    }

    #[test]
    fn places_are_found_in_columns_of_every_kind() {
        let text = "one\nä😀 open()\n";
        let lines = Lines::of(text);
        let told = |occurrence: &Occurrence, encoding| {
            lines.place(occurrence, encoding).and_then(|(from, to)| text.get(from..to))
        };
        assert_eq!(told(&at((1, 7), (1, 11)), Encoding::Utf8), Some("open"));
        assert_eq!(told(&at((1, 4), (1, 8)), Encoding::Utf16), Some("open"));
        assert_eq!(told(&at((1, 3), (1, 7)), Encoding::Utf32), Some("open"));
        assert_eq!(told(&at((0, 0), (0, 3)), Encoding::Utf16), Some("one"));
        assert_eq!(told(&at((1, 1), (1, 2)), Encoding::Utf8), None);
        assert_eq!(told(&at((9, 0), (9, 1)), Encoding::Utf8), None);
        assert_eq!(told(&at((0, 90), (0, 91)), Encoding::Utf16), None);
    }
}
