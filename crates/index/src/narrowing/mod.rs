//! Which files may have a match of a regular expression? Those that have its letters, which the dictionary tells.
//!
//! `needs` tells from a pattern which stretches of letters every match has, `files` finds the words of the dictionary that
//! hold them and the files of those words. Words are cut, composed and left out on their way into the index, so this
//! counts only for files whose text is *plain*: `plain` tells, when a file is indexed, whether each stretch of letters in
//! it is part of one of its words. All other files may have a match of anything.

mod files;
mod needs;
mod plain;

pub use files::FileSet;
pub use needs::Needs;
pub use plain::{WordRuns, has_plain_words};

#[cfg(test)]
mod tests;
