//! Which files, urls and archives are part of the knowledge: the list of sources folded into an answer. Pure.
//!
//! Only `indexed` and `processing` entries count. Of all entries that cover a path, the last one decides: an addition covers its file,
//! or its folder and all below; a removal covers its path and all below, whatever is there.

use std::collections::BTreeMap;
use std::path::Path;

use gik_base::FileKey;
use gik_base::collections::{HashMap, HashSet};
use gik_contract::{PendingSource, SourceKind, SourceStatus};

/// The list of sources, ready to be asked about many paths.
#[derive(Debug, Default, PartialEq)]
pub struct Tracking {
    entries: Vec<PendingSource>,
    marks: HashMap<String, Marks>,
    urls: BTreeMap<String, usize>,
    archives: BTreeMap<String, usize>,
}

/// Whether a commit has indexed the source or has begun to.
pub(crate) fn is_begun(entry: &PendingSource) -> bool {
    matches!(entry.status, SourceStatus::Indexed | SourceStatus::Processing)
}

/// The last entry of each kind for one path.
#[derive(Debug, Default, PartialEq, Eq)]
struct Marks {
    file: Option<usize>,
    folder: Option<usize>,
    removal: Option<usize>,
}

impl Tracking {
    /// Whether a commit was stopped on its way, or is under way.
    pub fn has_processing(&self) -> bool {
        self.entries.iter().any(|entry| entry.status == SourceStatus::Processing)
    }

    /// Folds the list, in the order the sources were added. What a commit has begun with counts: the index holds parts of
    /// it already, whether that commit is still at work or was stopped.
    pub fn from_entries(pending: &[PendingSource]) -> Self {
        let counting = pending.iter().filter(|entry| is_begun(entry));
        let mut tracking = Self { entries: counting.cloned().collect(), ..Self::default() };
        for (at, entry) in tracking.entries.iter().enumerate() {
            if entry.kind == SourceKind::Url {
                if entry.is_removal() {
                    tracking.urls.remove(&entry.uri);
                } else {
                    tracking.urls.insert(entry.uri.clone(), at);
                }
                continue;
            }
            let key = key_of(&entry.uri);
            if entry.kind == SourceKind::Archive && !entry.is_removal() {
                tracking.archives.insert(key.clone(), at);
            }
            let marks = tracking.marks.entry(key).or_default();
            if entry.is_removal() {
                marks.removal = Some(at);
            } else if entry.kind == SourceKind::Directory {
                marks.folder = Some(at);
            } else {
                marks.file = Some(at);
            }
        }
        tracking
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.scopes().is_empty() && self.urls.is_empty() && self.archives().is_empty()
    }

    /// The fewest files and folders whose walk meets every tracked file, sorted. Some files below them may not be
    /// tracked: [`Tracking::covering`] decides.
    pub fn scopes(&self) -> Vec<FileKey> {
        let mut candidates: Vec<&String> = self
            .entries
            .iter()
            .filter(|entry| entry.kind != SourceKind::Url && !entry.is_removal())
            .filter_map(|entry| self.marks.get_key_value(&key_of(&entry.uri)))
            .map(|(key, _)| key)
            .filter(|key| {
                self.deciding(key)
                    .is_some_and(|entry| !entry.is_removal() && entry.kind != SourceKind::Archive)
            })
            .collect();
        candidates.sort();
        candidates.dedup();
        let folders: HashSet<&str> = candidates
            .iter()
            .map(|key| key.as_str())
            .filter(|key| {
                let folder = self.marks.get(*key).and_then(|marks| marks.folder);
                folder.is_some_and(|at| !self.is_removed_after(key, at))
            })
            .collect();
        candidates.retain(|key| {
            !ancestry(key).iter().skip(1).any(|above| folders.contains(above.as_str()))
        });
        candidates.into_iter().map(FileKey::from_text).collect()
    }

    /// The entry that makes a path part of the knowledge; `None` where it is not. A member of an archive
    /// (`docs.zip!/a.md`) is covered as its archive is.
    pub fn covering(&self, key: &FileKey) -> Option<&PendingSource> {
        self.deciding(key.as_str()).filter(|entry| !entry.is_removal())
    }

    /// The base that was asked for by name for a path; `None` where the content of the file decides.
    pub fn forced_base(&self, key: &FileKey) -> Option<&str> {
        let entry = self.covering(key)?;
        (!entry.is_inferred()).then_some(entry.base.as_str())
    }

