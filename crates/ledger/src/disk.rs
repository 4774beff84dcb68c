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
    stop_here(|| fs::write_new(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::write_new(path, bytes, durability)
}

pub(crate) fn create(path: &Path) -> Result<File> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::create(path)
}

pub(crate) fn sync_file(path: &Path, file: &File) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    file.sync_all().map_err(|error| fs::failure("write", path, error))
}

pub(crate) fn append(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    #[cfg(test)]
    stop_here(|| fs::append(path, &bytes[..bytes.len() / 2], Durability::Cached))?;
    fs::append(path, bytes, durability)
}

pub(crate) fn overwrite(path: &Path, at: u64, bytes: &[u8]) -> Result<()> {
    #[cfg(test)]
    stop_here(|| fs::overwrite(path, at, &bytes[..bytes.len() / 2]))?;
    fs::overwrite(path, at, bytes)
}

pub(crate) fn truncate(path: &Path, length: u64) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::truncate(path, length)
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

pub(crate) fn create_dir_all(path: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    fs::create_dir_all(path)
}

/// Makes new names in a folder survive a power cut.
pub(crate) fn sync_dir(dir: &Path) -> Result<()> {
    #[cfg(test)]
    stop_here(|| Ok(()))?;
    // The name is never looked at: only its folder is.
    fs::sync_parent(&dir.join("."))
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
