//! `gik graph …`: questions to the knowledge graph.
//!
//! Every answer tells facts from candidates, says how an edge is known, and names the limits that cut it short.

pub mod callees;
pub mod callers;
pub mod cycles;
pub mod export;
pub mod hubs;
pub mod import;
pub mod importers;
pub mod imports;
pub mod near;
pub mod neighbors;
pub mod orphans;
pub mod path;
pub mod shown;
pub mod unresolved;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_graph::EdgeKind;
use gik_graph::walk::Limits;
use gik_store::{Access, FileRow, Snapshot};

use crate::answer::Missing;
use crate::graph::{Graph, Listing, WithHistory, bring_up_to_date_with_files};
use crate::kg::Catalog;
use crate::symbols::{current, words};
use crate::{Context, Workspace};

/// The graph of a workspace, opened for one question.
pub(crate) struct Opened<'a> {
    pub(crate) ws: &'a Workspace<'a>,
    pub(crate) snapshot: &'a Snapshot<'a>,
    files: &'a [FileRow],
    pub(crate) catalog: Catalog<'a>,
    pub(crate) freshness: FreshnessState,
}

impl Opened<'_> {
    /// Edges, read as they are asked for.
    pub(crate) fn edges(&self) -> Graph<'_> {
        Graph::with_files(self.snapshot, Cow::Borrowed(self.files))
    }

    /// The same with those of the history of git, where they were named.
    pub(crate) fn edges_along(&self, kinds: &[EdgeKind]) -> Result<WithHistory<'_>> {
        WithHistory::along(self.ws, self.edges(), kinds)
    }
}

/// Brings the index up to date and asks its graph.
pub(crate) fn with_graph<T>(
    ctx: &Context<'_>,
    missing: Missing,
    ask: impl FnOnce(&mut Opened<'_>) -> Result<T>,
) -> Result<T> {
    let ws = ctx.open()?;
    let mut refreshed = current(&ws, missing)?;
    let mut freshness = refreshed.state;
    let store = refreshed.store(&ws)?;
    let (store, listing) = match bring_up_to_date_with_files(&ws, store, &refreshed) {
        Ok(opened) => opened,
        // What is known is told, and that there may be more.
        Err(failure) if cannot_write(&failure) => {
            freshness = FreshnessState::Stale;
            let store = ws.store(Access::ReadOnly)?;
            let listing = Listing::new(&store.snapshot()?, &refreshed)?;
            (store, listing)
        },
        Err(failure) => return Err(failure),
    };
    let snapshot = store.snapshot()?;
    let files = listing.of(&snapshot)?;
    let catalog = Catalog::new(&ws, &snapshot, &files);
    ask(&mut Opened { ws: &ws, snapshot: &snapshot, files: &files, catalog, freshness })
}

fn cannot_write(failure: &Failure) -> bool {
    matches!(failure.code(), ErrorCode::WorkspaceReadOnly | ErrorCode::StoreBusy)
}

/// Says for so long that there is time.
pub(crate) fn patience(ctx: &Context<'_>, milliseconds: Option<u32>) -> impl FnMut() -> bool {
    const USUAL_MS: u64 = 2_000;
    let wait = Duration::from_millis(milliseconds.map_or(USUAL_MS, u64::from));
    let (start, cancel) = (Instant::now(), ctx.cancel.clone());
    move || start.elapsed() < wait && cancel.check().is_ok()
}

/// The limits of a walk: what was asked for, or what is usual.
pub(crate) fn limits(
    depth: Option<u32>,
    usual_depth: u32,
    fan_out: Option<u32>,
    nodes: Option<u32>,
) -> Limits {
    const USUAL_FAN_OUT: u32 = 200;
    const USUAL_NODES: u32 = 500;
    Limits {
        depth: depth.unwrap_or(usual_depth),
        fan_out: fan_out.unwrap_or(USUAL_FAN_OUT),
        nodes: nodes.unwrap_or(USUAL_NODES),
    }
}

/// The kinds of edges that were named, by themselves or in lists with commas; empty means all that texts say.
pub(crate) fn edge_kinds(names: &[String]) -> Result<Vec<EdgeKind>> {
    kinds_among(&EdgeKind::ALL, names)
}

/// The same for who can follow the history of git as well.
pub(crate) fn edge_kinds_with_history(names: &[String]) -> Result<Vec<EdgeKind>> {
    let mut known = EdgeKind::ALL.to_vec();
    known.push(EdgeKind::Together);
    kinds_among(&known, names)
}

fn kinds_among(known: &[EdgeKind], names: &[String]) -> Result<Vec<EdgeKind>> {
    words(names)
        .map(|name| {
            let kind = known.iter().copied().find(|kind| kind.as_str() == name.to_lowercase());
            kind.ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|kind| kind.as_str()).collect();
                Failure::new(ErrorCode::ArgumentInvalid, format!("there is no edge `{name}`"))
                    .hint(format!("use some of: {}", known.join(", ")))
            })
        })
        .collect()
}
