//! Which memory entries can be seen from a branch.

use gik_base::Result;
use gik_base::collections::HashSet;
use gik_contract::{MemoryEntry, MemoryScope};

use crate::{Knowledge, MemoryBase};

/// An entry and where it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The entry.
    pub entry: MemoryEntry,
    /// The branch whose folder holds it; `None` for the global folder.
    pub branch: Option<String>,
}

/// What can be seen from a branch: all entries of its own folder, then the `project` entries of the other branches in
/// the order of their names, then the global ones. An id that was seen before is not repeated.
pub fn visible_memory(
    knowledge: &Knowledge,
    branch: &str,
    global: Option<&MemoryBase>,
) -> Result<Vec<Located>> {
    let mut located = Vec::new();
    let mut seen: HashSet<String> = HashSet::default();
    let mut take = |memory: &MemoryBase, is_visible: fn(&MemoryEntry) -> bool| -> Result<()> {
        for entry in memory.entries()? {
            if is_visible(&entry) && seen.insert(entry.id.clone()) {
                located.push(Located { entry, branch: memory.branch().map(str::to_owned) });
            }
        }
        Ok(())
    };
    take(&knowledge.branch(branch).memory(), |_| true)?;
    for other in knowledge.branches()? {
        if other != branch {
            take(&knowledge.branch(&other).memory(), |entry| entry.scope != MemoryScope::Branch)?;
        }
    }
    if let Some(global) = global {
        take(global, |_| true)?;
    }
    Ok(located)
}
