//! `gik verify`: every invariant of the on-disk state.

use gik_base::{ErrorCode, Result};
use gik_contract::{BaseSourceEntry, BaseStats};
use gik_ledger::{Repair, jsonl};
use gik_store::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::Runs;
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases};

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
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for action in &self.recovered {
            let label = view.paint(Style::Warning, "recovered:");
            let action = view.plain(action);
            view.line(format!("{label} {action}"));
        }
        if self.findings.is_empty() {
            let good = view.paint(Style::Good, "ok");
            let branch = view.paint(Style::Name, &self.branch);
            view.line(format!("{good}: every invariant of branch {branch} holds"));
            return;
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
                    Cell::text(&finding.message),
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
        self.findings.iter().map(|finding| serde_json::to_value(finding).ok()).collect()
    }

    fn found(&self) -> bool {
        self.ok
    }
}

struct Verify;

impl Runs for Verify {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        if !ws.branch.is_initialized() && !ws.branch.timeline_path().exists() {
            return Err(ws.not_initialized());
        }
        let recovered = match ws.hold() {
            Ok(held) => held.recovered().to_vec(),
            // A read-only tree can be checked as it is.
            Err(failure) if failure.code() == ErrorCode::WorkspaceReadOnly => Vec::new(),
            Err(failure) => return Err(failure),
        };
        let mut findings = check(&ws)?;
        let mut repaired = false;
        if args.repair && findings.iter().any(|finding| finding.repairable) {
            let held = ws.hold()?;
            ws.branch.repair(&held)?;
            ws.remove_store(&held)?;
            crate::commit::restore_projections(&ws, &held)?;
            drop(held);
            findings.retain(|finding| !finding.repairable);
            findings.extend(check(&ws)?.into_iter().filter(|finding| finding.repairable));
            repaired = true;
        }
        Ok(Output {
            ok: findings.is_empty(),
            branch: ws.branch.name().to_owned(),
            recovered,
            findings,
            repaired,
        })
    }
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
        })
        .collect();
    check_store(ws, &mut findings);
    for base in bases::FILE_BASES {
        check_projection(ws, base, &mut findings);
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
        file: "index.sqlite".to_owned(),
        message,
        repairable: true,
    }));
}

/// The contract files of a base agree with each other.
fn check_projection(ws: &Workspace<'_>, base: &str, findings: &mut Vec<Finding>) {
    let path = ws.branch.base_sources_path(base);
    let stats: Result<Option<BaseStats>> = jsonl::read_json(&ws.branch.base_stats_path(base));
    let entries: Result<Vec<BaseSourceEntry>> = jsonl::read_lines(&path);
    let mut report = |message: String| {
        findings.push(Finding {
            file: format!("bases/{base}/sources.jsonl"),
            message,
            repairable: true,
        });
    };
    match (stats, entries) {
        (Ok(None), Ok(entries)) if entries.is_empty() => {},
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
    Tool::new::<Verify>(&["verify"], Effect::Reads, Shape::List, "gik verify --repair");
