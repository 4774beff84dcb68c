//! Discover: what the index knows against what is on disk.

use std::path::{Path, PathBuf};

use gik_base::collections::HashSet;
use gik_base::{Cancel, FileKey, Result, fs, hash, parallel};
use gik_discover::walk::{Explain, Found, Seen, WalkOptions, Walked, walk, walk_again};
use gik_discover::{Changes, Known, Skipped, compare};
use gik_index::FileNo;
use gik_ledger::Tracking;
use gik_store::{FileOrigin, FileRow, FileState, Snapshot, Stage};

use super::archive::{ARCHIVE_CODE, MEMBER_MARK, REFUSED_CODE};
use super::build_state;
use super::pipeline::Request;
use crate::modes::Modes;
use crate::{Workspace, bases};

/// So many files, and so many of their bytes, are rather read again than noted.
const MOST_PROVEN: usize = 8;
const MOST_PROVEN_BYTES: u64 = 256 << 10;

/// What the index knows, what is there, and how they differ.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The state of the index that was compared.
    pub(super) identity: String,
    /// Files of the working tree that the index knows, sorted.
    pub known: Vec<FileRow>,
    /// Members of archives and pages that the index knows, sorted.
    pub foreign: Vec<FileRow>,
    /// Those of them that nothing tracked accounts for.
    pub orphans: Vec<FileNo>,
    /// Tracked files on disk, sorted.
    pub found: Vec<Found>,
    /// Tracked files that are left out by their size or because they cannot be read.
    pub skipped: Vec<Skipped>,
    /// The difference, by position in `known` and `found`.
    pub changes: Changes,
    /// Files that are as they were and still have to be taken apart, by position in `found`.
    pub unfinished: Vec<usize>,
    /// The modes that are indexed.
    pub(crate) modes: Modes,
    /// What decides over the outcome of parsing, apart from the file itself.
    pub rules: String,
    /// Whether files were judged by other rules before, so that all of them have to be read again.
    pub rejudge: bool,
    /// Whether nothing was ever looked at.
    pub is_first: bool,
    /// When the working tree was looked at.
    pub looked_at_ns: i64,
}

impl Difference {
    /// Whether the index is true to the files. Suspects may still turn out to be unchanged.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
            && !self.rejudge
            && self.orphans.is_empty()
            && !self.has_unfinished()
    }

    /// Whether something still has to be taken apart.
    pub(crate) fn has_unfinished(&self) -> bool {
        !self.unfinished.is_empty() || self.unfinished_pages().next().is_some()
    }

    /// Whether files whose bytes are known have to be taken apart again.
    pub(super) fn reads_everything(&self, request: &Request<'_>) -> bool {
        self.rejudge || request.with_fts
    }

    /// Pages that still have to be taken apart again.
    pub(crate) fn unfinished_pages(&self) -> impl Iterator<Item = &FileRow> {
        self.pages().filter(|row| row.stage < Stage::Structure)
    }

    /// Pages that are tracked.
    pub(super) fn pages(&self) -> impl Iterator<Item = &FileRow> {
        let is_tracked = |row: &&FileRow| !self.orphans.contains(&row.id);
        self.foreign.iter().filter(|row| row.origin == FileOrigin::Url).filter(is_tracked)
    }

    /// Adds the files whose bytes are known but that belong elsewhere now: to another base, or they are read as
    /// archives. Only new sources bring that about.
    pub(crate) fn add_reassigned(&mut self, tracking: &Tracking) {
        for (at, found) in self.found.iter().enumerate() {
            let row = self.known.binary_search_by(|row| row.key.cmp(&found.key));
            if row.is_ok_and(|row| !is_assigned(&self.known[row], tracking)) {
                self.changes.suspect.push(at);
            }
        }
    }

    /// All files that the index knows, sorted.
    pub fn into_files(self) -> Vec<FileRow> {
        let mut files = self.known;
        if !self.foreign.is_empty() {
            files.extend(self.foreign);
            files.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        }
        files
    }

    /// Whether the bytes of all files are those the index knows, whatever their times say. Reads the suspects.
    pub fn is_only_touched(&self, root: &Path) -> bool {
        let Changes { suspect, added, gone, .. } = &self.changes;
        added.is_empty()
            && gone.is_empty()
            && !self.rejudge
            && self.orphans.is_empty()
            && !self.has_unfinished()
            && !suspect.iter().any(|&at| self.is_really_changed(root, &self.found[at]))
    }

    /// Whether a suspect has other bytes than the index knows.
    pub fn is_really_changed(&self, root: &Path, suspect: &Found) -> bool {
        !self.row_of(&suspect.key).is_some_and(|row| has_known_bytes(root, row))
    }

    /// What the index knows of a file of the working tree.
    pub(crate) fn row_of(&self, key: &FileKey) -> Option<&FileRow> {
        self.known.binary_search_by(|row| row.key.cmp(key)).ok().map(|at| &self.known[at])
    }
}

