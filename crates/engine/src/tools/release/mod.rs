//! `gik release`: a changelog from the messages of the timeline. The timeline itself is only read.

mod conventional;
mod document;
mod file;
mod range;
mod section;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::file::ChangelogFile;
use self::range::{ancestry, last_release, position_of};
use self::section::{Group, Section};
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Write CHANGELOG.md from the Conventional Commits of the timeline
///
/// A file that is there already is kept: `--append` adds a section to it, and only a file that `gik release` wrote and
/// nobody changed is made anew. `--force` replaces any file and keeps the old one beside it with the ending `.bak`.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name of the release; "Unreleased" where it is not given
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Start after this revision; with --append, after the newest release in the file where it is not given
    #[arg(long, value_name = "REVISION")]
    pub from: Option<String>,
    /// End with this revision [default: HEAD]
    #[arg(long, value_name = "REVISION")]
    pub to: Option<String>,
    /// Add the section to the file, below its title, and keep all else
    #[arg(long)]
    pub append: bool,
    /// Show the section and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The file to write, inside the workspace [default: CHANGELOG.md]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that someone else wrote; the old one is kept beside it
    #[arg(long, conflicts_with = "append")]
    pub force: bool,
}

/// A section of the changelog and where it went.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The name of the release; null for what is not released yet.
    pub tag: Option<String>,
    /// The revision before the section; null where it starts with the first.
    pub from_revision: Option<String>,
    /// The newest revision of the section.
    pub to_revision: String,
    /// When that was made.
    pub date: Timestamp,
    /// Revisions with a line of their own.
    pub entry_count: u64,
    /// The section as data.
    pub groups: Vec<Group>,
    /// The section as text.
    pub markdown: String,
    /// The file, relative to the workspace.
    pub path: String,
    /// Whether the file was written.
    pub written: bool,
    /// Where the file that was there before is kept, if it was replaced by force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    #[serde(skip)]
    is_dry_run: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if !self.found() {
            view.line(
                "There is nothing to release: no revision in the range has a message for it.",
            );
            view.hint("`gik log` lists the revisions; `gik commit -m \"feat: …\"` makes one");
            return;
        }
        if self.is_dry_run {
            for line in self.markdown.lines() {
                let line = view.plain(line);
                view.line(line);
            }
            return;
        }
        let entries = count(self.entry_count, "entry", "entries");
        let name = view.plain(self.tag.as_deref().unwrap_or(section::UNRELEASED));
        let path = view.paint(Style::Name, &self.path);
        if self.written {
            view.line(format!("Wrote {name} with {entries} to {path}"));
        } else {
            view.line(format!("{path} has {name} with {entries} already; nothing was changed."));
        }
        if let Some(backup) = &self.backup {
            let backup = view.paint(Style::Name, backup);
            view.line(format!("The file that was there is now {backup}"));
        }
    }

    fn found(&self) -> bool {
        self.entry_count > 0
    }
}

struct Release;

impl Runs for Release {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let tag = args.tag.as_deref().map(checked_tag).transpose()?;
        let file = ChangelogFile::find(&ws, args.output.as_deref())?;
        // Two releases at once must not write over each other.
        let _held = if args.dry_run { None } else { Some(ws.hold()?) };
        let existing = file.read()?;

        let to = ws.branch.resolve(args.to.as_deref().unwrap_or("HEAD"))?;
        let timeline = ws.branch.timeline()?;
        let history = ancestry(&timeline, &to.id);
        let appended = existing.as_deref().filter(|_| args.append);
        if let Some(changelog) = appended {
            document::require_absent(changelog, tag.as_deref())?;
        }
        let end = match &args.from {
            Some(from) => Some(position_of(&history, &ws.branch.resolve(from)?, &to)?),
            None => appended.and_then(|changelog| last_release(&history, changelog)),
        };
        let chosen = &history[..end.unwrap_or(history.len())];
        let section = Section::of(tag, &to, chosen);
        let mut output = Output {
            from_revision: end.map(|at| history[at].id.clone()),
            to_revision: section.to.clone(),
            date: section.date,
            entry_count: section.entry_count(),
            markdown: section.markdown(),
            path: file.name().to_owned(),
            written: false,
            backup: None,
            is_dry_run: args.dry_run,
            tag: section.tag,
            groups: section.groups,
        };
        if !output.found() {
            return Ok(output);
        }
        let content = content(&args, existing.as_deref(), &output)?;
        if args.dry_run || existing.as_deref() == Some(&content) {
            return Ok(output);
        }
        if let Some(text) = existing.filter(|text| args.force && !is_replaceable(text)) {
            output.backup = Some(file.keep_aside(&text)?);
        }
        file.write(&content)?;
        output.written = true;
        Ok(output)
    }
}

/// What the file will hold.
fn content(args: &Args, existing: Option<&str>, output: &Output) -> Result<String> {
    match existing {
        Some(text) if args.append => {
            document::with_section(text, &output.markdown, output.tag.as_deref())
        },
        Some(text) if !is_replaceable(text) && !args.force && !args.dry_run => Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("`{}` holds text that `gik release` did not write", output.path),
        )
        .hint("`--append` adds a section to it and keeps all else")
        .hint("`--output FILE` writes another file")
        .hint("`--force` replaces it and keeps the old one beside it")),
        Some(_) | None => Ok(document::whole(&output.markdown)),
    }
}

/// Whether nothing is lost when the file is made anew.
fn is_replaceable(text: &str) -> bool {
    text.trim().is_empty() || document::is_untouched(text)
}

fn checked_tag(typed: &str) -> Result<String> {
    let tag = typed.trim();
    let is_word = !tag.is_empty()
        && !tag
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '[' | ']' | '<' | '>'));
    if is_word {
        return Ok(tag.to_owned());
    }
    Err(Failure::new(
        ErrorCode::ArgumentInvalid,
        format!("`{typed}` cannot be the name of a release"),
    )
    .hint("a tag is one word: `--tag v1.2.0`"))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Release>(
    &["release"],
    Effect::Writes,
    Shape::One,
    "gik release --tag v1.2.0 --append --dry-run",
)
.for_people();
