//! `gik branch`: the knowledge branches; making and removing one.

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool::{Runs, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, branching};

/// List the knowledge branches, start one or remove one
///
/// The branch of the working tree starts by itself from the nearest one when it is first used.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Start this branch from the current one
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Remove this branch's knowledge; asks for --force when it holds memory
    #[arg(short, long, value_name = "NAME", conflicts_with = "name")]
    pub delete: Option<String>,
    /// Remove it although it holds memory entries
    #[arg(long, requires = "delete")]
    pub force: bool,
}

/// The branches.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Sorted by name.
    pub branches: Vec<Entry>,
    /// The branch that was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The branch that was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted: Option<String>,
}

/// One branch.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether it is the one at hand.
    pub current: bool,
    /// Its newest revision.
    pub revision_id: Option<String>,
    /// When that was made.
    pub timestamp: Option<Timestamp>,
    /// Its message.
    pub message: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if let Some(name) = &self.created {
            let name = view.paint(Style::Name, name);
            view.line(format!("Started branch {name}"));
        }
        if let Some(name) = &self.deleted {
            let name = view.paint(Style::Name, name);
            view.line(format!("Removed branch {name}"));
        }
        let rows: Vec<Vec<Cell>> = self
            .branches
            .iter()
            .map(|branch| {
                let id = branch.revision_id.as_deref().unwrap_or_default();
                vec![
                    Cell::text(if branch.current { "*" } else { "" }),
                    Cell::styled(Style::Name, &branch.name),
                    Cell::text(id.get(..8).unwrap_or(id)),
                    Cell::text(branch.timestamp.map(|time| time.to_string()).unwrap_or_default()),
                    Cell::text(branch.message.as_deref().unwrap_or_default()),
                ]
            })
            .collect();
        if rows.is_empty() {
            view.line("There is no knowledge yet.");
            view.hint("run `gik index`");
        } else {
            view.table(&["", "branch", "revision", "when", "message"], &rows);
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.branches)
    }
}

struct Branch;

impl Runs for Branch {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        if let Some(name) = &args.name {
            create(&ws, name)?;
        }
        if let Some(name) = &args.delete {
            delete(&ws, name, args.force)?;
        }
        let mut branches = Vec::new();
        for name in ws.knowledge.branches()? {
            let head = ws.knowledge.branch(&name).resolve("HEAD").ok();
            branches.push(Entry {
                current: name == ws.branch.name(),
                revision_id: head.as_ref().map(|head| head.id.clone()),
                timestamp: head.as_ref().map(|head| head.timestamp),
                message: head.map(|head| head.message),
                name,
            });
        }
        Ok(Output { branches, created: args.name, deleted: args.delete })
    }
}

fn create(ws: &Workspace<'_>, name: &str) -> Result<()> {
    ws.require_initialized()?;
    let held = ws.hold()?;
    let target = ws.knowledge.branch(name);
    if target.is_initialized() {
        return Err(Failure::new(
            ErrorCode::BranchExists,
            format!("branch `{name}` exists already"),
        ));
    }
    branching::fork(ws, &held, &ws.branch, &target)
}

fn delete(ws: &Workspace<'_>, name: &str, force: bool) -> Result<()> {
    let target = ws.knowledge.branch(name);
    if !ws.knowledge.branches()?.iter().any(|branch| branch == name) {
        return Err(Failure::new(ErrorCode::BranchMissing, format!("there is no branch `{name}`"))
            .hint("`gik branch` lists them"));
    }
    if name == ws.branch.name() {
        return Err(Failure::new(
            ErrorCode::BranchInUse,
            format!("branch `{name}` is the one at hand"),
        )
        .hint("check out another branch first"));
    }
    let entries = target.memory().entries()?.len() + target.memory().archived()?.len();
    if entries > 0 && !force {
        return Err(Failure::new(
            ErrorCode::BranchInUse,
            format!(
                "branch `{name}` holds {entries} memory entries, which cannot be derived again"
            ),
        )
        .hint(format!("`gik branch --delete {name} --force` removes them as well")));
    }
    let _held = ws.hold()?;
    fs::remove_dir_all_if_present(target.dir())
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Branch>(&["branch"], Effect::Writes, Shape::List, "gik branch").destroying();
