//! Every document that is printed or written fits the schemas that `gik docs schemas` prints.

use gik_testkit::Tree;
use serde_json::Value;

use super::validator::problems;
use super::{json, jsonl, lines_of};
use crate::cli::{gik, project};

struct Schemas(Value);

impl Schemas {
    fn check(&self, name: &str, documents: &[Value]) {
        assert!(!documents.is_empty(), "nothing to check against `{name}`");
        for document in documents {
            let found = problems(&self.0[name], document);
            assert!(found.is_empty(), "{name}: {found:#?}\n{document:#}");
        }
    }
}

fn used() -> Tree {
    let tree = project();
    tree.git_init();
    tree.git_commit("first");
    let gik = gik(&tree);
    for arguments in [
        &["index", "-m", "feat: all"][..],
        &["ask", "greeting"],
        &["search", "greeting"],
        &["memory", "add", "one", "--title", "One", "--importance", "1", "--scope", "branch"],
        &["memory", "add", "two", "--tag", "old"],
        &["memory", "prune", "--obsolete-tag", "old"],
        &["reindex"],
        &["add", "README.md", "https://example.com/x"],
        &["branch", "other"],
    ] {
        gik.run(arguments).success();
    }
    tree
}

#[test]
fn files_fit_their_schemas() {
    let tree = used();
    let schemas = Schemas(gik(&tree).run(&["docs", "schemas"]).success().json());
    let lines = [
        ("timeline", "timeline.jsonl"),
        ("staging-pending", "staging/pending.jsonl"),
        ("stack-files", "stack/files.jsonl"),
        ("stack-dependencies", "stack/dependencies.jsonl"),
        ("stack-tech", "stack/tech.jsonl"),
        ("base-sources", "bases/code/sources.jsonl"),
        ("base-sources", "bases/docs/sources.jsonl"),
        ("memory-sources", "bases/memory/sources.jsonl"),
        ("memory-sources", "bases/memory/archive.jsonl"),
    ];
    for (name, file) in lines {
        schemas.check(name, &jsonl(&tree, file));
    }
    let documents = [
        ("staging-summary", "staging/summary.json"),
        ("stack-stats", "stack/stats.json"),
        ("base-stats", "bases/code/stats.json"),
        ("memory-stats", "bases/memory/stats.json"),
    ];
    for (name, file) in documents {
        schemas.check(name, &[json(&tree, file)]);
    }
    schemas.check("ask-log", &lines_of(&tree.read(".guided/knowledge/asks/ask.log.jsonl")));
    schemas.check("answers", &lines_of(&tree.read(".guided/knowledge/asks/answers.jsonl")));
    let other = lines_of(&tree.read(".guided/knowledge/other/timeline.jsonl"));
    schemas.check("timeline", &other);
}

#[test]
fn printed_documents_fit_their_schemas() {
    let tree = used();
    let gik = gik(&tree);
    let schemas = Schemas(gik.run(&["docs", "schemas"]).success().json());
    for arguments in [&["ask", "greeting", "--json", "--timings"][..], &["ask", "zebra", "--json"]]
    {
        schemas.check("ask-bundle", &[gik.run(arguments).json()]);
    }
    schemas.check("timeline", &gik.run(&["log", "--jsonl"]).success().jsonl());
    schemas.check("timeline", &[gik.run(&["show", "--json"]).success().json()]);
    schemas.check("ask-log", &gik.run(&["log", "--kind", "ask", "--jsonl"]).success().jsonl());
    schemas.check("memory-sources", &gik.run(&["memory", "list", "--jsonl"]).success().jsonl());
    let status = gik.run(&["status", "--json"]).success().json();
    schemas.check("staging-pending", status["pending"].as_array().unwrap());
}

#[test]
fn the_schemas_name_what_the_contract_requires() {
    let tree = Tree::empty();
    let schemas = gik(&tree).run(&["docs", "schemas"]).success().json();
    let required = |name: &str| -> Vec<String> {
        let list = schemas[name]["required"].as_array().unwrap();
        list.iter().map(|field| field.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(required("base-stats"), ["chunkCount", "fileCount", "lastUpdated"]);
    assert_eq!(required("stack-files"), ["path", "kind", "languages"]);
    assert_eq!(
        required("staging-pending"),
        ["id", "branch", "base", "kind", "uri", "addedAt", "status"]
    );
    assert_eq!(
        required("memory-sources"),
        ["id", "createdAt", "updatedAt", "scope", "source", "text", "tags"]
    );
    assert_eq!(required("ask-log"), ["timestamp", "branch", "question", "bases", "totalHits"]);
}
