//! The names of files, kept between questions about the same ones.

use std::sync::{Arc, Mutex, PoisonError};

use gik_base::Result;
use gik_retrieve::Names;
use gik_store::{FileRow, Snapshot};

/// Lists that are remembered: a user works in a few workspaces at a time.
const MOST: usize = 4;

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

struct Kept {
    /// Of the files: two branches may have states of one name.
    list: String,
    names: Option<Arc<Names>>,
}

/// The names of all files of an index, from the second question about them on: to take them in takes as long as to look at
/// each of them twice.
pub(super) fn known(snapshot: &Snapshot<'_>, files: &[FileRow]) -> Result<Option<Arc<Names>>> {
    let Some(list) = snapshot.list_of_files()? else { return Ok(None) };
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(at) = all.iter().position(|kept| kept.list == list) else {
        all.truncate(MOST - 1);
        all.insert(0, Kept { list, names: None });
        return Ok(None);
    };
    all[..=at].rotate_right(1);
    let names = all[0].names.get_or_insert_with(|| Arc::new(Names::of(files)));
    Ok(Some(Arc::clone(names)))
}
