//! What a person sees: every command's text, `--json`, standard error and exit status.
//!
//! One file per command; each has one snapshot with a few runs below each other, so that a change of words shows up as
//! one readable difference. Files named after a subject (`freshness`, `archives`, …) check behaviour instead of words.

mod add;
mod agents;
mod archives;
mod ask;
mod base;
mod bases;
mod branch;
mod branches;
mod changes;
mod color;
mod commit;
mod completions;
mod config;
mod detail;
mod doctor;
mod eval;
mod freshness;
mod graph;
mod help;
mod history;
mod hostile;
mod index;
mod init;
#[cfg(feature = "lancedb")]
mod lancedb;
mod log;
mod ls_files;
mod man;
mod memory;
mod model;
mod modes;
mod names;
mod pack;
mod pack_here;
mod pipe;
mod query;
mod reindex;
mod release;
mod reranker;
mod rm;
mod roots;
mod savings;
mod search;
mod show;
mod sources;
mod stack;
mod stats;
mod status;
mod symbols;
mod text;
mod urls;
mod usage;
mod vectors;
mod verify;
#[cfg(unix)]
mod watch;
mod why;
mod why_not;

pub(crate) use archives::zip_of;
use gik_testkit::{Gik, Run, Tree};
pub(crate) use pack::calls;

/// A small project in two languages with a manifest, a document and nothing indexed yet.
const PROJECT: &str = r#"
    //- Cargo.toml
    [package]
    name = "greeter"
    version = "0.1.0"

    [dependencies]
    serde = "1.0"

    [dev-dependencies]
    insta = "1"
    //- README.md
    # Greeter

    Says hello to people.

    ## Usage

    Run `greeter NAME` and read the greeting on the terminal.
    //- src/main.rs
    //! The program.

    use crate::text::greeting;

    /// Prints the greeting for the first argument.
    fn main() {
        let name = std::env::args().nth(1).unwrap_or_default();
        println!("{}", greeting(&name));
    }
    //- src/text.rs
    //! Words to say.

    /// Makes the greeting for a person.
    pub fn greeting(name: &str) -> String {
        if name.is_empty() { "Hello!".to_owned() } else { format!("Hello, {name}!") }
    }

    /// Makes the words to part with.
    pub fn farewell(name: &str) -> String {
        format!("Goodbye, {name}!")
    }
"#;

/// The binary of this package in a tree.
pub(crate) fn gik(tree: &Tree) -> Gik<'_> {
    Gik::new(env!("CARGO_BIN_EXE_gik"), tree)
}

/// The small project, not indexed.
pub(crate) fn project() -> Tree {
    Tree::new(PROJECT)
}

/// The small project, indexed.
pub(crate) fn indexed() -> Tree {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    tree
}

/// The paths of the evidence for a question, best first.
pub(crate) fn asked(tree: &Tree, question: &str) -> Vec<String> {
    let run = gik(tree).run(&["ask", question, "--json"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.snapshot());
    paths(&run.json()["ragChunks"])
}

/// The text of the evidence for a question, all pieces together.
pub(crate) fn evidence(tree: &Tree, question: &str) -> String {
    let bundle = gik(tree).run(&["ask", question, "--json"]).json();
    let chunks = bundle["ragChunks"].as_array().expect("ragChunks is a list");
    chunks.iter().map(|chunk| chunk["snippet"].as_str().expect("a snippet is text")).collect()
}

/// The field `path` of each object of a list.
pub(crate) fn paths(list: &serde_json::Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|item| item["path"].as_str().expect("a path is text").to_owned()).collect()
}

/// What `ls-files` lists.
pub(crate) fn listed(tree: &Tree) -> Vec<String> {
    paths(&gik(tree).run(&["ls-files", "--json"]).json()["files"])
}

/// Compares runs with the stored snapshot of that name.
fn assert_transcript(name: &str, runs: &[Run]) {
    let text: Vec<String> = runs.iter().map(Run::snapshot).collect();
    assert_text(name, &text.join("\n\n"));
}

/// Compares text with the stored snapshot of that name.
fn assert_text(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
