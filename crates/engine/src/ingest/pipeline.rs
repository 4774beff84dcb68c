//! `Discover → Read → Parse → Analyze → Commit`: the one way into the index.

use std::collections::BTreeMap;
use std::time::Instant;

use gik_base::collections::HashSet;
use gik_base::hash::Digest;
use gik_base::{ErrorCode, Result};
use gik_ledger::{Held, Tracking};
use gik_store::{Access, FileRow, FileState, Snapshot, Stage, Store};

use super::Step;
use super::build_state::{self, Build};
use super::difference::{Difference, Indexed, Look, difference};
use super::kept::{KeptPage, known_remotes, pages, pages_of};
use super::passes::{Work, write_changes};
use super::prepare::Departed;
use super::recent::Recent;
use crate::Workspace;
use crate::heal::make_anew;
use crate::modes::Modes;

/// What to bring into the index.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What is tracked, and to which base it goes.
    pub tracking: &'a Tracking,
    /// Whether sources were added or removed since the last time, so that files may change their base.
    pub has_new_sources: bool,
    /// Pages to fetch now: url and base.
    pub pages: &'a [(String, Option<String>)],
    /// Pages that the index does not have any more, as they were fetched.
    pub kept: &'a [KeptPage],
    /// What to do about tracked pages that the index does not have.
    pub lost_pages: LostPages,
    /// Whether to make the FTS5 table from here on.
    pub with_fts: bool,
    /// The modes to index from here on; those that are indexed where it is not given.
    pub(crate) modes: Option<Modes>,
    /// What was found a moment ago, with the same sources; used if nobody has changed the index since.
    pub looked: Option<&'a Difference>,
}

impl<'a> Request<'a> {
    /// Bring what is tracked up to date, and nothing else.
    pub fn of(tracking: &'a Tracking) -> Self {
        Self {
            tracking,
            has_new_sources: false,
            pages: &[],
            kept: &[],
            lost_pages: LostPages::Leave,
            with_fts: false,
            modes: None,
            looked: None,
        }
    }
}

/// What to do about tracked pages that the index does not have, because it was made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LostPages {
    /// Fetch them.
    Fetch,
    /// Do without: a question never goes to the network.
    Leave,
}

/// What happened.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Files that are new in the index.
    pub added: u64,
    /// Files whose content changed.
    pub updated: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Files that were found under another name.
    pub moved: u64,
    /// Files that were parsed.
    pub parsed: u64,
    /// Files written per language.
    pub languages: BTreeMap<String, u64>,
    /// Files left out per reason, among those looked at.
    pub skipped: BTreeMap<String, u64>,
    /// Archives and pages: what became of each.
    pub sources: BTreeMap<String, SourceResult>,
    /// Milliseconds per step.
    pub timings: BTreeMap<String, f64>,
}

impl Outcome {
    /// Whether the index changed.
    pub fn changed(&self) -> bool {
        self.added + self.updated + self.removed + self.moved > 0
    }
}

/// What became of an archive or a page: a note, or why it failed.
pub type SourceResult = std::result::Result<String, String>;

/// Brings the index up to date with everything that is tracked. The caller holds the writers' lock.
pub fn run(ws: &Workspace<'_>, held: &Held, request: &Request<'_>) -> Result<Outcome> {
    Ok(run_and_keep(ws, held, request)?.outcome)
}

/// What was done, and the index as it is now.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    /// Left open: opening it again takes as long as many a change.
    pub(crate) store: Store,
    /// All files of the index, sorted by name.
    pub(crate) files: Vec<FileRow>,
    /// What was read of those that changed.
    pub(crate) recent: Recent,
}

/// As [`run`], for a caller that goes on with the index.
pub(crate) fn run_and_keep(ws: &Workspace<'_>, held: &Held, request: &Request<'_>) -> Result<Done> {
    let done = run_but_for_names(ws, held, request)?;
    done.store.order_names()?;
    Ok(done)
}

