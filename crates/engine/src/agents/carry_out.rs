//! Does what a plan says: each file as a whole or not at all, and none that changed since it was looked at.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::fs::{self, Durability};
use gik_base::lock::Lock;
use gik_base::{Cancel, ErrorCode, Failure, Result};

use super::plan::{Action, Step};
use super::record::{Kept, Record};

/// Keeps two installers from working at the same time.
pub(crate) fn lock(home: &Path, cancel: &Cancel) -> Result<Lock> {
    Lock::acquire(&home.join("locks/agents.lock"), Duration::from_secs(10), cancel)
}

/// Writes what the steps say, and what is kept of them.
pub(crate) fn carry_out(steps: &[Step], record: &mut Record, home: &Path) -> Result<()> {
    // Known before it is done: a text that is kept and not there is simply not found.
    for step in steps {
        if let Some(kept) = &step.kept {
            record.set(&step.target.real, step.what, Some(kept.clone()));
        }
    }
    record.write(home)?;
    for step in steps {
        let earlier = record.of(&step.target.real, step.what).cloned();
        write(step, earlier.as_ref())?;
    }
    for step in steps.iter().filter(|step| step.kept.is_none()) {
        record.set(&step.target.real, step.what, None);
    }
    record.write(home)
}

fn write(step: &Step, earlier: Option<&Kept>) -> Result<()> {
    let path = &step.target.real;
    if matches!(step.action, Action::Nothing(_)) {
        return Ok(());
    }
    let now = fs::read_if_present(path)?;
    if now.as_deref() != step.target.text.as_deref().map(str::as_bytes) {
        let message = format!("`{}` changed in the meantime", path.display());
        return Err(Failure::new(ErrorCode::Io, message).hint("run the command again"));
    }
    match &step.action {
        Action::Create { text } => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write_atomic(path, text.as_bytes(), Durability::Synced)
        },
        Action::Change { text } => fs::replace_keeping_mode(path, text.as_bytes()),
        Action::Remove => {
            fs::remove_file_if_present(path)?;
            let folders = earlier.map_or(&[][..], |kept| &kept.folders);
            remove_folders(folders, path);
            Ok(())
        },
        Action::Nothing(_) => Ok(()),
    }
}

/// The folders that were made go as well, innermost first, unless something else is in them.
fn remove_folders(folders: &[PathBuf], file: &Path) {
    for folder in folders.iter().rev().filter(|folder| file.starts_with(folder)) {
        if !fs::remove_dir_if_empty(folder).unwrap_or(false) {
            return;
        }
    }
}
