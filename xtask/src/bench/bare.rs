//! A walk that keeps nothing: the same walker that the product's users know from ripgrep, ignore rules on.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use ignore::{DirEntry, WalkBuilder, WalkState};

/// The numbers of the project are stated for two cores.
pub(crate) const THREADS: usize = 2;

/// What a walk saw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

/// Looks at everything that is not hidden or ignored; `look_at` gives the number of bytes of a file.
pub(crate) fn walk(
    root: &Path,
    threads: usize,
    look_at: impl Fn(&DirEntry) -> u64 + Sync + Copy + Send,
) -> Seen {
    let files = AtomicU64::new(0);
    let bytes = AtomicU64::new(0);
    WalkBuilder::new(root).threads(threads).build_parallel().run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                files.fetch_add(1, Ordering::Relaxed);
                bytes.fetch_add(look_at(&entry), Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    Seen { files: files.into_inner(), bytes: bytes.into_inner() }
}

/// The size of a file, which the system tells together with its time.
pub(crate) fn stat(entry: &DirEntry) -> u64 {
    entry.metadata().map_or(0, |metadata| metadata.len())
}
