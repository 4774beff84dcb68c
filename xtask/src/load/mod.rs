//! `cargo xtask load`: does a server stay right and quick under many clients while files change, and is anything lost when
//! it is killed?
//!
//! `files` changes files and remembers what stood in them when, `client` asks over HTTP, `check` compares each answer
//! with what the file said between question and answer, `report` writes it down.

mod check;
mod client;
mod files;
mod report;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use self::client::Client;
use self::files::Hot;
use self::report::{Figures, Memory};
use crate::process;
use crate::served::{Gik, Served};
use crate::stop::{Result, Stop};
use crate::{tree, workspace};

const TABLE: &str = "bench/load.md";
/// How long the clients ask before the server is killed under them.
const BEFORE_KILL: Duration = Duration::from_secs(5);
/// How often it is killed.
const KILLS: usize = 3;
/// So many notes are there before the clients come.
const NOTES: usize = 200;

/// What was asked for on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Options {
    clients: usize,
    seconds: u64,
    files: usize,
    /// The quickest build: enough to see whether answers are right.
    dev: bool,
    update: bool,
}

/// Runs everything; fails where an answer is wrong or something is lost.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    let root = workspace::root();
    let profile = if options.dev { "dev" } else { "release" };
    let binary = process::build_gik(&root, profile)?;
    let work = tempfile::tempdir()
        .map_err(|error| Stop::Failed(format!("cannot make a folder: {error}")))?;
    let (project, home) = (work.path().join("project"), work.path().join("home"));
    workspace::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    tree::generate(&project, options.files)?;
    let hot = Hot::write(&project)?;
    let gik = Gik { binary: &binary, project: &project, home: &home };
    eprintln!("load: indexing {} files", options.files);
    let started = Instant::now();
    let mut served = Served::start(&gik, &[])?;
    eprintln!("load: ready after {:.1} s", started.elapsed().as_secs_f64());

    let mut kept = notes(&served)?;
    eprintln!("load: {} notes remembered", kept.len());
    let length = Duration::from_secs(options.seconds);
    let mut figures = Figures::new(under_load(&served, &hot, &options, length)?);
    figures.changes = hot.changes();
    figures.memory = Memory::of(served.pid());
    eprintln!("{}", figures.line());

    for _ in 0..KILLS {
        kept.extend(until_killed(&mut served, &hot, options.clients)?);
        verify(&gik, &hot, &kept)?;
        served = Served::start(&gik, &[])?;
    }
    drop(served);
    figures.remembered = kept.len();
    println!("{}", figures.table(&options));
    if options.update {
        workspace::write(&root.join(TABLE), &figures.document(&options))?;
        eprintln!("load: written to {TABLE}");
    }
    match figures.problem() {
        None => Ok(()),
        Some(problem) => Err(Stop::Failed(problem)),
    }
}

/// One answer: how long it took, and what was wrong with it.
#[derive(Debug)]
pub(crate) struct Answered {
    time: Duration,
    pieces: usize,
    of_hot: usize,
    problem: Option<String>,
}

