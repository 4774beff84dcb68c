//! The life of an entry: remembered, listed, pruned, archived, restored.

use gik_base::progress::Silent;
use gik_base::{Cancel, ErrorCode, Failure};
use gik_contract::Revision;
use gik_ledger::{Branch, Knowledge};
use serde_json::{Value, json};

use super::{add, list, metrics, prune, restore, search, show};
use crate::{Context, Options, Tool};

struct Fixture {
    dir: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn run(&self, tool: &Tool, arguments: Value) -> Result<Value, Failure> {
        let root = self.dir.path().canonicalize().unwrap();
        let ctx = Context {
            options: Options { workspace: Some(root.clone()), ..Options::default() },
            cwd: root,
            progress: &Silent,
            cancel: Cancel::default(),
        };
        tool.run_json(&ctx, arguments)?.json()
    }

    fn ok(&self, tool: &Tool, arguments: Value) -> Value {
        self.run(tool, arguments).unwrap()
    }

    fn branch(&self) -> Branch {
        Knowledge::at(&self.dir.path().canonicalize().unwrap()).branch("main")
    }

    fn operations(&self) -> Vec<Value> {
        let timeline: Vec<Revision> = self.branch().timeline().unwrap();
        timeline
            .iter()
            .map(|revision| serde_json::to_value(&revision.operations[0]).unwrap())
            .collect()
    }

    /// Adds an entry and gives its id.
    fn add(&self, arguments: Value) -> String {
        self.ok(&add::TOOL, arguments)["entry"]["id"].as_str().unwrap().to_owned()
    }

    fn listed(&self, arguments: Value) -> usize {
        self.ok(&list::TOOL, arguments)["entries"].as_array().unwrap().len()
    }
}

#[test]
fn the_first_entry_starts_the_workspace_and_each_is_a_revision() {
    let fixture = Fixture::new();
    let missing = fixture.run(&list::TOOL, json!({})).unwrap_err();
    assert_eq!(missing.code(), ErrorCode::NotInitialized);
    let output = fixture.ok(
        &add::TOOL,
        json!({ "text": "We use SQLite", "title": "Storage", "source": "decision", "tags": ["b,a"],
                "importance": 0.8 }),
    );
    assert_eq!(output["entry"]["tags"], json!(["a", "b"]));
    assert_eq!(output["entry"]["scope"], "project");
    assert_eq!(output["revisionId"].as_str(), fixture.branch().head().unwrap().as_deref());
    assert_eq!(
        fixture.operations(),
        [json!({ "type": "Init" }), json!({ "type": "MemoryIngest", "count": 1 })]
    );
    let stats = fixture.branch().memory().stats().unwrap().unwrap();
    assert_eq!((stats.chunk_count, stats.file_count), (1, 1));

    let id = output["entry"]["id"].as_str().unwrap();
    let shown = fixture.ok(&show::TOOL, json!({ "id": &id[4..10] }));
    assert_eq!((&shown["title"], &shown["archived"]), (&json!("Storage"), &json!(false)));
    let found = fixture.ok(&search::TOOL, json!({ "query": "sqlite" }));
    assert_eq!(found["entries"][0]["id"], id);
}

#[test]
fn what_breaks_the_contract_is_refused_before_anything_is_written() {
    let fixture = Fixture::new();
    let wrong = [
        json!({ "text": " \n" }),
        json!({}),
        json!({ "text": "-" }),
        json!({ "text": "x", "title": "t".repeat(101) }),
        json!({ "text": "x", "importance": 1.5 }),
    ];
    for arguments in wrong {
        let failure = fixture.run(&add::TOOL, arguments).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::MemoryInvalid);
        assert!(!failure.hints().is_empty());
    }
    assert!(!fixture.branch().is_initialized());
}

#[test]
fn a_text_may_come_from_a_file_of_the_workspace() {
    let fixture = Fixture::new();
    std::fs::write(fixture.dir.path().join("note.txt"), "from a file\n").unwrap();
    let output = fixture.ok(&add::TOOL, json!({ "file": "note.txt" }));
    assert_eq!(output["entry"]["text"], "from a file");
    let outside = fixture.run(&add::TOOL, json!({ "file": "../note.txt" })).unwrap_err();
    assert_eq!(outside.code(), ErrorCode::PathOutside);
}

#[test]
fn pruned_entries_are_archived_and_come_back() {
    let fixture = Fixture::new();
    let old = fixture.add(json!({ "text": "old rule", "tags": ["obsolete"] }));
    let kept = fixture.add(json!({ "text": "new rule" }));
    let policy = json!({ "obsoleteTags": ["obsolete"], "dryRun": true });
    let plan = fixture.ok(&prune::TOOL, policy);
    assert_eq!(plan["pruned"][0]["reasons"], json!(["it has the tag `obsolete`"]));
    assert_eq!(fixture.operations().len(), 3);

    let config = fixture.branch().memory().config_path();
    std::fs::write(config, r#"{"pruningPolicy":{"obsoleteTags":["obsolete"]}}"#).unwrap();
    assert_eq!(fixture.ok(&metrics::TOOL, json!({}))["prunableCount"], 1);
    let pruned = fixture.ok(&prune::TOOL, json!({}));
    assert_eq!((&pruned["archivedCount"], &pruned["keptCount"]), (&json!(1), &json!(1)));
    assert_eq!(
        fixture.operations()[3],
        json!({ "type": "MemoryPrune", "count": 1, "archivedCount": 1, "deletedCount": 0 })
    );
    assert_eq!(fixture.listed(json!({ "scope": "project" })), 1);
    assert_eq!(fixture.listed(json!({ "scope": "project", "archived": true })), 1);
    assert_eq!(fixture.ok(&show::TOOL, json!({ "id": old }))["archived"], true);
    let found = fixture.ok(&search::TOOL, json!({ "query": "rule" }));
    assert!(!found.to_string().contains(&old));

    // Nothing more to prune is no revision.
    assert_eq!(fixture.ok(&prune::TOOL, json!({}))["revisionId"], Value::Null);
    assert_eq!(fixture.operations().len(), 4);

    let active = fixture.run(&restore::TOOL, json!({ "ids": [kept] })).unwrap_err();
    assert_eq!(active.code(), ErrorCode::MemoryMissing);
    fixture.ok(&restore::TOOL, json!({ "ids": [&old[4..10], old.clone()] }));
    assert_eq!(
        fixture.operations()[4],
        json!({ "type": "Custom", "name": "memory-restore", "data": { "count": 1, "ids": [old] } })
    );
    assert_eq!(fixture.listed(json!({ "scope": "project" })), 2);
    assert!(fixture.branch().memory().archived().unwrap().is_empty());
    assert_eq!(fixture.branch().verify().unwrap(), []);
}

#[test]
fn deleted_entries_are_gone_and_a_rule_is_needed() {
    let fixture = Fixture::new();
    fixture.add(json!({ "text": "one" }));
    fixture.add(json!({ "text": "two" }));
    let failure = fixture.run(&prune::TOOL, json!({ "mode": "delete" })).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
    assert!(failure.hints()[1].contains("pruningPolicy"));
    let pruned = fixture.ok(&prune::TOOL, json!({ "mode": "delete", "maxEntries": 1 }));
    assert_eq!(pruned["deletedCount"], 1);
    assert_eq!(fixture.branch().memory().entries().unwrap()[0].text, "two");
    assert!(fixture.branch().memory().archived().unwrap().is_empty());
}
