//! The same files give the same knowledge: at any path, with any number of threads, in any number of steps.

use gik_testkit::Tree;
use serde_json::Value;

use super::{MAIN, json, jsonl};
use crate::cli::gik;

const QUESTIONS: [&str; 5] =
    ["greeting", "how is a parcel weighed?", "+module -three", "\"number 2\"", "README usage"];

/// A tree with enough files that threads have something to disagree about.
fn fill(tree: &Tree, files: u32) {
    for n in 0..files {
        let text = module(n);
        tree.write(&format!("src/m{}/module_{n}.rs", n % 7), text);
        tree.write(&format!("docs/{n}.md"), page(n));
    }
    tree.write("README.md", "# Parcels\n\n## Usage\n\nWeigh a parcel, then greet it.\n");
    tree.write("Cargo.toml", "[dependencies]\nserde = \"1\"\n");
}

fn module(n: u32) -> String {
    format!(
        "//! Module number {n}.\n\n/// Weighs parcel {n}.\npub fn weigh_{n}(parcel: &Parcel) -> u64 {{\n    parcel.mass * {n}\n}}\n\n\
         pub struct Parcel {{\n    pub mass: u64,\n}}\n\nimpl Parcel {{\n    /// The greeting on the label.\n    pub fn greeting(&self) -> String {{\n        \
         format!(\"number {n}\")\n    }}\n}}\n"
    )
}

fn page(n: u32) -> String {
    format!(
        "# Page {n}\n\nAbout module {n}.\n\n## How it is weighed\n\nThe parcel of number {n} is weighed twice.\n"
    )
}

/// Everything that must not depend on where, when and how the index was made.
fn knowledge(tree: &Tree, options: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for file in [
        "bases/code/sources.jsonl",
        "bases/docs/sources.jsonl",
        "stack/files.jsonl",
        "stack/dependencies.jsonl",
        "stack/tech.jsonl",
    ] {
        all.push(tree.read(&format!("{MAIN}/{file}")));
    }
    let mut stats = json(tree, "stack/stats.json");
    stats["generatedAt"] = Value::Null;
    all.push(stats.to_string());
    all.push(signature(tree));
    all.extend(answers(tree, options));
    all
}

fn signature(tree: &Tree) -> String {
    let timeline = jsonl(tree, "timeline.jsonl");
    timeline.last().unwrap()["indexSignature"].as_str().unwrap().to_owned()
}

/// The evidence for several questions, all fields of it.
fn answers(tree: &Tree, options: &[&str]) -> Vec<String> {
    QUESTIONS
        .iter()
        .map(|question| {
            let arguments = [&["ask", "--json", "-k", "20", question], options].concat();
            let mut bundle = gik(tree).run(&arguments).success().json();
            bundle["revisionId"] = Value::Null;
            bundle["freshness"] = Value::Null;
            bundle.to_string()
        })
        .collect()
}

#[test]
fn two_paths_give_the_same_bytes() {
    let trees = [Tree::empty(), Tree::empty()].map(|tree| {
        fill(&tree, 20);
        gik(&tree).run(&["index"]).success();
        tree
    });
    assert_eq!(knowledge(&trees[0], &[]), knowledge(&trees[1], &[]));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let [one, four] = ["1", "4"].map(|threads| {
        let tree = Tree::empty();
        fill(&tree, 60);
        gik(&tree).run(&["index", "--threads", threads]).success();
        knowledge(&tree, &["--threads", threads])
    });
    assert_eq!(one, four);
}

#[test]
fn an_index_made_in_steps_equals_one_made_at_once() {
    let tree = Tree::empty();
    fill(&tree, 12);
    gik(&tree).run(&["index"]).success();
    type Step = fn(&Tree);
    let steps: [Step; 10] = [
        |tree| tree.write("src/extra.rs", module(99)),
        |tree| tree.append("docs/3.md", "\nA parcel of greeting cards.\n"),
        |tree| tree.remove("src/m2/module_2.rs"),
        |tree| tree.rename("src/m3", "lib/three"),
        |tree| tree.write("docs/4.md", "# Other\n\nNothing to weigh.\n"),
        |tree| tree.rename("docs/5.md", "docs/five.md"),
        |tree| tree.write(".gikignore", "docs/6.md\n"),
        |tree| tree.write("docs/7.md", b"\x00\x01"),
        |tree| {
            tree.remove(".gikignore");
            tree.write("docs/7.md", page(7));
        },
        |tree| tree.write("src/m1/module_1.rs", module(1).replace("Weighs", "Measures")),
    ];
    for (turn, step) in steps.iter().enumerate() {
        step(&tree);
        gik(&tree).run(&["ask", "greeting"]).success();
        if turn % 3 == 1 {
            gik(&tree).run(&["commit"]).success();
        }
    }
    gik(&tree).run(&["commit"]).success();
    gik(&tree).run(&["verify"]).success();

    let fresh = Tree::empty();
    for file in tree.list() {
        fresh.write(&file, tree.read_bytes(&file));
    }
    gik(&fresh).run(&["index"]).success();
    assert_eq!(knowledge(&tree, &[]), knowledge(&fresh, &[]));
}

#[test]
fn making_the_index_anew_changes_no_answer() {
    let tree = Tree::empty();
    fill(&tree, 10);
    gik(&tree).run(&["index"]).success();
    let before = knowledge(&tree, &[]);
    gik(&tree).run(&["reindex"]).success();
    assert_eq!(knowledge(&tree, &[]), before);
    tree.remove(&format!("{MAIN}/index.sqlite"));
    tree.remove(&format!("{MAIN}/lexical"));
    assert_eq!(answers(&tree, &[]), before[7..]);
}