/// All clients ask until the time is over, while files change.
fn under_load(
    served: &Served,
    hot: &Hot,
    options: &Options,
    length: Duration,
) -> Result<Vec<Answered>> {
    let answers = Mutex::new(Vec::new());
    let is_over = AtomicBool::new(false);
    let end = Instant::now() + length;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| hot.keep_changing(&is_over));
        let clients: Vec<_> = (0..options.clients)
            .map(|number| {
                let answers = &answers;
                scope.spawn(move || {
                    let mut client = Client::new(served.host(), number);
                    let mut own = Vec::new();
                    while Instant::now() < end {
                        own.push(client.ask(hot));
                    }
                    answers.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
                })
            })
            .collect();
        for client in clients {
            // A client that panicked is told below, by the answers that are missing.
            drop(client.join());
        }
        is_over.store(true, Ordering::Relaxed);
        writer.join().map_err(|_| Stop::Failed("the writer of files failed".to_owned()))?
    })?;
    Ok(answers.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Remembers what must never be lost; gives the ids.
fn notes(served: &Served) -> Result<Vec<String>> {
    let mut client = Client::new(served.host(), 0);
    (0..NOTES)
        .map(|number| match client.remember(&format!("note {number} from before")) {
            Ok(Some(id)) => Ok(id),
            other => Err(Stop::Failed(format!("a note was not remembered: {other:?}"))),
        })
        .collect()
}

/// Asks and remembers until the server is killed; gives the ids that it said it keeps.
fn until_killed(served: &mut Served, hot: &Hot, clients: usize) -> Result<Vec<String>> {
    let host = served.host().to_owned();
    let kept = Mutex::new(Vec::new());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| hot.keep_changing(&is_over));
        for number in 0..clients {
            let (host, kept, is_over) = (&host, &kept, &is_over);
            scope.spawn(move || {
                let mut client = Client::new(host, number);
                while !is_over.load(Ordering::Relaxed) {
                    if number >= 4 {
                        // Whatever comes of it: the server may be gone.
                        drop(client.ask(hot));
                    } else if let Ok(id) = client.remember(&format!("note of {number}")) {
                        kept.lock().unwrap_or_else(PoisonError::into_inner).extend(id);
                    }
                }
            });
        }
        std::thread::sleep(BEFORE_KILL);
        served.kill();
        is_over.store(true, Ordering::Relaxed);
        writer.join().map_err(|_| Stop::Failed("the writer of files failed".to_owned()))?
    })?;
    Ok(kept.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// After the kill: everything that was promised is there, nothing is damaged, and answers are right.
fn verify(gik: &Gik<'_>, hot: &Hot, kept: &[String]) -> Result<()> {
    let listed =
        process::output(gik.command().args(["memory", "list", "--limit", "100000", "--json"]))?;
    let lost: Vec<&String> = kept.iter().filter(|id| !listed.contains(id.as_str())).collect();
    if kept.is_empty() || !lost.is_empty() {
        let message = format!("{} of {} remembered notes are lost", lost.len(), kept.len());
        return Err(Stop::Failed(message));
    }
    process::output(gik.command().args(["verify"]))?;
    let answer = process::output(gik.command().args(["ask", &Hot::question(3), "--json"]))?;
    let answer: Value = serde_json::from_str(&answer)
        .map_err(|error| Stop::Failed(format!("`gik ask` printed no JSON: {error}")))?;
    let now = Instant::now();
    match check::ask(&answer, hot, now, now) {
        (_, 0, None) => Err(Stop::Failed("after the kill the file is not found".to_owned())),
        (.., Some(problem)) => Err(Stop::Failed(format!("after the kill: {problem}"))),
        (.., None) => Ok(()),
    }
}

fn parse(args: &[&str]) -> Result<Options> {
    let mut options =
        Options { clients: 64, seconds: 60, files: 20_000, dev: false, update: false };
    let mut rest = args.iter();
    while let Some(argument) = rest.next() {
        let mut number = || {
            let value = rest.next().and_then(|value| value.parse::<u32>().ok());
            value
                .filter(|value| *value > 0)
                .ok_or_else(|| Stop::Usage(format!("`{argument}` needs a number")))
        };
        match *argument {
            "--clients" => options.clients = number()? as usize,
            "--seconds" => options.seconds = number()?.into(),
            "--files" => options.files = number()? as usize,
            "--dev" => options.dev = true,
            "--update" => options.update = true,
            other => return Err(Stop::Usage(format!("there is no option `{other}`"))),
        }
    }
    Ok(options)
}

/// A file of the project as it is now.
fn text_now(project: &Path, path: &str) -> Option<String> {
    std::fs::read_to_string(project.join(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_numbers_and_nothing_else() {
        let options = parse(&["--clients", "8", "--files", "100", "--update"]).unwrap();
        assert_eq!(
            options,
            Options { clients: 8, seconds: 60, files: 100, dev: false, update: true }
        );
        assert!(parse(&["--clients"]).is_err());
        assert!(parse(&["--clients", "0"]).is_err());
        assert!(parse(&["--fast"]).is_err());
    }
}
