//! A commit: waiting sources are indexed, contract files written, one revision appended, `HEAD` moved.

use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_contract::{Extra, PendingSource, Revision, RevisionOperation, SourceKind, SourceStatus};
use gik_ledger::{Held, Tracking};
use gik_store::{Access, Count, FileState, Snapshot};

use crate::embedding::{EmbeddingConfig, read_info};
use crate::ingest::{self, ARCHIVE_CODE, Done, LostPages, Outcome, Request};
use crate::kg::{self, KgProjector};
use crate::modes::Modes;
use crate::projection::{Projector, Texts, note_of_file};
use crate::signature::{self, Signatures};
use crate::{Workspace, bases, graph, history, stack_scan};

/// Field of a revision that holds the signature of the whole index.
const INDEX_SIGNATURE: &str = "indexSignature";
/// Field of a revision that holds the signature of each base.
const BASE_SIGNATURES: &str = "baseSignatures";

/// The lines of so many files are written sooner than a thread has a view of the index.
const FEW: usize = 32;

/// What a commit did.
#[derive(Debug)]
pub(crate) struct Committed {
    pub(crate) revision: Revision,
    pub(crate) bases: Vec<String>,
    pub(crate) outcome: Outcome,
    /// Sources that were waiting, as they are now.
    pub(crate) sources: Vec<PendingSource>,
    /// What the index holds now, per base.
    pub(crate) counts: Vec<Count>,
}

/// What became of a commit.
#[derive(Debug)]
pub(crate) enum Attempt {
    Made(Box<Committed>),
    /// There was nothing to commit. What the index holds, per base.
    Needless(Vec<Count>),
}

impl Attempt {
    pub(crate) fn made(self) -> Option<Committed> {
        match self {
            Self::Made(committed) => Some(*committed),
            Self::Needless(_) => None,
        }
    }
}

/// Why a commit is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The user asked: it is a failure if there is nothing to do.
    Asked,
    /// The index and the contract files of all bases are made anew.
    Reindex,
}

/// Makes a commit under the writers' lock.
pub(crate) fn commit(
    ws: &Workspace<'_>,
    held: &Held,
    message: &str,
    reason: Reason,
    modes: Option<Modes>,
) -> Result<Attempt> {
    ws.require_checked_out()?;
    let mut pending = ws.branch.pending()?;
    mark_processing(ws, held, &mut pending)?;
    let waiting: Vec<usize> =
        (0..pending.len()).filter(|&at| pending[at].status == SourceStatus::Processing).collect();
    let tracking = Tracking::from_entries(&pending);
    let pages = pages(&pending, &waiting);
    let mut modes = modes;
    let kept = match reason {
        Reason::Asked => Vec::new(),
        Reason::Reindex => {
            let kept = ingest::kept_pages(ws, &tracking);
            modes = modes.or_else(|| known_modes(ws));
            ws.remove_store(held)?;
            kept
        },
    };
    let with_fts = ws.settings.indexing.fts && !has_fts(ws);
    let request = Request {
        tracking: &tracking,
        has_new_sources: !waiting.is_empty(),
        pages: &pages,
        kept: &kept,
        lost_pages: LostPages::Fetch,
        with_fts,
        modes,
        looked: None,
    };
    let Done { outcome, mut store, files, recent } = ingest::run_but_for_names(ws, held, &request)?;
    warn_of_lost_pages(ws, &outcome, &pages);
    let snapshot = store.snapshot()?;
    for &at in &waiting {
        settle(ws, &snapshot, &outcome, &mut pending[at])?;
    }
    let unprojected = snapshot.unprojected()?;
    drop(snapshot);
    let signatures = signature::of(&files);
    let changed = changed_bases(ws, &signatures, reason)?;
    let mut transaction = ws.branch.transaction(held);

    let project_sources = |snapshot: &Snapshot<'_>| -> Result<Vec<_>> {
        let (files, recent, changed_files) = (&files, &recent, &unprojected);
        let projector = Projector { ws, snapshot, files, recent, changed: changed_files };
        let of_base = |base: &String| Ok((base.clone(), projector.project(base, &transaction)?));
        changed.iter().map(of_base).collect()
    };
    let is_listed = stack_scan::is_written(ws) && !stack_scan::is_outdated(&unprojected);
    let take_stock = || {
        let scan = || stack_scan::scan_after(ws, &tracking, &files);
        (!is_listed).then(scan).transpose()
    };
    // What is written of sources needs no names and no edges, nor does the inventory, and git's history waits for the
    // disk and nothing else.
    let is_much = unprojected.len() > FEW;
    let beside = || {
        history::update_or_warn(ws)?;
        if !is_much {
            return Ok(None);
        }
        let written = project_sources(&ws.store(Access::ReadOnly)?.snapshot()?)?;
        Ok(Some((written, take_stock()?)))
    };
    let find_edges = || {
        store.order_names()?;
        graph::update_after(ws, held, &mut store, &files, &recent)
    };
    let (ahead, ()) = ws.both(beside, find_edges)?;

    if changed.is_empty() && waiting.is_empty() {
        return Ok(Attempt::Needless(Count::per_base(&files)));
    }
    if !waiting.is_empty() {
        transaction.set_pending(&pending)?;
    }
    let sources: Vec<PendingSource> = waiting.iter().map(|&at| pending[at].clone()).collect();
    // When all that was waiting failed there is nothing new to point at: the statuses are kept, no revision is made.
    if changed.is_empty() && sources.iter().all(|source| source.status == SourceStatus::Failed) {
        transaction.commit()?;
        return Err(all_failed(&sources));
    }
    let snapshot = store.snapshot()?;
    let (written, inventory) = match ahead {
        Some(ahead) => ahead,
        None => (project_sources(&snapshot)?, take_stock()?),
    };
    let stack = match inventory {
        Some(inventory) => {
            stack_scan::write(&inventory, &transaction)?;
            kg::Stack::of(&inventory)
        },
        None => kg::Stack::read(ws),
    };
    let projector = KgProjector {
        ws,
        snapshot: &snapshot,
        files: &files,
        recent: &recent,
        changed: &unprojected,
        stack: &stack,
        time: transaction.time(),
    };
    let detail = projector.project(&transaction)?;
    let source_count = files
        .iter()
        .filter(|file| {
            file.state == FileState::Indexed && changed.iter().any(|base| **base == *file.base)
        })
        .count() as u64;
    let operations = operations(ws, reason, &changed, source_count)?;
    transaction.revision_with(message, ws.scm.head.clone(), operations, extra_of(&signatures));
    let revision = transaction
        .commit()?
        .ok_or_else(|| Failure::new(ErrorCode::Internal, "a commit gave no revision"))?;
    let counts = Count::per_base(&files);
    drop(snapshot);
    store.note_projection(&notes(ws, written, detail)?)?;
    let committed = Committed { revision, bases: changed, outcome, sources, counts };
    Ok(Attempt::Made(Box::new(committed)))
}

