//! Documents for programs to an outline: their keys, tables and entries.
//!
//! The readers look at one level at a time and go into an entry only where it is too large for one chunk, so that
//! a file costs little more than one look at each byte. They read files that are not quite valid as far as possible.

pub(crate) mod json;
pub(crate) mod json_scan;
pub(crate) mod json_strings;
pub(crate) mod toml;
pub(crate) mod yaml;

use gik_base::FileKey;

/// Larger documents are data: they are chunked as text.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// Entries nested deeper are part of the entry around them.
const MAX_DEPTH: usize = 12;
/// Keys after these are no symbols.
const MAX_SYMBOLS: usize = 500;

/// Between the keys of a path.
const PATH_SEPARATOR: &str = ".";

/// Lists of resolved versions define nothing that anybody looks up by name.
fn is_lock(path: &FileKey) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    name.ends_with(".lock") || name.contains("-lock.") || name.contains(".lock.")
}
