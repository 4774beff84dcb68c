//! `gik release`: a changelog from the messages of the timeline. The timeline itself is only read.

mod conventional;
mod document;
mod section;

use std::path::{Path, PathBuf};

use gik_base::collections::HashMap;
use gik_base::fs::{self, Durability};
use gik_base::{Context as _, ErrorCode, Failure, FileKey, Result};
use gik_contract::{Revision, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::section::{Group, Section, marked_revisions};
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

const DEFAULT_FILE: &str = "CHANGELOG.md";

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
        let key = target(&ws, args.output.as_deref())?;
        // Two releases at once must not write over each other.
        let _held = if args.dry_run { None } else { Some(ws.hold()?) };
        let existing = read_text(&ws, &key)?;

        let to = ws.branch.resolve(args.to.as_deref().unwrap_or("HEAD"))?;
        let timeline = ws.branch.timeline()?;
        let history = ancestry(&timeline, &to.id);
        let appended = existing.as_deref().filter(|_| args.append);
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
            path: key.as_str().to_owned(),
            written: false,
            backup: None,
            is_dry_run: args.dry_run,
            tag: section.tag,
            groups: section.groups,
        };
        if !output.found() {
            return Ok(output);
        }
        // A dry run tells as well that the section is there already.
        let content = content(&args, existing.as_deref(), &output, &key)?;
        if !args.dry_run && existing.as_deref() != Some(&content) {
            write(&ws, &key, existing.as_deref(), &content, &args, &mut output)?;
        }
        Ok(output)
    }
}

/// What the file will hold.
fn content(args: &Args, existing: Option<&str>, output: &Output, key: &FileKey) -> Result<String> {
    let whole = document::whole(&output.markdown);
    match existing {
        Some(text) if args.append => document::with_section(text, &output.markdown, output.tag.as_deref()),
        Some(text)
            if !args.force && !args.dry_run && !text.trim().is_empty() && !document::is_untouched(text) =>
        {
            Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("`{key}` is there already and holds text that is not of `gik release` alone"),
            )
            .hint("`--append` adds a section to it and keeps all else")
            .hint("`--output FILE` writes another file; `--force` replaces it and keeps the old one beside it"))
        },
        Some(_) | None => Ok(whole),
    }
}

fn write(
    ws: &Workspace<'_>,
    key: &FileKey,
    existing: Option<&str>,
    content: &str,
    args: &Args,
    output: &mut Output,
) -> Result<()> {
    let path = real_path(ws, key)?;
    if let Some(text) = existing
        && args.force
        && !text.trim().is_empty()
        && !document::is_untouched(text)
    {
        let backup = free_name(&path)?;
        fs::write_atomic(&backup, text.as_bytes(), Durability::Synced)?;
        output.backup = Some(ws.key_of(&backup)?.as_str().to_owned());
    }
    fs::write_atomic(&path, content.as_bytes(), Durability::Synced)?;
    output.written = true;
    Ok(())
}

/// The first of `FILE.bak`, `FILE.bak2`, … that is not taken.
fn free_name(path: &Path) -> Result<PathBuf> {
    let mut attempt: u32 = 1;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(if attempt == 1 { ".bak".to_owned() } else { format!(".bak{attempt}") });
        let candidate = path.with_file_name(name);
        if fs::symlink_metadata_if_present(&candidate)?.is_none() {
            return Ok(candidate);
        }
        attempt += 1;
    }
}

/// The file to write. The knowledge repository and version control keep their files to themselves.
fn target(ws: &Workspace<'_>, output: Option<&Path>) -> Result<FileKey> {
    let key = match output {
        Some(typed) => ws.key_of(typed)?,
        None => ws.key_of(&ws.root.join(DEFAULT_FILE))?,
    };
    let taken = ["", ".guided", ".git", ".jj"];
    let first = key.as_str().split('/').next().unwrap_or_default();
    if taken.iter().any(|name| name.eq_ignore_ascii_case(first)) {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("a changelog cannot be written to `{key}`"),
        )
        .hint("name a file of the project, for example `--output docs/CHANGELOG.md`"));
    }
    Ok(key)
}

/// The file behind a link, so that the link stays one.
fn real_path(ws: &Workspace<'_>, key: &FileKey) -> Result<PathBuf> {
    let path = key.to_path(&ws.root);
    if fs::exists(&path) { fs::canonicalize(&path) } else { Ok(path) }
}

