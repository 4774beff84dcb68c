//! How source code becomes an index: from nothing, with nothing or one file changed, after a switch of branches.
//!
//! `trees` makes the trees from real packages, `peers` runs other programs on them, `stage` watches for the moment when
//! words can be searched, `branches` switches between two states of a tree, `bars` says what the numbers must reach.

pub(super) mod bars;
mod branches;
mod peers;
mod stage;
pub(super) mod trees;

use std::path::Path;

use super::program::{Program, change, forget, note_sizes, some_source_file};
use super::series::{Results, Step, Subject};
use super::walk::{self, Depth};
use crate::stop::Result;

/// What is measured before and between the runs of the program.
const LIGHT_BOUNDS: &[(Step, Depth)] =
    &[(Step::WalkStat, Depth::Stat), (Step::WalkRead, Depth::Read)];
const HEAVY_BOUNDS: &[(Step, Depth)] =
    &[(Step::Hash, Depth::Hash), (Step::Tokenize, Depth::Tokenize), (Step::Parse, Depth::Parse)];

/// The numbers of a tree and what has to be said about them.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) results: Results,
    pub(super) notes: Vec<String>,
}

/// Measures every step on the tree below `root`.
pub(super) fn run(program: &Program, root: &Path, subject: Subject) -> Result<Measured> {
    let mut results = Results::new(subject);
    let mut notes = Vec::new();
    branches::prepare(root)?;
    // The first look fills the page cache and is not counted.
    let seen = walk::walk(root, Depth::Read);
    results.subject.bytes = seen.bytes;
    eprintln!("bench:   {} files, {} bytes", seen.files, seen.bytes);

    for _ in 0..program.rounds.fresh {
        // One of each per round, so that a slow moment of the machine hits both sides of every ratio.
        walk::bare(&mut results, root, LIGHT_BOUNDS);
        walk::bare(&mut results, root, HEAVY_BOUNDS);
        forget(root)?;
        let (finished, searchable) =
            stage::watched(root, || program.gik(root, &["index", "--no-embed"]))?;
        results.add(Step::Index, finished.wall, finished.peak);
        if let Some(wall) = searchable {
            results.add(Step::FirstAnswer, wall, None);
        }
        notes.extend(peers::run(&mut results, root)?);
    }
    if !results.steps.contains_key(&Step::FirstAnswer) {
        notes.push("The program does not say when words can be searched.".to_owned());
    }
    note_sizes(&mut results, root)?;
    let changed = some_source_file(root)?;
    for round in 0..program.rounds.steady {
        walk::bare(&mut results, root, LIGHT_BOUNDS);
        for (step, words) in
            [(Step::Unchanged, &["index", "--no-embed"][..]), (Step::Status, &["status"])]
        {
            let finished = program.gik(root, words)?;
            results.add(step, finished.wall, finished.peak);
        }
        change(&changed, round)?;
        let update = program.gik(root, &["index", "--no-embed"])?;
        results.add(Step::Update, update.wall, update.peak);
    }
    branches::keep(root)?;
    for round in 0..program.rounds.fresh {
        for (step, branch) in
            [(Step::NewBranch, branches::other(round)), (Step::Switch, branches::MAIN.to_owned())]
        {
            branches::switch(root, &branch)?;
            let finished = program.gik(root, &["index", "--no-embed"])?;
            results.add(step, finished.wall, finished.peak);
        }
    }
    notes.sort();
    notes.dedup();
    Ok(Measured { results, notes })
}

#[cfg(all(test, unix))]
mod tests {
    use gik_testkit::Tree;

    use super::super::program::pretend;
    use super::*;

    #[test]
    fn every_step_is_run_on_the_branch_it_is_about() {
        let tree = Tree::new("//- a/lib.rs\nfn a() {}\n//- b/main.go\npackage main\n");
        let script = "mkdir -p \"$2/.guided/knowledge/main\"
echo \"$3 $(git -C \"$2\" rev-parse --abbrev-ref HEAD)\" >> \"$2/.guided/log\"
echo '{\"stages\": {\"stage1\": {\"state\": \"ready\"}}}' > \"$2/.guided/knowledge/main/index_state.json\"
";
        let program = pretend(&tree, script);
        let subject = Subject { label: "x".to_owned(), generated: None, files: 2, bytes: 1 };
        let measured = run(&program, tree.root(), subject).unwrap();

        let steady = "index main\nstatus main\nindex main\n".repeat(2);
        let switches = "index other-0\nindex main\nindex other-1\nindex main\n";
        assert_eq!(tree.read(".guided/log"), format!("index main\n{steady}{switches}"));
        let runs = |step: Step| measured.results.steps[&step].runs().len();
        for step in [Step::Hash, Step::Tokenize, Step::Parse, Step::Index, Step::Switch] {
            assert_eq!(runs(step), 2, "{step:?}");
        }
        assert_eq!((runs(Step::WalkStat), runs(Step::Update)), (4, 2));
    }
}
