//! `apply_text_edits`: proposes edits of one file by place, and applies them once a person confirmed them.

use gik_base::Result;
use gik_changes::{Proposed, TextEdit};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Envelope;
use super::writing::{Outcome, propose};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

const NAME: &str = "apply_text_edits";

/// Apply structured text edits to a file
///
/// Requires confirmation_token: without one (an empty text) the change is staged for a person to look at, and nothing is
/// written. All places are those of the file as it is; edits must not overlap. Lines are counted from 1, columns from 0
/// in UTF-16 units; the end is not part of the range.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// Path of the file, from the root of the workspace
    #[arg(value_name = "PATH")]
    pub path: String,
    /// The edits; on the command line each one as JSON
    #[arg(required = true, value_name = "EDIT", value_parser = edit)]
    pub edits: Vec<Edit>,
    /// What a person gave you for this very change; empty where they have not yet
    #[arg(long, value_name = "TOKEN")]
    #[schemars(length(max = 200))]
    pub confirmation_token: String,
}

/// A text in the place of another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// Line of the first place
    #[schemars(range(min = 1, max = 4_294_967_295u32))]
    pub start_line: u32,
    /// Column of the first place
    #[schemars(range(min = 0, max = 4_294_967_295u32))]
    pub start_col: u32,
    /// Line of the place after the last
    #[schemars(range(min = 1, max = 4_294_967_295u32))]
    pub end_line: u32,
    /// Column of the place after the last
    #[schemars(range(min = 0, max = 4_294_967_295u32))]
    pub end_col: u32,
    /// What is put there
    pub replacement: String,
}

fn edit(text: &str) -> Result<Edit, serde_json::Error> {
    serde_json::from_str(text)
}

struct ApplyTextEdits;

impl Runs for ApplyTextEdits {
    type Args = Args;
    type Output = Envelope<Outcome>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        let edits: Vec<TextEdit> = args
            .edits
            .into_iter()
            .map(|edit| TextEdit {
                start_line: edit.start_line,
                start_col: edit.start_col,
                end_line: edit.end_line,
                end_col: edit.end_col,
                replacement: edit.replacement,
            })
            .collect();
        Envelope::of(propose(ctx, &args.confirmation_token, |site, now| {
            Proposed::from_edits(site, NAME, (&args.path, &edits), now)
        }))
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<ApplyTextEdits>(
    &["tool", NAME],
    Effect::Writes,
    Shape::One,
    "gik tool apply_text_edits notes.md '{\"start_line\":1,\"start_col\":0,\"end_line\":1,\"end_col\":0,\"replacement\":\"# Notes\\n\"}' --confirmation-token ''",
)
.called(NAME)
.destroying()
.telling_failures(Envelope::<Outcome>::told);
