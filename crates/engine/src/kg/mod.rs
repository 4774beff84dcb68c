//! The knowledge graph as people and other programs see it: names for its nodes, and the contract files of `kg/`.
//!
//! [`Catalog`] tells what a node of `gik_graph` is and finds nodes by what was typed; `records` makes lines of the
//! contract out of files; `projection` writes them.

mod around;
mod bodies;
mod catalog;
mod check;
mod drawing;
mod gathered;
mod ids;
mod lifted;
mod lines;
mod owners;
mod pages;
mod projection;
mod records;
mod scip;
mod source;
mod stack;

#[cfg(test)]
mod tests;

pub(crate) use around::around;
pub(crate) use catalog::{Catalog, Place};
pub(crate) use check::{problems, stats};
pub(crate) use drawing::{committed_drawing, drawing};
pub(crate) use ids::node_kind;
pub(crate) use lifted::between_files;
pub(crate) use projection::{KgProjector, is_written, note};
pub(crate) use records::Detail;
pub use scip::Imported;
pub(crate) use scip::{import, imported, living};
pub(crate) use source::whole;
pub(crate) use stack::Stack;
