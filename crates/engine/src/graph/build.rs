//! Keeps edges in step with the files: all of them the first time, then what changed and what rests on it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use gik_base::{ErrorCode, Result, parallel};
use gik_graph::resolve::{FileEdges, Table, Tables as _, defined_key, edges_of, file_key};
use gik_index::FileNo;
use gik_ledger::Held;
use gik_store::{Access, FileGraph, FileRow, GraphFile, Looked, Snapshot, Store, Writer};

use super::changed::{Plan, content, is_ours, plan};
use super::edges::row;
use super::inputs::{Lazy, Rows};
use crate::Workspace;
use crate::ingest::{Recent, Refreshed};

/// The generation whose edges are complete.
const GENERATION: &str = "graph_generation";
/// Changes whenever the same facts may give other edges, or manifests are read in another way.
pub(crate) const RESOLVER_VERSION: u32 = 4;
/// Longest wait for another writer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many files are resolved with the same tables at hand, where there are many.
const BATCH: usize = 512;
/// Fewer are not worth a thread: files that were read for one are not read again for the next.
const FEW: usize = 24;

/// Whether all edges of a snapshot are known.
pub(crate) fn is_current(snapshot: &Snapshot<'_>) -> Result<bool> {
    Ok(snapshot.meta(GENERATION)?.as_deref() == Some(snapshot.identity()?.as_str()))
}

/// Whether all edges of a snapshot are known, and are those that this program would find.
fn is_complete(snapshot: &Snapshot<'_>) -> Result<bool> {
    Ok(is_ours(snapshot)? && is_current(snapshot)?)
}

/// Notes that all edges of the generation in the making are known.
pub(crate) fn mark_current(writer: &Writer<'_>) -> Result<()> {
    writer.set_meta(GENERATION, &writer.identity()?)
}

/// Whether edges were ever looked for.
pub(crate) fn was_built(snapshot: &Snapshot<'_>) -> Result<bool> {
    Ok(snapshot.meta(GENERATION)?.is_some())
}

/// Finds the edges of what changed since they were last found, and keeps them. Takes the index as it was opened for
/// reading and gives it back.
///
/// Never fails for want of a lock or of write permission: the edges of what changed are then missing, which is said.
pub fn bring_up_to_date(ws: &Workspace<'_>, store: Store) -> Result<Store> {
    let is_known = is_complete(&store.snapshot()?)?;
    if !is_known {
        follow(ws, &store, None)?;
    }
    Ok(store)
}

/// All files of an index, with what names their list: another process may write before they are used.
#[derive(Debug)]
pub(crate) struct Listing<'r> {
    list: Option<String>,
    files: Cow<'r, [FileRow]>,
}

impl<'r> Listing<'r> {
    /// The files of a snapshot, which may be at hand.
    pub(crate) fn new(snapshot: &Snapshot<'_>, refreshed: &'r Refreshed) -> Result<Self> {
        Ok(Self { list: snapshot.list_of_files()?, files: refreshed.files_of(snapshot)? })
    }

    /// The files of a later snapshot, which are nearly always the same.
    pub(crate) fn of(self, snapshot: &Snapshot<'_>) -> Result<Cow<'r, [FileRow]>> {
        let is_same = self.list.is_some() && snapshot.list_of_files()? == self.list;
        Ok(if is_same { self.files } else { Cow::Owned(snapshot.files()?) })
    }
}

/// As [`bring_up_to_date`], for who needs all files of the index as well and may have them at hand.
pub(crate) fn bring_up_to_date_with_files<'r>(
    ws: &Workspace<'_>,
    store: Store,
    refreshed: &'r Refreshed,
) -> Result<(Store, Listing<'r>)> {
    let snapshot = store.snapshot()?;
    let listing = Listing::new(&snapshot, refreshed)?;
    let is_known = is_complete(&snapshot)?;
    drop(snapshot);
    if !is_known {
        follow(ws, &store, listing.list.as_deref().map(|list| (list, &*listing.files)))?;
    }
    Ok((store, listing))
}

/// Files of the index, with what names their list.
type Listed<'f> = (&'f str, &'f [FileRow]);

fn follow(ws: &Workspace<'_>, store: &Store, files: Option<Listed<'_>>) -> Result<()> {
    let update = |_: Held| {
        let snapshot = store.snapshot()?;
        let list = snapshot.list_of_files()?;
        let files = files.filter(|(of, _)| list.as_deref() == Some(*of)).map(|(_, files)| files);
        let recent = Recent::default();
        let Some(found) = find(ws, &snapshot, files, &recent)? else { return Ok(()) };
        drop(snapshot);
        keep(ws, &mut ws.store(Access::ReadWrite)?, found, &recent).map(|_| ())
    };
    match ws.hold_for(PATIENCE).and_then(update) {
        Ok(()) => Ok(()),
        Err(failure)
            if matches!(
                failure.code(),
                ErrorCode::StoreBusy | ErrorCode::WorkspaceReadOnly | ErrorCode::DiskFull
            ) =>
        {
            ws.ctx.progress.warn(&format!("the graph could not be brought up to date: {failure}"));
            Ok(())
        },
        Err(failure) => Err(failure),
    }
}

/// As [`bring_up_to_date`], for a caller that holds the lock and has the index open for writing. Says how many files
/// were resolved.
pub(crate) fn update(ws: &Workspace<'_>, _held: &Held, store: &mut Store) -> Result<usize> {
    let recent = Recent::default();
    let found = find(ws, &store.snapshot()?, None, &recent)?;
    found.map_or(Ok(0), |found| keep(ws, store, found, &recent))
}

