//! `gik init`: starts the knowledge of a branch, empty.

use gik_base::{ErrorCode, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Start the knowledge of this branch, empty
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// What `init` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The knowledge branch.
    pub branch: String,
    /// Where it is kept.
    pub path: String,
    /// Its newest revision.
    pub revision_id: String,
    /// Whether it was there before.
    pub already_initialized: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let branch = view.paint(Style::Name, &self.branch);
        if self.already_initialized {
            view.line(format!("Branch {branch} is initialised already; nothing was changed."));
        } else {
            view.line(format!(
                "Started the knowledge of branch {branch} in {}",
                view.plain(&self.path)
            ));
            view.hint("run `gik add .` and `gik commit`, or `gik index` for both");
        }
    }
}

struct Init;

impl Runs for Init {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.knowledge.ensure_layout()?;
        let held = ws.hold()?;
        let (revision_id, already_initialized) =
            match ws.branch.init(&held, "Init GIK", ws.scm.head.clone(), None) {
                Ok(revision) => (revision.id, false),
                Err(failure) if failure.code() == ErrorCode::AlreadyInitialized => {
                    (ws.head_revision()?.id, true)
                },
                Err(failure) => return Err(failure),
            };
        let path = ws.branch.dir().strip_prefix(&ws.root).unwrap_or(ws.branch.dir());
        Ok(Output {
            branch: ws.branch.name().to_owned(),
            path: path.to_string_lossy().into_owned(),
            revision_id,
            already_initialized,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Init>(&["init"], Effect::Writes, Shape::One, "gik init");
