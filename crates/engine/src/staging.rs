//! Putting sources on the list: what `add` and `rm` do before a commit.

use std::path::Path;

use gik_base::{ErrorCode, Failure, FileKey, Result, clock, env, fs, ids};
use gik_contract::{Extra, PendingSource, SourceKind, SourceStatus};
use gik_discover::archive::kind_of;
use gik_discover::fetch::check_url;
use gik_ledger::Tracking;
use gik_ledger::staging::{is_duplicate, is_waiting};
use gik_store::Access;

use crate::settings::record_urls;
use crate::{Workspace, bases};

/// A source as the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) kind: SourceKind,
    pub(crate) uri: String,
}

/// What a typed word names: a url, an archive, a folder or a file of the workspace.
pub(crate) fn target(ws: &Workspace<'_>, typed: &str) -> Result<Target> {
    if typed.contains("://") {
        return Ok(Target { kind: SourceKind::Url, uri: check_url(typed)? });
    }
    let key = ws.key_of(Path::new(typed))?;
    let path = key.to_path(&ws.root);
    let metadata = fs::symlink_metadata_if_present(&path)?.ok_or_else(|| {
        Failure::new(ErrorCode::PathMissing, format!("there is no `{typed}`"))
            .hint("paths are relative to the current folder; urls start with http:// or https://")
    })?;
    let kind = if metadata.is_dir() {
        SourceKind::Directory
    } else if metadata.is_file() {
        let head = read_head(&path)?;
        if kind_of(key.file_name(), &head).is_some() {
            SourceKind::Archive
        } else {
            SourceKind::FilePath
        }
    } else {
        return Err(Failure::new(
            ErrorCode::SourceInvalid,
            format!("`{typed}` is neither a file nor a folder"),
        )
        .hint("symbolic links are not followed: add what they point to"));
    };
    Ok(Target { kind, uri: uri_of(&key) })
}

/// The uri of a workspace path; the root is `.`.
pub(crate) fn uri_of(key: &FileKey) -> String {
    if key.as_str().is_empty() { ".".to_owned() } else { key.as_str().to_owned() }
}

/// The entries that stage a target: one per base.
pub(crate) fn entries(
    ws: &Workspace<'_>,
    target: &Target,
    base: Option<&'static str>,
) -> Vec<PendingSource> {
    let choices: Vec<(&str, Option<Extra>)> = match (base, target.kind) {
        (Some(base), _) => vec![(base, None)],
        (None, SourceKind::Directory | SourceKind::Archive) => bases::INFERRED
            .iter()
            .map(|base| (*base, Some(PendingSource::inferred_metadata())))
            .collect(),
        (None, SourceKind::Url | SourceKind::Other) => vec![(bases::DOCS, None)],
        (None, SourceKind::FilePath) => {
            let key = FileKey::from_text(target.uri.as_str());
            let head = read_head(&key.to_path(&ws.root)).unwrap_or_default();
            vec![(bases::inferred(&key, gik_parse::detect(&key, &head)), None)]
        },
    };
    choices
        .into_iter()
        .map(|(base, metadata)| PendingSource {
            id: ids::new_uuid(),
            branch: ws.branch.name().to_owned(),
            base: base.to_owned(),
            kind: target.kind,
            uri: target.uri.clone(),
            added_at: clock::now(),
            status: SourceStatus::Pending,
            last_error: None,
            metadata,
            extra: Extra::new(),
        })
        .collect()
}

/// Remembers that the user asked for the pages among the targets, which is what allows to fetch them.
pub(crate) fn allow_pages(ws: &Workspace<'_>, targets: &[Target]) -> Result<()> {
    let urls: Vec<&str> = targets
        .iter()
        .filter(|target| target.is_page())
        .map(|target| target.uri.as_str())
        .collect();
    match env::gik_home() {
        Some(home) if !urls.is_empty() => record_urls(&home, &ws.root, &urls, &ws.ctx.cancel),
        _ => Ok(()),
    }
}

/// Adds entries to the list unless they wait there already. Returns those that were added.
pub(crate) fn stage(
    pending: &mut Vec<PendingSource>,
    entries: Vec<PendingSource>,
) -> Vec<PendingSource> {
    let mut added = Vec::new();
    for entry in entries {
        if !is_duplicate(pending, &entry.branch, &entry.base, &entry.uri) {
            pending.push(entry.clone());
            added.push(entry);
        }
    }
    added
}

/// The first bytes of a file: enough to tell an archive and a language by.
pub(crate) fn read_head(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let mut head = Vec::new();
    fs::open(path)?
        .take(4096)
        .read_to_end(&mut head)
        .map_err(|error| fs::failure("read", path, error))?;
    Ok(head)
}

impl Target {
    /// Whether it is a page, which only changes when it is asked for.
    pub(crate) fn is_page(&self) -> bool {
        self.kind == SourceKind::Url
    }
}

/// The whole workspace as a target.
pub(crate) fn whole_workspace() -> Target {
    Target { kind: SourceKind::Directory, uri: ".".to_owned() }
}

/// How many entries wait for a commit.
pub(crate) fn waiting(pending: &[PendingSource]) -> u64 {
    pending.iter().filter(|entry| is_waiting(entry)).count() as u64
}

/// Whether a path or url is part of the knowledge, itself or as part of a folder.
pub(crate) fn is_known(ws: &Workspace<'_>, pending: &[PendingSource], uri: &str) -> bool {
    let tracking = Tracking::from_entries(pending);
    if uri.contains("://") {
        return tracking.urls().iter().any(|entry| entry.uri == uri);
    }
    let key = if uri == "." { FileKey::default() } else { FileKey::from_text(uri) };
    let files = ws.store(Access::ReadOnly).and_then(|store| store.snapshot()?.files());
    let is_indexed = files.is_ok_and(|files| files.iter().any(|file| file.key.is_within(&key)));
    is_indexed || tracking.scopes().iter().any(|scope| scope.is_within(&key))
}
