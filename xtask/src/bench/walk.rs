//! The lower bound: what looking at a tree costs when nothing is done with it.
//!
//! The same walker that the product's users know from ripgrep, on two threads, ignore rules on.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ignore::{WalkBuilder, WalkState};

/// Threads of the walk, as the numbers of the project are stated for two cores.
const THREADS: usize = 2;

/// What is done with every file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Its size and time are asked for.
    Stat,
    /// It is read as a whole.
    Read,
}

/// What a walk saw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walked {
    pub(super) wall: Duration,
    pub(super) files: u64,
    pub(super) bytes: u64,
}

/// Walks everything that is not hidden or ignored.
pub(super) fn walk(root: &Path, depth: Depth) -> Walked {
    let files = AtomicU64::new(0);
    let bytes = AtomicU64::new(0);
    let started = Instant::now();
    WalkBuilder::new(root).threads(THREADS).build_parallel().run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return WalkState::Continue };
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let length = match depth {
                    Depth::Stat => entry.metadata().map_or(0, |metadata| metadata.len()),
                    Depth::Read => std::fs::read(entry.path()).map_or(0, |text| text.len() as u64),
                };
                files.fetch_add(1, Ordering::Relaxed);
                bytes.fetch_add(length, Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    Walked { wall: started.elapsed(), files: files.into_inner(), bytes: bytes.into_inner() }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn both_depths_see_the_same_files_and_not_the_index() {
        let tree = Tree::new("//- a\n12\n//- b/c\n3\n//- .guided/x\n4\n");
        for depth in [Depth::Stat, Depth::Read] {
            let walked = walk(tree.root(), depth);
            assert_eq!((walked.files, walked.bytes), (2, 5), "{depth:?}");
        }
    }
}
