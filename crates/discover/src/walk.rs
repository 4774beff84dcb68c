//! Which files of a workspace are ours? A parallel walk that asks the rules about every name and looks once at each file.
//!
//! Not for content: whether a file is text is a matter of [`crate::text`], after reading it.

use std::path::{Path, PathBuf};

use gik_base::collections::HashSet;
use gik_base::{Cancel, FileKey, FileStat, Result};

use crate::explain::{Approach, approach};
use crate::rules::Rules;
use crate::skip::{SkipReason, Skipped};
use crate::traverse::{Folder, Part, Traversal, Wanted};

mod again;
mod seen;

pub use again::walk_again;
pub(crate) use seen::Listed;
pub use seen::Seen;

/// The default of [`WalkOptions::max_file_bytes`].
pub const DEFAULT_MAX_FILE_BYTES: u64 = 4 << 20;

/// How to walk.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// Larger files are skipped.
    pub max_file_bytes: u64,
    /// How many threads walk, this one included.
    pub threads: usize,
    /// Whether to remember what the rules leave out.
    pub explain: Explain,
}

impl Default for WalkOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { max_file_bytes: DEFAULT_MAX_FILE_BYTES, threads, explain: Explain::Quiet }
    }
}

/// Whether to remember what the rules leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explain {
    /// Only files that are too large or folders that cannot be read.
    Quiet,
    /// Everything, with its reason.
    WithSkipped,
}

/// A file that is ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub key: FileKey,
    /// What the system knows of it.
    pub stat: FileStat,
}

/// What a walk found, both lists sorted by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walked {
    /// The files that are ours.
    pub files: Vec<Found>,
    /// What is left out, as far as it was asked for.
    pub skipped: Vec<Skipped>,
}

/// Everything below `scopes`; the empty key is the whole root, a scope that is a file yields that file.
///
/// `root` must be canonical, as [`crate::find_workspace`] gives it. Files that are too large and folders that cannot be
/// read are always in `skipped`, as is a scope that the rules leave out; what else they leave out is there with
/// [`Explain::WithSkipped`]. A scope that does not exist yields nothing.
pub fn walk(
    root: &Path,
    scopes: &[FileKey],
    options: &WalkOptions,
    cancel: &Cancel,
) -> Result<Walked> {
    let (rules, layer) = Rules::load(root)?;
    let mut walked = Walked::default();
    let mut folders = Vec::new();
    for scope in outermost(scopes) {
        match approach(root, &rules, &layer, scope)? {
            Approach::Missing => {},
            Approach::Skipped(reason) => {
                walked.skipped.push(Skipped { key: scope.clone(), reason });
            },
            Approach::File { metadata, .. } => {
                let stat = FileStat::of(&metadata);
                match too_large(stat.size, options.max_file_bytes) {
                    Some(reason) => walked.skipped.push(Skipped { key: scope.clone(), reason }),
                    None => walked.files.push(Found { key: scope.clone(), stat }),
                }
            },
            Approach::Folder { path, layer, standing, .. } => {
                folders.push(Folder { path, key: scope.as_str().to_owned(), layer, standing });
            },
        }
    }
    let mut all = Part { walked, ..Part::default() };
    Traversal::new(root, &rules, options, cancel).run(folders, &mut all)?;
    Ok(all.walked.sorted())
}

impl Walked {
    fn sorted(mut self) -> Self {
        // Each worker hands over a sorted run; a stable sort merges runs instead of starting over.
        self.files.sort_by(|a, b| a.key.cmp(&b.key));
        self.skipped.sort_by(|a, b| a.key.cmp(&b.key));
        self
    }
}

/// The folders that [`walk`] enters below `scopes`, sorted. A scope that is a file yields nothing.
pub fn folders(
    root: &Path,
    scopes: &[FileKey],
    options: &WalkOptions,
    cancel: &Cancel,
) -> Result<Vec<PathBuf>> {
    let (rules, layer) = Rules::load(root)?;
    let mut start = Vec::new();
    for scope in outermost(scopes) {
        if let Approach::Folder { path, layer, standing, .. } =
            approach(root, &rules, &layer, scope)?
        {
            start.push(Folder { path, key: scope.as_str().to_owned(), layer, standing });
        }
    }
    let mut all = Part::default();
    let traversal = Traversal::new(root, &rules, options, cancel).wanting(Wanted::Folders);
    traversal.run(start, &mut all)?;
    all.folders.sort_unstable();
    Ok(all.folders)
}

/// The reason to skip a file of that size, if there is one.
pub(crate) fn too_large(bytes: u64, limit: u64) -> Option<SkipReason> {
    (bytes > limit).then_some(SkipReason::TooLarge { bytes, limit })
}

/// The scopes that lie in no other one, each once.
fn outermost(scopes: &[FileKey]) -> Vec<&FileKey> {
    let mut sorted: Vec<&FileKey> = scopes.iter().collect();
    sorted.sort_unstable_by_key(|scope| scope.as_str().len());
    let mut known: HashSet<&str> = HashSet::default();
    let mut kept: Vec<&FileKey> = Vec::new();
    for scope in sorted {
        let key = scope.as_str();
        let above = key.match_indices('/').map(|(at, _)| &key[..at]);
        if !["", key].into_iter().chain(above).any(|outer| known.contains(outer)) {
            known.insert(key);
            kept.push(scope);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
