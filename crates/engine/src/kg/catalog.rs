//! What is a node called, where is it, and which node did somebody mean?

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, FileKey, Result, line_ends};
use gik_graph::{Evidence, Node};
use gik_index::FileNo;
use gik_store::{ChunkRow, FileRow, FileState, Snapshot, SymbolRow};

use super::ids::{Around, file_id, surroundings, symbol_ids};
use crate::Workspace;
use crate::ingest::Recent;
use crate::projection::{text_of, text_of_recent};
use crate::symbols::{Pattern, definitions, id_of, near_names, qualified};

/// Names and places of nodes; what it reads, it reads once.
#[derive(Debug)]
pub(crate) struct Catalog<'a> {
    ws: &'a Workspace<'a>,
    snapshot: &'a Snapshot<'a>,
    /// Sorted by path: [`Node::file`] is a place in it.
    files: &'a [FileRow],
    recent: Option<&'a Recent>,
    /// Where the rows of files are among them; found when a row is first asked for.
    places: OnceCell<HashMap<FileNo, u32>>,
    symbols: HashMap<u32, Known<'a>>,
    texts: HashMap<u32, Option<Text<'a>>>,
}

/// What is known of the symbols of a file.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) rows: Cow<'a, [SymbolRow]>,
    /// Ids in `kg/`; empty for what is no node there.
    pub(crate) ids: Vec<Rc<str>>,
    /// Names with what they stand in; empty for the same.
    pub(crate) labels: Vec<String>,
    /// What stands around each.
    pub(crate) around: Vec<Around>,
}

#[derive(Debug)]
struct Text<'a> {
    text: Cow<'a, str>,
    /// Where lines begin; found when a line is first asked for.
    lines: OnceCell<Vec<u32>>,
}

impl Text<'_> {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = || line_ends(self.text.as_bytes());
            let mut starts = Vec::with_capacity(ends().count() + 1);
            starts.push(0);
            starts.extend(ends().filter_map(|at| u32::try_from(at + 1).ok()));
            starts
        })
    }
}

/// A node as it leaves the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// As in `kg/`.
    pub(crate) id: String,
    /// The path of a file, the qualified name of a symbol.
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) line: Option<u32>,
    pub(crate) symbol_id: Option<String>,
}

/// The nodes that somebody meant.
#[derive(Debug)]
pub(crate) struct Meant {
    pub(crate) nodes: Vec<Node>,
    /// The simple name, where a symbol was named.
    pub(crate) name: Option<Pattern>,
}

impl<'a> Catalog<'a> {
    /// `files` are all files of the snapshot, sorted by path.
    pub(crate) fn new(
        ws: &'a Workspace<'a>,
        snapshot: &'a Snapshot<'a>,
        files: &'a [FileRow],
    ) -> Self {
        let places = OnceCell::new();
        let (symbols, texts) = (HashMap::default(), HashMap::default());
        Self { ws, snapshot, files, recent: None, places, symbols, texts }
    }

    /// Does not read again what was just read.
    pub(crate) fn with_recent(mut self, recent: &'a Recent) -> Self {
        self.recent = Some(recent);
        self
    }