/// Tells of pages that were part of the knowledge and could not be fetched again.
fn warn_of_lost_pages(ws: &Workspace<'_>, outcome: &Outcome, asked: &[(String, Option<String>)]) {
    for (uri, result) in &outcome.sources {
        if let Err(reason) = result
            && uri.contains("://")
            && !asked.iter().any(|(url, _)| url == uri)
        {
            ws.ctx.progress.warn(&format!("`{uri}` is not in the index any more: {reason}"));
        }
    }
}

/// The name that stands for a model where only words are compared.
fn lexical_model() -> String {
    format!("lexical-{}", gik_index::ANALYZER_VERSION)
}

fn operations(
    ws: &Workspace<'_>,
    reason: Reason,
    bases: &[String],
    source_count: u64,
) -> Result<Vec<RevisionOperation>> {
    match reason {
        Reason::Asked => {
            Ok(vec![RevisionOperation::Commit { bases: bases.to_vec(), source_count }])
        },
        Reason::Reindex => bases.iter().map(|base| reindex_operation(ws, base)).collect(),
    }
}

/// What the timeline says of a base that is made anew: the model of its vectors, and the one that the config names.
pub(crate) fn reindex_operation(ws: &Workspace<'_>, base: &str) -> Result<RevisionOperation> {
    let known = read_info(&ws.branch, base);
    Ok(RevisionOperation::Reindex {
        base: base.to_owned(),
        from_model_id: known.map_or_else(lexical_model, |info| info.model_id),
        to_model_id: EmbeddingConfig::of(&ws.settings, base)?.model_id,
    })
}

/// Whether contract files that the last commit on this branch wrote are gone.
pub(crate) fn has_lost_projections(ws: &Workspace<'_>) -> Result<bool> {
    let Some(bases) = committed_bases(ws)? else { return Ok(false) };
    let is_written = stack_scan::is_written(ws) && kg::is_written(ws);
    Ok(!is_written || !bases.iter().all(|base| is_projected(ws, base)))
}

/// The bases that the last commit named; `None` before the first one on this branch, whose contract files need not be
/// there: a branch made from another one starts without.
pub(crate) fn committed_bases(ws: &Workspace<'_>) -> Result<Option<Vec<String>>> {
    let signed = last_signed(ws)?.filter(|revision| revision.branch == ws.branch.name());
    Ok(signed.map(|revision| {
        let signatures = revision.extra.get(BASE_SIGNATURES).and_then(|value| value.as_object());
        signatures.into_iter().flatten().map(|(base, _)| base.clone()).collect()
    }))
}

