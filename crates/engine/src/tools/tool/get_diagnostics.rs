//! `get_diagnostics`: what of a file, or of all files, cannot be read as its language asks.

use gik_base::{ErrorCode, Failure, FileKey, Result, fs, parallel};
use gik_discover::walk::{Explain, walk};
use gik_discover::{Content, content, decode};
use gik_parse::{Diagnostic, ProblemKind, detect, diagnostics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::sandbox::readable;
use crate::tool::Runs;
use crate::{Context, Effect, Shape, Tool, Workspace};

const DEFAULT_LIMIT: u32 = 50;
/// More in one file are not counted.
const MOST_IN_A_FILE: usize = 1000;
/// Longer files are not looked into.
const MOST_FILE_BYTES: u64 = 64 << 20;

/// Get diagnostics for a file or workspace
///
/// They come from the parsers of GIK: places that are not valid in their language. Types and names are not checked.
/// Without a path, the files that have any are told, each with its first.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// Path of a file; without it, a summary of the workspace
    #[arg(value_name = "PATH")]
    pub path: Option<String>,
    /// How many at most [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
}

/// The diagnostics.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diagnostics {
    /// By path and place; for the workspace, the first of each file.
    pub diagnostics: Vec<Told>,
    /// How many there are; for the workspace, in how many files.
    pub total: u64,
    /// For the workspace: how many files were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
}

/// One of them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Told {
    /// Path from the root of the workspace.
    pub path: String,
    /// `error`, `warning` or `information`.
    pub severity: &'static str,
    /// What found it.
    pub source: &'static str,
    /// `syntax`, `frontmatter` or `too_complex`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// First line, from 1.
    pub start_line: u32,
    /// First column, from 0, in UTF-16 units.
    pub start_col: u32,
    /// Line of the place after the last.
    pub end_line: u32,
    /// Column of the place after the last.
    pub end_col: u32,
    /// For the workspace: how many the file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

struct GetDiagnostics;

impl Runs for GetDiagnostics {
    type Args = Args;
    type Output = Envelope<Diagnostics>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        let limit = args.limit.unwrap_or(DEFAULT_LIMIT) as usize;
        Envelope::of(ctx.open().and_then(|ws| match &args.path {
            Some(path) => of_file(&ws, path, limit),
            None => of_workspace(&ws, limit),
        }))
    }
}

fn of_file(ws: &Workspace<'_>, path: &str, limit: usize) -> Result<Given<Diagnostics>> {
    let key = readable(ws, path)?;
    let path = key.to_path(&ws.root);
    if fs::metadata(&path)?.len() > MOST_FILE_BYTES {
        return Err(Failure::new(ErrorCode::TooLarge, format!("`{key}` is too long to be read")));
    }
    let (text, _) = decode(fs::read(&path)?).map_err(|_| {
        Failure::new(ErrorCode::ArgumentInvalid, format!("`{key}` is not a text file"))
    })?;
    let mut warnings = Vec::new();
    let found = match detect(&key, text.as_bytes()) {
        Some(language) => diagnostics(&key, &text, language, MOST_IN_A_FILE),
        None => {
            warnings.push(format!("the language of `{key}` is not known, so nothing was checked"));
            Vec::new()
        },
    };
    let total = found.len() as u64;
    let shown = found.iter().take(limit).map(|it| told(&key, &text, it, None)).collect();
    let is_cut = found.len() > limit || found.len() == MOST_IN_A_FILE;
    let data = Diagnostics { diagnostics: shown, total, files: None };
    Ok(Given { data, is_cut, warnings })
}

fn of_workspace(ws: &Workspace<'_>, limit: usize) -> Result<Given<Diagnostics>> {
    let options = ws.walk_options(Explain::Quiet);
    let mut files = walk(&ws.root, &[FileKey::default()], &options, &ws.ctx.cancel)?.files;
    files.sort_by(|a, b| a.key.cmp(&b.key));
    let (mut diagnostics, mut total, mut looked_at) = (Vec::new(), 0, 0);
    let first_of = |file: &gik_discover::Found| first_of_file(ws, &file.key);
    let ahead =
        parallel::Ahead { weigh: |file: &gik_discover::Found| file.stat.size, budget: 64 << 20 };
    parallel::in_order(&files, ws.threads(), ahead, &ws.ctx.cancel, first_of, |looked| {
        if let Some(first) = looked {
            looked_at += 1;
            total += u64::from(first.is_some());
            diagnostics.extend(first.filter(|_| diagnostics.len() < limit));
        }
        Ok(())
    })?;
    let is_cut = (diagnostics.len() as u64) < total;
    let data = Diagnostics { diagnostics, total, files: Some(looked_at) };
    Ok(Given { data, is_cut, warnings: Vec::new() })
}

/// The first diagnostic of a file, where it has any; `None` where it cannot be checked.
fn first_of_file(ws: &Workspace<'_>, key: &FileKey) -> Option<Option<Told>> {
    // A file that went away or is no text has nothing to tell.
    let bytes = fs::read(&key.to_path(&ws.root)).ok()?;
    let Content::Text { text, .. } = content(key, bytes) else { return None };
    let language = detect(key, text.as_bytes())?;
    let found = diagnostics(key, &text, language, MOST_IN_A_FILE);
    let count = found.len() as u64;
    Some(found.first().map(|first| told(key, &text, first, Some(count))))
}

fn told(key: &FileKey, text: &str, found: &Diagnostic, count: Option<u64>) -> Told {
    let (severity, code) = match found.kind {
        ProblemKind::Syntax => ("error", "syntax"),
        ProblemKind::Frontmatter => ("warning", "frontmatter"),
        ProblemKind::TooComplex => ("information", "too_complex"),
    };
    let (start_line, start_col) = place(text, found.bytes.start);
    let (end_line, end_col) = place(text, found.bytes.end);
    let (path, message) = (key.as_str().to_owned(), found.message.clone());
    Told {
        path,
        severity,
        source: "gik",
        code,
        message,
        start_line,
        start_col,
        end_line,
        end_col,
        count,
    }
}

/// The line, from 1, and the column in UTF-16 units, from 0.
fn place(text: &str, byte: usize) -> (u32, u32) {
    let before = &text[..byte];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].encode_utf16().count();
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<GetDiagnostics>(
    &["tool", "get_diagnostics"],
    Effect::Reads,
    Shape::One,
    "gik tool get_diagnostics src/main.rs",
)
.called("get_diagnostics")
.telling_failures(Envelope::<Diagnostics>::told);
