//! The life of a knowledge repository on one tree, in the order a user lives it.

use std::path::Path;

use serde_json::Value;

use super::program::{KNOWLEDGE, Program, change, forget, note_sizes, some_source_file};
use super::series::{Results, Step, Subject};
use super::walk::{self, Depth};
use super::warm;
use crate::stop::{Result, Stop};

/// Questions of ordinary words, so that every one has hits by some of its words in any project.
const QUESTIONS: &[&str] = &[
    "how does the cache resolve a snapshot when the index changes",
    "where is the error of a request reported to the user",
    "which function reads the config file and sets the default value",
    "what happens to the queue when a worker is cancelled",
    "list the types that store the result of a search",
];

/// What the times are compared with.
const BOUNDS: &[(Step, Depth)] = &[(Step::WalkStat, Depth::Stat), (Step::WalkRead, Depth::Read)];

/// Measures every step on the tree below `root`.
pub(super) fn run(program: &Program, root: &Path, subject: Subject) -> Result<Results> {
    let mut results = Results::new(subject);
    // The first look fills the page cache and is not counted.
    let seen = walk::walk(root, Depth::Read);
    eprintln!("bench:   {} files, {} bytes", seen.files, seen.bytes);

    for _ in 0..program.rounds.fresh {
        forget(root)?;
        let finished = program.gik(root, &["index", "--no-embed"])?;
        results.add(Step::Index, finished.wall, finished.peak);
    }
    for round in 0..program.rounds.steady {
        // One of each per round, so that a slow moment of the machine hits both sides of every ratio.
        walk::bare(&mut results, root, BOUNDS);
        let walk = program.walk(root)?;
        results.add(Step::WalkCommand, walk.wall, walk.peak);
        let status = program.gik(root, &["status"])?;
        results.add(Step::Status, status.wall, status.peak);
        let question = QUESTIONS[round % QUESTIONS.len()];
        let answer = program.gik(root, &["ask", "--json", "--timings", question])?;
        results.add(Step::Ask, answer.wall, answer.peak);
        read_answer(&mut results, &answer.stdout)?;
    }
    for time in warm::questions(&root.join(KNOWLEDGE), QUESTIONS)? {
        results.add(Step::Question, time, None);
    }
    let changed = some_source_file(root)?;
    for round in 0..program.rounds.steady {
        change(&changed, round)?;
        walk::bare(&mut results, root, BOUNDS);
        let update = program.gik(root, &["index", "--no-embed"])?;
        results.add(Step::Update, update.wall, update.peak);
    }
    note_sizes(&mut results, root)?;
    Ok(results)
}

/// Takes the times of the inner steps and the number of chunks from an answer.
fn read_answer(results: &mut Results, stdout: &str) -> Result<()> {
    let answer: Value = serde_json::from_str(stdout)
        .map_err(|error| Stop::Failed(format!("`gik ask --json` printed no JSON: {error}")))?;
    results.chunks = answer["coverage"]["chunks"].as_u64().or(results.chunks);
    let timings = answer["debug"]["timings"].as_object().into_iter().flatten();
    for (step, millis) in timings.filter_map(|(step, millis)| Some((step, millis.as_f64()?))) {
        results.ask_steps.entry(step.clone()).or_default().add_millis(millis);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    #[cfg(unix)]
    use super::super::program::pretend;
    use super::*;

    #[test]
    fn an_answer_tells_its_steps_and_the_number_of_chunks() {
        let subject = Subject { label: "x".to_owned(), generated: None, files: 1, bytes: 1 };
        let mut results = Results::new(subject);
        let answer =
            r#"{"coverage": {"chunks": 25000}, "debug": {"timings": {"lexical": 0.4, "cut": 1}}}"#;
        read_answer(&mut results, answer).unwrap();
        assert_eq!(results.chunks, Some(25_000));
        assert_eq!(results.ask_steps.len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn every_step_is_run_and_the_index_is_made_anew_each_fresh_round() {
        let tree = Tree::new("//- src/lib.rs\nfn a() {}\n");
        let script = "mkdir -p \"$2/.guided\" && echo \"$3\" >> \"$2/.guided/log\"
echo '{\"coverage\": {\"chunks\": 7}, \"debug\": {\"timings\": {\"lexical\": 0.5}}}'
";
        let program = pretend(&tree, script);
        let subject = Subject { label: "x".to_owned(), generated: None, files: 1, bytes: 10 };
        let results = run(&program, tree.root(), subject).unwrap();

        assert_eq!(tree.read(".guided/log"), "index\nstatus\nask\nstatus\nask\nindex\nindex\n");
        let runs: Vec<usize> = results.steps.values().map(|series| series.runs().len()).collect();
        assert_eq!(runs, [4, 2, 4, 2, 2, 2, 2]);
        assert_eq!(results.chunks, Some(7));
        assert_eq!(results.document_bytes, tree.read(".guided/log").len() as u64);
    }
}
