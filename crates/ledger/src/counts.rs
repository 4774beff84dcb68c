//! The files that count others: `summary.json` beside the sources, `stats.json` beside memory entries.
//!
//! A transaction writes them with, and after, what they count. They fall behind when someone else changes the records:
//! a torn end is cut, or version control brings the records of another person, and never the counts.

use std::path::Path;

use gik_base::fs::Durability;
use gik_base::{Result, clock, fs};
use gik_contract::{MemoryEntry, PendingSource};

use crate::memory::memory_stats;
use crate::root::{self, Kind, Root};
use crate::{disk, jsonl, staging};

/// A file and the one that counts it, both relative to the folder.
struct Counted {
    records: &'static str,
    counts: &'static str,
}

fn counted(kind: Kind) -> &'static [Counted] {
    match kind {
        Kind::Branch => &[
            Counted { records: root::PENDING, counts: root::SUMMARY },
            Counted { records: "bases/memory/sources.jsonl", counts: "bases/memory/stats.json" },
        ],
        Kind::Memory => &[Counted { records: "sources.jsonl", counts: "stats.json" }],
    }
}

/// Writes the counts anew that are missing or older than what they count, and those of files that were just repaired.
/// Nothing is lost by that, so nothing is said.
pub(crate) fn restore(root: Root<'_>, repaired: &[&str]) -> Result<()> {
    for counted in counted(root.kind) {
        let counts = root.dir.join(counted.counts);
        let is_repaired = repaired.contains(&counted.records);
        if !is_repaired && !is_behind(&root.dir.join(counted.records), &counts)? {
            continue;
        }
        if let Some(bytes) = count(root, counted)? {
            let temporary = fs::temporary_beside(&counts);
            disk::write_new(&temporary, &bytes, Durability::Cached)?;
            disk::rename(&temporary, &counts)?;
        }
    }
    Ok(())
}

fn is_behind(records: &Path, counts: &Path) -> Result<bool> {
    let Some(records) = fs::symlink_metadata_if_present(records)? else { return Ok(false) };
    let Some(counts) = fs::symlink_metadata_if_present(counts)? else { return Ok(true) };
    // Where the system keeps no times, `verify` compares the counts themselves.
    Ok(match (records.modified(), counts.modified()) {
        (Ok(records), Ok(counts)) => counts < records,
        _ => false,
    })
}

/// The counts of the records; `None` where these cannot be understood, which is for `verify` to tell.
fn count(root: Root<'_>, counted: &Counted) -> Result<Option<Vec<u8>>> {
    let path = root.dir.join(counted.records);
    if counted.records == root::PENDING {
        let Ok(sources) = jsonl::read_lines::<PendingSource>(&path) else { return Ok(None) };
        return jsonl::to_json(&staging::summarize(&sources, clock::now())).map(Some);
    }
    let Ok(entries) = jsonl::read_lines::<MemoryEntry>(&path) else { return Ok(None) };
    jsonl::to_json(&memory_stats(entries.len() as u64, 0, 0, clock::now())).map(Some)
}
