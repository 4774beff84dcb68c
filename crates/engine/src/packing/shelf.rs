//! Where the texts of a pack come from: rows of one snapshot, and files as long as they are what was indexed.

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::rc::Rc;

use gik_base::collections::HashMap;
use gik_base::{Failure, Result};
use gik_contract::pack::Here;
use gik_graph::{Evidence, Node};
use gik_pack::{Body, Library, Nature, Outline, Place};
use gik_store::{ChunkRow, FileRow, FileState, Signature, Snapshot, SymbolRow};

use super::outlines;
use crate::Workspace;
use crate::answer::Texts;
use crate::bases;
use crate::projection::chunk_uid;
use crate::symbols::id_of;
use crate::view::shorten;

/// Symbols that are parts of others and say little alone.
pub(super) const PARTS_OF_OTHERS: [&str; 5] = ["field", "variant", "property", "var", "parameter"];
/// A title is no longer than this.
const LONGEST_TITLE: usize = 160;

/// What is in a file.
#[derive(Debug)]
pub(crate) struct Contents {
    pub(crate) chunks: Vec<ChunkRow>,
    pub(crate) symbols: Vec<SymbolRow>,
}

/// The files of one snapshot; what was read of them is kept.
pub(crate) struct Shelf<'a> {
    ws: &'a Workspace<'a>,
    pub(super) snapshot: &'a Snapshot<'a>,
    /// Sorted by name.
    pub(super) files: &'a [FileRow],
    texts: &'a mut Texts,
    contents: HashMap<u32, Rc<Contents>>,
}

impl<'a> Shelf<'a> {
    pub(crate) fn new(
        ws: &'a Workspace<'a>,
        snapshot: &'a Snapshot<'a>,
        files: &'a [FileRow],
        texts: &'a mut Texts,
    ) -> Self {
        Self { ws, snapshot, files, texts, contents: HashMap::default() }
    }

    /// The number of a file, by its path.
    pub(crate) fn number(&self, path: &str) -> Option<u32> {
        let at = self.files.binary_search_by(|file| file.key.as_str().cmp(path)).ok()?;
        u32::try_from(at).ok()
    }

    /// The file and the place of the chunk with an id. Ids are computed from rows, so rows are read until one fits.
    pub(crate) fn find_chunk(&self, id: &str) -> Result<Option<(u32, usize)>> {
        for (number, file) in (0..).zip(self.files) {
            if file.state != FileState::Indexed {
                continue;
            }
            let chunks = self.snapshot.chunks_of(file.id)?;
            let at = chunks.iter().position(|chunk| chunk_uid(chunk, &file.key) == id);
            if let Some(at) = at {
                return Ok(Some((number, at)));
            }
        }
        Ok(None)
    }

