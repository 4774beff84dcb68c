//! The file-system steps of applying a change, one function each: a place where tests stop it at any step.

use std::path::Path;

use gik_base::Result;
use gik_base::fs::{self, Durability, Metadata};

pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop::here(|| fs::write_new(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::write_new(path, bytes, Durability::Synced)
}

pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::write_atomic(path, bytes, Durability::Synced)
}

pub(crate) fn permit(path: &Path, like: Option<&Metadata>, is_executable: bool) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::set_permissions_like(path, like, is_executable)
}

pub(crate) fn link(from: &Path, to: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::link_or_copy(from, to)
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

pub(crate) fn create_dir(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::create_dir(path)
}

pub(crate) fn remove_dir(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::remove_dir_if_empty(path).map(drop)
}

/// Makes new names beside a file survive a power cut.
pub(crate) fn sync_beside(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop::here(|| Ok(()))?;
    fs::sync_parent(path)
}

/// Stops at a chosen step.
#[cfg(test)]
pub(crate) mod stop {
    use std::cell::Cell;

    use gik_base::{ErrorCode, Failure, Result};

    /// How it is stopped.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Manner {
        /// No later step happens either, as when the process is killed.
        Killed,
        /// The steps after it work again.
        Failed,
    }

    thread_local! {
        static PLAN: Cell<Option<(Manner, usize)>> = const { Cell::new(None) };
        static TAKEN: Cell<usize> = const { Cell::new(0) };
    }

    /// Runs `body`; step number `step` (from 0) and, for a kill, all later ones fail. Says whether that step was
    /// reached.
    pub(crate) fn at<R>(step: usize, manner: Manner, body: impl FnOnce() -> R) -> (R, bool) {
        PLAN.set(Some((manner, step)));
        TAKEN.set(0);
        let result = body();
        PLAN.set(None);
        (result, TAKEN.get() > step)
    }

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
