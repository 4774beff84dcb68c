//! Which chunks of a file count, where only their texts and symbols tell? Each file is looked at once.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gik_base::collections::{HashMap, HashSet};
use gik_base::{Failure, Result};
use gik_index::{ChunkNo, FileNo};
use gik_store::{ChunkRow, FileOrigin, FileRow, FileState, Snapshot};
use regex::Regex;

use super::Conditions;
use crate::Workspace;
use crate::projection::{text_of, text_on_disk};

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

    /// Reads all files at once where all of them have to be read: most have nothing of what is wanted, and are out.
    pub(crate) fn read_ahead(&self, files: &[FileRow]) -> Result<()> {
        let wanted = self.conditions.patterns();
        if wanted.is_empty() {
            return Ok(());
        }
        let filter = self.conditions.filter().of_files()?;
        let candidates: Vec<&FileRow> = (files.iter())
            .filter(|file| file.state == FileState::Indexed && file.origin == FileOrigin::File)
            .filter(|file| self.conditions.bases.contains(&&*file.base))
            .filter(|file| filter.as_ref().is_none_or(|filter| filter.takes(file)))
            .collect();
        let next = AtomicUsize::new(0);
        let scan = || {
            let mut without = Vec::new();
            while let Some(file) = candidates.get(next.fetch_add(1, Ordering::Relaxed)) {
                let has_all = |text: String| wanted.iter().all(|pattern| pattern.is_match(&text));
                if self.ws.ctx.cancel.is_cancelled() {
                    break;
                }
                if !text_on_disk(&self.ws.root, file).is_some_and(has_all) {
                    without.push(file.id);
                }
            }
            without
        };
        let n_threads = NonZeroUsize::new(self.ws.threads()).map_or(1, NonZeroUsize::get);
        let without: Vec<FileNo> = thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(scan)).collect();
            threads.into_iter().filter_map(|it| it.join().ok()).flatten().collect()
        });
        self.ws.ctx.cancel.check()?;
        let mut by_file = self.by_file.borrow_mut();
        by_file.extend(without.into_iter().map(|file| (file, HashSet::default())));
        Ok(())
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
