//! Nothing is lost: what the real binary leaves behind when it is killed, starved, torn, crowded or interrupted.
//!
//! Each file is one kind of misfortune. `project.rs` makes the workspace they happen to, `truth.rs` reads what must
//! survive them, `mounts.rs` gives a test file systems of its own.

mod changes;
mod crowd;
mod damaged_index;
mod deleted;
mod disk_full;
mod interrupt;
mod kill;
mod mounts;
mod project;
mod read_only;
mod stages;
mod torn;
mod truth;
