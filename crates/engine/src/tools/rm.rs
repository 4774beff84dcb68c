//! `gik rm`: takes sources off the list, or out of the knowledge with the next commit.

use gik_base::{ErrorCode, Failure, Result, clock, ids};
use gik_contract::{Extra, PendingSource, SourceKind, SourceStatus};
use gik_ledger::staging::is_waiting;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, staging};

/// Take sources out of the knowledge; the files themselves stay
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Paths inside the workspace, or urls, that were added before
    #[arg(required = true, value_name = "SOURCE")]
    pub sources: Vec<String>,
}

/// What `rm` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Sources that were waiting and no longer are.
    pub unstaged: Vec<String>,
    /// Sources that the next commit takes out.
    pub removed: Vec<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for uri in &self.unstaged {
            let uri = view.paint(Style::Name, uri);
            view.line(format!("{uri} is no longer waiting"));
        }
        for uri in &self.removed {
            let uri = view.paint(Style::Name, uri);
            view.line(format!("{uri} goes with the next commit"));
        }
        if !self.removed.is_empty() {
            view.hint("run `gik commit` to take them out; the files themselves stay");
        }
    }
}

struct Rm;

impl Runs for Rm {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let held = ws.hold()?;
        let mut pending = ws.branch.pending()?;
        let mut output = Output { unstaged: Vec::new(), removed: Vec::new() };
        for typed in &args.sources {
            let uri = uri_of(&ws, typed)?;
            let before = pending.len();
            // The lock is held, so a source that is being processed is what a killed commit left.
            pending.retain(|entry| !(entry.uri == uri && is_waiting(entry)));
            if pending.len() < before {
                output.unstaged.push(uri.clone());
            }
            if staging::is_known(&ws, &pending, &uri) {
                pending.push(removal(&ws, &uri));
                output.removed.push(uri);
            } else if pending.len() == before {
                return Err(Failure::new(
                    ErrorCode::SourceNotTracked,
                    format!("`{typed}` is not part of the knowledge"),
                )
                .hint("`gik ls-files` lists what is"));
            }
        }
        let transaction = ws.branch.transaction(&held);
        transaction.set_pending(&pending)?;
        transaction.commit()?;
        Ok(output)
    }
}

/// What a typed word names; it need not exist any more.
fn uri_of(ws: &Workspace<'_>, typed: &str) -> Result<String> {
    if typed.contains("://") {
        return gik_discover::fetch::check_url(typed);
    }
    Ok(staging::uri_of(&ws.key_of(std::path::Path::new(typed))?))
}

fn removal(ws: &Workspace<'_>, uri: &str) -> PendingSource {
    let kind = if uri.contains("://") { SourceKind::Url } else { SourceKind::Other };
    PendingSource {
        id: ids::new_uuid(),
        branch: ws.branch.name().to_owned(),
        base: crate::bases::CODE.to_owned(),
        kind,
        uri: uri.to_owned(),
        added_at: clock::now(),
        status: SourceStatus::Pending,
        last_error: None,
        metadata: Some(PendingSource::removal_metadata()),
        extra: Extra::new(),
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Rm>(&["rm"], Effect::Writes, Shape::One, "gik rm docs/old").destroying();