/// Whether the contract files of a base are there.
fn is_projected(ws: &Workspace<'_>, base: &str) -> bool {
    fs::exists(&ws.branch.base_sources_path(base)) && fs::exists(&ws.branch.base_stats_path(base))
}

/// Makes the index and the contract files of all bases anew, without a revision: nothing new is being said.
pub(crate) fn restore_projections(ws: &Workspace<'_>, held: &Held) -> Result<()> {
    let pending = ws.branch.pending()?;
    let tracking = Tracking::from_entries(&pending);
    let request = Request::of(&tracking);
    let Done { mut store, files, recent, .. } = ingest::run_and_keep(ws, held, &request)?;
    graph::update_after(ws, held, &mut store, &files, &recent)?;
    let snapshot = store.snapshot()?;
    let transaction = ws.branch.transaction(held);
    let unprojected = snapshot.unprojected()?;
    let projector = Projector {
        ws,
        snapshot: &snapshot,
        files: &files,
        recent: &recent,
        changed: &unprojected,
    };
    let mut written = Vec::new();
    for base in bases::FILE_BASES {
        if files.iter().any(|file| *file.base == **base)
            || fs::exists(&ws.branch.base_sources_path(base))
        {
            written.push(((*base).to_owned(), projector.project(base, &transaction)?));
        }
    }
    let inventory = stack_scan::scan_after(ws, &tracking, &files)?;
    stack_scan::write(&inventory, &transaction)?;
    let projector = KgProjector {
        ws,
        snapshot: &snapshot,
        files: &files,
        recent: &recent,
        changed: &unprojected,
        stack: &kg::Stack::of(&inventory),
        // What is restored is that of the last revision.
        time: last_signed(ws)?.map_or_else(|| transaction.time(), |revision| revision.timestamp),
    };
    let detail = projector.project(&transaction)?;
    transaction.commit()?;
    drop(snapshot);
    store.note_projection(&notes(ws, written, detail)?)
}

/// What the index has to remember about the contract files that are in place now.
fn notes(
    ws: &Workspace<'_>,
    written: Vec<(String, Texts)>,
    detail: kg::Detail,
) -> Result<Vec<(String, String)>> {
    let mut notes = Vec::with_capacity(written.len() + 1);
    notes.extend(kg::note(ws, detail)?.map(|note| ("kg".to_owned(), note)));
    for (base, texts) in written {
        if let Some(note) = note_of_file(&ws.branch.base_sources_path(&base), texts)? {
            notes.push((base, note));
        }
    }
    Ok(notes)
}

/// Whether the index holds something that `HEAD` does not name.
pub(crate) fn is_ahead(head: &Revision, signatures: &Signatures) -> bool {
    match head.extra.get(INDEX_SIGNATURE).and_then(|value| value.as_str()) {
        Some(signature) => signature != signatures.all,
        None => !signatures.bases.is_empty(),
    }
}

/// The revision that last named signatures, and them.
pub(crate) fn last_signed(ws: &Workspace<'_>) -> Result<Option<Revision>> {
    Ok(last_signed_of(&ws.branch.timeline()?).cloned())
}

/// The last revision of a timeline that names signatures.
pub(crate) fn last_signed_of(timeline: &[Revision]) -> Option<&Revision> {
    timeline.iter().rev().find(|revision| revision.extra.contains_key(INDEX_SIGNATURE))
}

fn extra_of(signatures: &Signatures) -> Extra {
    let bases: Extra = signatures
        .bases
        .iter()
        .map(|(base, signature)| (base.clone(), signature.as_str().into()))
        .collect();
    Extra::from_iter([
        (INDEX_SIGNATURE.to_owned(), signatures.all.as_str().into()),
        (BASE_SIGNATURES.to_owned(), bases.into()),
    ])
}

/// Bases whose contract files are not those of the index.
fn changed_bases(
    ws: &Workspace<'_>,
    signatures: &Signatures,
    reason: Reason,
) -> Result<Vec<String>> {
    let last = last_signed(ws)?;
    let known = last.as_ref().and_then(|revision| revision.extra.get(BASE_SIGNATURES));
    let mut changed = Vec::new();
    for base in bases::FILE_BASES {
        let before = known.and_then(|known| known.get(base)).and_then(|value| value.as_str());
        let now = signatures.bases.get(*base).map(String::as_str);
        let is_missing = now.is_some() && !is_projected(ws, base);
        let is_wanted = reason == Reason::Reindex && now.is_some();
        if before != now || is_missing || is_wanted {
            changed.push((*base).to_owned());
        }
    }
    Ok(changed)
}