    /// The file with that number, if it has chunks.
    pub(crate) fn file(&self, number: u32) -> Option<&'a FileRow> {
        self.files.get(number as usize).filter(|file| file.state == FileState::Indexed)
    }

    pub(crate) fn contents(&mut self, number: u32) -> Result<Rc<Contents>> {
        let Some(file) = self.file(number) else {
            return Ok(Rc::new(Contents { chunks: Vec::new(), symbols: Vec::new() }));
        };
        Ok(match self.contents.entry(number) {
            Entry::Occupied(known) => Rc::clone(known.get()),
            Entry::Vacant(unread) => {
                let chunks = self.snapshot.chunks_of(file.id)?;
                let symbols = self.snapshot.symbols_of(file.id)?;
                Rc::clone(unread.insert(Rc::new(Contents { chunks, symbols })))
            },
        })
    }

    pub(super) fn text(&mut self, number: u32) -> Result<Option<&str>> {
        match self.file(number) {
            Some(file) => self.texts.whole(self.ws, self.snapshot, file),
            None => Ok(None),
        }
    }

    /// A chunk as a place; it stands for the symbol that is all of it, where there is one.
    pub(crate) fn place_of_chunk(
        &mut self,
        number: u32,
        chunk: &ChunkRow,
    ) -> Result<Option<Place>> {
        let contents = self.contents(number)?;
        let Some(file) = self.file(number) else { return Ok(None) };
        let symbol = contents.only_symbol(chunk);
        Ok(Some(Place {
            symbol_id: symbol.map(|symbol| id_of(symbol, file)),
            chunk_uid: chunk_uid(chunk, &file.key),
            file: file.key.as_str().to_owned(),
            utf16: units(&chunk.utf16),
            bytes: chunk.bytes.clone(),
            lines: chunk.lines,
            language: file.language.to_string(),
            nature: nature(file, symbol),
        }))
    }

    /// What the graph is followed from for a chunk: what begins in it, what it is a part of, or else its file.
    pub(crate) fn nodes_of(&mut self, number: u32, chunk: &ChunkRow) -> Result<Vec<Node>> {
        let contents = self.contents(number)?;
        let mut nodes: Vec<Node> = contents
            .beginning_in(chunk)
            .take(MOST_NODES)
            .filter_map(|(at, _)| Some(Node::symbol(number, u32::try_from(at).ok()?)))
            .collect();
        if nodes.is_empty() {
            let around = contents.around(chunk.bytes.start);
            nodes.extend(around.and_then(|at| Some(Node::symbol(number, u32::try_from(at).ok()?))));
        }
        if nodes.is_empty() {
            nodes.push(Node::file(number));
        }
        Ok(nodes)
    }

    fn place_of_symbol(&mut self, number: u32, at: usize) -> Result<Option<Place>> {
        let contents = self.contents(number)?;
        let Some(file) = self.file(number) else { return Ok(None) };
        let Some(symbol) = contents.symbols.get(at) else { return Ok(None) };
        let Some(chunk) = contents.chunk_at(symbol.bytes.start) else { return Ok(None) };
        if contents.only_symbol(chunk).is_some_and(|only| only.bytes == symbol.bytes) {
            return self.place_of_chunk(number, chunk);
        }
        let (bytes, utf16) = (&symbol.bytes, &symbol.utf16);
        Ok(Some(Place {
            symbol_id: Some(id_of(symbol, file)),
            chunk_uid: chunk_uid(chunk, &file.key),
            file: file.key.as_str().to_owned(),
            utf16: units(&(utf16.start..utf16.end.min(chunk.utf16.end))),
            bytes: bytes.start..bytes.end.min(chunk.bytes.end),
            lines: (symbol.start.0, symbol.end.0.min(chunk.lines.1)),
            language: file.language.to_string(),
            nature: nature(file, Some(symbol)),
        }))
    }
}

/// So many symbols of a chunk are followed.
const MOST_NODES: usize = 16;

impl Contents {
    /// The chunk that holds a byte.
    pub(crate) fn chunk_at(&self, byte: usize) -> Option<&ChunkRow> {
        self.chunks.iter().find(|chunk| chunk.bytes.contains(&byte))
    }

    /// The symbols that begin in a chunk and say something alone.
    fn beginning_in<'c>(
        &'c self,
        chunk: &'c ChunkRow,
    ) -> impl Iterator<Item = (usize, &'c SymbolRow)> {
        let begins = |symbol: &SymbolRow| chunk.bytes.contains(&symbol.bytes.start);
        self.symbols.iter().enumerate().filter(move |(_, symbol)| {
            begins(symbol) && !PARTS_OF_OTHERS.contains(&symbol.kind.as_str())
        })
    }

    /// The symbol that all others of a chunk are parts of.
    fn only_symbol<'c>(&'c self, chunk: &'c ChunkRow) -> Option<&'c SymbolRow> {
        let mut symbols = self.beginning_in(chunk).map(|(_, symbol)| symbol);
        let first = symbols.next()?;
        symbols.all(|other| other.bytes.end <= first.bytes.end).then_some(first)
    }

    /// The innermost symbol around a byte.
    fn around(&self, byte: usize) -> Option<usize> {
        let around = self.symbols.iter().enumerate().filter(|(_, it)| it.bytes.contains(&byte));
        around.min_by_key(|(_, symbol)| symbol.bytes.len()).map(|(at, _)| at)
    }

    /// The symbol that a place stands for.
    fn symbol_of(&self, place: &Place) -> Option<&SymbolRow> {
        place.symbol_id.as_ref()?;
        let exact = self.symbols.iter().find(|symbol| symbol.bytes.start == place.bytes.start);
        let chunk = self.chunks.iter().find(|chunk| chunk.bytes == place.bytes);
        chunk.and_then(|chunk| self.only_symbol(chunk)).or(exact)
    }
}

fn units(range: &Range<usize>) -> Range<u64> {
    range.start as u64..range.end as u64
}

/// What a file is, or a part of it.
pub(crate) fn nature(file: &FileRow, symbol: Option<&SymbolRow>) -> Nature {
    const TESTS: [&str; 6] = ["test", "tests", "testing", "spec", "specs", "__tests__"];
    if *file.base == *bases::DOCS || *file.base == *bases::NOTES {
        return Nature::Doc;
    }
    let path = file.key.as_str().to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let mut parts = folders.split('/').chain(name.split(['.', '_', '-']));
    let is_inside = symbol
        .and_then(|it| it.container.as_deref())
        .is_some_and(|container| container.split([':', '.']).any(|part| TESTS.contains(&part)));
    if is_inside || parts.any(|part| TESTS.contains(&part)) { Nature::Test } else { Nature::Code }
}

