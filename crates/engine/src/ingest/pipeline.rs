//! `Discover → Read → Parse → Analyze → Commit`: the one way into the index.

use std::collections::BTreeMap;
use std::time::Instant;

use gik_base::collections::HashMap;
use gik_base::hash::Digest;
use gik_base::{ErrorCode, Failure, FileKey, Result, clock, parallel};
use gik_index::FileNo;
use gik_ledger::{Held, Tracking};
use gik_store::{Access, FileOrigin, FileRow, FileState, RemoteState, Snapshot, Store, Writer};

use super::Step;
use super::archive::{ArchiveSource, MEMBER_MARK, write_archive};
use super::difference::{Difference, difference, is_assigned};
use super::prepare::{Departed, Job, KnownFile, Prepared, PreparedFile, Taste, prepare};
use super::sources::{Page, fetch_page, prepare_page, write_page};
use super::write::write_file;
use crate::Workspace;
use crate::heal::make_anew;

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
    Ok(run_and_keep(ws, held, request)?.0)
}

/// As [`run`], with the index left open: closing it writes its log back, which need not happen twice.
pub(crate) fn run_and_keep(
    ws: &Workspace<'_>,
    held: &Held,
    request: &Request<'_>,
) -> Result<(Outcome, Store)> {
    match run_once(ws, request) {
        // The index holds nothing that cannot be derived again, so damage is repaired by making it anew.
        Err(failure) if failure.code() == ErrorCode::StoreBroken => {
            make_anew(ws, held, &failure)?;
            run_once(ws, request)
        },
        other => other,
    }
}

fn run_once(ws: &Workspace<'_>, request: &Request<'_>) -> Result<(Outcome, Store)> {
    let mut outcome = Outcome::default();
    let mut store = ws.store(Access::ReadWrite)?;
    store.sweep()?;

    // Discover
    let started = Instant::now();
    let snapshot = store.snapshot()?;
    let mut difference = difference(ws, &snapshot, request.tracking)?;
    if request.has_new_sources {
        difference.add_reassigned(request.tracking);
    }
    let departed = departed(&snapshot, &difference)?;
    let remotes = known_remotes(&snapshot, request)?;
    let mut kept_pages = request.kept.to_vec();
    if reads_everything(request, &difference) {
        kept_pages.extend(pages_of(&snapshot, &difference.foreign)?);
    }
    let pages = pages(request, &difference, &kept_pages);
    drop(snapshot);
    note(&mut outcome, Step::Discover, started);
    if difference.is_empty() && pages.is_empty() && kept_pages.is_empty() && !request.with_fts {
        return Ok((outcome, store));
    }

    // Read, Parse, Analyze on all cores; Commit in order on this one
    let started = Instant::now();
    write_changes(
        ws,
        &mut store,
        request,
        &Work { difference, departed, remotes, kept_pages, pages },
        &mut outcome,
    )?;
    note(&mut outcome, Step::Commit, started);
    Ok((outcome, store))
}

/// What discovery found.
struct Work {
    difference: Difference,
    departed: Vec<(Digest, Departed)>,
    remotes: HashMap<String, RemoteState>,
    kept_pages: Vec<KeptPage>,
    /// Pages to fetch: url and base.
    pages: Vec<(String, Option<String>)>,
}

fn write_changes(
    ws: &Workspace<'_>,
    store: &mut Store,
    request: &Request<'_>,
    work: &Work,
    outcome: &mut Outcome,
) -> Result<()> {
    let difference = &work.difference;
    let departed: HashMap<&Digest, &Departed> =
        work.departed.iter().map(|(sha256, file)| (sha256, file)).collect();
    let jobs = jobs(request, difference);
    let mut writer = store.writer()?;
    if request.with_fts {
        writer.create_fts()?;
    }
    let mut state = State { ws, request, outcome, difference, taken_over: 0 };
    for &at in &difference.changes.gone {
        writer.remove_file(difference.known[at].id)?;
        state.outcome.removed += 1;
    }
    for &id in &difference.orphans {
        writer.remove_file(id)?;
        state.outcome.removed += 1;
    }
    let progress = ws.ctx.progress;
    progress.begin("indexing", Some(jobs.len() as u64));
    let taste = Taste::of(ws);
    let find = |sha256: &Digest| departed.get(sha256).copied();
    parallel::in_order(
        &jobs,
        ws.threads(),
        &ws.ctx.cancel,
        |job| prepare(&ws.root, job, taste, &find),
        |prepared| {
            progress.advance(1);
            state.apply(&mut writer, prepared)
        },
    )?;
    progress.end();
    for page in &work.kept_pages {
        write_page(
            &mut writer,
            prepare_page(&page.key, page.text.clone(), &page.base),
            &page.remote,
        )?;
    }
    for (url, base) in &work.pages {
        state.fetch(&mut writer, url, base.as_deref(), work.remotes.get(url))?;
    }
    // A file that moved was counted as gone and as found again; it is neither.
    state.outcome.removed = state.outcome.removed.saturating_sub(state.taken_over);
    writer.set_meta("looked_at", &difference.looked_at_ns.to_string())?;
    writer.set_meta("rules", &difference.rules)?;
    writer.set_workspace(&ws.root.to_string_lossy(), clock::now().as_second())?;
    writer.commit()?;
    Ok(())
}

