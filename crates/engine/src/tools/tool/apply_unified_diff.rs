//! `apply_unified_diff`: proposes what a diff says, and applies it once a person confirmed it.

use gik_base::Result;
use gik_changes::Proposed;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Envelope;
use super::writing::{Outcome, propose};
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool};

const NAME: &str = "apply_unified_diff";

/// Apply a unified diff patch
///
/// Requires confirmation_token: without one (an empty text) the change is staged for a person to look at, and nothing is
/// written. Files are changed, made, removed and moved (git's `rename from` and `rename to`), all or none. Paths start at
/// the root of the workspace. Every hunk must fit the file exactly; one that fits at a single other line is taken there,
/// which is said.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// The diff, as `diff -u` and git write it
    #[arg(value_name = "DIFF", allow_hyphen_values = true)]
    pub diff: String,
    /// What a person gave you for this very change; empty where they have not yet
    #[arg(long, value_name = "TOKEN")]
    #[schemars(length(max = 200))]
    pub confirmation_token: String,
}

struct ApplyUnifiedDiff;

impl Runs for ApplyUnifiedDiff {
    type Args = Args;
    type Output = Envelope<Outcome>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(propose(ctx, &args.confirmation_token, |site, now| {
            Proposed::from_diff(site, NAME, &args.diff, now)
        }))
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<ApplyUnifiedDiff>(
    &["tool", NAME],
    Effect::Writes,
    Shape::One,
    "gik tool apply_unified_diff \"$(git diff other-branch)\" --confirmation-token ''",
)
.called(NAME)
.destroying()
.telling_failures(Envelope::<Outcome>::told);
