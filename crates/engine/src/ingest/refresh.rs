//! Before every answer: the index follows the files.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use gik_base::{ErrorCode, Result};
use gik_contract::ask::FreshnessState;
use gik_store::{Access, FileRow, Snapshot, Store};

use super::build_state;
use super::difference::{Difference, Indexed, Look, difference};
use super::embed::{Effort, fill, had_vectors};
use super::pipeline::{Done, Outcome, Request, run_and_keep};
use super::together::together;
use crate::Workspace;

/// The files of an index, sorted by name, with the identity of the snapshot that they are of.
pub(super) type Files = Arc<(String, Vec<FileRow>)>;

/// How current the index is now.
#[derive(Debug)]
pub struct Refreshed {
    /// Whether every tracked file was looked at and brought up to date.
    pub state: FreshnessState,
    /// What was done for it.
    pub outcome: Outcome,
    /// The files of the index, where they were read on the way.
    pub(super) files: Option<Files>,
    /// The index, where it was opened on the way.
    store: Option<Store>,
}

impl Refreshed {
    /// What another question brought up to date.
    pub(super) fn by_another(files: Files) -> Self {
        let (state, outcome) = (FreshnessState::Current, Outcome::default());
        Self { state, outcome, files: Some(files), store: None }
    }

    /// Reads the files now, for others as well.
    pub(super) fn read_files(&mut self, ws: &Workspace<'_>) -> Result<()> {
        if self.state == FreshnessState::Current && self.files.is_none() {
            let store = self.store(ws)?;
            let snapshot = store.snapshot()?;
            self.files = Some(Arc::new((snapshot.identity()?, snapshot.files()?)));
            drop(snapshot);
            self.store = Some(store);
        }
        Ok(())
    }

    /// The files of a snapshot, which is nearly always the one that was looked at.
    pub(crate) fn files_of(&self, snapshot: &Snapshot<'_>) -> Result<Cow<'_, [FileRow]>> {
        match self.files.as_deref() {
            Some((identity, files)) if *identity == snapshot.identity()? => {
                Ok(Cow::Borrowed(files))
            },
            _ => Ok(Cow::Owned(snapshot.files()?)),
        }
    }

    /// The index, opened for reading.
    pub fn store(&mut self, ws: &Workspace<'_>) -> Result<Store> {
        self.store.take().map_or_else(|| ws.store(Access::ReadOnly), Ok)
    }
}

/// Longest wait for another writer before answering from the last generation.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same where that writer builds the index, which takes longer than anyone wants to wait for.
const PATIENCE_WITH_BUILDS: Duration = Duration::from_millis(200);

/// Brings tracked files up to date. Never fails for want of a lock or of write permission: the answer then says that
/// it may be behind, and shows only text that is in the files now.
pub fn refresh(ws: &Workspace<'_>) -> Result<Refreshed> {
    Ok(refresh_while(ws, |_, _| None::<()>)?.0)
}

/// As [`refresh`]; `meanwhile` gets what the index knows before it is clear whether that is true to the files. What it
/// made of it counts only where it was.
pub(crate) fn refresh_while<T>(
    ws: &Workspace<'_>,
    meanwhile: impl FnOnce(&Snapshot<'_>, &[FileRow]) -> Option<T>,
) -> Result<(Refreshed, Option<T>)> {
    if !ws.follows_files() {
        return Ok((stale(), None));
    }
    // While the index is made for the first time a look has nothing to add, and would take the time of who makes it.
    if ws.ctx.options.in_hurry
        && let Some(built) = build_state::unfinished(ws)
    {
        ws.ctx.progress.warn(&being_built(&built));
        return Ok((stale(), None));
    }
    together(ws, || look_and_update(ws, meanwhile))
}

fn being_built(so_far: &str) -> String {
    format!("the index is being built: it has {so_far} so far")
}

fn look_and_update<T>(
    ws: &Workspace<'_>,
    meanwhile: impl FnOnce(&Snapshot<'_>, &[FileRow]) -> Option<T>,
) -> Result<(Refreshed, Option<T>)> {
    let tracking = ws.tracking()?;
    // Look without a lock first: nearly always there is nothing to do.
    let looked = Look::new(ws, &tracking).during(|| {
        let store = ws.store(Access::ReadOnly)?;
        let snapshot = store.snapshot()?;
        let indexed = Indexed::of(ws, &snapshot)?;
        let made = meanwhile(&snapshot, &indexed.files);
        drop(snapshot);
        Ok((store, indexed, made))
    });
    let compared = looked.map(|(looked, (store, indexed, made))| {
        (store, difference(ws, &tracking, looked, indexed, None), made)
    });
    let difference = match compared {
        Ok((store, difference, made)) if difference.is_empty() && !tracking.has_processing() => {
            return Ok((Refreshed { store: Some(store), ..current(difference) }, made));
        },
        Ok((_, difference, _)) => Some(difference),
        Err(failure) if failure.code() == ErrorCode::NoIndexedBase => {
            if !tracking.is_empty() {
                ws.ctx
                    .progress
                    .inform("the index is missing: it is made anew from the working tree");
            }
            None
        },
        Err(failure)
            if matches!(
                failure.code(),
                ErrorCode::StoreBroken | ErrorCode::Io | ErrorCode::PathMissing
            ) =>
        {
            None
        },
        Err(failure) => return Err(failure),
    };
    let built = build_state::unfinished(ws);
    let is_short = built.is_some() || ws.ctx.options.in_hurry;
    let patience = if is_short { PATIENCE_WITH_BUILDS } else { PATIENCE };
    let updated = ws.hold_for(patience).and_then(|held| {
        // Another process may have committed sources meanwhile; what it added would count as gone.
        let now = ws.tracking()?;
        let looked = difference.as_ref().filter(|_| now == tracking);
        let has_new_sources = now.has_processing();
        let request = Request { looked, has_new_sources, ..Request::of(&now) };
        let Done { outcome, store, files, .. } = run_and_keep(ws, &held, &request)?;
        let identity = store.snapshot()?.identity()?;
        Ok((outcome, Arc::new((identity, files))))
    });
    match updated {
        Ok((outcome, files)) => {
            if difference.is_none() && had_vectors(ws) {
                fill(ws, Effort::Tables)?;
            } else if outcome.changed() {
                fill(ws, Effort::Few)?;
            }
            let state = FreshnessState::Current;
            Ok((Refreshed { state, outcome, files: Some(files), store: None }, None))
        },
        Err(failure)
            if matches!(
                failure.code(),
                ErrorCode::StoreBusy | ErrorCode::WorkspaceReadOnly | ErrorCode::DiskFull
            ) =>
        {
            // A copied tree has new times on old bytes.
            match difference.filter(|difference| difference.is_only_touched(&ws.root)) {
                Some(difference) => Ok((current(difference), None)),
                // Whoever is in a hurry knows what keeps the lock, and says so.
                None if ws.ctx.options.in_hurry && built.is_none() => Ok((stale(), None)),
                None => {
                    ws.ctx.progress.warn(&match built {
                        Some(built) if failure.code() == ErrorCode::StoreBusy => {
                            being_built(&built)
                        },
                        _ => format!("the index could not be brought up to date: {failure}"),
                    });
                    Ok((stale(), None))
                },
            }
        },
        Err(failure) => Err(failure),
    }
}

fn current(difference: Difference) -> Refreshed {
    Refreshed::by_another(Arc::new((difference.identity.clone(), difference.into_files())))
}

fn stale() -> Refreshed {
    Refreshed {
        state: FreshnessState::Stale,
        outcome: Outcome::default(),
        files: None,
        store: None,
    }
}
