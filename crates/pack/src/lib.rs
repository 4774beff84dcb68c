//! Candidates + graph + budget → context pack: deterministic, bounded, explained.
//!
//! Pure: texts come through [`Library`], edges through [`gik_graph::Edges`], tokens through a function; same input, same
//! bytes out. Start with [`build`], the one way from seeds to a pack:
//! `Expand → Merge → Order → Allocate → Explain`.
//!
//! - [`normalize`] fills in what a request left open and applies the caps that nothing overrides; [`pack_id`] is its key.
//! - `expand` follows edges from the seeds, section by section; `candidate` is what it finds, with its scores.
//! - `order` is the stable order, `allocate` spends the budgets along it, `excerpt` cuts texts,
//!   `summary` tells a reader in an editor what is not shown.
//! - [`markdown`] is a pack for a prompt; its length is what the budgets bound.
//!
//! Not for finding seeds: that is retrieval.

mod allocate;
mod build;
mod candidate;
mod excerpt;
mod expand;
mod explain;
mod library;
pub mod markdown;
mod order;
mod points;
mod request;
mod summary;
mod walk;

#[cfg(test)]
mod tests;

pub use build::{Inputs, Stop, build};
pub use library::{About, Body, Library, Nature, Outline, OutlineLine, Place};
pub use points::Points;
pub use request::{Draft, Known, canonical, most_bytes_of_item, normalize, pack_id};

pub use candidate::{Rule, Seed};
