//! The file-system steps of the commit protocol, one function each.
//!
//! They add nothing to `gik_base::fs` but a place where tests stop the protocol: every step can be made the one at
//! which the process is killed or the disk is full.

use std::fs::File;
use std::path::Path;

use gik_base::fs::Durability;
use gik_base::{Result, fs};

pub(crate) fn write_new(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    #[cfg(test)]
    stop::here(|| fs::write_new(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::write_new(path, bytes, durability)
}

pub(crate) fn create(path: &Path) -> Result<File> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::create(path)
}

pub(crate) fn sync_file(path: &Path, file: &File) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    file.sync_all().map_err(|error| fs::failure("write", path, error))
}

pub(crate) fn append(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    #[cfg(test)]
    stop::here(|| fs::append(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::append(path, bytes, durability)
}

pub(crate) fn overwrite(path: &Path, at: u64, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop::here(|| fs::overwrite(path, at, &bytes[..bytes.len() / 2]))?;
    fs::overwrite(path, at, bytes)
}

pub(crate) fn truncate(path: &Path, length: u64) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::truncate(path, length)
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::rename(from, to)
}

pub(crate) fn remove(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::remove_file_if_present(path)
}

pub(crate) fn create_dir_all(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::create_dir_all(path)
}

/// Makes new names in a folder survive a power cut.
pub(crate) fn sync_dir(dir: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    // The name is never looked at: only its folder is.
    fs::sync_parent(&dir.join("."))
}

/// Stops the protocol at a chosen step.
#[cfg(test)]
pub(crate) mod stop {
    use std::cell::Cell;

    use gik_base::{ErrorCode, Failure, Result};

    /// How the protocol is stopped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Manner {
        /// No later step happens either, as when the process is killed.
        Killed,
        /// The steps after it work again, so the code can clean up.
        Failed,
    }

    thread_local! {
        static PLAN: Cell<Option<(Manner, usize)>> = const { Cell::new(None) };
        static TAKEN: Cell<usize> = const { Cell::new(0) };
    }

    /// Runs `body`; step number `step` (from 0) and, for a kill, all later ones fail. Gives the result and the
    /// number of steps that were asked for.
    pub(crate) fn at<R>(step: usize, manner: Manner, body: impl FnOnce() -> R) -> (R, usize) {
        PLAN.set(Some((manner, step)));
        TAKEN.set(0);
        let result = body();
        PLAN.set(None);
        (result, TAKEN.get())
    }

    /// Counts a step; the chosen one leaves `half` of its work behind and fails.
    pub(super) fn here(half: impl FnOnce() -> Result<()>) -> Result<()> {
        let Some((manner, chosen)) = PLAN.get() else { return Ok(()) };
        let step = TAKEN.get();
        TAKEN.set(step + 1);
        if step < chosen || (step > chosen && manner == Manner::Failed) {
            return Ok(());
        }
        if step == chosen {
            half()?;
        }
        Err(Failure::new(ErrorCode::DiskFull, format!("stopped at step {step}")))
    }
}