/// Whether files whose bytes are known have to be taken apart again.
fn reads_everything(request: &Request<'_>, difference: &Difference) -> bool {
    difference.rejudge || request.with_fts
}

/// Every file that has to be looked at.
fn jobs<'a>(request: &'a Request<'_>, difference: &'a Difference) -> Vec<Job<'a>> {
    let everything = reads_everything(request, difference);
    let mut positions: Vec<usize> = if everything {
        (0..difference.found.len()).collect()
    } else {
        difference.changes.suspect.iter().chain(&difference.changes.added).copied().collect()
    };
    positions.sort_unstable();
    positions.dedup();
    positions
        .into_iter()
        .map(|at| {
            let found = &difference.found[at];
            let row = difference.row_of(&found.key);
            Job {
                key: &found.key,
                stat: found.stat,
                base: request.tracking.forced_base(&found.key),
                known: row
                    .filter(|row| !everything && is_assigned(row, request.tracking))
                    .map(|row| KnownFile { id: row.id, sha256: row.sha256 }),
                is_archive: request.tracking.is_archive(&found.key),
            }
        })
        .collect()
}

/// Files that are gone and could have moved, with the hash of their bytes and their pieces.
fn departed(snapshot: &Snapshot<'_>, difference: &Difference) -> Result<Vec<(Digest, Departed)>> {
    if difference.changes.added.is_empty() {
        return Ok(Vec::new());
    }
    let mut departed = Vec::new();
    for &at in &difference.changes.gone {
        let row = &difference.known[at];
        if row.state != FileState::Indexed {
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

/// The pages of the index as they were fetched, for taking them apart again without asking their server. Those of an
/// index that cannot be read are lost.
pub(crate) fn kept_pages(ws: &Workspace<'_>, tracking: &Tracking) -> Vec<KeptPage> {
    let urls = tracking.urls();
    if urls.is_empty() {
        return Vec::new();
    }
    let pages = ws.store(Access::ReadOnly).and_then(|store| {
        let snapshot = store.snapshot()?;
        pages_of(&snapshot, &snapshot.files()?)
    });
    let mut pages = pages.unwrap_or_default();
    pages.retain(|page| urls.iter().any(|entry| entry.uri == page.key.as_str()));
    pages
}

fn pages_of(snapshot: &Snapshot<'_>, files: &[FileRow]) -> Result<Vec<KeptPage>> {
    let mut pages = Vec::new();
    for row in files.iter().filter(|row| row.origin == FileOrigin::Url) {
        if let Some(text) = snapshot.content_of(row.id)? {
            let remote = snapshot.remote_of(row.id)?.unwrap_or_default();
            pages.push(KeptPage { key: row.key.clone(), base: row.base.to_string(), text, remote });
        }
    }
    Ok(pages)
}

/// Every page that has to be fetched: those that were asked for, and those that the index lost.
fn pages(
    request: &Request<'_>,
    difference: &Difference,
    kept: &[KeptPage],
) -> Vec<(String, Option<String>)> {
    let mut pages = request.pages.to_vec();
    if request.lost_pages == LostPages::Leave {
        return pages;
    }
    for entry in request.tracking.urls() {
        let is_there = difference.foreign.iter().any(|row| row.key.as_str() == entry.uri)
            || kept.iter().any(|page| page.key.as_str() == entry.uri)
            || pages.iter().any(|(url, _)| *url == entry.uri);
        if !is_there {
            pages.push((entry.uri.clone(), Some(entry.base.clone())));
        }
    }
    pages
}

/// A page as it was fetched.
#[derive(Debug, Clone)]
pub struct KeptPage {
    key: FileKey,
    base: String,
    text: String,
    remote: RemoteState,
}

fn known_remotes(
    snapshot: &Snapshot<'_>,
    request: &Request<'_>,
) -> Result<HashMap<String, RemoteState>> {
    let mut remotes = HashMap::default();
    for (url, _) in request.pages {
        if let Some(row) = snapshot.file_by_key(&FileKey::from_text(url.as_str()))?
            && let Some(remote) = snapshot.remote_of(row.id)?
        {
            remotes.insert(url.clone(), remote);
        }
    }
    Ok(remotes)
}

fn remove_members(
    writer: &mut Writer<'_>,
    difference: &Difference,
    archive: &FileKey,
) -> Result<()> {
    for id in members_of(difference, archive) {
        writer.remove_file(id)?;
    }
    Ok(())
}

fn members_of(difference: &Difference, archive: &FileKey) -> Vec<FileNo> {
    let prefix = format!("{archive}{MEMBER_MARK}");
    let first = difference.foreign.partition_point(|row| row.key.as_str() < prefix.as_str());
    difference.foreign[first..]
        .iter()
        .take_while(|row| row.key.as_str().starts_with(&prefix))
        .filter(|row| row.origin == FileOrigin::Archive)
        .map(|row| row.id)
        .collect()
}

fn note(outcome: &mut Outcome, step: Step, started: Instant) {
    outcome.timings.insert(step.as_str().to_owned(), started.elapsed().as_secs_f64() * 1e3);
}

/// What the consumer of prepared files keeps in mind.
struct State<'a, 'o> {
    ws: &'a Workspace<'a>,
    request: &'a Request<'a>,
    outcome: &'o mut Outcome,
    difference: &'a Difference,
    taken_over: u64,
}

impl State<'_, '_> {
    fn apply(&mut self, writer: &mut Writer<'_>, prepared: Prepared) -> Result<()> {
        match prepared {
            Prepared::Same { id, stat } => writer.touch_file(id, &stat),
            Prepared::File(file) => self.write(writer, *file),
            Prepared::Archive { key, stat, sha256 } => {
                remove_members(writer, self.difference, &key)?;
                let base = self.request.tracking.forced_base(&key);
                let source = ArchiveSource { key: &key, stat, sha256, base };
                let result = match write_archive(self.ws, writer, source) {
                    Ok(members) => {
                        self.outcome.added += members.indexed;
                        for (code, n) in members.skipped {
                            *self.outcome.skipped.entry(code).or_default() += n;
                        }
                        Ok(format!("{} members", members.indexed))
                    },
                    Err(failure) if failure.code() == ErrorCode::ArchiveRefused => {
                        Err(with_hints(&failure))
                    },
                    Err(failure) => return Err(failure),
                };
                self.outcome.sources.insert(key.as_str().to_owned(), result);
                Ok(())
            },
        }
    }

    fn write(&mut self, writer: &mut Writer<'_>, file: PreparedFile) -> Result<()> {
        let record = &file.record;
        match &record.state {
            FileState::Skipped { code, .. } => {
                *self.outcome.skipped.entry(code.clone()).or_default() += 1;
            },
            FileState::Indexed => {
                *self.outcome.languages.entry(record.language.clone()).or_default() += 1;
                let is_known = self.difference.row_of(&record.key).is_some();
                match (file.moved, is_known) {
                    (true, _) => {
                        self.outcome.moved += 1;
                        self.taken_over += 1;
                    },
                    (false, true) => self.outcome.updated += 1,
                    (false, false) => self.outcome.added += 1,
                }
                self.outcome.parsed += u64::from(!file.moved);
            },
        }
        write_file(writer, file)?;
        Ok(())
    }

    fn fetch(
        &mut self,
        writer: &mut Writer<'_>,
        url: &str,
        base: Option<&str>,
        known: Option<&RemoteState>,
    ) -> Result<()> {
        let result = match fetch_page(self.ws, url, base, known) {
            Ok(Page::Same) => Ok("not modified".to_owned()),
            Ok(Page::New { file, remote }) => {
                write_page(writer, *file, &remote)?;
                match known {
                    Some(_) => self.outcome.updated += 1,
                    None => self.outcome.added += 1,
                }
                Ok("fetched".to_owned())
            },
            Err(failure) if is_fault_of_source(&failure) => Err(with_hints(&failure)),
            Err(failure) => return Err(failure),
        };
        self.outcome.sources.insert(url.to_owned(), result);
        Ok(())
    }
}

/// The failure as one line that keeps what to do about it.
pub(super) fn with_hints(failure: &Failure) -> String {
    match failure.hints() {
        [] => failure.to_string(),
        hints => format!("{failure} ({})", hints.join("; ")),
    }
}

/// Whether the source itself is to blame, so that the commit goes on without it.
fn is_fault_of_source(failure: &Failure) -> bool {
    matches!(
        failure.code(),
        ErrorCode::UrlFailed | ErrorCode::UrlRefused | ErrorCode::SourceInvalid
    )
}