fn read_text(ws: &Workspace<'_>, key: &FileKey) -> Result<Option<String>> {
    let path = key.to_path(&ws.root);
    if path.is_dir() {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{key}` is a folder")));
    }
    let Some(bytes) = fs::read_if_present(&path)? else { return Ok(None) };
    let text = String::from_utf8(bytes)
        .context(ErrorCode::ArgumentInvalid, || format!("`{key}` is not UTF-8 text"))?;
    Ok(Some(text))
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

/// A revision and all before it, newest first.
fn ancestry<'a>(timeline: &'a [Revision], newest: &str) -> Vec<&'a Revision> {
    // Later lines win, as everywhere.
    let by_id: HashMap<&str, &Revision> =
        timeline.iter().map(|revision| (revision.id.as_str(), revision)).collect();
    let mut history: Vec<&Revision> = Vec::new();
    let mut next = by_id.get(newest).copied();
    while let Some(revision) = next {
        history.push(revision);
        // No chain is longer than the timeline; a circle of parents is damage.
        next = revision
            .parent_id
            .as_deref()
            .filter(|_| history.len() < timeline.len())
            .and_then(|parent| by_id.get(parent).copied());
    }
    history
}

fn position_of(history: &[&Revision], from: &Revision, to: &Revision) -> Result<usize> {
    history.iter().position(|revision| revision.id == from.id).ok_or_else(|| {
        Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("revision `{}` does not come before `{}`", from.id, to.id),
        )
        .hint("`--from` is the older one; `gik log` lists the revisions")
    })
}

/// The newest revision that a section of the file ends with.
fn last_release(history: &[&Revision], changelog: &str) -> Option<usize> {
    marked_revisions(changelog)
        .filter_map(|id| history.iter().position(|revision| revision.id == id))
        .min()
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Release>(
    &["release"],
    Effect::Writes,
    Shape::One,
    "gik release --tag v1.2.0 --append --dry-run",
);

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(ids: &[(&str, Option<&str>)]) -> Vec<Revision> {
        ids.iter()
            .map(|(id, parent)| Revision {
                id: (*id).to_owned(),
                parent_id: parent.map(str::to_owned),
                branch: "main".to_owned(),
                git_commit: None,
                timestamp: Timestamp::UNIX_EPOCH,
                message: "feat: x".to_owned(),
                operations: Vec::new(),
                extra: gik_contract::Extra::new(),
            })
            .collect()
    }

    fn ids<'a>(history: &[&'a Revision]) -> Vec<&'a str> {
        history.iter().map(|revision| revision.id.as_str()).collect()
    }

    #[test]
    fn history_follows_parents_and_a_circle_ends() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        assert_eq!(ids(&ancestry(&line, "c")), ["c", "b", "a"]);
        assert_eq!(ids(&ancestry(&line, "b")), ["b", "a"]);
        assert!(ancestry(&line, "x").is_empty());
        let circle = timeline(&[("a", Some("b")), ("b", Some("a"))]);
        assert_eq!(ancestry(&circle, "a").len(), 2);
    }

    #[test]
    fn a_range_starts_after_from_and_from_must_be_older() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        let history = ancestry(&line, "c");
        assert_eq!(ids(&history[..position_of(&history, &line[0], &line[2]).unwrap()]), ["c", "b"]);
        assert_eq!(position_of(&history, &line[2], &line[2]).unwrap(), 0);
        let short = ancestry(&line, "b");
        assert!(position_of(&short, &line[2], &line[1]).is_err());
    }

    #[test]
    fn the_next_release_starts_where_the_newest_known_one_ended() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        let history = ancestry(&line, "c");
        let changelog =
            "<!-- gik revision gone -->\n<!-- gik revision b -->\n<!-- gik revision a -->\n";
        assert_eq!(last_release(&history, changelog), Some(1));
        assert_eq!(last_release(&history, "# Changelog\n"), None);
    }

    #[test]
    fn tags_are_one_word() {
        assert_eq!(checked_tag(" v1.2.0 ").unwrap(), "v1.2.0");
        for wrong in ["", " ", "v1 beta", "v1\n## x", "[v1]", "<!--"] {
            assert_eq!(
                checked_tag(wrong).unwrap_err().code(),
                ErrorCode::ArgumentInvalid,
                "{wrong}"
            );
        }
    }
}
