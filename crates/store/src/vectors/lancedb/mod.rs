//! The backend `lancedb`: the table `vectors` of the data contract, as LanceDB keeps it.
//!
//! The id of a row is the row id of its chunk. Every change makes new versions of the table, and the extent names the
//! one that counts: readers open that version, a writer goes on from it whatever a killed one left behind it, and older
//! ones are removed once the new one counts. Scores are computed here, so that they are those of the other backends;
//! above a size the table's own index (IVF-PQ) finds the candidates.

mod change;
mod index;
mod rows;
mod sync;
mod table;

use gik_index::Tombstones;

use super::Extent;

pub(super) use change::LanceDbChange;
pub(super) use index::LanceDb;

/// The folder of the table.
pub(super) const FOLDER: &str = "vectors.lance";

pub(super) const IS_BUILT_IN: bool = true;

/// The state of an index whose table is not looked at.
const FRESH: &str = "1 fresh";
/// A table of so many rows has an index. One below is compared row by row, and read at once.
const INDEXED_FROM: usize = 8192;

/// An empty index; the table that is there counts no more.
pub(super) fn fresh() -> Extent {
    Extent { state: FRESH.to_owned(), dead: Tombstones::default() }
}

fn state_of(version: u64, n_rows: usize) -> String {
    format!("1 {version} {n_rows}")
}

/// Version and number of rows of a state.
fn parsed(state: &str) -> Option<(u64, usize)> {
    let (version, n_rows) = state.strip_prefix("1 ")?.split_once(' ')?;
    Some((version.parse().ok()?, n_rows.parse().ok()?))
}
