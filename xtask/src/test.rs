//! `cargo xtask test`: everything that must hold before a change lands, in the order of what fails fastest.
//!
//! The test runner comes last, so that its closing line stays in sight.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::conformance::{Extent, Tools};
use crate::eval::answers;
use crate::fuzz;
use crate::generate;
use crate::models;
use crate::process;
use crate::stop::Result;
use crate::workspace::{self, Member};

/// Steps that need no program: formatting and lints.
const LINT_STEPS: usize = 2;
/// How long damaged sources are tried, in all languages together.
const FUZZ_TIME: Duration = Duration::from_secs(30);

/// Runs every step; the first one that fails ends it with its exit code.
pub(crate) fn run(filter: &[&str]) -> Result<()> {
    let root = workspace::root();
    let cargo = |args: &[&str]| {
        let mut command = process::cargo(&root);
        command.args(args);
        command
    };
    let mut steps = vec![
        cargo(&["fmt", "--all", "--check"]),
        cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ];

    let with_doctests = packages_with_doctests()?;
    if !with_doctests.is_empty() {
        let mut doctests = cargo(&["test", "--doc"]);
        doctests.args(with_doctests.iter().flat_map(|package| ["--package", package]));
        steps.push(doctests);
    }

    let mut tests = if process::succeeds(&mut cargo(&["nextest", "--version"])) {
        cargo(&["nextest", "run", "--workspace"])
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests"])
    };
    process::clean_environment(&mut tests);
    match models::minilm() {
        Ok(_) => {
            tests.env(models::VARIABLE, models::folder());
        },
        // Whoever works without a network can still test everything else.
        Err(stop) => {
            eprintln!("xtask: warning: the tests of gik-models are NOT run");
            stop.message().iter().for_each(|message| eprintln!("{message}"));
            tests.args(["--exclude", "gik-models"]);
        },
    }
    if !filter.is_empty() {
        tests.arg("--").args(filter);
    }
    steps.push(tests);

    if filter.is_empty() {
        eprintln!("xtask: fuzz for {} s", FUZZ_TIME.as_secs());
        fuzz::run_briefly(FUZZ_TIME)?;
    }
    let mut times = Vec::new();
    for (at, step) in steps.iter_mut().enumerate() {
        if at == LINT_STEPS {
            // Builds the program, which the tests need anyway.
            generate::run(generate::Mode::Check)?;
            if filter.is_empty() {
                times.extend(conform()?);
            }
        }
        times.push(timed(step)?);
    }
    if filter.is_empty() {
        answers::gate(&root)?;
    }
    let total: Duration = times.iter().sum();
    eprintln!("xtask: all {} steps passed in {:.1} s", times.len(), total.as_secs_f64());
    Ok(())
}

/// Tries the served tools with clients that others wrote, where these can be had.
fn conform() -> Result<Option<Duration>> {
    eprintln!("xtask: conformance");
    match Tools::fetched() {
        Ok(tools) => {
            let started = Instant::now();
            tools.try_all(Extent::Tests)?;
            let elapsed = started.elapsed();
            eprintln!("xtask: ok after {:.1} s: conformance", elapsed.as_secs_f64());
            Ok(Some(elapsed))
        },
        // Whoever has no Python, npm or network can still test everything else.
        Err(stop) => {
            eprintln!(
                "xtask: warning: the served tools are NOT tried with MCP's suite, the Inspector, the Python SDK and schemathesis"
            );
            stop.message().iter().for_each(|message| eprintln!("{message}"));
            Ok(None)
        },
    }
}

fn timed(step: &mut Command) -> Result<Duration> {
    let line = process::display(step);
    eprintln!("xtask: {line}");
    let started = Instant::now();
    let outcome = process::run(step);
    let elapsed = started.elapsed();
    let verdict = if outcome.is_ok() { "ok" } else { "failed" };
    eprintln!("xtask: {verdict} after {:.1} s: {line}", elapsed.as_secs_f64());
    outcome.map(|()| elapsed)
}

/// The packages whose doc comments hold code that rustdoc would run.
fn packages_with_doctests() -> Result<Vec<String>> {
    let root = workspace::root();
    let files = workspace::files(&root)?;
    let mut packages = Vec::new();
    for member in workspace::members(&root, &files)? {
        let source = format!("{}/src/", member.folder);
        if !files.contains(&format!("{source}lib.rs")) || doctests_are_off(&member) {
            continue;
        }
        for file in files.iter().filter(|file| file.starts_with(&source) && file.ends_with(".rs")) {
            if has_doctest(&workspace::read(&root.join(file))?) {
                packages.extend(package_name(&member));
                break;
            }
        }
    }
    Ok(packages)
}

fn package_name(member: &Member) -> Option<String> {
    Some(member.manifest.get("package")?.get("name")?.as_str()?.to_owned())
}

fn doctests_are_off(member: &Member) -> bool {
    let doctest = member.manifest.get("lib").and_then(|lib| lib.get("doctest"));
    doctest.and_then(toml::Value::as_bool) == Some(false)
}

/// Whether a doc comment opens a code block that is Rust and not ignored.
fn has_doctest(source: &str) -> bool {
    let mut inside = false;
    for line in source.lines() {
        let line = line.trim_start();
        let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            inside = false;
            continue;
        };
        let Some(info) = text.trim().strip_prefix("```") else { continue };
        if !inside {
            let is_rust = |word: &str| {
                matches!(word, "rust" | "no_run" | "should_panic" | "compile_fail")
                    || word.starts_with("edition")
            };
            if info.is_empty() || info.split([',', ' ']).all(is_rust) {
                return true;
            }
        }
        inside = !inside;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_doctest;

    #[test]
    fn only_rust_that_would_run_is_a_doctest() {
        assert!(has_doctest("/// ```\n/// let a = 1;\n/// ```\n"));
        assert!(has_doctest("    //! ```rust,no_run\n    //! ```\n"));
        assert!(!has_doctest("//! ```text\n//! a\n//! ```\nfn a() {}\n"));
        assert!(!has_doctest("/// ```ignore\n/// ```\n"));
        assert!(!has_doctest("let text = \"```\";\n"));
    }
}
