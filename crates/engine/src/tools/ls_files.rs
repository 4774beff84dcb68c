//! `gik ls-files`: what is indexed, what is not, and why.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, FileKey, Result};
use gik_discover::walk::{Explain, walk};
use gik_discover::{Verdict, explain_path};
use gik_store::{Access, FileRow, FileState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ingest::refresh;
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

/// List what is indexed; with a path, tell why it is or is not
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Explain these files or folders
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// List what was looked at and left out
    #[arg(long)]
    pub skipped: bool,
    /// List everything: indexed, left out and ignored
    #[arg(long, conflicts_with = "skipped")]
    pub all: bool,
}

/// The files.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Sorted by path.
    pub files: Vec<Entry>,
    #[serde(skip)]
    with_reasons: bool,
}

/// One file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// `indexed`, `skipped`, `ignored` or `untracked`.
    pub state: String,
    /// The base it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Language id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A stable word for the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if !self.with_reasons {
            for file in &self.files {
                let path = view.plain(&file.path);
                view.line(path);
            }
            return;
        }
        let rows: Vec<Vec<Cell>> = self
            .files
            .iter()
            .map(|file| {
                let style = if file.state == "indexed" { Style::Good } else { Style::Warning };
                vec![
                    Cell::styled(style, &file.state),
                    Cell::styled(Style::Name, &file.path),
                    Cell::sentence(
                        file.reason.as_deref().or(file.base.as_deref()).unwrap_or_default(),
                    ),
                ]
            })
            .collect();
        view.table(&["state", "path", "base or reason"], &rows);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.files)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.files, rows)
    }

    fn found(&self) -> bool {
        !self.files.is_empty()
    }
}

struct LsFiles;

impl Runs for LsFiles {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        refresh(&ws)?;
        let known = known_files(&ws)?;
        let with_reasons = args.skipped || args.all || !args.paths.is_empty();
        let mut files = if args.paths.is_empty() {
            listed(&ws, &known, &args)?
        } else {
            explained(&ws, &known, &args.paths)?
        };
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Output { files, with_reasons })
    }
}

fn known_files(ws: &Workspace<'_>) -> Result<Vec<FileRow>> {
    match ws.store(Access::ReadOnly) {
        Ok(store) => store.snapshot()?.files(),
        Err(failure) if failure.code() == ErrorCode::NoIndexedBase => Ok(Vec::new()),
        Err(failure) => Err(failure),
    }
}

fn listed(ws: &Workspace<'_>, known: &[FileRow], args: &Args) -> Result<Vec<Entry>> {
    let mut files: Vec<Entry> = known
        .iter()
        .filter(|file| args.all || args.skipped == (file.state != FileState::Indexed))
        .map(entry_of)
        .collect();
    if args.skipped || args.all {
        let explain = if args.all { Explain::WithSkipped } else { Explain::Quiet };
        let scopes = if args.all { vec![FileKey::default()] } else { ws.tracking()?.scopes() };
        let walked = walk(&ws.root, &scopes, &ws.walk_options(explain), &ws.ctx.cancel)?;
        for skipped in walked.skipped {
            files.push(left_out(&skipped.key, &skipped.reason));
        }
        if args.all {
            let untracked = walked.files.iter().filter(|found| !is_known(known, &found.key));
            files.extend(untracked.map(|found| not_tracked(&found.key)));
        }
    }
    Ok(files)
}

/// Why each path is indexed or is not.
pub(crate) fn explained(
    ws: &Workspace<'_>,
    known: &[FileRow],
    paths: &[String],
) -> Result<Vec<Entry>> {
    let mut files = Vec::new();
    for typed in paths {
        let key = ws.key_typed(typed)?;
        let below: Vec<Entry> = known
            .iter()
            .filter(|file| {
                file.key.is_within(&key) || file.key.as_str().starts_with(&format!("{key}!/"))
            })
            .map(entry_of)
            .collect();
        if !below.is_empty() {
            files.extend(below);
            continue;
        }
        // A link counts as it is, also one that leads nowhere.
        if gik_base::fs::symlink_metadata_if_present(&key.to_path(&ws.root))?.is_none() {
            return Err(Failure::new(ErrorCode::PathMissing, format!("there is no `{typed}`"))
                .hint("`gik ls-files` lists what is indexed"));
        }
        let options = ws.walk_options(Explain::WithSkipped);
        files.push(match explain_path(&ws.root, &key, &options)? {
            Verdict::Skipped(reason) => left_out(&key, &reason),
            Verdict::Taken { .. } if ws.tracking()?.covering(&key).is_none() => not_tracked(&key),
            Verdict::Taken { .. } => Entry {
                reason: Some("it holds no file that can be indexed".to_owned()),
                ..not_tracked(&key)
            },
        });
    }
    Ok(files)
}

fn is_known(known: &[FileRow], key: &FileKey) -> bool {
    known.binary_search_by(|row| row.key.cmp(key)).is_ok()
}

fn entry_of(file: &FileRow) -> Entry {
    let (state, code, reason) = match &file.state {
        FileState::Indexed => ("indexed", None, None),
        FileState::Skipped { code, detail } => {
            ("skipped", Some(code.clone()), Some(detail.clone()))
        },
    };
    Entry {
        path: file.key.as_str().to_owned(),
        state: state.to_owned(),
        base: Some(file.base.to_string()),
        language: Some(file.language.to_string()).filter(|language| !language.is_empty()),
        code,
        reason,
    }
}

fn left_out(key: &FileKey, reason: &gik_discover::SkipReason) -> Entry {
    let is_rule = matches!(
        reason,
        gik_discover::SkipReason::Ignored { .. } | gik_discover::SkipReason::Builtin { .. }
    );
    Entry {
        path: key.as_str().to_owned(),
        state: if is_rule { "ignored" } else { "skipped" }.to_owned(),
        base: None,
        language: None,
        code: Some(reason.code().to_owned()),
        reason: Some(reason.to_string()),
    }
}

fn not_tracked(key: &FileKey) -> Entry {
    Entry {
        path: key.as_str().to_owned(),
        state: "untracked".to_owned(),
        base: None,
        language: None,
        code: None,
        reason: Some("nothing that was added covers it; `gik add` it".to_owned()),
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<LsFiles>(
    &["ls-files"],
    Effect::Reads,
    Shape::List,
    "gik ls-files target/debug/gik",
);
