//! Pages that were fetched: kept as they came, so that taking them apart again does not ask their server.

use gik_base::collections::HashMap;
use gik_base::{FileKey, Result};
use gik_ledger::Tracking;
use gik_store::{Access, FileOrigin, FileRow, RemoteState, Snapshot};

use super::difference::Difference;
use super::pipeline::{LostPages, Request};
use crate::Workspace;

/// The pages of the index as they were fetched, for taking them apart again without asking their server. Those of an
/// index that cannot be read are lost.
pub(crate) fn kept_pages(ws: &Workspace<'_>, tracking: &Tracking) -> Vec<KeptPage> {
    let urls = tracking.urls();
    if urls.is_empty() {
        return Vec::new();
    }
    let pages = ws.store(Access::ReadOnly).and_then(|store| {
        let snapshot = store.snapshot()?;
        pages_of(&snapshot, &snapshot.files()?)
    });
    let mut pages = pages.unwrap_or_default();
    pages.retain(|page| urls.iter().any(|entry| entry.uri == page.key.as_str()));
    pages
}

pub(super) fn pages_of<'a>(
    snapshot: &Snapshot<'_>,
    files: impl IntoIterator<Item = &'a FileRow>,
) -> Result<Vec<KeptPage>> {
    let mut pages = Vec::new();
    for row in files.into_iter().filter(|row| row.origin == FileOrigin::Url) {
        if let Some(text) = snapshot.content_of(row.id)? {
            let remote = snapshot.remote_of(row.id)?.unwrap_or_default();
            pages.push(KeptPage { key: row.key.clone(), base: row.base.to_string(), text, remote });
        }
    }
    Ok(pages)
}

/// Every page that has to be fetched: those that were asked for, and those that the index lost.
pub(super) fn pages(
    request: &Request<'_>,
    difference: &Difference,
    kept: &[KeptPage],
) -> Vec<(String, Option<String>)> {
    let mut pages = request.pages.to_vec();
    if request.lost_pages == LostPages::Leave {
        return pages;
    }
    for entry in request.tracking.urls() {
        let is_there = difference.foreign.iter().any(|row| row.key.as_str() == entry.uri)
            || kept.iter().any(|page| page.key.as_str() == entry.uri)
            || pages.iter().any(|(url, _)| *url == entry.uri);
        if !is_there {
            pages.push((entry.uri.clone(), Some(entry.base.clone())));
        }
    }
    pages
}

/// A page as it was fetched.
#[derive(Debug, Clone)]
pub struct KeptPage {
    pub(super) key: FileKey,
    pub(super) base: String,
    pub(super) text: String,
    pub(super) remote: RemoteState,
}

/// What servers said about pages that are asked for again.
pub(super) fn known_remotes(
    snapshot: &Snapshot<'_>,
    request: &Request<'_>,
) -> Result<HashMap<String, RemoteState>> {
    let mut remotes = HashMap::default();
    for (url, _) in request.pages {
        if let Some(row) = snapshot.file_by_key(&FileKey::from_text(url.as_str()))?
            && let Some(remote) = snapshot.remote_of(row.id)?
        {
            remotes.insert(url.clone(), remote);
        }
    }
    Ok(remotes)
}
