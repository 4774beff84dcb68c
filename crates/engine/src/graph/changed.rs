//! Whose edges are to be found anew: of all files the first time, then of those that changed and of those that rest on
//! what changed.
//!
//! Nearly always a few files have other contents and nothing else happened. The index notes which, so that neither what
//! is kept of all others nor a manifest has to be read then. Where more happened, all files are compared with what is
//! kept of them; both ways find the same.

use std::collections::{BTreeMap, BTreeSet};

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_graph::resolve::{
    Layout, Tables as _, defined_key, file_key, folder_key, name_keys, package_key,
};
use gik_index::FileNo;
use gik_store::{Access, FileRow, GraphFile, Snapshot, Store};

use super::build::{RESOLVER_VERSION, in_batches};
use super::inputs::{self, Lazy, Packages, Rows, takes_part};
use super::manifests::{self, kept};
use crate::Workspace;

/// What all edges rest on.
const GROUND: &str = "graph_ground";
/// What manifests said when edges were found.
const MANIFESTS: &str = "graph_manifests";
/// Where more of all files have changed, everything is found anew.
const MANY: usize = 4;

/// Whether the edges of a snapshot are those that this program would find.
pub(super) fn is_ours(snapshot: &Snapshot<'_>) -> Result<bool> {
    let ground = snapshot.meta(GROUND)?;
    let known = ground.as_deref().and_then(|ground| ground.split_once(':'));
    Ok(known.is_some_and(|(known, _)| known == version()))
}

/// Symbols are known by their places, which the parser gives them.
fn version() -> String {
    format!("{RESOLVER_VERSION}.{}", gik_parse::PARSER_VERSION)
}

/// What is to be done so that the edges of all files are known.
pub(super) struct Plan {
    pub(super) layout: Layout,
    pub(super) packages: Packages,
    /// Places of the files whose edges are to be found.
    pub(super) places: Vec<u32>,
    /// Files that are no more.
    pub(super) gone: Vec<FileNo>,
    /// Whether nothing counts that is known.
    pub(super) is_fresh: bool,
    /// Files that were looked at and are not what the index saw.
    pub(super) unread: Vec<FileNo>,
    /// What is to be noted, as values of `meta`.
    pub(super) notes: Vec<(&'static str, String)>,
}

/// What is to be done.
pub(super) fn plan(ws: &Workspace<'_>, snapshot: &Snapshot<'_>, rows: &Rows<'_>) -> Result<Plan> {
    match after_edits(ws, snapshot, rows)? {
        Some(plan) => Ok(plan),
        None => after_anything(ws, snapshot, rows),
    }
}

/// A file to find the edges of, and what it was when they were last found.
struct Changed {
    place: u32,
    before: Option<GraphFile>,
}

/// What is to be done where some files have other contents; none where more may have happened.
fn after_edits(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    rows: &Rows<'_>,
) -> Result<Option<Plan>> {
    let files = rows.files;
    let Some(noted) = snapshot.graph_changed()? else { return Ok(None) };
    if is_much(noted.len(), files) || !is_ours(snapshot)? {
        return Ok(None);
    }
    let said = snapshot.meta(MANIFESTS)?.and_then(|text| kept::from_text(&text));
    let Some(said) = said else { return Ok(None) };
    let is_noted = |file: &FileRow| noted.binary_search(&file.id).is_ok();
    let found: Vec<(u32, &FileRow)> = (0..).zip(files).filter(|(_, file)| is_noted(file)).collect();
    if found.len() != noted.len() {
        return Ok(None);
    }
    let mut changed = Vec::new();
    for (place, file) in found {
        let before = snapshot.graph_file(file.id)?;
        let path = file.key.as_str();
        let Some(before) = before.filter(|before| before.path_key == file_key(path)) else {
            return Ok(None);
        };
        if !takes_part(file) || manifests::may_be_read(path) {
            return Ok(None);
        }
        if before.content != content(file) {
            changed.push(Changed { place, before: Some(before) });
        }
    }
    let layout = layout_of(files).with_manifests(said);
    affected(ws, snapshot, rows, layout, &changed, &[]).map(Some)
}

/// What is to be done, whatever happened.
fn after_anything(ws: &Workspace<'_>, snapshot: &Snapshot<'_>, rows: &Rows<'_>) -> Result<Plan> {
    let files = rows.files;
    let ((known, said), layout) = both(
        ws,
        |store| {
            let snapshot = store.snapshot()?;
            Ok((Known(snapshot.graph_files()?), manifests::read(ws, &snapshot, files)?))
        },
        || Ok(layout_of(files).at_once()),
    )?;
    let kept = kept::to_text(&said)?;
    let layout = layout.with_manifests(said);
    let ground = format!("{}:{:016x}", version(), layout.ground());
    let is_same_ground = snapshot.meta(GROUND)?.as_deref() == Some(ground.as_str());
    let is_kept = snapshot.meta(MANIFESTS)?.as_deref() == Some(kept.as_str());
    let mut notes = vec![(GROUND, ground)];
    notes.extend((!is_kept).then_some((MANIFESTS, kept)));
    let (changed, gone) = known.compare(files);
    if is_same_ground && !is_much(changed.len(), files) {
        return Ok(Plan { notes, ..affected(ws, snapshot, rows, layout, &changed, &gone)? });
    }
    let parts = (0..).zip(files).filter(|(_, file)| takes_part(file));
    let places: Vec<u32> = parts.map(|(place, _)| place).collect();
    let (packages, unread) = packages(ws, rows, &places)?;
    Ok(Plan { layout, packages, places, gone: Vec::new(), is_fresh: true, unread, notes })
}

fn is_much(changed: usize, files: &[FileRow]) -> bool {
    changed > files.len() / MANY + 16
}

fn layout_of(files: &[FileRow]) -> Layout {
    Layout::of(files.iter().map(|file| file.key.as_str().to_owned()).collect())
}

/// What is kept of all files, by row.
struct Known(Vec<GraphFile>);

impl Known {
    /// The files whose edges are to be found, and what is kept of files that are no more.
    fn compare(&self, files: &[FileRow]) -> (Vec<Changed>, Vec<&GraphFile>) {
        let mut changed = Vec::new();
        let mut is_there = vec![false; self.0.len()];
        for (place, file) in (0..).zip(files).filter(|(_, file)| takes_part(file)) {
            let at = self.0.binary_search_by_key(&file.id.0, |known| known.file.0).ok();
            let before = at.map(|at| &self.0[at]);
            if let Some((at, known)) = at.zip(before)
                && known.path_key == file_key(file.key.as_str())
            {
                is_there[at] = true;
                if known.content == content(file) {
                    continue;
                }
            }
            changed.push(Changed { place, before: before.cloned() });
        }
        let gone = self.0.iter().zip(is_there).filter(|(_, is_there)| !is_there);
        (changed, gone.map(|(known, _)| known).collect())
    }
}

/// Does two things that only read at once, one of them with a view of the index of its own.
fn both<A: Send, B>(
    ws: &Workspace<'_>,
    other: impl FnOnce(&Store) -> Result<A> + Send,
    own: impl FnOnce() -> Result<B>,
) -> Result<(A, B)> {
    ws.both(|| other(&ws.store(Access::ReadOnly)?), own)
}

pub(super) fn content(file: &FileRow) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&file.sha256.0[..8]);
    u64::from_le_bytes(bytes)
}