fn has_known_bytes(root: &Path, row: &FileRow) -> bool {
    fs::read(&row.key.to_path(root)).is_ok_and(|bytes| hash::sha256(&bytes) == row.sha256)
}

/// Whether a file is in the base it belongs to, and read the way it should be.
pub(crate) fn is_assigned(row: &FileRow, tracking: &Tracking) -> bool {
    match &row.state {
        FileState::Skipped { code, .. } => {
            tracking.is_archive(&row.key) == [ARCHIVE_CODE, REFUSED_CODE].contains(&code.as_str())
        },
        FileState::Indexed => {
            let language = gik_parse::language_by_id(&row.language);
            let base = tracking.forced_base(&row.key);
            *row.base == *base.unwrap_or_else(|| bases::inferred(&row.key, language))
        },
    }
}

/// Pages and members of archives that nothing tracked accounts for.
fn orphans(foreign: &[FileRow], found: &[Found], tracking: &Tracking) -> Vec<FileNo> {
    let urls: HashSet<&str> = tracking.urls().iter().map(|entry| entry.uri.as_str()).collect();
    let is_tracked_archive = |archive: &str| {
        found.binary_search_by(|file| file.key.as_str().cmp(archive)).is_ok()
            && tracking.is_archive(&FileKey::from_text(archive))
    };
    // The members of an archive stand next to each other, so that a tracked archive is looked up once.
    let mut last: Option<&str> = None;
    let mut orphans = Vec::new();
    for row in foreign {
        let key = row.key.as_str();
        let is_tracked = match row.origin {
            FileOrigin::Url => urls.contains(key),
            FileOrigin::Archive => {
                let is_of = |archive: &str| {
                    key.strip_prefix(archive).is_some_and(|rest| rest.starts_with(MEMBER_MARK))
                };
                if !last.is_some_and(is_of) {
                    // Folders and members may have the mark in their names as well.
                    last = key
                        .match_indices(MEMBER_MARK)
                        .map(|(at, _)| &key[..at])
                        .find(|archive| is_tracked_archive(archive));
                }
                last.is_some()
            },
            FileOrigin::File => true,
        };
        if !is_tracked {
            orphans.push(row.id);
        }
    }
    orphans
}

/// What the index knows, read from one generation.
#[derive(Debug)]
pub(crate) struct Indexed {
    identity: String,
    /// Every known file, sorted by name.
    pub(crate) files: Vec<FileRow>,
    previous_look: Option<i64>,
    rules: Option<String>,
    modes: Modes,
}

impl Indexed {
    pub(crate) fn of(ws: &Workspace<'_>, snapshot: &Snapshot<'_>) -> Result<Self> {
        Ok(Self {
            identity: snapshot.identity()?,
            files: snapshot.files()?,
            previous_look: snapshot.meta("looked_at")?.and_then(|text| text.parse().ok()),
            rules: snapshot.meta("rules")?,
            modes: known_modes(ws, snapshot)?,
        })
    }
}

/// What is on disk.
#[derive(Debug)]
pub(crate) struct Looked {
    walked: Walked,
    at_ns: i64,
}

/// A look at the tracked part of the working tree, to be taken while the index is opened: neither needs the other.
#[derive(Debug)]
pub(crate) struct Look<'w> {
    root: &'w Path,
    scopes: Vec<FileKey>,
    options: WalkOptions,
    cancel: &'w Cancel,
    kept: PathBuf,
    /// Whether there is one thread for everything.
    is_alone: bool,
}

impl<'w> Look<'w> {
    pub(crate) fn new(ws: &'w Workspace<'_>, tracking: &Tracking) -> Self {
        let mut scopes = tracking.scopes();
        let archives = tracking.archives().into_iter();
        scopes.extend(archives.map(|entry| FileKey::from_text(entry.uri.as_str())));
        let indexing = &ws.settings.indexing;
        Self {
            root: &ws.root,
            scopes,
            options: indexing.walk_options(Explain::Quiet),
            cancel: &ws.ctx.cancel,
            kept: ws.branch.seen_path(),
            is_alone: indexing.threads == 1,
        }
    }

    /// Looks on a thread of its own while something else is done, which comes first where both fail.
    pub(crate) fn during<T>(self, other: impl FnOnce() -> Result<T>) -> Result<(Looked, T)> {
        if self.is_alone {
            let other = other()?;
            return Ok((self.take()?, other));
        }
        let (looked, other) = parallel::both(|| self.take(), other);
        other.and_then(|other| Ok((looked?, other)))
    }

