//! Tests of the crate as a whole, and what the tests of its modules share.

mod concurrency;
mod damage;
mod layout;
mod memory_folders;
mod protocol;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use gik_base::{Cancel, fs};
use gik_contract::{
    Extra, MemoryEntry, MemoryScope, MemorySource, PendingSource, Revision, SourceKind,
    SourceStatus,
};

use crate::{Branch, Held, Knowledge};

pub(crate) fn source(
    kind: SourceKind,
    base: &str,
    uri: &str,
    status: SourceStatus,
) -> PendingSource {
    PendingSource {
        id: format!("id-{uri}"),
        branch: "main".to_owned(),
        base: base.to_owned(),
        kind,
        uri: uri.to_owned(),
        added_at: "2025-11-27T18:00:00Z".parse().unwrap(),
        status,
        last_error: None,
        metadata: None,
        extra: Extra::new(),
    }
}

pub(crate) fn memory(id: &str, created_at: &str, text: &str, tags: &[&str]) -> MemoryEntry {
    MemoryEntry {
        id: id.to_owned(),
        created_at: created_at.parse().unwrap(),
        updated_at: created_at.parse().unwrap(),
        scope: MemoryScope::Project,
        source: MemorySource::ManualNote,
        title: None,
        text: text.to_owned(),
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        branch: None,
        origin_revision: None,
        importance: None,
        extra: Extra::new(),
    }
}

/// A temporary workspace, in memory where the system offers that: the protocol syncs a lot.
struct Workspace {
    dir: tempfile::TempDir,
    knowledge: Knowledge,
}

impl Workspace {
    fn new() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let knowledge = Knowledge::at(dir.path());
        Self { dir, knowledge }
    }

    /// With an initialized branch `main`.
    fn initialized() -> Self {
        let workspace = Self::new();
        workspace.main().init(&workspace.lock(), "Init GIK", None, None).unwrap();
        workspace
    }

    fn copy(&self) -> Self {
        let copy = Self::new();
        for (file, bytes) in self.files() {
            let path = copy.dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        copy
    }

    fn main(&self) -> Branch {
        self.knowledge.branch("main")
    }

    fn lock(&self) -> Held {
        self.knowledge.lock(Duration::from_secs(20), &Cancel::default()).unwrap()
    }

    /// Every file below the workspace but lock files, with its content.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
            for path in fs::list_dir(dir).unwrap() {
                if path.is_dir() {
                    collect(root, &path, files);
                } else if !path.ends_with(".lock") {
                    let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                    files.insert(name, fs::read(&path).unwrap());
                }
            }
        }
        let mut files = BTreeMap::new();
        collect(self.dir.path(), self.dir.path(), &mut files);
        files
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn ids(revisions: &[Revision]) -> Vec<&str> {
    revisions.iter().map(|revision| revision.id.as_str()).collect()
}
