//! Memory folders of branches and of the user.

use std::time::Duration;

use gik_base::{Cancel, ErrorCode};
use gik_contract::{MemoryConfig, MemoryEntry, MemoryScope};

use super::{Workspace, memory, read};
use crate::memory::visible_memory;
use crate::{Branch, Held, MemoryBase};

fn entry(id: &str, scope: MemoryScope, branch: Option<&str>) -> MemoryEntry {
    MemoryEntry {
        scope,
        branch: branch.map(str::to_owned),
        ..memory(id, "2025-01-01T00:00:00Z", id, &[])
    }
}

fn keep(branch: &Branch, held: &Held, entries: &[MemoryEntry]) {
    let transaction = branch.transaction(held);
    transaction.set_memory(&branch.memory(), entries).unwrap();
    transaction.commit().unwrap();
}

fn keep_globally(global: &MemoryBase, entries: &[MemoryEntry]) {
    let held = global.lock(Duration::from_secs(20), &Cancel::default()).unwrap();
    let transaction = global.transaction(&held).unwrap();
    transaction.set_memory(global, entries).unwrap();
    transaction.commit().unwrap();
}

#[test]
fn entries_and_counts_are_written_as_the_contract_says() {
    let workspace = Workspace::initialized();
    let branch = workspace.main();
    let written = memory("mem-a1b2c3d4e5f6", "2025-01-15T10:30:00Z", "x", &["t"]);
    keep(&branch, &workspace.lock(), std::slice::from_ref(&written));
    assert_eq!(
        read(&branch.dir().join("bases/memory/sources.jsonl")),
        "{\"id\":\"mem-a1b2c3d4e5f6\",\"createdAt\":\"2025-01-15T10:30:00Z\",\
         \"updatedAt\":\"2025-01-15T10:30:00Z\",\"scope\":\"project\",\"source\":\"manualNote\",\
         \"text\":\"x\",\"tags\":[\"t\"],\"branch\":null,\"originRevision\":null}\n"
    );
    let stats: serde_json::Value =
        serde_json::from_str(&read(&branch.dir().join("bases/memory/stats.json"))).unwrap();
    assert_eq!(
        stats,
        serde_json::json!({
            "base": "memory",
            "chunkCount": 1,
            "fileCount": 1,
            "vectorCount": 0,
            "failedCount": 0,
            "lastUpdated": stats["lastUpdated"]
        })
    );
    assert_eq!(branch.memory().metrics().unwrap().entry_count, 1);
    assert_eq!(branch.memory().archived().unwrap(), []);
    assert_eq!(branch.memory().config().unwrap(), MemoryConfig::default());
}

#[test]
fn a_config_keeps_what_this_version_does_not_know() {
    let workspace = Workspace::initialized();
    let (branch, held) = (workspace.main(), workspace.lock());
    let memory = branch.memory();
    let text = r#"{"pruningPolicy":{"maxEntries":5,"maxDreams":1},"colour":"blue"}"#;
    std::fs::write(memory.config_path(), text).unwrap();
    let transaction = branch.transaction(&held);
    transaction.set_memory_config(&memory, &memory.config().unwrap()).unwrap();
    transaction.commit().unwrap();
    let after: serde_json::Value = serde_json::from_str(&read(&memory.config_path())).unwrap();
    assert_eq!(after, serde_json::from_str::<serde_json::Value>(text).unwrap());
}

#[test]
fn a_branch_sees_its_own_the_project_s_and_the_user_s_entries() {
    let workspace = Workspace::initialized();
    let held = workspace.lock();
    let (main, feature) = (workspace.main(), workspace.knowledge.branch("feature/x"));
    feature.init(&held, "x", None, Some(&main)).unwrap();
    keep(
        &main,
        &held,
        &[
            entry("main-project", MemoryScope::Project, None),
            entry("main-branch", MemoryScope::Branch, Some("main")),
            entry("both", MemoryScope::Project, None),
        ],
    );
    keep(
        &feature,
        &held,
        &[
            entry("feature-branch", MemoryScope::Branch, Some("feature/x")),
            entry("both", MemoryScope::Project, None),
        ],
    );
    let global = MemoryBase::global(&workspace.dir.path().join("home"));
    keep_globally(&global, &[entry("user", MemoryScope::Global, None)]);

    let seen = |branch: &str, global: Option<&MemoryBase>| -> Vec<(String, Option<String>)> {
        visible_memory(&workspace.knowledge, branch, global)
            .unwrap()
            .into_iter()
            .map(|located| (located.entry.id, located.branch))
            .collect()
    };
    let at = |id: &str, branch: &str| (id.to_owned(), Some(branch.to_owned()));
    assert_eq!(
        seen("main", Some(&global)),
        [
            at("main-project", "main"),
            at("main-branch", "main"),
            at("both", "main"),
            ("user".to_owned(), None),
        ]
    );
    assert_eq!(
        seen("feature/x", None),
        [at("feature-branch", "feature/x"), at("both", "feature/x"), at("main-project", "main"),]
    );
    assert_eq!(seen("unborn", None), [at("both", "feature/x"), at("main-project", "main")]);
}

#[test]
fn the_global_memory_has_its_own_lock_and_journal() {
    let workspace = Workspace::initialized();
    let home = workspace.dir.path().join("home");
    let global = MemoryBase::global(&home);
    assert_eq!(global.entries().unwrap(), []);
    assert!(!home.exists(), "reading never writes");
    keep_globally(&global, &[entry("one", MemoryScope::Global, None)]);

    // A journal that a killed process left.
    let line = read(&global.sources_path()).replace("one", "two");
    std::fs::write(global.dir().join("sources.jsonl.1.gik-tmp"), &line).unwrap();
    let journal = serde_json::json!({
        "version": 1,
        "replacements": [{
            "from": "sources.jsonl.1.gik-tmp",
            "to": "sources.jsonl",
            "bytes": line.len(),
            "synced": true
        }]
    });
    std::fs::write(global.dir().join("journal.json"), journal.to_string()).unwrap();
    let held = global.lock(Duration::from_secs(20), &Cancel::default()).unwrap();
    assert_eq!(held.recovered(), ["finished an interrupted change"]);
    assert_eq!(global.entries().unwrap()[0].id, "two");

    let mut transaction = global.transaction(&held).unwrap();
    transaction.revision("none here", None, Vec::new());
    assert_eq!(transaction.commit().unwrap_err().code(), ErrorCode::Internal);
    let of_branch = workspace.main().memory();
    assert!(of_branch.transaction(&held).is_err());
}
