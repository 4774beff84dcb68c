//! `cargo xtask eval symbols`: does the parser find the definitions that universal-ctags finds, on real packages?
//!
//! ctags is a second opinion, not the truth: what it misses and we have is listed as extra, and `xtask/symbols.toml` says
//! which of its kinds are compared. `sample` picks the files, `oracle` runs ctags, `ours` is what the parser found,
//! `compare` puts both side by side, `local` leaves out variables of functions, `report` writes it down.

pub(crate) mod answers;
mod compare;
mod formats;
pub(crate) mod graph;
mod kinds;
mod local;
mod oracle;
mod ours;
mod report;
mod sample;
#[cfg(test)]
mod sets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_parse::SymbolKind;

use crate::corpus;
use crate::stop::{Result, Stop};
use crate::workspace;

pub(crate) use formats::formats;

use compare::Comparison;
use kinds::Kinds;
use sample::Source;

/// The share of ctags' definitions that every language must reach.
const BAR: f64 = 0.99;
/// Where lists of misses and extra definitions go.
const DETAILS: &str = "target/eval/symbols";
/// The committed table.
const TABLE: &str = "bench/symbols.md";
const DEFAULT_FILES: usize = 600;

/// What was asked for on the command line.
#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    language: Option<&'a str>,
    corpus: Option<&'a str>,
    files: usize,
    update: bool,
}

/// The comparison of one language.
#[derive(Debug)]
struct Outcome {
    language: String,
    packages: Vec<String>,
    files: usize,
    comparison: Comparison,
    /// Why there are more definitions of a kind than ctags has.
    reasons: BTreeMap<SymbolKind, String>,
}

/// Compares every language that has a corpus, or the one asked for; fails where one is below the bar.
pub(crate) fn symbols(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    let root = workspace::root();
    let oracle = oracle::version()?;
    let mut outcomes = Vec::new();
    for kinds in kinds::table(&root)? {
        if options.language.is_some_and(|wanted| wanted != kinds.language) {
            continue;
        }
        let outcome = evaluate(&root, &kinds, &options)?;
        println!("{}", report::line(&outcome));
        report::write_details(&root.join(DETAILS), &outcome)?;
        outcomes.push(outcome);
    }
    if outcomes.is_empty() {
        let language = options.language.unwrap_or_default();
        return Err(usage(&format!("`{language}` has no row in xtask/symbols.toml")));
    }
    eprintln!("eval: every miss and a sample of extra definitions are in {DETAILS}");
    if options.update {
        workspace::write(&root.join(TABLE), &report::document(&oracle, &outcomes))?;
        eprintln!("eval: written to {TABLE}");
    }
    let below: Vec<String> = outcomes
        .iter()
        .filter(|outcome| outcome.comparison.recall() < BAR)
        .map(|outcome| format!("{} {:.4}", outcome.language, outcome.comparison.recall()))
        .collect();
    if below.is_empty() {
        return Ok(());
    }
    Err(Stop::Failed(format!("recall below {BAR}: {}", below.join(", "))))
}

fn evaluate(root: &Path, kinds: &Kinds, options: &Options<'_>) -> Result<Outcome> {
    let language = gik_parse::language_by_id(&kinds.language)
        .ok_or_else(|| Stop::Failed(format!("no language is called `{}`", kinds.language)))?;
    let packages = packages(root, kinds, options)?;
    let sources = sample::choose(&packages, language, options.files)?;
    let list = root.join(DETAILS).join(format!("{}.files", kinds.language));
    let paths: Vec<String> = sources.iter().map(|source| source.path.clone()).collect();
    workspace::write(&list, &(paths.join("\n") + "\n"))?;
    let tags = oracle::tags(&kinds.oracle, &list)?;
    let comparison = in_parallel(&sources, |source| {
        let text = workspace::read(Path::new(&source.path))?;
        let parsed = gik_parse::parse(&source.key(), &text, Some(language));
        let tags = tags.get(&source.path).map_or(&[][..], Vec::as_slice);
        Ok(compare::compare(&source.shown, &text, tags, &parsed, kinds))
    })?;
    Ok(Outcome {
        language: kinds.language.clone(),
        packages: packages.into_iter().map(|package| package.label).collect(),
        files: sources.len(),
        comparison,
        reasons: kinds.extra.clone(),
    })
}

fn packages(root: &Path, kinds: &Kinds, options: &Options<'_>) -> Result<Vec<corpus::Fetched>> {
    if let Some(folder) = options.corpus {
        let folder = PathBuf::from(folder);
        let label = folder.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
        return Ok(vec![corpus::Fetched { label, folder }]);
    }
    let corpora = corpus::table(root)?;
    let corpus = corpora.iter().find(|corpus| corpus.language == kinds.language);
    corpus
        .ok_or_else(|| Stop::Failed(format!("`{}` has no packages to compare", kinds.language)))?
        .fetch(root)
}

/// Compares a share of the files in every thread and adds up, in the order of files.
fn in_parallel(
    sources: &[Source],
    compare: impl Fn(&Source) -> Result<Comparison> + Sync,
) -> Result<Comparison> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = sources.len().div_ceil(threads).max(1);
    let compare = &compare;
    let shares: Vec<Result<Comparison>> = std::thread::scope(|scope| {
        let running: Vec<_> = sources
            .chunks(share)
            .map(|chunk| {
                scope.spawn(move || {
                    let mut sum = Comparison::default();
                    for source in chunk {
                        sum.add(compare(source)?);
                    }
                    Ok(sum)
                })
            })
            .collect();
        let panicked = |_| Err(Stop::Failed("the parser panicked".to_owned()));
        running.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    });
    let mut sum = Comparison::default();
    for share in shares {
        sum.add(share?);
    }
    Ok(sum)
}

fn parse<'a>(args: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options { language: None, corpus: None, files: DEFAULT_FILES, update: false };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| usage(&format!("`{arg}` needs a value")));
        match *arg {
            "--language" => options.language = Some(value()?),
            "--corpus" => options.corpus = Some(value()?),
            "--files" => {
                let number = value()?;
                options.files = number
                    .parse()
                    .map_err(|_| usage(&format!("`{number}` is no number of files")))?;
            },
            "--update" => options.update = true,
            other => return Err(usage(&format!("unknown option `{other}`"))),
        }
    }
    if options.corpus.is_some() && options.language.is_none() {
        return Err(usage("`--corpus` needs `--language`"));
    }
    if options.update && options.language.is_some() {
        return Err(usage("`--update` writes the table of all languages"));
    }
    Ok(options)
}

fn usage(message: &str) -> Stop {
    Stop::Usage(format!(
        "{message}\nhint: cargo xtask eval symbols [--language L] [--corpus DIR] [--files N] [--update]"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_combine_in_any_order() {
        let options = parse(&["--files", "5", "--corpus", "x", "--language", "go"]).unwrap();
        assert_eq!(options.language, Some("go"));
        assert_eq!(options.corpus, Some("x"));
        assert_eq!(options.files, 5);
        assert_eq!(parse(&["--update"]).unwrap().files, DEFAULT_FILES);
    }

    #[test]
    fn nonsense_is_refused() {
        let nonsense: [&[&str]; 5] = [
            &["--fast"],
            &["--files"],
            &["--files", "many"],
            &["--corpus", "x"],
            &["--update", "--language", "go"],
        ];
        for args in nonsense {
            assert!(matches!(parse(args), Err(Stop::Usage(_))), "{args:?}");
        }
    }
}
