//! The knowledge graph: what stands for what, and how do the parts of a project hang together?
//!
//! Pure: the store keeps edges, the engine reads them; same input, same bytes out, whatever the number of threads.
//!
//! - [`Node`] and [`Edge`] are what a graph is made of.
//! - [`resolve`] finds the edges of a file from the facts of all.
//! - [`Edges`] is what a traversal asks for more of; [`Memory`] answers from lists.
//! - [`walk`] goes from node to node, [`rank`] weighs all of them, [`export`] draws some.
//! - [`endpoints`] are the routes of web services that a file defines, [`web`] has the other parts of a page.
//! - [`scip`] reads indexes that compilers made.

mod edge;
pub mod endpoints;
pub mod export;
mod facts;
mod memory;
mod node;
pub mod rank;
pub mod resolve;
pub mod scip;
pub mod walk;
pub mod web;

pub use edge::{Edge, EdgeKind, Evidence, Provenance};
pub use facts::{FileFacts, ReferenceFact, Role, ScopeFact, ScopeKind, SymbolFact, SymbolKind};
pub use memory::Memory;
pub use node::Node;

/// Where a traversal gets its edges from: lists in memory, or the files of a store.
pub trait Edges {
    /// Why an edge could not be read.
    type Failure;

    /// The edges that leave `node`, sorted.
    fn from(&mut self, node: Node) -> Result<Vec<Edge>, Self::Failure>;

    /// The edges that end at `node`, sorted.
    fn to(&mut self, node: Node) -> Result<Vec<Edge>, Self::Failure>;
}
