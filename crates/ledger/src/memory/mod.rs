//! What people and agents want remembered: where entries are kept, who sees them, and when they may be forgotten.

mod entry;
mod folder;
mod metrics;
mod prune;
mod visible;

pub use entry::{MemoryDraft, new_entry, problems};
pub use folder::{MemoryBase, memory_stats};
pub use metrics::{MemoryMetrics, estimated_tokens};
pub use prune::{PruneDecision, plan_prune};
pub use visible::{Located, visible_memory};
