//! `cargo xtask eval graph`: are the definitions that calls and imports lead to those that a language's own tools find?
//!
//! Jedi answers for Python, the language service of TypeScript for TypeScript, rust-analyzer for Rust, the type checker
//! of Go for Go, clangd for C. Every call and every imported name of a package is put to one of them and to us; `project`
//! is what we say, `oracle` and `scip` what they say, `score` the comparison.

mod oracle;
mod project;
mod scip;
mod score;

use std::path::{Path, PathBuf};

use crate::corpus::{self, Fetched};
use crate::stop::{Result, Stop};
use crate::workspace;

use project::Project;
use score::Score;

/// The share of our edges that must be right.
const PRECISION: f64 = 0.95;
/// The share of their answers that we must have.
const RECALL: f64 = 0.70;
/// The committed table.
const TABLE: &str = "bench/graph.md";
/// Where every difference goes.
const DETAILS: &str = "target/eval/graph";

/// What is compared: language, package, and the folder of it that holds the sources.
const PACKAGES: [(&str, &str, &str); 12] = [
    ("c", "libz-sys", "src/zlib"),
    ("c", "zstd-sys", "zstd/lib"),
    ("go", "golang-github-gin-gonic-gin-dev", "usr/share/gocode/src/github.com/gin-gonic/gin"),
    ("go", "golang-github-spf13-cobra-dev", "usr/share/gocode/src/github.com/spf13/cobra"),
    ("python", "flask", ""),
    ("python", "requests", ""),
    ("python", "rich", ""),
    ("rust", "clap_builder", ""),
    ("rust", "regex-automata", ""),
    ("typescript", "@reduxjs+toolkit", "src"),
    ("typescript", "ethers", "src.ts"),
    ("typescript", "rxjs", "src"),
];

/// Compares all packages, or those of one language.
pub(crate) fn graph(args: &[&str]) -> Result<()> {
    let update = args.contains(&"--update");
    let wanted = args.iter().find(|arg| !arg.starts_with("--")).copied();
    let root = workspace::root();
    let mut rows = Vec::new();
    for (language, package, folder) in PACKAGES {
        if wanted.is_some_and(|wanted| wanted != language && wanted != package) {
            continue;
        }
        let fetched = fetch(&root, language, package)?;
        let sources = fetched.folder.join(folder);
        let name = match language {
            "go" => folder.rsplit_once("/src/").map_or(folder, |(_, module)| module).to_owned(),
            _ => package.replace('-', "_"),
        };
        let project = Project::read(&sources, language, &name)?;
        let sites = project.sites(limit(language));
        let answers = match language {
            "python" => oracle::jedi(&root, &sources, &project, &sites)?,
            "rust" => scip::rust_analyzer(&root, &sources, &fetched.label, &project, &sites)?,
            "go" => oracle::go(&root, &sources, &name, &project, &sites)?,
            "c" => oracle::clangd(&root, &sources, &project, &sites)?,
            _ => oracle::typescript(&root, &sources, &project, &sites)?,
        };
        let score = Score::of(&project, &sites, &answers);
        println!("{}", score.line(&fetched.label));
        let file = root.join(DETAILS).join(format!("{package}.txt"));
        workspace::write(&file, &score.differences())?;
        rows.push((language, fetched.label, score));
    }
    if rows.is_empty() {
        return Err(Stop::Usage("there is no such language or package to compare".to_owned()));
    }
    eprintln!("eval: every difference is in {DETAILS}");
    if update {
        workspace::write(&root.join(TABLE), &score::document(&rows))?;
        eprintln!("eval: written to {TABLE}");
    }
    let below: Vec<&str> = rows
        .iter()
        .filter(|(_, _, score)| score.precision() < PRECISION || score.recall() < RECALL)
        .map(|(_, label, _)| label.as_str())
        .collect();
    if below.is_empty() {
        return Ok(());
    }
    Err(Stop::Failed(format!(
        "below precision {PRECISION} or recall {RECALL}: {}",
        below.join(", ")
    )))
}

/// Jedi takes its time for every question.
fn limit(language: &str) -> usize {
    if language == "python" { 1500 } else { 20_000 }
}

fn fetch(root: &Path, language: &str, package: &str) -> Result<Fetched> {
    let corpora = corpus::table(root)?;
    let corpus = corpora.iter().find(|corpus| corpus.language == language);
    let corpus =
        corpus.ok_or_else(|| Stop::Failed(format!("`{language}` has no packages to compare")))?;
    let found = corpus.fetch(root)?.into_iter().find(|fetched| {
        fetched.label.strip_prefix(package).is_some_and(|rest| rest.starts_with('@'))
    });
    found.ok_or_else(|| Stop::Failed(format!("`{package}` was not fetched")))
}

/// A folder as it really is, without links.
fn real(folder: &Path) -> Result<PathBuf> {
    folder.canonicalize().map_err(|error| Stop::Failed(format!("`{}`: {error}", folder.display())))
}
