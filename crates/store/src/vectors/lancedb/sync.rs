//! The library leaves it to the system when bytes reach the disk; a change that is to count must be there before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

/// All files below a folder.
pub(super) fn files(dir: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for (path, kind) in fs::list_kinds(&dir)? {
            if kind.is_dir() {
                open.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// Syncs the files that came since `before`, and the folders up to that of the table.
pub(super) fn sync_new(dir: &Path, before: &BTreeSet<PathBuf>) -> Result<()> {
    let mut names = BTreeSet::from([dir.to_owned()]);
    for path in files(dir)?.difference(before) {
        let file = fs::open(path)?;
        file.sync_all().map_err(|error| fs::failure("sync", path, error))?;
        names.extend(path.ancestors().take_while(|path| path != &dir).map(Path::to_owned));
    }
    // One name of each folder is enough.
    let mut synced = BTreeSet::new();
    for path in names {
        if synced.insert(path.parent().map(Path::to_owned)) {
            fs::sync_parent(&path)?;
        }
    }
    Ok(())
}
