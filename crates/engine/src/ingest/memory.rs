//! How much memory indexing may take.

use std::path::Path;

use gik_base::fs;
use gik_store::Writer;

use crate::Workspace;

/// A file in the making takes up to about this much: its text, its tree, its words.
const PER_THREAD_BYTES: u64 = 48 << 20;
/// What the program takes before it reads anything: the database, the lists of files.
const BASE_BYTES: u64 = 48 << 20;
/// So much text may be read while the writer is busy; what was made of it takes several times as much.
const AHEAD_BYTES: u64 = 24 << 20;
/// Words that take less than this are not worth writing out.
const LEAST_WORDS_BYTES: usize = 1 << 20;

/// The memory that the user allows, where there is a limit. It is kept by doing less at once: fewer threads, and words
/// written out as soon as the process comes near to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit(Option<u64>);

impl Limit {
    pub(super) fn of(ws: &Workspace<'_>) -> Self {
        let bytes = ws.settings.indexing.max_rss_bytes;
        Self((bytes > 0).then_some(bytes))
    }

    /// A quarter of what is left beside the rest goes to words.
    pub(super) fn apply(self, ws: &Workspace<'_>, writer: &mut Writer<'_>) {
        writer.use_threads(self.threads(ws));
        if let Some(bytes) = self.0 {
            let words = bytes.saturating_sub(BASE_BYTES) / 4;
            writer
                .limit_memory(usize::try_from(words).unwrap_or(usize::MAX).max(LEAST_WORDS_BYTES));
        }
    }

    pub(super) fn threads(self, ws: &Workspace<'_>) -> usize {
        let threads = ws.threads();
        match self.0 {
            None => threads,
            Some(bytes) => {
                let fit = bytes.saturating_sub(BASE_BYTES) / PER_THREAD_BYTES;
                threads.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
            },
        }
    }

    /// How much text may be read ahead of the writer.
    pub(super) fn ahead_bytes(self) -> u64 {
        if self.0.is_none() { AHEAD_BYTES } else { 0 }
    }

    /// Whether what was read may be kept for a while.
    pub(super) fn has_room(self) -> bool {
        self.0.is_none()
    }

    /// Whether words have to be written out now.
    pub(super) fn is_reached(self, writer: &Writer<'_>) -> bool {
        self.0.is_some_and(|bytes| {
            writer.memory_bytes() >= LEAST_WORDS_BYTES
                && resident_bytes().is_some_and(|resident| resident >= bytes / 8 * 7)
        })
    }
}

/// What the system says that this process has in memory, where it does; maps of files can go at any time and do not
/// count.
fn resident_bytes() -> Option<u64> {
    let status = fs::read(Path::new("/proc/self/status")).ok()?;
    let status = std::str::from_utf8(&status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
