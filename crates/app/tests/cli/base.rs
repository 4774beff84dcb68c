//! Which base a source goes to.

use gik_testkit::Tree;

use super::gik;

fn bases(tree: &Tree) -> Vec<(String, String)> {
    let files = gik(tree).run(&["ls-files", "--json"]).success().json();
    let files = files["files"].as_array().unwrap().clone();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    files.iter().map(|file| (text(&file["path"]), text(&file["base"]))).collect()
}

#[test]
fn the_base_follows_from_kind_and_content() {
    let tree = Tree::new(
        "
        //- LICENSE
        Permission is hereby granted.
        //- Makefile
        all:
        //- a.rs
        fn a() {}
        //- b.md
        # B
        //- c.txt
        plain words
        //- d.toml
        key = 1
        //- run
        #!/bin/sh
        echo run
        ",
    );
    gik(&tree).run(&["index"]).success();
    let expected = [
        ("LICENSE", "docs"),
        ("Makefile", "code"),
        ("a.rs", "code"),
        ("b.md", "docs"),
        ("c.txt", "docs"),
        ("d.toml", "code"),
        ("run", "code"),
    ];
    let expected: Vec<(String, String)> =
        expected.iter().map(|(path, base)| ((*path).to_owned(), (*base).to_owned())).collect();
    assert_eq!(bases(&tree), expected);
}

#[test]
fn a_named_base_wins_and_the_nearest_source_decides() {
    let tree = Tree::new("//- src/a.rs\nfn quokka() {}\n//- src/notes/b.rs\nfn wombat() {}\n");
    let gik = gik(&tree);
    gik.run(&["init"]).success();
    gik.run(&["add", "src"]).success();
    gik.run(&["add", "src/notes", "--base", "notes"]).success();
    gik.run(&["commit"]).success();
    let pair = |path: &str, base: &str| (path.to_owned(), base.to_owned());
    assert_eq!(bases(&tree), [pair("src/a.rs", "code"), pair("src/notes/b.rs", "notes")]);
    let only = |base: &str| {
        let run = gik.run(&["ask", "wombat quokka", "--base", base, "--json"]).json();
        super::paths(&run["ragChunks"])
    };
    assert_eq!(only("notes"), ["src/notes/b.rs"]);
    assert_eq!(only("code"), ["src/a.rs"]);
    assert!(tree.exists(".guided/knowledge/main/bases/notes/sources.jsonl"));
}

#[test]
fn a_file_can_change_its_base() {
    let tree = Tree::new("//- a.rs\nfn quokka() {}\n");
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    gik.run(&["add", "a.rs", "--base", "docs"]).success();
    gik.run(&["commit"]).success();
    assert_eq!(bases(&tree), [("a.rs".to_owned(), "docs".to_owned())]);
    assert_eq!(tree.read(".guided/knowledge/main/bases/code/sources.jsonl"), "");
    gik.run(&["verify"]).success();
}
