//! Which files are inside an archive, without ever writing one to disk.
//!
//! Members come one at a time, in the order the archive stores them, under names that stay inside the archive. Links,
//! devices, odd names and large members are left out and reported; a broken archive or one that unpacks to far
//! more than it holds is an error. Not for archives inside archives: those are members like any other.

mod kind;
mod member_path;
mod sink;
mod tar_members;
mod zip_members;
mod zstd;

#[cfg(test)]
mod tests;

use std::io::BufReader;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use gik_base::{Cancel, Result, fs};
use lzma_rust2::XzReader;

pub use kind::{ArchiveKind, HEAD_BYTES, kind_of};
use sink::Sink;

/// The largest xz dictionary that is unpacked, in KiB: `xz -9` needs 64 MiB.
const XZ_MEMORY_KIB: u32 = 96 * 1024;

/// How much an archive may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// The number of entries, folders and skipped ones included.
    pub max_members: usize,
    /// The size of one member; larger ones are skipped.
    pub max_member_bytes: u64,
    /// The number of bytes unpacked in all.
    pub max_total_bytes: u64,
    /// How many bytes may come out for one byte of the archive, once more than 1 MiB came out.
    pub max_ratio: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            max_members: 100_000,
            max_member_bytes: 16 << 20,
            max_total_bytes: 1 << 30,
            max_ratio: 200,
        }
    }
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its path inside the archive: relative, `/` between the parts, no `.` or `..`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A member that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedMember {
    /// Its name as far as it can be shown.
    pub path: String,
    /// Why, as a half-sentence: `is a symbolic link`.
    pub reason: String,
}

/// What was found in an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArchiveReport {
    /// The number of members handed out.
    pub members: usize,
    /// The members left out, in stored order.
    pub skipped: Vec<SkippedMember>,
}

/// Hands every readable member of an archive to `each`, one in memory at a time.
///
/// Where two members have the same path the first one counts.
pub fn read_members(
    path: &Path,
    kind: ArchiveKind,
    limits: &ArchiveLimits,
    cancel: &Cancel,
    each: &mut dyn FnMut(Member) -> Result<()>,
) -> Result<ArchiveReport> {
    let file = fs::open(path)?;
    let length = file.metadata().map_err(|error| fs::failure("look at", path, error))?.len();
    let packed = BufReader::new(file);
    let mut sink = Sink::new(path, length, limits, cancel, each);
    match kind {
        ArchiveKind::Zip => zip_members::read(packed, &mut sink)?,
        ArchiveKind::Tar => tar_members::read(packed, &mut sink)?,
        ArchiveKind::TarGz => {
            let unpacked = sink.metered(MultiGzDecoder::new(packed));
            tar_members::read(unpacked, &mut sink)?;
        },
        ArchiveKind::TarXz => {
            let unpacked = sink.metered(XzReader::new_mem_limit(packed, true, XZ_MEMORY_KIB));
            tar_members::read(unpacked, &mut sink)?;
        },
        ArchiveKind::TarZst => {
            let unpacked = sink.metered(zstd::Frames::new(packed));
            tar_members::read(unpacked, &mut sink)?;
        },
    }
    Ok(sink.into_report())
}
