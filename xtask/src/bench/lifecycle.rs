//! The life of a knowledge repository on one tree, in the order a user lives it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::child::{self, Finished};
use super::series::{Results, Step, Subject};
use super::walk::{self, Depth};
use super::warm;
use crate::process;
use crate::stop::{Result, Stop};

/// How often each thing is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounds {
    /// Indexing from nothing.
    pub(super) fresh: usize,
    /// Everything that works on the finished index.
    pub(super) steady: usize,
}

/// Questions of ordinary words, so that every one has hits by some of its words in any project.
const QUESTIONS: &[&str] = &[
    "how does the cache resolve a snapshot when the index changes",
    "where is the error of a request reported to the user",
    "which function reads the config file and sets the default value",
    "what happens to the queue when a worker is cancelled",
    "list the types that store the result of a search",
];

/// Where the index lives inside a tree.
const KNOWLEDGE: &str = ".guided";

/// The program under test and how to run it.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) binary: PathBuf,
    pub(super) home: PathBuf,
    pub(super) rounds: Rounds,
}

impl Bench {
    /// Measures every step on the tree below `root`.
    pub(super) fn run(&self, root: &Path, subject: Subject) -> Result<Results> {
        let mut results = Results::new(subject);
        // The first look fills the page cache and is not counted.
        let seen = walk::walk(root, Depth::Read);
        eprintln!("bench:   {} files, {} bytes", seen.files, seen.bytes);

        for _ in 0..self.rounds.fresh {
            forget(root)?;
            let finished = self.gik(root, &["index"])?;
            add(&mut results, Step::Index, &finished);
        }
        for round in 0..self.rounds.steady {
            // One of each per round, so that a slow moment of the machine hits both sides of every ratio.
            bare(&mut results, root);
            let status = self.gik(root, &["status"])?;
            add(&mut results, Step::Status, &status);
            let question = QUESTIONS[round % QUESTIONS.len()];
            let answer = self.gik(root, &["ask", "--json", "--timings", question])?;
            add(&mut results, Step::Ask, &answer);
            read_answer(&mut results, &answer.stdout)?;
        }
        for time in warm::questions(&root.join(KNOWLEDGE), QUESTIONS)? {
            results.steps.entry(Step::Question).or_default().add(time, None);
        }
        let changed = some_source_file(root)?;
        for round in 0..self.rounds.steady {
            change(&changed, round)?;
            bare(&mut results, root);
            let update = self.gik(root, &["index"])?;
            add(&mut results, Step::Update, &update);
        }
        results.index_bytes = size_below(&root.join(KNOWLEDGE))?;
        Ok(results)
    }

    fn gik(&self, root: &Path, args: &[&str]) -> Result<Finished> {
        let mut command = Command::new(&self.binary);
        process::clean_environment(&mut command);
        command.arg("-C").arg(root).args(args);
        command.env("GIK_HOME", &self.home).env("NO_COLOR", "1");
        child::run(&mut command)
    }
}

fn add(results: &mut Results, step: Step, finished: &Finished) {
    results.steps.entry(step).or_default().add(finished.wall, finished.peak);
}

fn bare(results: &mut Results, root: &Path) {
    for (step, depth) in [(Step::WalkStat, Depth::Stat), (Step::WalkRead, Depth::Read)] {
        let wall = walk::walk(root, depth).wall;
        results.steps.entry(step).or_default().add(wall, None);
    }
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

/// Removes the index, so that the next one is made from nothing.
fn forget(root: &Path) -> Result<()> {
    let knowledge = root.join(KNOWLEDGE);
    if knowledge.exists() {
        fs::remove_dir_all(&knowledge)
            .map_err(|error| Stop::on_path("remove", &knowledge, error))?;
    }
    Ok(())
}

/// The first Rust file in the order of names: the same in every run.
fn some_source_file(root: &Path) -> Result<PathBuf> {
    let files = crate::workspace::files(root)?;
    let found = files.iter().find(|file| file.ends_with(".rs") && !file.starts_with(KNOWLEDGE));
    found
        .map(|file| root.join(file))
        .ok_or_else(|| Stop::Failed("the tree has no Rust file to change".to_owned()))
}

fn change(path: &Path, round: usize) -> Result<()> {
    let text = crate::workspace::read(path)?;
    let added = format!("\n/// Added in round {round}.\npub fn added_in_round_{round}() {{}}\n");
    crate::workspace::write(path, &(text + &added))
}

fn size_below(folder: &Path) -> Result<u64> {
    let mut total = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let list = |error| Stop::on_path("list", &folder, error);
        for entry in fs::read_dir(&folder).map_err(list)? {
            let entry = entry.map_err(list)?;
            let metadata = entry.metadata().map_err(list)?;
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                total += metadata.len();
            }
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

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
        let binary = tree.outside().join("program");
        let script = "#!/bin/sh
mkdir -p \"$2/.guided\" && echo \"$3\" >> \"$2/.guided/log\"
echo '{\"coverage\": {\"chunks\": 7}, \"debug\": {\"timings\": {\"lexical\": 0.5}}}'
";
        // Written by a child: a file that this process holds open for writing could not be started.
        let write = "printf '%s' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let status = Command::new("/bin/sh").args(["-c", write]).arg(&binary).arg(script).status();
        assert!(status.unwrap().success());
        let bench =
            Bench { binary, home: tree.home().to_owned(), rounds: Rounds { fresh: 2, steady: 2 } };
        let subject = Subject { label: "x".to_owned(), generated: None, files: 1, bytes: 10 };
        let results = bench.run(tree.root(), subject).unwrap();

        assert_eq!(tree.read(".guided/log"), "index\nstatus\nask\nstatus\nask\nindex\nindex\n");
        let runs: Vec<usize> = Step::ALL
            .iter()
            .filter(|step| **step != Step::Question)
            .map(|step| results.steps[step].runs().len())
            .collect();
        assert_eq!(runs, [4, 4, 2, 2, 2, 2]);
        assert_eq!(results.chunks, Some(7));
        assert_eq!(results.index_bytes, tree.read(".guided/log").len() as u64);
    }

    #[test]
    fn changing_a_file_changes_its_text_every_round() {
        let tree = Tree::new("//- b.rs\nfn b() {}\n//- a.md\n");
        let path = some_source_file(tree.root()).unwrap();
        change(&path, 0).unwrap();
        let once = tree.read("b.rs");
        change(&path, 1).unwrap();
        assert!(tree.read("b.rs").starts_with(&once));
        assert_eq!(size_below(tree.root()).unwrap(), tree.read("b.rs").len() as u64);
    }
}
