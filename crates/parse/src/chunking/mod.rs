//! Lines and an outline to chunks.
//!
//! `pieces` divides the lines of a file along its items, `split` cuts what is too long, `join` puts small neighbours
//! together, `finish` gives each group its name and identity. Every step keeps whole lines in order, so that each
//! non-blank line ends up in exactly one chunk.
//!
//! Where a run of lines or small items has to be divided, the places depend on the text near them and not on
//! a count from the start (see `split::is_landmark`), so that an edit moves only the boundaries next to it.

mod finish;
mod imports;
mod join;
mod pieces;
mod split;

use gik_base::FileKey;

use self::join::Group;
use crate::chunk::Chunk;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::utf16::Utf16Table;

/// No chunk is larger, in bytes.
pub(crate) const HARD_MAX: usize = 12 * 1024;
/// What is larger is cut where it can be cut well: 800 tokens of four bytes.
pub(crate) const TARGET_MAX: usize = 3200;
/// A part of something that was cut is at least so large: 400 tokens.
const PART_MIN: usize = 1600;
/// Small neighbours are joined up to this size.
const JOIN_MAX: usize = 2048;
/// A joined group of this size ends at the next landmark.
const JOIN_MIN: usize = 1024;
/// A named item of this size is never joined with its neighbours.
const ALONE_MIN: usize = 800;
/// The opening or closing lines of a container and stray lines below this size go with their neighbour.
const STRAY_MAX: usize = 256;

/// Whole lines, as many as fit: what can be searched before a file is taken apart.
pub(crate) fn runs_of_lines(
    path: &FileKey,
    lines: &LineTable<'_>,
    utf16: &Utf16Table<'_>,
) -> Vec<Chunk> {
    let mut groups = Vec::new();
    let mut start = 0;
    for line in 0..lines.count() {
        if line > start && lines.size(&(start..line + 1)) > HARD_MAX {
            groups.push(Group { lines: start..line, pieces: Vec::new() });
            start = line;
        }
    }
    groups.push(Group { lines: start..lines.count(), pieces: Vec::new() });
    finish::finish(path, lines, utf16, None, &Outline::default(), groups)
}

/// The chunks of a file.
pub(crate) fn chunks(
    path: &FileKey,
    lines: &LineTable<'_>,
    utf16: &Utf16Table<'_>,
    language: Option<&'static Language>,
    outline: &Outline,
) -> Vec<Chunk> {
    let pieces = pieces::pieces(lines, outline);
    let groups = join::join(lines, pieces);
    finish::finish(path, lines, utf16, language, outline, groups)
}