    /// The same with the other thing on a thread of its own: looking takes longer, and who is done last here need not
    /// be woken.
    pub(crate) fn beside<T: Send>(
        self,
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(Looked, T)> {
        if self.is_alone {
            return self.during(other);
        }
        let (other, looked) = parallel::both(other, || self.take());
        other.and_then(|other| Ok((looked?, other)))
    }

    /// Of a walk over everything enough is kept to do without most of the next one.
    fn take(&self) -> Result<Looked> {
        let at_ns = gik_base::clock::now_ns();
        let Self { root, scopes, options, cancel, kept, .. } = self;
        let walked = if scopes.is_empty() {
            Walked::default()
        } else if !scopes.contains(&FileKey::default()) {
            walk(root, scopes, options, cancel)?
        } else {
            let (walked, seen) = walk_again(root, options, cancel, Seen::read(kept))?;
            if let Some(seen) = seen {
                // Where it cannot be written, the next walk takes as long as this one.
                drop(seen.write(kept));
            }
            walked
        };
        Ok(Looked { walked, at_ns })
    }
}

/// How what is on disk differs from what the index knows; other modes may be wanted than those that are indexed.
pub(crate) fn difference(
    ws: &Workspace<'_>,
    tracking: &Tracking,
    looked: Looked,
    indexed: Indexed,
    wanted: Option<Modes>,
) -> Difference {
    let Looked { walked, at_ns } = looked;
    let mut found = walked.files;
    if tracking.has_removals() {
        found.retain(|file| tracking.covering(&file.key).is_some());
    }
    // Nearly all are files of the tree, and stay where they are.
    let mut known = indexed.files;
    let foreign: Vec<FileRow> =
        known.extract_if(.., |row| row.origin != FileOrigin::File).collect();
    let known_stats: Vec<Known<'_>> =
        known.iter().map(|row| Known { key: row.key.as_str(), stat: row.stat }).collect();
    let mut changes = compare(&known_stats, &found, indexed.previous_look.unwrap_or(0));
    drop(known_stats);
    prove_few(&ws.root, &known, &found, &mut changes);
    let modes = wanted.unwrap_or(indexed.modes);
    let rules = rules(ws, &found, modes);
    let unfinished = known
        .iter()
        .filter(|row| row.stage < Stage::Structure)
        .filter_map(|row| found.binary_search_by(|file| file.key.cmp(&row.key)).ok())
        .collect();
    Difference {
        identity: indexed.identity,
        orphans: orphans(&foreign, &found, tracking),
        known,
        foreign,
        found,
        skipped: walked.skipped,
        changes,
        unfinished,
        modes,
        rejudge: indexed.rules.is_some_and(|known| known != rules),
        rules,
        is_first: indexed.previous_look.is_none(),
        looked_at_ns: at_ns,
    }
}

/// Reads suspects that only were too young for their time to be trusted, where they are few: to write down that they are
/// what they were would take longer than to read them again. Whoever writes to one from now on changes its time.
fn prove_few(root: &Path, known: &[FileRow], found: &[Found], changes: &mut Changes) {
    let row_of = |at: usize| {
        let file = &found[at];
        let row = known.binary_search_by(|row| row.key.cmp(&file.key)).ok().map(|at| &known[at]);
        row.filter(|row| row.stat == file.stat)
    };
    let young: Vec<_> = changes.suspect.iter().filter_map(|&at| row_of(at)).collect();
    let bytes: u64 = young.iter().map(|row| row.stat.size).sum();
    if young.len() > MOST_PROVEN || bytes > MOST_PROVEN_BYTES {
        return;
    }
    let n_suspects = changes.suspect.len();
    changes.suspect.retain(|&at| !row_of(at).is_some_and(|row| has_known_bytes(root, row)));
    changes.fresh += n_suspects - changes.suspect.len();
}

/// The modes of the index; those of the one before where it was made anew and has not been filled yet.
pub(crate) fn known_modes(ws: &Workspace<'_>, snapshot: &Snapshot<'_>) -> Result<Modes> {
    let known = snapshot.meta(Modes::META)?;
    Ok(known.map_or_else(|| build_state::modes(ws), |names| Modes::of_names(names.split(','))))
}

/// What decides over the outcome of parsing, apart from the file itself. A `.gikignore` can force a generated file in,
/// so a change of one counts.
fn rules(ws: &Workspace<'_>, found: &[Found], modes: Modes) -> String {
    let mut forces = hash::Fast64::default();
    for file in found.iter().filter(|file| file.key.file_name() == ".gikignore") {
        forces.update(format!("{:?}", (&file.key, file.stat)).as_bytes());
    }
    format!(
        "parser={} analyzer={} labels=2 generated={} minified={} modes={modes} forces={:016x}",
        gik_parse::PARSER_VERSION,
        gik_index::ANALYZER_VERSION,
        ws.settings.indexing.include_generated,
        ws.settings.indexing.include_minified,
        forces.finish(),
    )
}
