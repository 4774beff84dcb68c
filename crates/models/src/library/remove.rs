//! What can go? Models that are not wanted any more, revisions that others took the place of, downloads that were left.

use std::path::{Path, PathBuf};

use gik_base::lock::Lock;
use gik_base::{Cancel, Progress, Result, fs};

use super::name::ModelName;
use super::{ACTIVE, FILLING, Library, disk_usage, file_name};

/// Something that was removed, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The model.
    pub name: ModelName,
    /// The revision.
    pub revision: String,
    /// Whether it was not complete.
    pub unfinished: bool,
    /// The bytes it took.
    pub bytes: u64,
}

impl Library {
    /// Removes all of a model: every revision and what was left of downloads.
    pub fn remove(
        &self,
        name: &ModelName,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Vec<Removed>> {
        let _lock = self.lock(name, progress, cancel)?;
        let folder = self.folder_of(name);
        let mut removed = Vec::new();
        for (path, found) in revisions(name, &folder)? {
            // From here on nobody finds a model whose files are about to go.
            fs::remove_file_if_present(&folder.join(ACTIVE))?;
            fs::remove_dir_all_if_present(&path)?;
            removed.push(found);
        }
        if !removed.is_empty() && fs::list_dir(&folder)?.is_empty() {
            fs::remove_dir_all_if_present(&folder)?;
        }
        Ok(removed)
    }

    /// Removes what no name leads to: revisions that are not active and downloads that were left. What another
    /// command is at work on stays.
    pub fn collect_garbage(&self, is_real: bool) -> Result<Vec<Removed>> {
        let mut removed = Vec::new();
        for (name, folder) in self.model_folders()? {
            let found = revisions(&name, &folder)?;
            if found.is_empty() {
                continue;
            }
            let Some(_lock) = Lock::try_acquire(&self.lock_path(&name))? else { continue };
            let active = self.active_revision(&name)?;
            for (path, found) in found {
                if active.as_ref() == Some(&found.revision) && !found.unfinished {
                    continue;
                }
                if is_real {
                    fs::remove_dir_all_if_present(&path)?;
                }
                removed.push(found);
            }
            if is_real && fs::list_dir(&folder)?.is_empty() {
                fs::remove_dir_all_if_present(&folder)?;
            }
        }
        Ok(removed)
    }
}

/// The folders of ours in the folder of a model; what somebody else put there is not.
fn revisions(name: &ModelName, folder: &Path) -> Result<Vec<(PathBuf, Removed)>> {
    let mut found = Vec::new();
    for path in fs::list_dir(folder)? {
        let Some(revision) = file_name(&path) else { continue };
        let unfinished = revision.strip_prefix(FILLING);
        if unfinished.is_none() && !fs::exists(&path.join(super::MANIFEST)) {
            continue;
        }
        let removed = Removed {
            name: name.clone(),
            revision: unfinished.unwrap_or(revision).to_owned(),
            unfinished: unfinished.is_some(),
            bytes: disk_usage(&path)?,
        };
        found.push((path, removed));
    }
    Ok(found)
}
