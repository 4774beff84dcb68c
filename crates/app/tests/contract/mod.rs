//! What other programs read: every file and document of the data contract, field by field.
//!
//! The expectations are written by hand from the contract, not taken from the types that the product writes with: a
//! renamed field fails here even where product and schema agree with each other.

mod ask;
mod bases;
mod build;
mod errors;
mod layout;
mod memory;
mod pack;
mod same;
mod schema;
mod shape;
mod stack;
mod staging;
mod timeline;
mod unknown;
mod validator;

use gik_testkit::Tree;
use serde_json::Value;

pub(crate) use shape::{Kind, check};

/// The folder of branch `main`.
const MAIN: &str = ".guided/knowledge/main";

/// A file of branch `main` as one JSON document.
fn json(tree: &Tree, file: &str) -> Value {
    serde_json::from_str(&tree.read(&format!("{MAIN}/{file}"))).expect("a JSON document")
}

/// A file of branch `main` as one JSON document a line; every line ends with a newline.
fn jsonl(tree: &Tree, file: &str) -> Vec<Value> {
    lines_of(&tree.read(&format!("{MAIN}/{file}")))
}

fn lines_of(text: &str) -> Vec<Value> {
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no end: {text}");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON document a line")).collect()
}