impl Library for Shelf<'_> {
    type Failure = Failure;

    fn place(&mut self, node: Node) -> Result<Option<Place>> {
        if let Some(symbol) = node.symbol {
            return self.place_of_symbol(node.file, symbol as usize);
        }
        let contents = self.contents(node.file)?;
        match contents.chunks.first() {
            Some(first) => self.place_of_chunk(node.file, first),
            None => Ok(None),
        }
    }

    fn name(&mut self, node: Node) -> Result<String> {
        let Some(file) = self.files.get(node.file as usize) else { return Ok(String::new()) };
        let contents = self.contents(node.file)?;
        let symbol = node.symbol.and_then(|symbol| contents.symbols.get(symbol as usize));
        Ok(symbol.map_or_else(|| file.key.as_str().to_owned(), |symbol| id_of(symbol, file)))
    }

    fn body(&mut self, place: &Place) -> Result<Option<Body>> {
        let Some(number) = self.number(&place.file) else { return Ok(None) };
        let contents = self.contents(number)?;
        let Some(whole) = self.text(number)? else { return Ok(None) };
        let Some(text) = whole.get(place.bytes.clone()) else { return Ok(None) };
        let start = place.bytes.start;
        let mut breaks: Vec<usize> = (contents.symbols.iter())
            .filter(|symbol| place.bytes.contains(&symbol.bytes.start))
            .filter(|symbol| symbol.bytes.end < place.bytes.end)
            .map(|symbol| symbol.bytes.end - start)
            .collect();
        breaks.sort_unstable();
        breaks.dedup();
        let symbol = contents.symbol_of(place);
        let title = match symbol {
            Some(symbol) => symbol.signature.line(whole, symbol.bytes.start),
            None => {
                // A place may begin later than its chunk.
                let is_it = |chunk: &&ChunkRow| chunk.bytes.end == place.bytes.end;
                let chunk = contents.chunks.iter().find(is_it);
                let heading = chunk.map(|chunk| chunk.qualified.clone()).unwrap_or_default();
                let first = text.lines().find(|line| !line.trim().is_empty());
                Some(heading)
                    .filter(|heading| !heading.is_empty())
                    .unwrap_or_else(|| first.unwrap_or_default().trim().to_owned())
            },
        };
        let head = symbol.map_or(0, |symbol| {
            let from = symbol.bytes.start.saturating_sub(start);
            let end = match symbol.signature {
                Signature::Cut(bytes) => from + bytes as usize,
                Signature::Text(_) => from,
            };
            // As far as the line goes on which the declaration ends.
            let rest = text.get(end..).unwrap_or_default();
            (end + rest.find('\n').unwrap_or(rest.len())).min(text.len())
        });
        let body =
            Body { text: text.to_owned(), breaks, head, title: shorten(&title, LONGEST_TITLE) };
        Ok(Some(body))
    }

    fn beside(&mut self, place: &Place) -> Result<Vec<Place>> {
        let Some(number) = self.number(&place.file) else { return Ok(Vec::new()) };
        let contents = self.contents(number)?;
        let own = contents.chunks.iter().position(|it| it.bytes.contains(&place.bytes.start));
        let Some(own) = own else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        for away in 1..=BESIDE {
            let near = [own.checked_add(away), own.checked_sub(away)];
            for chunk in near.into_iter().flatten().filter_map(|at| contents.chunks.get(at)) {
                places.extend(self.place_of_chunk(number, chunk)?);
            }
        }
        Ok(places)
    }

    fn evidence(&mut self, evidence: &Evidence) -> Result<Option<String>> {
        let Some(text) = self.text(evidence.file)? else { return Ok(None) };
        let Some(before) = text.get(..evidence.start as usize) else { return Ok(None) };
        let line = before.matches('\n').count() + 1;
        let since = before.rsplit('\n').next().unwrap_or_default();
        let column = since.encode_utf16().count() + 1;
        let file = self.files.get(evidence.file as usize);
        Ok(file.map(|file| format!("{}:{line}:{column}", file.key)))
    }

    fn outlines(&mut self, here: &Here) -> Result<Vec<Outline>> {
        outlines::outlines(self, here)
    }
}

/// So many chunks before and after one stand beside it.
const BESIDE: usize = 2;