fn mark_processing(ws: &Workspace<'_>, held: &Held, pending: &mut [PendingSource]) -> Result<()> {
    let mut any = false;
    for source in pending.iter_mut().filter(|source| source.status == SourceStatus::Pending) {
        source.status = SourceStatus::Processing;
        any = true;
    }
    if any {
        let transaction = ws.branch.transaction(held);
        transaction.set_pending(pending)?;
        transaction.commit()?;
    }
    Ok(())
}

fn pages(pending: &[PendingSource], waiting: &[usize]) -> Vec<(String, Option<String>)> {
    waiting
        .iter()
        .map(|&at| &pending[at])
        .filter(|source| source.kind == SourceKind::Url && !source.is_removal())
        .map(|source| (source.uri.clone(), Some(source.base.clone())))
        .collect()
}

/// What became of a source that was waiting.
fn settle(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    outcome: &Outcome,
    source: &mut PendingSource,
) -> Result<()> {
    let failed =
        if source.is_removal() { None } else { failure_of(ws, snapshot, outcome, source)? };
    source.status = if failed.is_some() { SourceStatus::Failed } else { SourceStatus::Indexed };
    source.last_error = failed;
    Ok(())
}

fn failure_of(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    outcome: &Outcome,
    source: &PendingSource,
) -> Result<Option<String>> {
    match source.kind {
        SourceKind::Directory => {
            let key = ledger_key(&source.uri);
            let is_there = key.to_path(&ws.root).is_dir();
            Ok((!is_there).then(|| "the folder does not exist".to_owned()))
        },
        SourceKind::Url | SourceKind::Archive => match outcome.sources.get(&source.uri) {
            Some(Err(reason)) => Ok(Some(reason.clone())),
            Some(Ok(_)) => Ok(None),
            // Nothing was done: it is known already and unchanged.
            None => {
                let known = snapshot.file_by_key(&ledger_key(&source.uri))?;
                Ok(match known.map(|row| row.state) {
                    None => Some("the source does not exist".to_owned()),
                    Some(FileState::Skipped { code, detail }) if code != ARCHIVE_CODE => {
                        Some(detail)
                    },
                    Some(_) => None,
                })
            },
        },
        SourceKind::FilePath | SourceKind::Other => {
            let key = ledger_key(&source.uri);
            match snapshot.file_by_key(&key)?.map(|row| row.state) {
                Some(FileState::Indexed) => Ok(None),
                Some(FileState::Skipped { detail, .. }) => Ok(Some(detail)),
                None => Ok(Some(why_absent(ws, &key))),
            }
        },
    }
}

/// Why a file that was asked for by name is not in the index.
fn why_absent(ws: &Workspace<'_>, key: &FileKey) -> String {
    let options = ws.walk_options(gik_discover::walk::Explain::WithSkipped);
    match gik_discover::explain_path(&ws.root, key, &options) {
        Ok(gik_discover::Verdict::Skipped(reason)) => reason.to_string(),
        Ok(gik_discover::Verdict::Taken { .. }) | Err(_) => "the file does not exist".to_owned(),
    }
}

/// A failed source and its reason, without naming it twice.
pub(crate) fn told(source: &PendingSource) -> String {
    let reason = source.last_error.as_deref().unwrap_or("unknown reason");
    if reason.contains(&source.uri) {
        reason.to_owned()
    } else {
        format!("`{}`: {reason}", source.uri)
    }
}

fn all_failed(sources: &[PendingSource]) -> Failure {
    let mut failure = Failure::new(
        ErrorCode::SourceFailed,
        match sources {
            [only] => format!("nothing was indexed: {}", told(only)),
            _ => format!("none of {} sources could be indexed", sources.len()),
        },
    );
    for source in sources.iter().take(5).filter(|_| sources.len() > 1) {
        failure = failure.hint(told(source));
    }
    failure
}

/// The modes of the index that is there, if it can be read.
fn known_modes(ws: &Workspace<'_>) -> Option<Modes> {
    let store = ws.store(Access::ReadOnly).ok()?;
    let snapshot = store.snapshot().ok()?;
    ingest::known_modes(ws, &snapshot).ok()
}

pub(crate) fn has_fts(ws: &Workspace<'_>) -> bool {
    ws.store(Access::ReadOnly).is_ok_and(|store| store.has_fts().unwrap_or(false))
}

fn ledger_key(uri: &str) -> FileKey {
    if uri == "." { FileKey::default() } else { FileKey::from_text(uri) }
}
