//! The read path: a question and a snapshot in, ranked chunks out.
//!
//! [`search`] is one linear function of named steps. It reads a snapshot and nothing else: what the files say now is
//! the caller's business. Every number that moves a result up or down is in [`signals`].

mod candidates;
mod filter;
mod gather;
mod mentions;
mod names;
mod paths;
mod question;
mod search;
pub mod signals;
mod snippet;
mod words;

pub use candidates::{Candidates, FilePast, Found, Nearness};
pub use filter::{Admits, FileFilter, Filter, Scope};
pub use gather::{Gathered, Places, gather};
pub use names::Names;
pub use question::is_name;
pub use search::{Current, Request, Results, Step, candidates, search};
pub use snippet::{Snippet, snippet, snippet_of_items};
pub use words::corrected;

#[cfg(test)]
mod tests;
