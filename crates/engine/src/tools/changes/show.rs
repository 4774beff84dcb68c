//! `gik changes show`: one proposed change as a diff.

use gik_base::Result;
use gik_changes::unified;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{File, created_at, files_of, show_diff, state, summary};
use crate::proposals::Desk;
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show a proposed change as a diff
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The id, or the beginning of it
    #[arg(required = true, value_name = "ID")]
    pub id: String,
}

/// One proposal.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Its id.
    pub id: String,
    /// When it was proposed.
    pub created_at: String,
    /// The tool that was called.
    pub tool: String,
    /// `ready`, or `outdated` where a file is no longer what it was made for.
    pub state: &'static str,
    /// The hash that a token is bound to.
    pub diff_hash: String,
    /// What it does to each file.
    pub files: Vec<File>,
    /// All of it as a unified diff, from the files as they were.
    pub diff: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let id = view.paint(Style::Name, &self.id);
        let style = if self.state == "ready" { Style::Good } else { Style::Warning };
        let state = view.paint(style, self.state);
        view.pairs(&[
            ("id", id),
            ("when", self.created_at.clone()),
            ("by", view.plain(&self.tool)),
            ("state", state),
            ("size", summary(&self.files)),
        ]);
        view.blank();
        show_diff(view, &self.diff);
        if self.state != "ready" {
            view.hint("a file changed since; it has to be proposed again");
        }
    }
}

struct Show;

impl Runs for Show {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let desk = Desk::of(&ws)?;
        let proposal = desk.shelf.find(&args.id)?;
        Ok(Output {
            created_at: created_at(&proposal),
            state: state(&desk, &proposal),
            diff_hash: proposal.digest(&desk.site.name()),
            files: files_of(&proposal),
            diff: unified(&proposal),
            id: proposal.id,
            tool: proposal.tool,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Show>(&["changes", "show"], Effect::Reads, Shape::One, "gik changes show 3f2a91c0");
