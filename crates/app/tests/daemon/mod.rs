//! The warm process: the same answers, one of it, and none when anything is out of order.

mod greeting;
mod life;
mod same;

use std::path::PathBuf;

use gik_testkit::{Gik, Running, Tree, eventually};
use serde_json::Value;

use crate::cli::gik;

/// The binary with the warm process of the tree's user turned on.
fn warm(tree: &Tree) -> Gik<'_> {
    gik(tree).env("GIK_NO_DAEMON", "0")
}

/// What `gik daemon status` says.
fn status(tree: &Tree) -> Value {
    warm(tree).run(&["daemon", "status", "--json"]).json()
}

fn is_running(tree: &Tree) -> bool {
    status(tree)["running"] == true
}

/// How many requests it was given.
fn calls(tree: &Tree) -> u64 {
    status(tree)["calls"].as_u64().expect("a warm process runs")
}

fn socket(tree: &Tree) -> PathBuf {
    PathBuf::from(status(tree)["socket"].as_str().expect("the socket is text"))
}

/// Starts one that the test can kill, and waits until it answers.
fn started(tree: &Tree) -> Running<'_> {
    let running = warm(tree).spawn(&["daemon", "run"]);
    eventually("a warm process answers", || status(tree)["pid"] == running.id());
    running
}

/// Writes the user's own config.
fn configure(tree: &Tree, text: &str) {
    let folder = tree.home().join(".gik");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.yaml"), text).unwrap();
}