/// As [`run_and_keep`], for a caller that has names ordered itself ([`Store::order_names`]), beside something else.
pub(crate) fn run_but_for_names(
    ws: &Workspace<'_>,
    held: &Held,
    request: &Request<'_>,
) -> Result<Done> {
    match run_once(ws, request) {
        // The index holds nothing that cannot be derived again, so damage is repaired by making it anew.
        Err(failure) if failure.code() == ErrorCode::StoreBroken => {
            make_anew(ws, held, &failure)?;
            run_once(ws, request)
        },
        other => other,
    }
}

fn run_once(ws: &Workspace<'_>, request: &Request<'_>) -> Result<Done> {
    let mut outcome = Outcome::default();

    // Discover
    let started = Instant::now();
    let (mut store, mut difference) = discover(ws, request)?;
    let snapshot = store.snapshot()?;
    if request.has_new_sources {
        difference.add_reassigned(request.tracking);
    }
    let departed = departed(&snapshot, &difference)?;
    let remotes = known_remotes(&snapshot, request)?;
    let mut kept_pages = request.kept.to_vec();
    if difference.reads_everything(request) {
        kept_pages.extend(pages_of(&snapshot, difference.pages())?);
    } else {
        kept_pages.extend(pages_of(&snapshot, difference.unfinished_pages())?);
    }
    let pages = pages(request, &difference, &kept_pages);
    drop(snapshot);
    note(&mut outcome, Step::Discover, started);
    if difference.is_empty() && pages.is_empty() && kept_pages.is_empty() && !request.with_fts {
        if build_state::unfinished(ws).is_some() {
            // A build that was killed at its very end could not say that it had come there.
            let mut build = Build::new(ws, &difference, store.has_fts()?);
            build.lack_vectors(store.files_without_vectors()?);
            build.tell(ws.ctx.progress);
        }
        // Nor could it order the names.
        store.order_names()?;
        let files = difference.into_files();
        return Ok(Done { outcome, store, files, recent: Recent::default() });
    }

    // Read, Parse, Analyze on all cores; Commit in order on this one
    let started = Instant::now();
    let work = Work { difference, departed, remotes, kept_pages, pages };
    let (files, recent) = write_changes(ws, &mut store, request, work, &mut outcome)?;
    note(&mut outcome, Step::Commit, started);
    Ok(Done { outcome, store, files, recent })
}

/// The index, and how the files differ from it. They are looked at while the index is opened, unless they just were.
fn discover(ws: &Workspace<'_>, request: &Request<'_>) -> Result<(Store, Difference)> {
    let opened = || {
        let mut store = ws.store(Access::ReadWrite)?;
        store.sweep()?;
        Ok(store)
    };
    let mut known = None;
    if let Some(looked) = request.looked {
        let store = opened()?;
        if looked.identity == store.snapshot()?.identity()? {
            return Ok((store, looked.clone()));
        }
        known = Some(store);
    }
    let (looked, (store, indexed)) = Look::new(ws, request.tracking).during(|| {
        let store = known.map_or_else(opened, Ok)?;
        let indexed = Indexed::of(ws, &store.snapshot()?)?;
        Ok((store, indexed))
    })?;
    Ok((store, difference(ws, request.tracking, looked, indexed, request.modes)))
}

/// Files that are gone and could have moved, with the hash of their bytes and their pieces.
fn departed(snapshot: &Snapshot<'_>, difference: &Difference) -> Result<Vec<(Digest, Departed)>> {
    if difference.changes.added.is_empty() || difference.rejudge {
        return Ok(Vec::new());
    }
    let sizes: HashSet<u64> =
        difference.changes.added.iter().map(|&at| difference.found[at].stat.size).collect();
    let mut departed = Vec::new();
    for &at in &difference.changes.gone {
        let row = &difference.known[at];
        let is_whole = row.state == FileState::Indexed && row.stage == Stage::Structure;
        if !is_whole || !sizes.contains(&row.stat.size) {
            continue;
        }
        let chunks = snapshot.chunks_of(row.id)?;
        let symbols = snapshot.symbols_of(row.id)?;
        let facts = snapshot.facts_of(row.id)?;
        let file = Departed { language: row.language.to_string(), chunks, symbols, facts };
        departed.push((row.sha256, file));
    }
    Ok(departed)
}

fn note(outcome: &mut Outcome, step: Step, started: Instant) {
    outcome.timings.insert(step.as_str().to_owned(), started.elapsed().as_secs_f64() * 1e3);
}