    pub(crate) fn files(&self) -> &'a [FileRow] {
        self.files
    }

    /// The row of a file.
    pub(crate) fn file(&self, place: u32) -> Result<&'a FileRow> {
        self.files.get(place as usize).ok_or_else(|| {
            Failure::new(ErrorCode::StoreBroken, format!("an edge names file {place} of none"))
        })
    }

    /// What is known of the symbols of a file.
    pub(crate) fn symbols(&mut self, file: u32) -> Result<&Known<'a>> {
        let row = self.file(file)?;
        Ok(match self.symbols.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let recent = self.recent.and_then(|recent| recent.get(row.id));
                let rows = match recent {
                    Some(recent) => Cow::Borrowed(recent.symbols.as_slice()),
                    None => Cow::Owned(self.snapshot.symbols_of(row.id)?),
                };
                let (ids, labels) = symbol_ids(row, &rows);
                let around = surroundings(&rows);
                unread.insert(Known { rows, ids, labels, around })
            },
        })
    }

    /// The chunks of a file.
    pub(crate) fn chunks(&self, file: u32) -> Result<Vec<ChunkRow>> {
        self.snapshot.chunks_of(self.file(file)?.id)
    }

    /// What a file says; none where it is not the one that was indexed.
    pub(crate) fn text(&mut self, file: u32) -> Result<Option<&str>> {
        Ok(self.read(file)?.map(|read| &*read.text))
    }

    /// The same, to be kept.
    pub(crate) fn own_text(&mut self, file: u32) -> Result<Option<Cow<'a, str>>> {
        Ok(self.read(file)?.map(|read| read.text.clone()))
    }

    /// Lets go of a text that is not needed again soon.
    pub(crate) fn forget_text(&mut self, file: u32) {
        self.texts.remove(&file);
    }

    fn read(&mut self, file: u32) -> Result<Option<&Text<'a>>> {
        let row = self.file(file)?;
        let read = match self.texts.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let text = match self.recent {
                    Some(recent) => text_of_recent(self.ws, self.snapshot, recent, row)?,
                    None => text_of(self.ws, self.snapshot, row)?.map(Cow::Owned),
                };
                unread.insert(text.map(|text| Text { text, lines: OnceCell::new() }))
            },
        };
        Ok(read.as_ref())
    }

    /// The line of a byte of a file, from 1.
    pub(crate) fn line_of(&mut self, file: u32, at: u32) -> Result<Option<u32>> {
        let read = self.read(file)?;
        Ok(read.and_then(|read| {
            let starts = read.lines();
            u32::try_from(starts.partition_point(|start| *start <= at)).ok()
        }))
    }

    /// How many lines a file has, as far as it can be read.
    pub(crate) fn count_lines(&mut self, file: u32) -> Result<Option<usize>> {
        let read = self.read(file)?;
        // Behind the last end of a line there is no other one.
        Ok(read.map(|it| {
            it.lines().len() - usize::from(matches!(it.text.as_bytes(), [] | [.., b'\n']))
        }))
    }

    /// Path and line of what an edge stands on.
    pub(crate) fn evidence(&mut self, evidence: &Evidence) -> Result<(String, Option<u32>)> {
        let path = self.file(evidence.file)?.key.as_str().to_owned();
        Ok((path, self.line_of(evidence.file, evidence.start)?))
    }

    /// Name and place of a node.
    pub(crate) fn place(&mut self, node: Node) -> Result<Place> {
        let file = self.file(node.file)?;
        let path = file.key.as_str();
        let whole = || Place {
            id: (*file_id(path)).to_owned(),
            name: path.to_owned(),
            kind: "file".to_owned(),
            path: path.to_owned(),
            line: None,
            symbol_id: None,
        };
        let Some(symbol) = node.symbol else { return Ok(whole()) };
        let known = self.symbols(node.file)?;
        let at = symbol as usize;
        let Some(row) = known.rows.get(at) else { return Ok(whole()) };
        let kg_id = known.ids.get(at).filter(|id| !id.is_empty()).map(|id| (**id).to_owned());
        let symbol_id = id_of(row, file);
        Ok(Place {
            id: kg_id.unwrap_or_else(|| symbol_id.clone()),
            name: qualified(row, &file.language),
            kind: row.kind.clone(),
            path: path.to_owned(),
            line: Some(row.start.0),
            symbol_id: Some(symbol_id),
        })
    }

    /// The place of a file among all, by its path.
    pub(crate) fn file_at(&self, key: &FileKey) -> Option<u32> {
        let found = self.files.binary_search_by(|file| file.key.as_str().cmp(key.as_str()));
        let at = found.ok().filter(|&at| self.files[at].state == FileState::Indexed)?;
        u32::try_from(at).ok()
    }

    /// The node of a symbol that was looked up.
    pub(crate) fn node_of(&mut self, symbol: &SymbolRow) -> Result<Option<Node>> {
        let places = self
            .places
            .get_or_init(|| (0..).zip(self.files).map(|(place, file)| (file.id, place)).collect());
        let Some(&file) = places.get(&symbol.file) else { return Ok(None) };
        let same =
            |row: &SymbolRow| row.bytes == symbol.bytes && row.descriptors == symbol.descriptors;
        let at = self.symbols(file)?.rows.iter().position(same);
        Ok(at.and_then(|at| u32::try_from(at).ok()).map(|at| Node::symbol(file, at)))
    }

    /// All symbols of a name.
    pub(crate) fn named(&mut self, name: &str) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        for row in self.snapshot.symbols_named(name)? {
            nodes.extend(self.node_of(&row)?);
        }
        nodes.sort_unstable();
        Ok(nodes)
    }

    /// The nodes that were named: a path, `FILE:LINE`, a name, a qualified name, an id of a symbol, or an id of `kg/`.
    pub(crate) fn meant(&mut self, typed: &str) -> Result<Meant> {
        let meant = self.find(typed)?;
        if !meant.nodes.is_empty() {
            return Ok(meant);
        }
        let mut failure = Failure::new(
            ErrorCode::NodeMissing,
            format!("there is no file and no symbol `{typed}` in the index"),
        );
        if let Some(pattern) = &meant.name {
            for name in near_names(self.snapshot, pattern)? {
                failure = failure.hint(format!("there is `{name}`"));
            }
        }
        Err(failure.hint(format!("`gik symbols {}` finds symbols", crate::symbols::typed(typed))))
    }

    fn find(&mut self, typed: &str) -> Result<Meant> {
        let one = |node: Node| Meant { nodes: vec![node], name: None };
        if let Some(path) = typed.strip_prefix("file:") {
            let file = self.file_at(&FileKey::from_text(path));
            return Ok(Meant { nodes: file.map(Node::file).into_iter().collect(), name: None });
        }
        if typed.starts_with("sym:") {
            let node = self.by_kg_id(typed)?;
            return Ok(Meant { nodes: node.into_iter().collect(), name: None });
        }
        if !typed.starts_with("scip:") {
            let as_path = self.ws.key_typed(typed).ok().and_then(|key| self.file_at(&key));
            if let Some(file) = as_path {
                return Ok(one(Node::file(file)));
            }
            if let Some((path, line)) = typed.rsplit_once(':')
                && let Ok(line) = line.parse::<u32>()
                && let Some(file) = self.ws.key_typed(path).ok().and_then(|it| self.file_at(&it))
            {
                return Ok(one(self.at_line(file, line)?));
            }
        }
        let (pattern, found) = definitions(self.snapshot, typed)?;
        let mut nodes = Vec::new();
        for symbol in &found {
            nodes.extend(self.node_of(&symbol.symbol)?);
        }
        Ok(Meant { nodes, name: Some(pattern) })
    }

    /// The innermost symbol around a line, or the file.
    fn at_line(&mut self, file: u32, line: u32) -> Result<Node> {
        let rows = &self.symbols(file)?.rows;
        let around = |row: &SymbolRow| row.start.0 <= line && line <= row.end.0;
        let inner = (0..)
            .zip(rows.iter())
            .filter(|(_, row)| around(row))
            .min_by_key(|(at, row)| (row.bytes.len(), *at));
        Ok(inner.map_or(Node::file(file), |(at, _)| Node::symbol(file, at)))
    }

    /// A path may hold what looks like the end of it, so every end is tried.
    fn by_kg_id(&mut self, id: &str) -> Result<Option<Node>> {
        let Some((_, rest)) = id.strip_prefix("sym:").and_then(|rest| rest.split_once(':')) else {
            return Ok(None);
        };
        for (end, _) in rest.match_indices(':') {
            let Some(file) = self.file_at(&FileKey::from_text(&rest[..end])) else { continue };
            let at = self.symbols(file)?.ids.iter().position(|known| **known == *id);
            if let Some(at) = at.and_then(|at| u32::try_from(at).ok()) {
                return Ok(Some(Node::symbol(file, at)));
            }
        }
        Ok(None)
    }
}