/// The same right after files were indexed: all of the index, and what was read of those that changed.
pub(crate) fn update_after(
    ws: &Workspace<'_>,
    _held: &Held,
    store: &mut Store,
    files: &[FileRow],
    recent: &Recent,
) -> Result<()> {
    let found = find(ws, &store.snapshot()?, Some(files), recent)?;
    found.map_or(Ok(()), |found| keep(ws, store, found, recent).map(|_| ()))
}

/// What has to be done, and what of it is done.
struct Work<'f> {
    files: Cow<'f, [FileRow]>,
    plan: Plan,
    /// Where there is little to do.
    early: Option<Batch>,
}

/// Finds out what to do, and does it where it is little; `None` where all edges are known.
fn find<'f>(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: Option<&'f [FileRow]>,
    recent: &Recent,
) -> Result<Option<Work<'f>>> {
    if is_complete(snapshot)? {
        return Ok(None);
    }
    let files =
        files.map_or_else(|| snapshot.files().map(Cow::Owned), |it| Ok(Cow::Borrowed(it)))?;
    let rows = Rows::new(&files, recent);
    let plan = plan(ws, snapshot, &rows)?;
    let early = if plan.places.len() <= FEW {
        Some(records(ws, snapshot, &rows, &plan, &plan.places)?)
    } else {
        None
    };
    Ok(Some(Work { files, plan, early }))
}

/// Does what is left to do, and keeps all of it. Says how many files were resolved.
fn keep(ws: &Workspace<'_>, store: &mut Store, work: Work<'_>, recent: &Recent) -> Result<usize> {
    let Work { files, plan, early } = work;
    let mut writer = store.writer()?;
    if plan.is_fresh {
        writer.clear_graph()?;
    }
    for file in &plan.gone {
        writer.remove_graph(*file)?;
    }
    let (mut looked, rows) = (Looked::default(), Rows::new(&files, recent));
    let (mut resolved, mut unread) = (0, plan.unread.clone());
    let mut put = |batch: Batch| {
        resolved += batch.records.len();
        for Record { file, names, graph, inputs } in &batch.records {
            writer.put_graph_file(file, names)?;
            writer.put_graph(file.file, graph, inputs, &mut looked)?;
        }
        unread.extend(batch.unread);
        if looked.is_full() { writer.put_looked(&mut looked) } else { Ok(()) }
    };
    match early {
        Some(batch) => put(batch)?,
        None => in_batches(
            ws,
            &plan.places,
            |snapshot, batch| records(ws, snapshot, &rows, &plan, batch),
            put,
        )?,
    }
    writer.put_looked(&mut looked)?;
    for (key, value) in &plan.notes {
        writer.set_meta(key, value)?;
    }
    writer.follow_graph(&unread)?;
    mark_current(&writer)?;
    writer.commit()?;
    Ok(resolved)
}

/// Works on places a batch at a time, each with a view of the index of its own, and hands on what comes of it in
/// order. Nothing is kept from batch to batch, so that a large project needs no more memory than a small one.
pub(crate) fn in_batches<R: Send>(
    ws: &Workspace<'_>,
    places: &[u32],
    work: impl Fn(&Snapshot<'_>, &[u32]) -> Result<R> + Sync,
    mut consume: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    // Where they are not many, each thread has one batch, and there is memory for all of the index.
    let size = places.len().div_ceil(ws.threads().max(1)).clamp(FEW, BATCH);
    let is_one_of_many = size == BATCH;
    let batches: Vec<&[u32]> = places.chunks(size).collect();
    let ahead = parallel::Ahead { weigh: |_: &&[u32]| 1, budget: 1 };
    parallel::in_order(
        &batches,
        ws.threads(),
        ahead,
        &ws.ctx.cancel,
        |batch| {
            let mut store = ws.store(Access::ReadOnly)?;
            if is_one_of_many {
                store.close_at_end();
            }
            work(&store.snapshot()?, batch)
        },
        |done| consume(done?),
    )
}

/// What is kept of a file.
struct Record {
    file: GraphFile,
    /// Of what it defines.
    names: BTreeSet<u32>,
    graph: FileGraph,
    inputs: Vec<u32>,
}

/// What is to be kept of some files.
struct Batch {
    records: Vec<Record>,
    /// Files that are not what the index saw: their edges, and those of files that asked for them, are still to be found.
    unread: Vec<FileNo>,
}

fn records(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    rows: &Rows<'_>,
    plan: &Plan,
    places: &[u32],
) -> Result<Batch> {
    let tables = Lazy::new(&ws.root, snapshot, rows, &plan.packages);
    let files = rows.files;
    let mut records = Vec::with_capacity(places.len());
    for &place in places {
        ws.ctx.cancel.check()?;
        let Some(file) = files.get(place as usize) else { continue };
        if let Some(table) = tables.table(place) {
            let found = edges_of(&plan.layout, &tables, place);
            records.push(record(files, file, place, table, found));
        }
    }
    tables.check()?;
    Ok(Batch { records, unread: tables.into_unread() })
}

fn record(
    files: &[FileRow],
    file: &FileRow,
    place: u32,
    table: &Table,
    found: FileEdges,
) -> Record {
    let mut edges: Vec<_> = found.edges.iter().filter_map(|edge| row(edge, place, files)).collect();
    edges.sort_unstable();
    Record {
        file: GraphFile {
            file: file.id,
            path_key: file_key(file.key.as_str()),
            content: content(file),
            surface: table.surface(),
            package: table.package().map(str::to_owned),
        },
        names: table.names().map(defined_key).collect(),
        graph: FileGraph { parents: table.parents(), edges },
        inputs: found.inputs,
    }
}
