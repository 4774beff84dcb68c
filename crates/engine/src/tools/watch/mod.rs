//! `gik watch`: the index follows the files while they change, so that a question finds nothing to catch up with.

mod session;

use std::time::Duration;

use gik_base::clock::Timestamp;
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_discover::watch::POLL_INTERVAL;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::session::Session;
use crate::tool::{Hear, Streams};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Keep the index up to date while files change, until stopped
///
/// Changes are indexed a moment after the last one, and questions find nothing left to do. A workspace without an
/// index gets one first; after that no revision is made: `gik commit` names what changed. When another branch is
/// checked out, its knowledge is followed. `--json` prints one document a line. Stop with Ctrl-C.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Look at the files every SECONDS (2 where none are given) instead of hearing of changes from the system, as on
    /// network drives
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "2")]
    pub poll: Option<f64>,
}

/// What happened to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// It is up to date for the first time; changes from here on are noticed.
    Watching,
    /// Files changed.
    Updated,
    /// Another branch was checked out.
    Switched,
    /// It could not be brought up to date; that is tried again.
    Delayed,
}

/// One thing that happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What happened.
    pub event: Event,
    /// When.
    pub time: Timestamp,
    /// The knowledge branch.
    pub branch: String,
    /// Files that are new in the index.
    pub added: u64,
    /// Files whose content changed.
    pub updated: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Files that were found under another name.
    pub moved: u64,
    /// How long it took to look and to index.
    pub milliseconds: u64,
    /// Whether the index is true to the files.
    pub freshness: FreshnessState,
    /// Folders that the system watches; absent when the files are looked at at intervals, or could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folders: Option<u64>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let time = view.paint(Style::Faint, self.time);
        let branch = view.paint(Style::Name, &self.branch);
        let what = match (self.event, self.folders) {
            (Event::Watching, Some(folders)) => {
                let folders = count(folders, "folder", "folders");
                format!("watching {folders} on branch {branch}")
            },
            (Event::Watching, None) => format!("looking at intervals on branch {branch}"),
            (Event::Updated, _) => "updated".to_owned(),
            (Event::Switched, _) => format!("switched to branch {branch}"),
            (Event::Delayed, _) => {
                view.line(format!("{time}  {}", view.paint(Style::Warning, "delayed")));
                return;
            },
        };
        let changes = [
            (self.added, "added"),
            (self.updated, "changed"),
            (self.removed, "removed"),
            (self.moved, "moved"),
        ];
        let changes: Vec<String> = changes
            .into_iter()
            .filter(|(files, _)| *files > 0)
            .map(|(files, word)| format!("{} {word}", view.paint(Style::Number, files)))
            .collect();
        if changes.is_empty() {
            view.line(format!("{time}  {what}"));
        } else {
            let changes = changes.join(", ");
            view.line(format!("{time}  {what}: {changes} in {} ms", self.milliseconds));
        }
    }
}

struct Watch;

impl Streams for Watch {
    type Args = Args;
    type Output = Output;

    fn stream(ctx: &Context<'_>, args: Args, hear: Hear<'_, Output>) -> Result<()> {
        let interval = args.poll.map(poll_interval).transpose()?;
        let ended = Session::open(ctx, interval).and_then(|mut session| session.run(hear));
        match ended {
            // Being stopped is how a watch ends.
            Err(failure) if failure.code() == ErrorCode::Interrupted => Ok(()),
            other => other,
        }
    }
}

fn poll_interval(seconds: f64) -> Result<Duration> {
    const RANGE: std::ops::RangeInclusive<f64> = 0.1..=86_400.0;
    if RANGE.contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(Failure::new(
        ErrorCode::ArgumentInvalid,
        format!("`--poll {seconds}` is not between {} and {} seconds", RANGE.start(), RANGE.end()),
    )
    .hint(format!("`--poll` alone means every {} seconds", POLL_INTERVAL.as_secs())))
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Watch>(&["watch"], Effect::Reads, Shape::Stream, "gik watch").for_people();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_a_sensible_number_of_seconds() {
        assert_eq!(poll_interval(0.5).unwrap(), Duration::from_millis(500));
        for seconds in [0.0, -1.0, 1e9, f64::NAN, f64::INFINITY] {
            let failure = poll_interval(seconds).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
        }
    }
}
