//! Keeps edges in step with the files: all of them the first time, then what changed and what rests on it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gik_base::{ErrorCode, Result, parallel};
use gik_graph::resolve::{
    FileEdges, Layout, Table, Tables, defined_key, edges_of, file_key, folder_key, name_keys,
    package_key,
};
use gik_ledger::Held;
use gik_store::{Access, FileGraph, FileRow, GraphFile, Snapshot, Store, Writer};

use super::edges::row;
use super::inputs::{self, Lazy, takes_part};
use super::manifests;
use crate::Workspace;

/// The generation whose edges are complete.
const GENERATION: &str = "graph_generation";
/// What all edges rest on.
const GROUND: &str = "graph_ground";
/// Changes whenever the same facts may give other edges.
pub(crate) const RESOLVER_VERSION: u32 = 4;
/// Longest wait for another writer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many files are resolved with the same tables at hand.
const BATCH: usize = 512;
/// Where more of all files have changed, everything is found anew.
const MANY: usize = 4;

/// Whether all edges of a snapshot are known.
pub(crate) fn is_current(snapshot: &Snapshot<'_>) -> Result<bool> {
    Ok(snapshot.meta(GENERATION)?.as_deref() == Some(snapshot.identity()?.as_str()))
}

/// Whether all edges of a snapshot are known, and are those that this program would find.
pub(crate) fn is_complete(snapshot: &Snapshot<'_>) -> Result<bool> {
    let ground = snapshot.meta(GROUND)?;
    let version = ground.as_deref().and_then(|ground| ground.split_once(':'));
    let is_ours = version.is_some_and(|(version, _)| version == RESOLVER_VERSION.to_string());
    Ok(is_ours && is_current(snapshot)?)
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
/// reading and gives it back, opened anew where something was written.
///
/// Never fails for want of a lock or of write permission: the edges of what changed are then missing, which is said.
pub fn bring_up_to_date(ws: &Workspace<'_>, store: Store) -> Result<Store> {
    {
        let snapshot = store.snapshot()?;
        if is_current(&snapshot)? {
            drop(snapshot);
            return Ok(store);
        }
    }
    let updated = ws.hold_for(PATIENCE).and_then(|held| update(ws, &held, None));
    match updated {
        Ok(_) => {
            drop(store);
            ws.store(Access::ReadOnly)
        },
        Err(failure)
            if matches!(
                failure.code(),
                ErrorCode::StoreBusy | ErrorCode::WorkspaceReadOnly | ErrorCode::DiskFull
            ) =>
        {
            ws.ctx.progress.warn(&format!("the graph could not be brought up to date: {failure}"));
            Ok(store)
        },
        Err(failure) => Err(failure),
    }
}

/// As [`bring_up_to_date`], for a caller that holds the lock and may have all files of the index at hand. Says how many
/// files were resolved.
pub(crate) fn update(ws: &Workspace<'_>, _held: &Held, files: Option<&[FileRow]>) -> Result<usize> {
    // What is only read is mapped into memory, and nobody else writes.
    let reading = ws.store(Access::ReadOnly)?;
    let snapshot = reading.snapshot()?;
    if is_complete(&snapshot)? {
        return Ok(0);
    }
    let files = match files {
        Some(files) => Cow::Borrowed(files),
        None => Cow::Owned(snapshot.files()?),
    };
    let files = &*files;
    let ((known, manifests), layout) = beside(
        ws,
        |store| {
            let snapshot = store.snapshot()?;
            Ok((Known(snapshot.graph_files()?), manifests::read(ws, &snapshot, files)?))
        },
        || Ok(Layout::of(files.iter().map(|file| file.key.as_str().to_owned()).collect())),
    )?;
    let layout = layout.with_manifests(manifests);
    let ground = format!("{RESOLVER_VERSION}:{:016x}", layout.ground());
    let is_same_ground = snapshot.meta(GROUND)?.as_deref() == Some(ground.as_str());
    let compared = known.compare(files);
    let is_fresh = !is_same_ground || compared.changed.len() > files.len() / MANY + 16;
    let (layout, places, gone) = if is_fresh {
        let places: Vec<u32> =
            (0..).zip(files).filter(|(_, file)| takes_part(file)).map(|(place, _)| place).collect();
        (layout.with_packages(packages(ws, files, &places)?), places, Vec::new())
    } else {
        affected(ws, &snapshot, files, layout, &known, &compared)?
    };
    drop(snapshot);
    drop(reading);
    let mut store = ws.store(Access::ReadWrite)?;
    let writer = store.writer()?;
    if is_fresh {
        writer.clear_graph()?;
    }
    for file in gone {
        writer.remove_graph(file)?;
    }
    let mut resolved = 0;
    in_batches(
        ws,
        &places,
        |snapshot, batch| records(ws, snapshot, files, &layout, batch),
        |records| {
            resolved += records.len();
            for Record { file, names, graph, inputs } in &records {
                writer.put_graph_file(file, names)?;
                writer.put_graph(file.file, graph, inputs)?;
            }
            Ok(())
        },
    )?;
    mark_current(&writer)?;
    writer.set_meta(GROUND, &ground)?;
    writer.commit()?;
    Ok(resolved)
}

/// What is kept of all files, by row.
struct Known(Vec<GraphFile>);

/// All files beside what is kept of them.
struct Compared {
    /// Places of files whose edges are to be found.
    changed: Vec<u32>,
    /// Places of files that are what they were, and of what is kept of them.
    same: Vec<(u32, usize)>,
    /// Places of what is kept of files that are no more.
    gone: Vec<usize>,
}

impl Known {
    fn at(&self, file: &FileRow) -> Option<usize> {
        self.0.binary_search_by_key(&file.id.0, |known| known.file.0).ok()
    }

    fn compare(&self, files: &[FileRow]) -> Compared {
        let mut compared = Compared { changed: Vec::new(), same: Vec::new(), gone: Vec::new() };
        let mut is_there = vec![false; self.0.len()];
        for (place, file) in (0..).zip(files).filter(|(_, file)| takes_part(file)) {
            let key = file_key(file.key.as_str());
            if let Some(at) = self.at(file).filter(|at| self.0[*at].path_key == key) {
                is_there[at] = true;
                if self.0[at].content == content(file) {
                    compared.same.push((place, at));
                    continue;
                }
            }
            compared.changed.push(place);
        }
        compared.gone.extend((0..self.0.len()).filter(|at| !is_there[*at]));
        compared
    }
}

/// Does two things that only read at once, one of them with a view of the index of its own.
fn beside<A: Send, B>(
    ws: &Workspace<'_>,
    other: impl FnOnce(&Store) -> Result<A> + Send,
    own: impl FnOnce() -> Result<B>,
) -> Result<(A, B)> {
    let other = || other(&ws.store(Access::ReadOnly)?);
    if ws.threads() < 2 {
        return Ok((other()?, own()?));
    }
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let own = own();
        let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((other?, own?))
    })
}

