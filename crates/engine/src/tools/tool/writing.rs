//! What both writing tools do: a proposal is kept, and applied only with a token that a person made, or where the user's
//! own config lets tools write alone.

use gik_base::Result;
use gik_changes::{Proposed, Site, unified};
use schemars::JsonSchema;
use serde::Serialize;

use super::Given;
use crate::Context;
use crate::proposals::{Desk, now};
use crate::tools::changes::{File, files_of};

/// What became of a proposed change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Outcome {
    /// `staged`: nothing was written, a person decides. `applied`: the files are changed.
    pub status: &'static str,
    /// The id of the proposal.
    pub change_id: String,
    /// The hash that a token is bound to: workspace, files as they were, files as they shall be.
    pub diff_hash: String,
    /// The files, sorted by path.
    pub files: Vec<File>,
    /// The change as a unified diff.
    pub diff: String,
}

/// Keeps a proposal, and applies it where the token, or the user's policy, allows that.
pub(super) fn propose(
    ctx: &Context<'_>,
    token: &str,
    make: impl FnOnce(&Site, i64) -> Result<Proposed>,
) -> Result<Given<Outcome>> {
    let ws = ctx.open()?;
    let desk = Desk::of(&ws)?;
    // Under the lock what is read is what is written over.
    let held = desk.hold()?;
    let Proposed { proposal, notes: mut warnings } = make(&desk.site, now())?;
    let workspace = desk.site.name();
    let (id, diff_hash) = (proposal.id.clone(), proposal.digest(&workspace));
    desk.shelf.put(&held, &proposal)?;
    let may_write = if token.is_empty() {
        desk.is_autonomous()
    } else {
        let taken = desk
            .confirmations()
            .and_then(|tokens| tokens.take(token, &workspace, &diff_hash, now()));
        taken.map_err(|failure| failure.hint(format!("the change waits as {id}")))?;
        true
    };
    if may_write {
        desk.apply(&held, &proposal)?;
    } else {
        warnings.push(format!(
            "nothing was written: a person applies it with `gik changes apply {id}`, or makes a confirmation_token \
             for the same call with `gik changes confirm {id}`"
        ));
    }
    let status = if may_write { "applied" } else { "staged" };
    let (files, diff) = (files_of(&proposal), unified(&proposal));
    let data = Outcome { status, change_id: id, diff_hash, files, diff };
    Ok(Given { data, is_cut: false, warnings })
}
