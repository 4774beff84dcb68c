//! Where edges come from: the graph of the index.

use gik_base::Result;
use gik_graph::Memory;
use gik_store::Snapshot;

use crate::graph::Graph;

/// All edges at once.
pub(crate) fn whole(snapshot: &Snapshot<'_>) -> Result<Memory> {
    Graph::open(snapshot)?.load()
}
