//! Proposed changes of the workspace's files: what they are, where they wait, who may apply them, and how.
//!
//! A program proposes ([`Proposed::from_diff`], [`Proposed::from_edits`]), and nothing but a [`Proposal`] is kept
//! ([`Shelf`]). A person confirms: by a command of their own, or by a token ([`Confirmations`]) that is good for one
//! change, once, for a minute. Then all files change or none ([`apply`]).
//!
//! Invariants: a file changes only inside [`apply`] and [`recover`], under the lock of the workspace and a journal; no
//! path leads through a link or out of the workspace; a proposal that is not what its id says is not used.

mod apply;
mod confirmation;
mod content;
mod diff;
mod edits;
mod hunks;
mod journal;
mod lines;
mod place;
mod propose;
mod quoted;
mod render;
mod shelf;
mod step;

#[cfg(test)]
mod tests;

pub use apply::{apply, is_current, is_unfinished, recover};
pub use confirmation::{Confirmations, LIFETIME_SECONDS, Minted};
pub use content::{Change, Content, Operation, Proposal};
pub use edits::TextEdit;
pub use place::Site;
pub use propose::Proposed;
pub use render::{Counts, counts, unified};
pub use shelf::Shelf;