    /// Whether a path is an archive whose members are sources.
    pub fn is_archive(&self, key: &FileKey) -> bool {
        self.archives.get(key.as_str()).is_some_and(|&at| !self.is_removed_after(key.as_str(), at))
    }

    /// Whether anything was ever taken out, so that not all below a scope is tracked.
    pub fn has_removals(&self) -> bool {
        self.entries.iter().any(PendingSource::is_removal)
    }

    /// Whether the workspace as a whole is tracked and nothing else was ever said: all files that a walk meets are then
    /// part of the knowledge, and no others.
    pub fn is_whole_workspace(&self) -> bool {
        let is_whole = |entry: &PendingSource| {
            entry.kind == SourceKind::Directory
                && !entry.is_removal()
                && key_of(&entry.uri).is_empty()
        };
        !self.entries.is_empty() && self.entries.iter().all(is_whole)
    }

    /// Whether an entry of the same uri and base is tracked already.
    pub fn has(&self, wanted: &PendingSource) -> bool {
        let key = key_of(&wanted.uri);
        self.entries.iter().enumerate().any(|(at, entry)| {
            !entry.is_removal()
                && (&entry.uri, &entry.base, entry.is_inferred())
                    == (&wanted.uri, &wanted.base, wanted.is_inferred())
                && !self.is_removed_after(&key, at)
        })
    }

    /// The tracked urls, sorted.
    pub fn urls(&self) -> Vec<&PendingSource> {
        self.urls.values().map(|&at| &self.entries[at]).collect()
    }

    /// The tracked archives, sorted by path. A folder added later does not change them.
    pub fn archives(&self) -> Vec<&PendingSource> {
        self.archives
            .iter()
            .filter(|&(key, &at)| !self.is_removed_after(key, at))
            .map(|(_, &at)| &self.entries[at])
            .collect()
    }

    fn deciding(&self, key: &str) -> Option<&PendingSource> {
        // Folders and members may have the mark in their names as well.
        let mut above = key.match_indices("!/").map(|(at, _)| &key[..at]);
        if let Some((archive, &at)) = above.find_map(|above| self.archives.get_key_value(above)) {
            return (!self.is_removed_after(archive, at)).then(|| &self.entries[at]);
        }
        let own = self.marks.get(key).and_then(|marks| marks.file);
        let above = self.marks_above(key).flat_map(|marks| [marks.folder, marks.removal]);
        above.chain([own]).flatten().max().map(|at| &self.entries[at])
    }

    fn is_removed_after(&self, key: &str, at: usize) -> bool {
        self.marks_above(key).any(|marks| marks.removal > Some(at))
    }

    /// The marks of a path and of the folders above it.
    fn marks_above(&self, key: &str) -> impl Iterator<Item = &Marks> {
        ancestry(key).into_iter().filter_map(|above| self.marks.get(above.as_str()))
    }
}

/// The path itself, then the folders above it up to the root.
fn ancestry(key: &str) -> Vec<Ancestor<'_>> {
    if key.starts_with(FileKey::ENCODED) {
        // Folders above a name that is not UTF-8 may be UTF-8, and then their keys are not encoded.
        let path = FileKey::from_text(key).to_path(Path::new(""));
        return path
            .ancestors()
            .filter_map(FileKey::from_relative)
            .map(|key| Ancestor::Owned(key.as_str().to_owned()))
            .collect();
    }
    let mut all = vec![Ancestor::Borrowed(key)];
    let mut rest = key;
    while let Some((above, _)) = rest.rsplit_once('/') {
        all.push(Ancestor::Borrowed(above));
        rest = above;
    }
    if !key.is_empty() {
        all.push(Ancestor::Borrowed(""));
    }
    all
}

/// A folder above a path; borrowed from it in nearly every case.
enum Ancestor<'a> {
    Borrowed(&'a str),
    Owned(String),
}

impl Ancestor<'_> {
    fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

