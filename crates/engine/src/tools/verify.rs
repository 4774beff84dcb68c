//! `gik verify`: every invariant of the on-disk state.

use std::ops::Range;

use gik_base::{ErrorCode, Result, fs};
use gik_contract::{
    BaseSourceEntry, BaseStats, StackDependencyEntry, StackFileEntry, StackStats, StackTechEntry,
};
use gik_ledger::{Held, Repair, Severity, jsonl};
use gik_store::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::commit::{committed_bases, restore_projections};
use crate::ingest::{Effort, fill, had_vectors};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases, kg};

/// Check every invariant of the knowledge repository
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Make derived files anew where they are damaged
    #[arg(long)]
    pub repair: bool,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Whether everything holds.
    pub ok: bool,
    /// The knowledge branch.
    pub branch: String,
    /// What a killed writer had left and was finished before checking.
    pub recovered: Vec<String>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Whether damaged derived files were made anew.
    pub repaired: bool,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Where.
    pub file: String,
    /// What.
    pub message: String,
    /// Whether the file can be derived again.
    pub repairable: bool,
    /// How bad it is.
    pub severity: Gravity,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Gravity {
    /// An invariant does not hold.
    Error,
    /// Odd, but nothing is lost or wrong.
    Warning,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for action in &self.recovered {
            let label = view.paint(Style::Warning, "recovered:");
            let action = view.plain(action);
            view.line(format!("{label} {action}"));
        }
        if self.findings.is_empty() {
            if self.repaired {
                view.line("What was damaged was made anew.");
            }
            let good = view.paint(Style::Good, "ok");
            let branch = view.paint(Style::Name, &self.branch);
            view.line(format!("{good}: every invariant of branch {branch} holds"));
            return;
        }
        if self.ok {
            let good = view.paint(Style::Good, "ok");
            view.line(format!("{good}: nothing is lost or wrong, but this is odd"));
        }
        let rows: Vec<Vec<Cell>> = self
            .findings
            .iter()
            .map(|finding| {
                let word = if finding.repairable { "derived" } else { "truth" };
                vec![
                    Cell::styled(
                        if finding.repairable { Style::Warning } else { Style::Bad },
                        word,
                    ),
                    Cell::styled(Style::Name, &finding.file),
                    Cell::sentence(&finding.message),
                ]
            })
            .collect();
        view.table(&["", "file", "what is wrong"], &rows);
        if self.repaired {
            view.line("What can be derived was made anew.");
        } else if self.findings.iter().any(|finding| finding.repairable) {
            view.hint("run `gik verify --repair` to make derived files anew");
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.findings)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.findings, rows)
    }

    fn found(&self) -> bool {
        self.ok
    }
}

/// What findings about the index and its segments are listed under.
const INDEX: &str = "index.sqlite";
/// What is wrong with a file that is not there.
const MISSING: &str = "the file is missing";

struct Verify;

impl Runs for Verify {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        if !ws.branch.is_initialized() && !ws.branch.timeline_path().exists() {
            return Err(ws.not_initialized());
        }
        // Held to the end: a writer at work would look like damage.
        let held = match ws.hold() {
            Ok(held) => Some(held),
            // A read-only tree can be checked as it is.
            Err(failure) if failure.code() == ErrorCode::WorkspaceReadOnly && !args.repair => None,
            Err(failure) => return Err(failure),
        };
        let mut findings = check(&ws)?;
        let mut repaired = false;
        if let Some(held) = held.as_ref().filter(|_| args.repair)
            && findings.iter().any(|finding| finding.repairable)
        {
            repair(&ws, held, &findings)?;
            findings = check(&ws)?;
            repaired = true;
        }
        let recovered = held.map(|held| held.recovered().to_vec()).unwrap_or_default();
        if repaired && ws.follows_files() && had_vectors(&ws) {
            fill(&ws, Effort::All)?;
        }
        Ok(Output {
            ok: findings.iter().all(|finding| finding.severity == Gravity::Warning),
            branch: ws.branch.name().to_owned(),
            recovered,
            findings,
            repaired,
        })
    }
}

fn repair(ws: &Workspace<'_>, held: &Held, findings: &[Finding]) -> Result<()> {
    ws.branch.repair(held)?;
    // What is derived from the working tree can be made only for the branch that is checked out.
    if ws.follows_files() {
        let mut of_index = findings.iter().filter(|finding| finding.file == INDEX).peekable();
        if of_index.peek().is_some() {
            if of_index.all(|finding| finding.message.starts_with(OF_VECTORS)) {
                forget_damaged_vectors(ws)?;
            } else {
                ws.remove_store(held)?;
            }
        }
        restore_projections(ws, held)?;
    }
    Ok(())
}

/// How the index tells of damaged vectors.
const OF_VECTORS: &str = "vectors of `";

