//! `cargo xtask eval code`: how good are the answers about real packages, and what does each signal bring?
//!
//! A set is a file of labelled questions (`eval/answers.jsonl` is ours) and, beside it with `.corpora.json` as its
//! ending, the packages they are about. Every package is indexed by itself and asked with `gik eval`.

mod packs;
mod report;
mod set;

pub(crate) use packs::packs;

use std::path::{Path, PathBuf};
use std::process::Command;

use gik_retrieve::signals::Weights;
use serde_json::Value;
use tempfile::TempDir;

use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

use report::Scores;
use set::Set;

/// The set of the checkout.
const OURS: &str = "eval/answers.jsonl";
/// The committed figures of that set.
const TABLE: &str = "bench/answers.md";
/// A drop of more than this fails the tests.
const TOLERANCE: f64 = 0.01;

/// Asks every question of a set, once with everything and, where that is wanted, once without each signal.
pub(crate) fn code(args: &[&str]) -> Result<()> {
    let root = workspace::root();
    let update = args.contains(&"--update");
    let ablate = update || args.contains(&"--ablate");
    let path = match args.iter().filter(|arg| !arg.starts_with("--")).collect::<Vec<_>>().as_slice()
    {
        [] => root.join(OURS),
        [path] => PathBuf::from(path),
        _ => return Err(Stop::Usage("eval code [SET.jsonl] [--ablate] [--update]".to_owned())),
    };
    let set = Set::read(&path)?;
    let gik = process::build_gik(&root, "release")?;
    let indexed = folder()?;
    let places = prepare(&root, &set, indexed.path())?;
    let all = ask(&gik, &places, None)?;
    eprint!("{}", report::lines(&all));
    let mut without = Vec::new();
    for signal in Weights::names().filter(|_| ablate) {
        let scores = ask(&gik, &places, Some(signal))?;
        eprintln!("without {signal:<11} {:.4}", scores.ndcg());
        without.push((signal, scores));
    }
    if update {
        workspace::write(&root.join(TABLE), &report::document(&all, &without))?;
    }
    Ok(())
}

/// Fails where the questions about packages that the product itself is built with are answered worse than the committed
/// figures say. Nothing is fetched for it.
pub(crate) fn gate(root: &Path) -> Result<()> {
    let set = Set::read(&root.join(OURS))?.only(|corpus| corpus.is_dependency(root));
    if set.corpora.is_empty() {
        return Err(Stop::Failed(format!(
            "{OURS} asks about no package the product is built with"
        )));
    }
    let expected = report::gate_figure(&workspace::read(&root.join(TABLE))?)
        .ok_or_else(|| Stop::Failed(format!("{TABLE} has no figure for the gate")))?;
    let gik = process::build_gik(root, "dev")?;
    let indexed = folder()?;
    let found = ask(&gik, &prepare(root, &set, indexed.path())?, None)?.ndcg();
    if found < expected - TOLERANCE {
        return Err(Stop::Failed(format!(
            "answers are worse: NDCG@10 {found:.4} where {TABLE} says {expected:.4}; \
             `cargo xtask eval code --update` writes new figures"
        )));
    }
    eprintln!("xtask: answers about dependencies: NDCG@10 {found:.4}, committed {expected:.4}");
    Ok(())
}

/// A package ready to be asked.
struct Place {
    corpus: String,
    folder: PathBuf,
    questions: PathBuf,
    is_dependency: bool,
}

/// Where packages are indexed: outside of the checkout, whose ignore rules are not theirs.
fn folder() -> Result<TempDir> {
    tempfile::tempdir().map_err(|error| Stop::Failed(format!("no folder: {error}")))
}

/// Copies every package to a folder of its own and writes its questions beside it.
fn prepare(root: &Path, set: &Set, to: &Path) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for (corpus, questions) in &set.corpora {
        let folder = to.join(&corpus.name);
        let source = corpus.folder(root)?.join(&corpus.root);
        workspace::create_folder(&folder)?;
        workspace::copy_files(&source, &workspace::all_files(&source)?, &folder)?;
        let file = to.join(format!("{}.jsonl", corpus.name));
        workspace::write(&file, questions)?;
        let is_dependency = corpus.is_dependency(root);
        places.push(Place { corpus: corpus.name.clone(), folder, questions: file, is_dependency });
    }
    Ok(places)
}

fn ask(gik: &Path, places: &[Place], without: Option<&str>) -> Result<Scores> {
    let mut scores = Scores::default();
    for place in places {
        let mut command = Command::new(gik);
        process::clean_environment(&mut command);
        command.env("GIK_HOME", place.folder.with_extension("home"));
        command.arg("-C").arg(&place.folder).args(["eval", "--json"]).arg(&place.questions);
        command.args(without.iter().flat_map(|signal| ["--without", signal]));
        let answer: Value = serde_json::from_str(&process::quiet_output(&mut command)?)
            .map_err(|error| Stop::Failed(format!("gik eval: {error}")))?;
        scores.add(&place.corpus, place.is_dependency, &answer["results"]);
    }
    Ok(scores)
}
