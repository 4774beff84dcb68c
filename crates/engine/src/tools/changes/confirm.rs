//! `gik changes confirm`: a token by which the program that proposed a change may apply it, once.

use gik_base::clock::Timestamp;
use gik_base::{ErrorCode, Failure, Result};
use gik_changes::{LIFETIME_SECONDS, unified};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{File, files_of, show_diff, state};
use crate::proposals::{Desk, now};
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Make a token by which a program may apply a proposed change
///
/// It is good once, for a minute, for exactly this change of exactly these files.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The id, or the beginning of it
    #[arg(required = true, value_name = "ID")]
    pub id: String,
}

/// The token.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The id of the change.
    pub id: String,
    /// What the program gives as `confirmation_token`.
    pub token: String,
    /// Until when it is good.
    pub expires_at: String,
    /// The hash it is bound to.
    pub diff_hash: String,
    /// The files.
    pub files: Vec<File>,
    #[serde(skip)]
    diff: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        show_diff(view, &self.diff);
        view.blank();
        let token = view.paint(Style::Command, &self.token);
        view.line(token);
        view.hint(format!(
            "give it to the program that proposed the change; it is good once, for {LIFETIME_SECONDS} seconds"
        ));
    }
}

struct Confirm;

impl Runs for Confirm {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let desk = Desk::of(&ws)?;
        let proposal = desk.shelf.find(&args.id)?;
        if state(&desk, &proposal) != "ready" {
            let message = format!("a file changed since {} was proposed", proposal.id);
            return Err(Failure::new(ErrorCode::ChangeOutdated, message)
                .hint("it has to be proposed again from the files as they are"));
        }
        let workspace = desk.site.name();
        let diff_hash = proposal.digest(&workspace);
        let minted = desk.confirmations()?.mint(&workspace, &diff_hash, now())?;
        let expires_at = Timestamp::from_second(minted.expires_at).unwrap_or(Timestamp::MAX);
        Ok(Output {
            token: minted.token,
            expires_at: expires_at.to_string(),
            diff_hash,
            files: files_of(&proposal),
            diff: unified(&proposal),
            id: proposal.id,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Confirm>(
    &["changes", "confirm"],
    Effect::Writes,
    Shape::One,
    "gik changes confirm 3f2a91c0",
)
.for_people();