/// The key of a uri; `.` and the empty uri are the root.
fn key_of(uri: &str) -> String {
    if uri.starts_with(FileKey::ENCODED) {
        return uri.to_owned();
    }
    FileKey::from_relative(Path::new(uri))
        .map_or_else(|| uri.to_owned(), |key| key.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `+dir/`, `+file`, `-path`, `+url:…`, `+zip:…`; a leading `?` makes the entry pending.
    fn tracking(script: &str) -> Tracking {
        let entries: Vec<PendingSource> = script
            .split_whitespace()
            .enumerate()
            .map(|(at, word)| {
                let (status, word) = match word.strip_prefix('?') {
                    Some(word) => (SourceStatus::Pending, word),
                    None => (SourceStatus::Indexed, word),
                };
                let (sign, uri) = word.split_at(1);
                let (kind, uri) = if let Some(uri) = uri.strip_prefix("zip:") {
                    (SourceKind::Archive, uri)
                } else if uri.starts_with("https:") {
                    (SourceKind::Url, uri)
                } else if uri.ends_with('/') || uri == "." {
                    (SourceKind::Directory, uri)
                } else {
                    (SourceKind::FilePath, uri)
                };
                let mut entry = crate::tests::source(kind, &format!("b{at}"), uri, status);
                if sign == "-" {
                    entry.metadata = Some(PendingSource::removal_metadata());
                }
                entry
            })
            .collect();
        Tracking::from_entries(&entries)
    }

    fn scopes(script: &str) -> Vec<String> {
        tracking(script).scopes().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_whole_workspace_is_tracked_where_nothing_else_is_said() {
        assert!(tracking("+.").is_whole_workspace());
        assert!(tracking("+. +.").is_whole_workspace(), "for two bases");
        for script in ["", "+src/", "+. -src/", "+. +src/", "-. +.", "?+.", "+. +https://a.b/"] {
            assert!(!tracking(script).is_whole_workspace(), "{script}");
        }
    }

    #[test]
    fn the_last_entry_that_covers_a_path_decides() {
        let table = [
            ("+src/", "src/a.rs", Some("b0")),
            ("+src/", "src2/a.rs", None),
            ("+.", "any/where", Some("b0")),
            ("+src/ -src/gen/", "src/gen/x.rs", None),
            ("+src/ -src/gen/", "src/a.rs", Some("b0")),
            ("+src/ -src/gen/ +src/gen/keep.rs", "src/gen/keep.rs", Some("b2")),
            ("+src/a.rs +src/", "src/a.rs", Some("b1")),
            ("+src/ +src/a.rs", "src/a.rs", Some("b1")),
            ("+src/ -src", "src/a.rs", None),
            ("+src/ -.", "src/a.rs", None),
            ("-src/ +src/", "src/a.rs", Some("b1")),
            ("?+src/", "src/a.rs", None),
            ("+src/ ?-src/", "src/a.rs", Some("b0")),
            ("+a.rs", "a.rs/below", None),
            ("+zip:docs.zip", "docs.zip!/a/b.md", Some("b0")),
            ("+zip:docs.zip +.", "docs.zip!/a/b.md", Some("b0")),
            ("+zip:docs.zip -docs.zip", "docs.zip!/a/b.md", None),
            ("", "a", None),
        ];
        for (script, path, base) in table {
            let tracking = tracking(script);
            let entry = tracking.covering(&FileKey::from_text(path));
            assert_eq!(entry.map(|entry| entry.base.as_str()), base, "{script} | {path}");
        }
    }

    #[test]
    fn scopes_are_the_fewest_roots() {
        let table: [(&str, &[&str]); 10] = [
            ("+src/ +src/a.rs +docs/", &["docs", "src"]),
            ("+src/ +src-gen/ +src/deep/", &["src", "src-gen"]),
            ("+src/ -src/", &[]),
            ("+src/ -src/ +src/a/", &["src/a"]),
            ("+src/ -src/gen/ +src/gen/keep.rs", &["src"]),
            ("+. +src/", &[""]),
            ("+a/b.rs +a/c.rs", &["a/b.rs", "a/c.rs"]),
            ("+zip:x.zip +https://x.y", &[]),
            ("?+src/", &[]),
            ("+a +a/", &["a"]),
        ];
        for (script, expected) in table {
            assert_eq!(scopes(script), expected, "{script}");
        }
    }

    #[test]
    fn urls_and_archives_come_and_go() {
        let tracking =
            tracking("+https://a +https://b -https://a +zip:x.zip +zip:d/y.zip -d/ +zip:z.zip +.");
        let uris = |entries: Vec<&PendingSource>| {
            entries.into_iter().map(|entry| entry.uri.clone()).collect::<Vec<_>>()
        };
        assert_eq!(uris(tracking.urls()), ["https://b"]);
        assert_eq!(uris(tracking.archives()), ["x.zip", "z.zip"]);
        assert!(!tracking.is_empty());
        assert!(Tracking::default().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf8_is_covered_by_the_folder_above_it() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"src/\xff.rs"));
        let key = FileKey::from_relative(path).unwrap();
        assert!(tracking("+src/").covering(&key).is_some());
        assert!(tracking("+.").covering(&key).is_some());
        assert!(tracking("+docs/").covering(&key).is_none());
    }
}