/// Whether a file is what it was when its edges were found.
pub(super) fn is_as(file: &FileRow, known: &GraphFile) -> bool {
    known.content == content(file) && known.path_key == file_key(file.key.as_str())
}

/// The files that say they are part of a package, in order, by package; and those that are not what the index saw.
fn packages(
    ws: &Workspace<'_>,
    rows: &Rows<'_>,
    places: &[u32],
) -> Result<(Packages, Vec<FileNo>)> {
    let files = rows.files;
    let mut packages = HashMap::<String, Vec<u32>>::default();
    let mut unread = Vec::new();
    in_batches(
        ws,
        places,
        |snapshot, batch| {
            let (mut found, mut unread) = (Vec::new(), Vec::new());
            for &place in batch {
                let file = &files[place as usize];
                let package = inputs::package(&ws.root, snapshot, rows.recent, file, &mut unread)?;
                found.extend(package.map(|package| (place, package)));
            }
            Ok((found, unread))
        },
        |(found, not_read)| {
            unread.extend(not_read);
            for (place, package) in found {
                packages.entry(package).or_default().push(place);
            }
            Ok(())
        },
    )?;
    Ok((Packages::Read(packages), unread))
}

/// What is to be done where some files changed and others are gone: those that rest on them are found by what they
/// looked at.
fn affected(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    rows: &Rows<'_>,
    layout: Layout,
    changed: &[Changed],
    gone: &[&GraphFile],
) -> Result<Plan> {
    let files = rows.files;
    let none = Packages::Read(HashMap::default());
    let tables = Lazy::new(&ws.root, snapshot, rows, &none);
    let mut keys: BTreeSet<u32> = BTreeSet::new();
    let mut packages: BTreeMap<u32, Option<String>> = BTreeMap::new();
    for Changed { place, before } in changed {
        let Some(file) = files.get(*place as usize) else { continue };
        let table = tables.table(*place);
        packages.insert(*place, table.and_then(|table| table.package()).map(str::to_owned));
        let Some(table) = table else { continue };
        let key = file_key(file.key.as_str());
        let before = before.as_ref();
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
    for known in gone {
        keys.insert(known.path_key);
        keys.extend(snapshot.graph_names(known.file)?);
        keys.extend(known.package.as_deref().map(package_key));
    }
    tables.check()?;
    let mut places: BTreeSet<u32> = changed.iter().map(|changed| changed.place).collect();
    let resting = snapshot.graph_resting_on(&keys)?;
    if !resting.is_empty() {
        let rests = |file: &FileRow| takes_part(file) && resting.binary_search(&file.id).is_ok();
        places.extend((0..).zip(files).filter(|(_, file)| rests(file)).map(|(place, _)| place));
    }
    Ok(Plan {
        layout,
        packages: Packages::Kept(packages),
        places: places.into_iter().collect(),
        gone: gone.iter().map(|known| known.file).collect(),
        is_fresh: false,
        unread: tables.into_unread(),
        notes: Vec::new(),
    })
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
