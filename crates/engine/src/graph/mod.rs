//! The graph of the index: who calls, imports, extends, tests whom?
//!
//! How to ask:
//!
//! ```text
//! let (store, freshness) = current_store(ws, missing)?;
//! let store = graph::bring_up_to_date(ws, store)?;     // finds the edges of what changed, and keeps them
//! let snapshot = store.snapshot()?;
//! let mut graph = Graph::open(&snapshot)?;             // reads edges as they are asked for
//! graph.from(Node::file(3))?; graph.to(node)?;         // `gik_graph::Edges`
//! let all: Memory = graph.load()?;                     // or all of them at once
//! ```
//!
//! [`Graph::file`] and [`Graph::place_of`] turn nodes into rows of the index and back: [`gik_graph::Node::file`] is the
//! place of the file in [`gik_store::Snapshot::files`], and [`gik_graph::Node::symbol`] the place of the symbol in
//! [`gik_store::Snapshot::symbols_of`].
//!
//! Edges are found by a commit, or by the first question. After that a change costs the files that changed, and those that
//! looked at something which is not what it was ([`build`]). [`unresolved`] tells the call sites of a name whose
//! receiver is not known.

mod build;
mod changed;
mod edges;
mod inputs;
mod manifests;
mod together;
mod unresolved;

#[cfg(test)]
mod tests;

pub(crate) use build::RESOLVER_VERSION;
pub use build::bring_up_to_date;
pub(crate) use build::{
    Listing, bring_up_to_date_with_files, in_batches, is_current, mark_current, update,
    update_after, was_built,
};
pub use edges::Graph;
pub(crate) use together::WithHistory;
pub use unresolved::{UnresolvedSite, unresolved};
