//! The file-system steps of applying a change, one function each: a place where tests stop it at any step.

use std::path::Path;

use gik_base::Result;
use gik_base::fs::{self, Durability, Metadata};

pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop_here(|| fs::write_new(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::write_new(path, bytes, Durability::Synced)
}

pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::write_atomic(path, bytes, Durability::Synced)
}

pub(crate) fn permit(path: &Path, like: Option<&Metadata>, is_executable: bool) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::set_permissions_like(path, like, is_executable)
}

pub(crate) fn link(from: &Path, to: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::link_or_copy(from, to)
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::rename(from, to)
}

pub(crate) fn remove(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::remove_file_if_present(path)
}

pub(crate) fn create_dir(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::create_dir(path)
}

pub(crate) fn remove_dir(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::remove_dir_if_empty(path).map(drop)
}

/// Makes new names beside a file survive a power cut.
pub(crate) fn sync_beside(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::sync_parent(path)
}

/// Counts a step; the chosen one leaves `half` of its work behind and fails.
#[cfg(test)]
fn stop_here(half: impl FnOnce() -> Result<()>) -> Result<()> {
    let Some(stopped) = gik_testkit::stop::next() else { return Ok(()) };
    if stopped.is_chosen {
        half()?;
    }
    let message = format!("stopped at step {}", stopped.step);
    Err(gik_base::Failure::new(gik_base::ErrorCode::DiskFull, message))
}
