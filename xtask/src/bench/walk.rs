//! The lower bound: what looking at a tree costs when nothing is kept of it.
//!
//! Looking and reading is done by two threads; what keeps a core busy is done on all of them.

use std::path::Path;
use std::time::{Duration, Instant};

use gik_base::FileKey;

use super::bare::{self, THREADS};
use super::series::{Results, Step};

/// What is done with every file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// Its size and time are asked for.
    Stat,
    /// It is read as a whole.
    Read,
    /// It is read and hashed as the contract files ask for.
    Hash,
    /// It is read and cut into the words that are indexed.
    Tokenize,
    /// It is read and its syntax tree is made.
    Parse,
}

impl Depth {
    fn threads(self) -> usize {
        match self {
            Self::Stat | Self::Read => THREADS,
            Self::Hash | Self::Tokenize | Self::Parse => {
                std::thread::available_parallelism().map_or(THREADS, std::num::NonZero::get)
            },
        }
    }

    /// Does it to one file and gives the number of bytes.
    fn look_at(self, entry: &ignore::DirEntry) -> u64 {
        if self == Self::Stat {
            return bare::stat(entry);
        }
        let Ok(bytes) = std::fs::read(entry.path()) else { return 0 };
        match self {
            Self::Stat | Self::Read => {},
            Self::Hash => {
                std::hint::black_box(gik_base::hash::sha256(&bytes));
            },
            Self::Tokenize => {
                let mut words = 0_u64;
                gik_index::analyze(&String::from_utf8_lossy(&bytes), &mut |_, _| words += 1);
                std::hint::black_box(words);
            },
            Self::Parse => bare_parse(entry.path(), &bytes),
        }
        bytes.len() as u64
    }
}

/// What the grammar of the file's language costs.
fn bare_parse(path: &Path, bytes: &[u8]) {
    let key = FileKey::from_text(path.to_string_lossy());
    if let (Some(language), Ok(text)) = (gik_parse::detect(&key, bytes), std::str::from_utf8(bytes))
    {
        std::hint::black_box(gik_parse::parse_bare(text, language));
    }
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
    let started = Instant::now();
    let bare::Seen { files, bytes } =
        bare::walk(root, depth.threads(), |entry| depth.look_at(entry));
    Walked { wall: started.elapsed(), files, bytes }
}

/// One more walk of each depth.
pub(super) fn bare(results: &mut Results, root: &Path, depths: &[(Step, Depth)]) {
    for (step, depth) in depths {
        results.add(*step, walk(root, *depth).wall, None);
    }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn every_depth_sees_the_same_files_and_not_the_index() {
        let tree = Tree::new("//- a.rs\n12\n//- b/c\n3\n//- .guided/x\n4\n");
        for depth in [Depth::Stat, Depth::Read, Depth::Hash, Depth::Tokenize, Depth::Parse] {
            let walked = walk(tree.root(), depth);
            assert_eq!((walked.files, walked.bytes), (2, 5), "{depth:?}");
        }
    }
}