/// Words and structure are sound, so only vectors are made again.
fn forget_damaged_vectors(ws: &Workspace<'_>) -> Result<()> {
    let mut store = ws.store(Access::ReadWrite)?;
    let mut writer = store.writer()?;
    for base in bases::FILE_BASES {
        writer.forget_damaged_vectors(base)?;
    }
    writer.commit()?;
    Ok(())
}

fn check(ws: &Workspace<'_>) -> Result<Vec<Finding>> {
    let mut findings: Vec<Finding> = ws
        .branch
        .verify()?
        .into_iter()
        .map(|finding| Finding {
            file: match finding.line {
                Some(line) => format!("{}:{line}", finding.file),
                None => finding.file,
            },
            message: finding.message,
            repairable: finding.repair == Repair::Automatic,
            severity: match finding.severity {
                Severity::Error => Gravity::Error,
                Severity::Warning => Gravity::Warning,
            },
        })
        .collect();
    check_store(ws, &mut findings);
    let committed = committed_bases(ws)?;
    if committed.is_some() {
        check_stack(ws, &mut findings);
    }
    let committed = committed.unwrap_or_default();
    findings.extend(kg::problems(ws).into_iter().map(|(file, message)| Finding {
        file,
        message,
        repairable: true,
        severity: Gravity::Error,
    }));
    for base in bases::FILE_BASES {
        check_projection(ws, base, committed.iter().any(|one| one == base), &mut findings);
    }
    Ok(findings)
}

fn check_store(ws: &Workspace<'_>, findings: &mut Vec<Finding>) {
    let checked = ws.store(Access::ReadOnly).and_then(|store| store.verify());
    let messages = match checked {
        Ok(messages) => messages,
        // An index that was never made, or was removed, is made by the next question.
        Err(failure) if failure.code() == ErrorCode::NoIndexedBase => Vec::new(),
        Err(failure) => vec![failure.to_string()],
    };
    findings.extend(messages.into_iter().map(|message| Finding {
        file: INDEX.to_owned(),
        message,
        repairable: true,
        severity: Gravity::Error,
    }));
}

/// The inventory is there and can be read.
fn check_stack(ws: &Workspace<'_>, findings: &mut Vec<Finding>) {
    let dir = ws.branch.stack_dir();
    let mut report = |name: &str, problem: Option<String>| {
        findings.extend(problem.map(|message| Finding {
            file: format!("stack/{name}"),
            message,
            repairable: true,
            severity: Gravity::Error,
        }));
    };
    let lines = |name: &str, read: Result<()>| {
        let is_there = fs::exists(&dir.join(name));
        if is_there {
            read.err().map(|failure| failure.to_string())
        } else {
            Some(MISSING.to_owned())
        }
    };
    let files: Result<Vec<StackFileEntry>> = jsonl::read_lines(&dir.join("files.jsonl"));
    report("files.jsonl", lines("files.jsonl", files.map(drop)));
    let dependencies: Result<Vec<StackDependencyEntry>> =
        jsonl::read_lines(&dir.join("dependencies.jsonl"));
    report("dependencies.jsonl", lines("dependencies.jsonl", dependencies.map(drop)));
    let tech: Result<Vec<StackTechEntry>> = jsonl::read_lines(&dir.join("tech.jsonl"));
    report("tech.jsonl", lines("tech.jsonl", tech.map(drop)));
    let stats: Result<Option<StackStats>> = jsonl::read_json(&dir.join("stats.json"));
    report("stats.json", lines("stats.json", stats.map(drop)));
}

/// The contract files of a base agree with each other, and are there when a commit says so.
fn check_projection(
    ws: &Workspace<'_>,
    base: &str,
    is_committed: bool,
    findings: &mut Vec<Finding>,
) {
    let path = ws.branch.base_sources_path(base);
    let stats: Result<Option<BaseStats>> = jsonl::read_json(&ws.branch.base_stats_path(base));
    let entries: Result<Vec<BaseSourceEntry>> = jsonl::read_lines(&path);
    let mut report = |message: String| {
        findings.push(Finding {
            file: format!("bases/{base}/sources.jsonl"),
            message,
            repairable: true,
            severity: Gravity::Error,
        });
    };
    match (stats, entries) {
        (Ok(None), Ok(entries)) if entries.is_empty() => {
            if is_committed {
                report(MISSING.to_owned());
            }
        },
        (Ok(Some(_)), Ok(_)) if !fs::exists(&path) => report(MISSING.to_owned()),
        (Ok(Some(stats)), Ok(entries)) => {
            if stats.chunk_count != entries.len() as u64 {
                report(format!(
                    "{} entries, but stats.json counts {}",
                    entries.len(),
                    stats.chunk_count
                ));
            }
            if let Some(entry) = entries.iter().find(|entry| entry.base != base) {
                report(format!("the entry {} is of base {}", entry.id, entry.base));
            }
        },
        (Ok(None), Ok(_)) => report("stats.json is missing".to_owned()),
        (Err(failure), _) | (_, Err(failure)) => report(failure.to_string()),
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Verify>(&["verify"], Effect::Reads, Shape::List, "gik verify --repair").here();
