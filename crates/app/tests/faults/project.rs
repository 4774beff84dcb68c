//! The small workspace that the misfortunes happen to, and short names for running the binary in it.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use gik_testkit::{Gik, Run, Tree};
use serde_json::Value;

/// Where the files of the only branch are.
pub(super) const BRANCH: &str = ".guided/knowledge/main";

/// A question that several files answer.
pub(super) const QUESTION: &str = "where are parcels weighed";

/// How many source files there are, and how many documents.
const MODULES: usize = 8;
const PAGES: usize = 6;

/// The binary in a tree.
pub(super) fn gik(tree: &Tree) -> Gik<'_> {
    Gik::new(env!("CARGO_BIN_EXE_gik"), tree)
}

/// A path below the folder of the branch.
pub(super) fn knowledge(relative: &str) -> String {
    format!("{BRANCH}/{relative}")
}

/// Writes the files of the project.
pub(super) fn write_project(tree: &Tree) {
    for at in 0..MODULES {
        tree.write(&format!("src/depot_{at}.rs"), module(at, 0));
    }
    for at in 0..PAGES {
        let page = format!(
            "# Route {at}\n\nParcels of route {at} are weighed at depot {at}.\n\n## Return\n\nEmpty.\n"
        );
        tree.write(&format!("docs/route_{at}.md"), page);
    }
    tree.write("Cargo.toml", "[package]\nname = \"depots\"\n\n[dependencies]\nserde = \"1\"\n");
}

/// The text of a source file in a version of its own.
pub(super) fn module(at: usize, version: usize) -> String {
    format!(
        "//! Depot {at}.\n\n/// Weighs a parcel, version {version}.\npub fn weigh_parcel_{at}() -> u32 {{\n    \
         {version}\n}}\n\npub struct Depot{at};\n"
    )
}

/// Changes a source file so that there is something to commit.
pub(super) fn edit(tree: &Tree, version: usize) {
    let at = version % MODULES;
    tree.write(&format!("src/depot_{at}.rs"), module(at, version));
}

/// The project, not indexed.
pub(super) fn project() -> Tree {
    let tree = Tree::empty();
    write_project(&tree);
    tree
}

/// The project, indexed, with one commit after the first.
pub(super) fn indexed_project() -> Tree {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    edit(&tree, 1);
    gik(&tree).run(&["commit", "-m", "feat: second"]).success();
    tree
}

/// Adds a memory entry and gives its id.
pub(super) fn remember(tree: &Tree, text: &str) -> String {
    let run = gik(tree).run(&["memory", "add", text, "--json"]).success();
    memory_id(&run.json())
}

/// The id in the answer of `memory add --json`.
pub(super) fn memory_id(answer: &Value) -> String {
    answer["entry"]["id"].as_str().expect("`memory add` tells the id").to_owned()
}

/// The ids that `memory list` shows, in its order.
pub(super) fn listed_memory(tree: &Tree) -> Vec<String> {
    let rows = gik(tree).run(&["memory", "list", "--limit", "0", "--jsonl"]).success().jsonl();
    rows.iter().map(|row| row["id"].as_str().expect("an entry has an id").to_owned()).collect()
}

/// The evidence for a question.
pub(super) fn evidence(run: &Run) -> Value {
    let chunks = run.json()["ragChunks"].clone();
    assert!(chunks.as_array().is_some_and(|chunks| !chunks.is_empty()), "no evidence: {run:?}");
    chunks
}

/// Asks [`QUESTION`].
pub(super) fn ask(tree: &Tree) -> Run {
    gik(tree).run(&["ask", QUESTION, "--json"]).success()
}

/// The code of a failure printed by `--json`.
pub(super) fn error_code(run: &Run) -> String {
    let code = run.json()["error"]["code"].as_str().map(str::to_owned);
    code.unwrap_or_else(|| format!("no error code in {run:?}"))
}

/// Checks that every invariant holds.
pub(super) fn verify(tree: &Tree) {
    gik(tree).run(&["verify"]).success();
}

/// The knowledge as bytes, to put back after damage.
pub(super) struct Saved(BTreeMap<String, Vec<u8>>);

impl Saved {
    pub(super) fn of(tree: &Tree) -> Self {
        let files = tree.list_below(".guided");
        Self(files.into_iter().map(|path| (path.clone(), tree.read_bytes(&path))).collect())
    }

    /// Makes the knowledge what it was.
    pub(super) fn restore(&self, tree: &Tree) {
        tree.remove(".guided");
        for (path, bytes) in &self.0 {
            tree.write(path, bytes);
        }
    }

    /// The bytes of a file.
    pub(super) fn bytes(&self, path: &str) -> &[u8] {
        self.0.get(path).unwrap_or_else(|| no_file(path))
    }

    /// Files that were there and are not. Locks and side files of SQLite come and go, and segments change their names.
    pub(super) fn missing(&self, tree: &Tree) -> Vec<String> {
        let passing = |path: &&String| {
            ["-wal", "-shm", ".lock", ".seg"].iter().any(|end| path.ends_with(end))
        };
        self.0.keys().filter(|path| !passing(path) && !tree.exists(path)).cloned().collect()
    }
}

#[expect(clippy::panic, reason = "the caller is a test; the path belongs in its message")]
fn no_file(path: &str) -> ! {
    panic!("there was no `{path}`")
}

/// Cuts a file to a length, at a moment that the times of files can tell from the last write.
pub(super) fn cut(tree: &Tree, path: &str, length: usize) {
    std::thread::sleep(Duration::from_millis(20));
    let file = fs::OpenOptions::new().write(true).open(tree.path(path)).expect("the file is there");
    file.set_len(length as u64).expect("the file can be cut");
}

/// Kills a writer at the moment its newest generation is in the log beside the database, and nowhere else.
pub(super) fn leave_a_full_log(tree: &Tree) {
    const LOG_HEADER_BYTES: u64 = 32;
    let log = tree.path(&knowledge("index.sqlite-wal"));
    let is_full = || fs::metadata(&log).is_ok_and(|metadata| metadata.len() > LOG_HEADER_BYTES);
    for version in 0..100 {
        // Many changed files make the moment longer.
        for at in 0..120 {
            tree.write(&format!("src/many/{at}.rs"), module(at, version));
        }
        let mut running = gik(tree).spawn(&["index"]);
        while !is_full() && !running.has_ended() {}
        running.kill();
        if is_full() {
            return;
        }
    }
    assert!(is_full(), "no moment leaves a log behind");
}

/// Tells the person who runs the tests; shown on failure, or with `--nocapture`.
#[expect(clippy::print_stderr, reason = "a test has no other way to tell")]
pub(super) fn say(text: &str) {
    eprintln!("{text}");
}
