//! The words of commit messages: a segment of the lexical index, one document a commit.

use std::collections::BTreeSet;
use std::path::Path;

use gik_base::Result;
use gik_base::fs::{self, Durability};
use gik_base::mmap::Bytes;
use gik_discover::history::{ObjectId, PastCommit};
use gik_index::{ChunkNo, DocNo, Document, FileNo, Segment, SegmentWriter, Tombstones, merge};

const PREFIX: &str = "words-";

fn name_of(head: ObjectId) -> String {
    format!("{PREFIX}{:016x}.seg", head.short())
}

/// The words of the commits that lead to `head`; `None` where they are missing or damaged.
pub(super) fn open(folder: &Path, head: ObjectId) -> Option<Segment> {
    let path = folder.join(name_of(head));
    if !fs::exists(&path) {
        return None;
    }
    Segment::open(Bytes::map(&path).ok()?).ok()
}

/// Writes the words of commits. What `earlier` has of them is taken from there. In a workspace that is only a folder of
/// the repository, commits that changed nothing in it say nothing of it.
pub(super) fn write(
    folder: &Path,
    head: ObjectId,
    commits: &[PastCommit],
    earlier: Option<&Segment>,
    is_whole: bool,
) -> Result<()> {
    let wanted: Vec<&PastCommit> =
        commits.iter().filter(|commit| is_whole || !commit.files.is_empty()).collect();
    let ids: BTreeSet<u64> = wanted.iter().map(|commit| commit.id.short()).collect();
    let mut known = BTreeSet::new();
    let mut gone = Tombstones::default();
    for number in 0..earlier.map_or(0, Segment::n_docs) {
        let tie = earlier.map_or(0, |earlier| earlier.doc(DocNo(number)).tie);
        if !ids.contains(&tie) || !known.insert(tie) {
            gone.insert(DocNo(number));
        }
    }
    let mut writer = SegmentWriter::new();
    for commit in wanted.iter().filter(|commit| !known.contains(&commit.id.short())) {
        writer.add(&document(commit).analyze());
    }
    let new = Segment::open(Bytes::Owned(writer.finish(1)))?;
    let none = Tombstones::default();
    let parts: Vec<(&Segment, &Tombstones)> =
        earlier.map(|earlier| (earlier, &gone)).into_iter().chain([(&new, &none)]).collect();
    fs::write_atomic(&folder.join(name_of(head)), &merge(&parts), Durability::Cached)
}

/// Removes the words of every other commit.
pub(super) fn sweep(folder: &Path, head: ObjectId) -> Result<()> {
    let current = name_of(head);
    for path in fs::list_dir(folder)? {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(PREFIX) && name != current {
            fs::remove_file_if_present(&path)?;
        }
    }
    Ok(())
}

/// A commit as the index sees it: its subject is its name.
fn document(commit: &PastCommit) -> Document<'_> {
    Document {
        chunk: ChunkNo(0),
        file: FileNo(0),
        labels: 0,
        tie: commit.id.short(),
        fields: [commit.subject(), "", "", commit.body(), ""],
    }
}
