//! What every crate above needs from the host, and how failures are told.
//!
//! Start with [`Failure`]: the one error type of the product. Then [`fs`], the only door to files: its errors name
//! the path, its writes are atomic. Nothing here knows what GIK is about.

mod below;
pub mod cancel;
pub mod clock;
pub mod collections;
pub mod env;
mod failure;
mod file_key;
mod file_stat;
pub mod fs;
pub mod hash;
pub mod ids;
mod line_ends;
pub mod lock;
pub mod mmap;
pub mod parallel;
#[cfg(unix)]
pub mod process;
pub mod progress;

pub use below::Below;
pub use cancel::Cancel;
pub use failure::{Context, Failure, Place, Result};
pub use file_key::{FileKey, shared_start};
pub use file_stat::{FileStat, FolderStat};
pub use gik_contract::ErrorCode;
pub use line_ends::line_ends;
pub use progress::Progress;
