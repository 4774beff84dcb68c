//! Which call sites of a name belong to nobody knows whom?

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_graph::resolve::{Layout, Outcome, Tables as _, outcome};
use gik_graph::{Node, Role};
use gik_store::Snapshot;

use super::inputs::{Lazy, Packages, Rows, takes_part};
use super::manifests;
use crate::Workspace;
use crate::ingest::Recent;
use crate::symbols::candidates;

/// A place that calls something of a name, on a receiver whose type is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnresolvedSite {
    /// The innermost symbol around it, or the file.
    pub from: Node,
    /// First byte of the name.
    pub start: u32,
    /// Behind its last byte.
    pub end: u32,
}

/// The call sites of a name that are not resolved, by place. Those that lead out of the project are not among them.
pub fn unresolved(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    name: &str,
) -> Result<Vec<UnresolvedSite>> {
    let files = snapshot.files()?;
    let paths = files.iter().map(|file| file.key.as_str().to_owned()).collect();
    let layout = Layout::of(paths).with_manifests(manifests::read(ws, snapshot, &files)?);
    let packages = Packages::Read(HashMap::default());
    let recent = Recent::default();
    let rows = Rows::new(&files, &recent);
    let tables = Lazy::new(&ws.root, snapshot, &rows, &packages);
    let named = candidates(snapshot, name)?;
    let mut sites = Vec::new();
    for (place, _) in
        (0..).zip(&files).filter(|(_, file)| takes_part(file) && named.contains(&file.id))
    {
        ws.ctx.cancel.check()?;
        let Some(table) = tables.table(place) else { continue };
        let facts = table.facts();
        for reference in facts.references.iter().filter(|one| one.role == Role::Call) {
            if facts.str(&reference.name) == name
                && outcome(&layout, &tables, place, reference) == Outcome::Unknown
            {
                sites.push(UnresolvedSite {
                    from: table.node_at(place, reference.name.start),
                    start: reference.name.start,
                    end: reference.name.end,
                });
            }
        }
    }
    tables.check()?;
    sites.sort_unstable();
    Ok(sites)
}
