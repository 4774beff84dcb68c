//! `stack/`: files, dependencies, technologies and their count.

use gik_testkit::Tree;
use serde_json::json;

use super::{Kind, MAIN, check, json as document, jsonl};
use crate::cli::gik;

fn project() -> Tree {
    let tree = Tree::new(
        r#"
        //- Cargo.toml
        [dependencies]
        serde = "1.0"
        [dev-dependencies]
        insta = "1"
        //- src/main.rs
        fn main() {}
        //- src/deep/lib.rs
        fn lib() {}
        //- web/package.json
        {"dependencies": {"next": "^15.0.0"}}
        //- notes
        "#,
    );
    gik(&tree).run(&["init"]).success();
    gik(&tree).run(&["add", "src"]).success();
    tree
}

#[test]
fn add_scans_the_whole_workspace() {
    let tree = project();
    let files = jsonl(&tree, "stack/files.jsonl");
    for entry in &files {
        check(
            entry,
            &[
                ("path", Kind::Text),
                ("kind", Kind::OneOf(&["Dir", "File"])),
                ("languages", Kind::Texts),
            ],
            &[("fileCount", Kind::OrNull(&Kind::Count))],
        );
    }
    let wanted = [
        json!({"path": "Cargo.toml", "kind": "File", "languages": ["toml"], "fileCount": null}),
        json!({"path": "notes", "kind": "File", "languages": [], "fileCount": null}),
        json!({"path": "src", "kind": "Dir", "languages": ["rust"], "fileCount": 2}),
        json!({"path": "src/deep", "kind": "Dir", "languages": ["rust"], "fileCount": 1}),
        json!({"path": "src/deep/lib.rs", "kind": "File", "languages": ["rust"], "fileCount": null}),
        json!({"path": "src/main.rs", "kind": "File", "languages": ["rust"], "fileCount": null}),
        json!({"path": "web", "kind": "Dir", "languages": ["json"], "fileCount": 1}),
        json!({"path": "web/package.json", "kind": "File", "languages": ["json"], "fileCount": null}),
    ];
    assert_eq!(files, wanted);
}

#[test]
fn dependencies_name_manager_version_scope_and_manifest() {
    let tree = project();
    let entry = |manager: &str, name: &str, version: &str, scope: &str, manifest: &str| {
        json!({
            "manager": manager,
            "name": name,
            "version": version,
            "scope": scope,
            "manifestPath": manifest,
        })
    };
    assert_eq!(
        jsonl(&tree, "stack/dependencies.jsonl"),
        [
            entry("cargo", "insta", "1", "dev", "Cargo.toml"),
            entry("cargo", "serde", "1.0", "runtime", "Cargo.toml"),
            entry("npm", "next", "^15.0.0", "runtime", "web/package.json"),
        ]
    );
}

#[test]
fn technologies_tell_where_they_were_seen() {
    let tree = project();
    let tech = jsonl(&tree, "stack/tech.jsonl");
    for entry in &tech {
        let text = Kind::Text;
        let fields =
            [("kind", text), ("name", text), ("source", text), ("confidence", Kind::Number)];
        check(entry, &fields, &[]);
        assert!((0.0..=1.0).contains(&entry["confidence"].as_f64().unwrap()));
    }
    let next = tech.iter().find(|entry| entry["name"] == "Next.js").unwrap();
    assert_eq!(
        next,
        &json!({"kind": "framework", "name": "Next.js", "source": "dependency:next", "confidence": 0.9})
    );
}

#[test]
fn the_count_has_languages_and_managers() {
    let tree = project();
    let stats = document(&tree, "stack/stats.json");
    check(
        &stats,
        &[
            ("totalFiles", Kind::Count),
            ("languages", Kind::Counts),
            ("managers", Kind::Texts),
            ("generatedAt", Kind::Time),
        ],
        &[],
    );
    assert_eq!(stats["totalFiles"], 5);
    assert_eq!(stats["languages"], json!({"json": 1, "rust": 2, "toml": 1}));
    assert_eq!(stats["managers"], json!(["cargo", "npm"]));
}

#[test]
fn every_add_overwrites_the_whole_inventory() {
    let tree = project();
    tree.remove("web");
    tree.write("go.mod", "module x\n\nrequire example.com/y v1.2.3\n");
    gik(&tree).run(&["add", "src"]).success();
    let text = tree.read(&format!("{MAIN}/stack/dependencies.jsonl"));
    assert!(text.contains("example.com/y") && !text.contains("next"), "{text}");
    assert_eq!(document(&tree, "stack/stats.json")["managers"], json!(["cargo", "go"]));
}
