//! Changing a table: rows are removed and added, parts and index are kept in order, all as versions behind the one that
//! counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use gik_base::Result;
use gik_index::{DocNo, Tombstones};
use lance::Dataset;

use super::rows::{self, NewRow};
use super::table::Table;
use super::{INDEXED_FROM, LanceDb, state_of, sync};
use crate::vectors::{
    Entry, Extent, Finished, Later, Place, VectorChange, VectorIndex, invalid, norm_of,
};

/// Rows to be removed and added.
#[derive(Debug)]
pub(crate) struct LanceDbChange {
    place: Place,
    before: LanceDb,
    state: String,
    /// Files that are there already.
    files: BTreeSet<PathBuf>,
    dead: Tombstones,
    added: BTreeMap<u32, NewRow>,
}

impl LanceDbChange {
    pub(crate) fn open(place: &Place, dimension: usize, extent: Extent) -> Result<Self> {
        let before = LanceDb::open(place, dimension, &extent)?;
        if let Some(failure) = before.unreachable() {
            return Err(failure);
        }
        let files = match &before.table.folder {
            Some(folder) => sync::files(folder)?,
            None => BTreeSet::new(),
        };
        let Extent { state, dead } = extent;
        Ok(Self { place: place.clone(), before, state, files, dead, added: BTreeMap::new() })
    }
}

impl VectorChange for LanceDbChange {
    fn before(&self) -> &dyn VectorIndex {
        &self.before
    }

    fn put(&mut self, entry: &Entry<'_>) -> Result<u32> {
        norm_of(entry.vector, self.before.dimension)?;
        let chunk = entry.meta.chunk.0;
        self.added.insert(chunk, NewRow::of(entry)?);
        Ok(chunk)
    }

    fn remove(&mut self, place: u32) {
        self.added.remove(&place);
        self.dead.insert(DocNo(place));
    }

    fn finish(self: Box<Self>) -> Result<Finished> {
        let Self { place, before, state, files, dead, added } = *self;
        let dimension = before.dimension;
        let LanceDb { dataset, table, is_whole, .. } = before;
        let schema = rows::schema(
            i32::try_from(dimension)
                .map_err(|_| invalid(format!("vectors of {dimension} numbers are not kept")))?,
        );
        let rows = added.iter().map(|(chunk, row)| (*chunk, row));
        let rows = rows::batch(&place, schema, rows)?;
        let dead: Vec<u32> = dead.iter().map(|doc| doc.0).collect();
        let (mut changed, kept) = match dataset {
            Some(_) if is_whole && dead.is_empty() && added.is_empty() => {
                let extent = Extent { state, dead: Tombstones::default() };
                return Ok(Finished { extent, ..Finished::default() });
            },
            Some(mut dataset) => {
                let kept = dataset.version().version;
                table.make_newest(&mut dataset)?;
                table.delete(&mut dataset, &dead)?;
                if !added.is_empty() {
                    dataset = table.append(dataset, rows)?;
                }
                (dataset, kept)
            },
            None => (table.replace(rows)?, 0),
        };
        table.compact(&mut changed)?;
        let n_rows = table.run(changed.count_rows(None))?;
        keep_index(&table, &mut changed, n_rows, dimension)?;
        if let Some(folder) = &table.folder {
            sync::sync_new(folder, &files)?;
        }
        let version = changed.version().version;
        let extent = Extent { state: state_of(version, n_rows), dead: Tombstones::default() };
        // Who opened the version before this change may go on reading it.
        let later = Later(Box::new(move || table.prune(&changed, kept)));
        Ok(Finished { extent, later: Some(later), ..Finished::default() })
    }
}

/// Trains an index where there are rows enough, and again when half as many have come since.
fn keep_index(table: &Table, dataset: &mut Dataset, n_rows: usize, dimension: usize) -> Result<()> {
    if n_rows < INDEXED_FROM {
        return Ok(());
    }
    let n_indexed = table.n_indexed(dataset)?.unwrap_or(0);
    if n_rows.saturating_sub(n_indexed) > n_indexed / 2 {
        table.train(dataset, n_rows, dimension)?;
    }
    Ok(())
}
