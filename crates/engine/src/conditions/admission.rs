//! Which chunks of a file count, where only their texts and symbols tell? Each file is looked at once.

use std::cell::RefCell;
use std::collections::hash_map::Entry;

use gik_base::collections::{HashMap, HashSet};
use gik_base::{Failure, Result, parallel};
use gik_index::{ChunkNo, FileNo, FileSet, Needs};
use gik_store::{ChunkRow, FileOrigin, FileRow, FileState, Snapshot};
use regex::Regex;

use super::Conditions;
use crate::projection::{text_of, text_on_disk};
use crate::{Workspace, modes};

/// Says which chunks count.
pub(crate) struct Admission<'a> {
    ws: &'a Workspace<'a>,
    snapshot: &'a Snapshot<'a>,
    conditions: &'a Conditions,
    by_file: RefCell<HashMap<FileNo, HashSet<ChunkNo>>>,
    /// What went wrong first; nothing counts from then on.
    failure: RefCell<Option<Failure>>,
}

impl<'a> Admission<'a> {
    pub(crate) fn new(
        ws: &'a Workspace<'a>,
        snapshot: &'a Snapshot<'a>,
        conditions: &'a Conditions,
    ) -> Self {
        let (by_file, failure) = (RefCell::default(), RefCell::default());
        Self { ws, snapshot, conditions, by_file, failure }
    }

    /// Whether a chunk counts.
    pub(crate) fn admits(&self, file: FileNo, chunk: ChunkNo) -> bool {
        if self.failure.borrow().is_some() {
            return false;
        }
        match self.by_file.borrow_mut().entry(file) {
            Entry::Occupied(known) => known.get().contains(&chunk),
            Entry::Vacant(unknown) => match self.of_file(file) {
                Ok(chunks) => unknown.insert(chunks).contains(&chunk),
                Err(failure) => {
                    self.failure.replace(Some(failure));
                    false
                },
            },
        }
    }

    /// Fails where a file could not be looked at.
    pub(crate) fn check(&self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The files that have all that is wanted, where patterns alone decide: those that may have it by the words of the
    /// index are read at once. `None` where nothing is wanted of texts.
    pub(crate) fn read_ahead(
        &self,
        files: &[FileRow],
        asks_index: bool,
    ) -> Result<Option<Vec<FileRow>>> {
        let wanted = self.conditions.patterns();
        if wanted.is_empty() {
            return Ok(None);
        }
        let may_match = if asks_index { self.may_match(wanted) } else { None };
        let filter = self.conditions.filter().of_files()?;
        let candidates: Vec<&FileRow> = (files.iter())
            .filter(|file| file.state == FileState::Indexed)
            .filter(|file| self.conditions.bases.contains(&&*file.base))
            .filter(|file| filter.as_ref().is_none_or(|filter| filter.takes(file)))
            .filter(|file| may_match.as_ref().is_none_or(|files| files.contains(file.id)))
            .collect();
        let has_all = |text: String| wanted.iter().all(|pattern| pattern.is_match(&text));
        let matching = parallel::in_parts(&candidates, self.ws.threads(), |part| {
            let mut matching = Vec::new();
            for &file in part {
                if self.ws.ctx.cancel.is_cancelled() {
                    break;
                }
                // What is no file is in the database, which one thread reads.
                if file.origin != FileOrigin::File
                    || text_on_disk(&self.ws.root, file).is_some_and(has_all)
                {
                    matching.push(file.clone());
                }
            }
            matching
        });
        self.ws.ctx.cancel.check()?;
        Ok(Some(matching))
    }

    /// The files that may have what patterns want, as far as the words of the index tell.
    fn may_match(&self, wanted: &[Regex]) -> Option<FileSet> {
        let segments = self.snapshot.segments().iter();
        let needs = Needs::of_all(wanted.iter().map(Regex::as_str));
        needs.files(segments.map(|row| (&row.segment, &row.tombstones)), modes::PLAIN)
    }

    /// The chunks of a file that count.
    fn of_file(&self, file: FileNo) -> Result<HashSet<ChunkNo>> {
        let conditions = self.conditions;
        let Some(row) = self.snapshot.file(file)? else { return Ok(HashSet::default()) };
        let needs_text = conditions.are_about_texts() || !conditions.tags.is_empty();
        let text = if needs_text { text_of(self.ws, self.snapshot, &row)? } else { None };
        if needs_text && text.is_none() {
            // It changed since it was indexed, and gives no evidence anyway.
            return Ok(HashSet::default());
        }
        let text = text.as_deref().unwrap_or_default();
        if !conditions.tags.is_empty() {
            let notes = gik_parse::frontmatter_of(text);
            let tags = notes.iter().flat_map(gik_parse::Frontmatter::tags);
            if !conditions.tags_hold(tags) {
                return Ok(HashSet::default());
            }
        }
        let symbols = if conditions.kinds.is_empty() {
            Vec::new()
        } else {
            self.snapshot.symbols_of(file)?
        };
        let mut chunks = self.snapshot.chunks_of(file)?;
        chunks.retain(|chunk| conditions.kinds.hold(|kind| kind.is(chunk, &symbols)));
        let patterns = &conditions.patterns;
        retain(&mut chunks, &patterns.wanted, text, true);
        retain(&mut chunks, &patterns.unwanted, text, false);
        Ok(chunks.into_iter().map(|chunk| chunk.id).collect())
    }
}

/// Keeps the chunks in which something begins that each pattern matches, or those in which nothing does.
fn retain(chunks: &mut Vec<ChunkRow>, patterns: &[Regex], text: &str, is_wanted: bool) {
    for pattern in patterns {
        let starts: Vec<usize> = pattern.find_iter(text).map(|found| found.start()).collect();
        chunks.retain(|chunk| {
            let first = starts.partition_point(|start| *start < chunk.bytes.start);
            starts.get(first).is_some_and(|start| *start < chunk.bytes.end) == is_wanted
        });
    }
}
