//! Edges between files, from edges between what is in them.

use gik_graph::walk::Selection;
use gik_graph::{Memory, Node};

/// The edges that count, as edges between their files; those within a file are left out.
pub(crate) fn between_files(graph: &Memory, selection: &Selection) -> Memory {
    let taken = graph.edges().iter().filter(|edge| selection.takes(edge));
    let between = taken.filter(|edge| edge.from.file != edge.to.file).map(|edge| {
        let mut edge = edge.clone();
        edge.from = Node::file(edge.from.file);
        edge.to = Node::file(edge.to.file);
        edge
    });
    Memory::new(between.collect())
}