/// Works on places a batch at a time, each with a view of the index of its own, and hands on what comes of it in
/// order. Nothing is kept from batch to batch, so that a large project needs no more memory than a small one.
pub(crate) fn in_batches<R: Send>(
    ws: &Workspace<'_>,
    places: &[u32],
    work: impl Fn(&Snapshot<'_>, &[u32]) -> Result<R> + Sync,
    mut consume: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let batches: Vec<&[u32]> = places.chunks(BATCH).collect();
    let ahead = parallel::Ahead { weigh: |_: &&[u32]| 1, budget: 1 };
    parallel::in_order(
        &batches,
        ws.threads(),
        ahead,
        &ws.ctx.cancel,
        |batch| {
            let mut store = ws.store(Access::ReadOnly)?;
            store.close_at_end();
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
fn records(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
    layout: &Layout,
    places: &[u32],
) -> Result<Vec<Record>> {
    let tables = Lazy::new(&ws.root, snapshot, files);
    let mut records = Vec::with_capacity(places.len());
    for &place in places {
        ws.ctx.cancel.check()?;
        let Some(table) = tables.table(place) else { continue };
        records.extend(record(files, place, table, edges_of(layout, &tables, place)));
    }
    tables.check()?;
    Ok(records)
}

fn record(files: &[FileRow], place: u32, table: &Table, found: FileEdges) -> Option<Record> {
    let file = files.get(place as usize)?;
    let mut edges: Vec<_> = found.edges.iter().filter_map(|edge| row(edge, place, files)).collect();
    edges.sort_unstable();
    Some(Record {
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
    })
}

fn content(file: &FileRow) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&file.sha256.0[..8]);
    u64::from_le_bytes(bytes)
}

/// Whether a file is what it was when its edges were found.
pub(super) fn is_as(file: &FileRow, known: &GraphFile) -> bool {
    known.content == content(file) && known.path_key == file_key(file.key.as_str())
}

/// The packages that files say they are part of.
fn packages(ws: &Workspace<'_>, files: &[FileRow], places: &[u32]) -> Result<Vec<(u32, String)>> {
    let mut packages = Vec::new();
    in_batches(
        ws,
        places,
        |snapshot, batch| {
            let mut found = Vec::new();
            for &place in batch {
                let package = inputs::package(&ws.root, snapshot, &files[place as usize])?;
                found.extend(package.map(|package| (place, package)));
            }
            Ok(found)
        },
        |found| {
            packages.extend(found);
            Ok(())
        },
    )?;
    Ok(packages)
}

/// Whose edges are to be found anew: of the files that changed, and of those that rest on what changed; and the files
/// that are gone.
fn affected(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    files: &[FileRow],
    layout: Layout,
    known: &Known,
    compared: &Compared,
) -> Result<(Layout, Vec<u32>, Vec<gik_index::FileNo>)> {
    let tables = Lazy::new(&ws.root, snapshot, files);
    let mut keys: BTreeSet<u32> = BTreeSet::new();
    let mut packages: BTreeMap<u32, String> = BTreeMap::new();
    for (place, at) in &compared.same {
        if let Some(package) = &known.0[*at].package {
            packages.insert(*place, package.clone());
        }
    }
    for &place in &compared.changed {
        let Some(file) = files.get(place as usize) else { continue };
        let Some(table) = tables.table(place) else { continue };
        if let Some(package) = table.package() {
            packages.insert(place, package.to_owned());
        }
        let before = known.at(file).map(|at| &known.0[at]);
        let key = file_key(file.key.as_str());
        let is_same_file = before.is_some_and(|before| before.path_key == key);
        if before.is_some_and(|before| is_same_file && before.surface == table.surface()) {
            continue;
        }
        keys.insert(key);
        let names_now: BTreeSet<u32> = table.names().map(defined_key).collect();
        let names_before: BTreeSet<u32> = snapshot.graph_names(file.id)?.into_iter().collect();
        if is_same_file {
            keys.extend(names_now.symmetric_difference(&names_before));
        } else {
            keys.extend(names_now.union(&names_before));
        }
        keys.extend(table.package().map(package_key));
        let left = before.and_then(|before| before.package.as_deref());
        keys.extend(left.map(package_key));
        if !is_same_file {
            keys.insert(folder_key(folder_of(file.key.as_str())));
            keys.extend(name_keys(file.key.as_str()));
        }
    }
    let mut gone = Vec::new();
    for known in compared.gone.iter().map(|at| &known.0[*at]) {
        keys.insert(known.path_key);
        keys.extend(snapshot.graph_names(known.file)?);
        keys.extend(known.package.as_deref().map(package_key));
        gone.push(known.file);
    }
    let mut places: BTreeSet<u32> = compared.changed.iter().copied().collect();
    let resting = resting_on(ws, snapshot, known, &keys)?;
    let rests = |file: &FileRow| resting.contains(&file.id.0);
    places.extend((0..).zip(files).filter(|(_, file)| rests(file)).map(|(place, _)| place));
    tables.check()?;
    Ok((layout.with_packages(packages), places.into_iter().collect(), gone))
}

/// The rows of files whose edges rest on something of these: all that is kept is looked through, each half at once.
fn resting_on(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    known: &Known,
    keys: &BTreeSet<u32>,
) -> Result<BTreeSet<u32>> {
    if keys.is_empty() {
        return Ok(BTreeSet::new());
    }
    let middle = known.0.get(known.0.len() / 2).map_or(0, |known| known.file.0);
    let (first, second) = beside(
        ws,
        |store| store.snapshot()?.graph_resting_among(middle..u32::MAX, keys),
        || snapshot.graph_resting_among(0..middle, keys),
    )?;
    Ok(first.into_iter().chain(second).map(|file| file.0).collect())
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
