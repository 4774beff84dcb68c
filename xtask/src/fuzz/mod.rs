//! `cargo xtask fuzz`: does parsing always end with a value that keeps its promises, whatever the text?
//!
//! `corpus` has the fixtures, `mutate` makes inputs of them, `trial` reads one and looks at the result, `hunt` does so for
//! a while. The same seed gives the same inputs in the same order; how many there is time for depends on the machine.

mod corpus;
mod hunt;
mod mutate;
mod trial;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gik_parse::Language;

use crate::stop::{Result, Stop};
use crate::workspace;

use corpus::Corpus;
use hunt::{Finding, Plan};
use trial::SilentPanics;

const FAILING: &str = "target/fuzz";
const DEFAULT_SECONDS: u64 = 20;
const DEFAULT_SEED: u64 = 1;

/// What was asked for on the command line.
#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    seconds: u64,
    seed: u64,
    repeat: Option<&'a str>,
    languages: Vec<&'a str>,
}

/// Tries inputs of every language, or of those named, for some seconds each.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    let root = workspace::root();
    let corpus = Corpus::read(&root)?;
    let languages = corpus.choose(&options.languages)?;
    if let Some(file) = options.repeat {
        return hunt::repeat(languages[0], Path::new(file));
    }
    let time = Duration::from_secs(options.seconds);
    let plan = Plan { seed: options.seed, time, folder: root.join(FAILING) };
    hunt_all(&languages, corpus, &plan)
}

/// Tries inputs of every language for so long in all.
pub(crate) fn run_briefly(total: Duration) -> Result<()> {
    let root = workspace::root();
    let corpus = Corpus::read(&root)?;
    let languages = corpus.choose(&[])?;
    let time = total / u32::try_from(languages.len()).unwrap_or(u32::MAX).max(1);
    hunt_all(&languages, corpus, &Plan { seed: DEFAULT_SEED, time, folder: root.join(FAILING) })
}

fn hunt_all(languages: &[&'static Language], corpus: Corpus, plan: &Plan) -> Result<()> {
    workspace::create_folder(&plan.folder)?;
    let _silent = SilentPanics::new();
    let corpus = Arc::new(corpus);
    let mut n_failed = 0;
    for &language in languages {
        let outcome = hunt::hunt(language, &corpus, plan)?;
        println!("{:<17} {:>8} inputs", language.id, outcome.inputs);
        if let Some(finding) = outcome.finding {
            n_failed += 1;
            println!("{}", described(language, &finding));
        }
    }
    if n_failed == 0 {
        return Ok(());
    }
    Err(Stop::Failed(format!("{n_failed} of {} languages failed", languages.len())))
}

fn described(language: &Language, finding: &Finding) -> String {
    let root = workspace::root();
    let file = finding.file.strip_prefix(&root).unwrap_or(&finding.file);
    format!(
        "  {}\n  cargo xtask fuzz --repeat {} {}",
        finding.message.replace('\n', "\n  "),
        file.display(),
        language.id
    )
}

fn parse<'a>(args: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options {
        seconds: DEFAULT_SECONDS,
        seed: DEFAULT_SEED,
        repeat: None,
        languages: Vec::new(),
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| usage(&format!("`{arg}` needs a value")));
        match *arg {
            "--seconds" => options.seconds = number(value()?)?,
            "--seed" => options.seed = number(value()?)?,
            "--repeat" => options.repeat = Some(value()?),
            option if option.starts_with('-') => {
                return Err(usage(&format!("unknown option `{option}`")));
            },
            language => options.languages.push(language),
        }
    }
    if options.repeat.is_some() && options.languages.len() != 1 {
        return Err(usage("`--repeat` needs one language"));
    }
    Ok(options)
}

fn number(value: &str) -> Result<u64> {
    value.parse().map_err(|_| usage(&format!("`{value}` is no whole number")))
}

fn usage(message: &str) -> Stop {
    Stop::Usage(format!(
        "{message}\nhint: cargo xtask fuzz [--seconds N] [--seed S] [--repeat FILE] [LANGUAGE...]"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_languages_mix() {
        let options = parse(&["go", "--seconds", "5", "--seed", "7", "rust"]).unwrap();
        assert_eq!((options.seconds, options.seed), (5, 7));
        assert_eq!(options.languages, ["go", "rust"]);
        assert_eq!(parse(&[]).unwrap().seconds, DEFAULT_SECONDS);
        assert_eq!(parse(&["--repeat", "x", "go"]).unwrap().repeat, Some("x"));
    }

    #[test]
    fn nonsense_is_refused() {
        let nonsense: [&[&str]; 5] = [
            &["--fast"],
            &["--seconds"],
            &["--seed", "x"],
            &["--repeat", "x"],
            &["--seconds", "-1"],
        ];
        for args in nonsense {
            assert!(matches!(parse(args), Err(Stop::Usage(_))), "{args:?}");
        }
    }

    #[test]
    fn a_brief_run_passes_and_leaves_nothing_behind() {
        let tree = gik_testkit::Tree::empty();
        let corpus = Corpus::read(&workspace::root()).unwrap();
        let languages = corpus.choose(&["toml", "lua"]).unwrap();
        let (seed, time) = (DEFAULT_SEED, Duration::from_millis(50));
        hunt_all(&languages, corpus, &Plan { seed, time, folder: tree.root().to_owned() }).unwrap();
        assert_eq!(tree.list(), Vec::<String>::new());
    }
}
