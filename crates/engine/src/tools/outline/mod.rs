//! `gik outline`: what a file defines, as a tree; also of a file that is not indexed.

mod tree;

use std::path::Path;

use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_discover::text::decode;
use gik_parse::{detect, parse};
use gik_store::{Access, FileState, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::tree::Node;
use self::tree::{Item, tree};
use crate::ingest::refresh;
use crate::projection::text_of;
use crate::symbols::typed;
use crate::tool::Runs;
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, spared};

/// Show what files define, as a tree: kinds, declarations, lines and visibility
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
}

/// The outlines.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// In the order they were named.
    pub files: Vec<Outline>,
}

/// One file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// Language id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether it comes from the index; otherwise the file was read for this answer alone.
    pub is_indexed: bool,
    /// What is defined outermost, in the order of the lines.
    pub symbols: Vec<Node>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for (nth, file) in self.files.iter().enumerate() {
            if nth > 0 {
                view.blank();
            }
            let path = view.paint(Style::Name, &file.path);
            let note = if file.is_indexed { "" } else { "  not indexed: read for this outline" };
            let note = view.paint(Style::Faint, note);
            view.line(format!("{path}{note}"));
            let columns = Columns::of(&file.symbols);
            for node in &file.symbols {
                render_node(node, 0, &columns, view);
            }
            if file.symbols.is_empty() {
                view.line("No symbols.");
                let path = typed(&file.path);
                view.hint(format!("`gik ls-files {path}` tells whether it is indexed, and how"));
            }
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        let mut rows = Vec::new();
        for file in &self.files {
            for node in &file.symbols {
                push_rows(&mut rows, &file.path, node, 0)?;
            }
        }
        Some(rows)
    }

    fn found(&self) -> bool {
        self.files.iter().any(|file| !file.symbols.is_empty())
    }
}

/// A node and all below it as rows with a path and a depth.
fn push_rows(rows: &mut Vec<Value>, path: &str, node: &Node, depth: u32) -> Option<()> {
    let mut row = serde_json::Map::new();
    row.insert("path".to_owned(), path.into());
    row.insert("depth".to_owned(), depth.into());
    let Value::Object(fields) = serde_json::to_value(node).ok()? else { return None };
    row.extend(fields.into_iter().filter(|(name, _)| name != "children"));
    rows.push(Value::Object(row));
    node.children.iter().try_for_each(|child| push_rows(rows, path, child, depth + 1))
}

/// How wide the columns before the tree are.
#[derive(Default)]
struct Columns {
    lines: usize,
    visibility: usize,
    kind: usize,
}

impl Columns {
    fn of(nodes: &[Node]) -> Self {
        nodes.iter().fold(Self::default(), |widest, node| {
            let below = Self::of(&node.children);
            let visibility = node.visibility.as_deref().unwrap_or_default().len();
            Self {
                lines: widest.lines.max(below.lines).max(lines_of(node).len()),
                visibility: widest.visibility.max(below.visibility).max(visibility),
                kind: widest.kind.max(below.kind).max(node.kind.len()),
            }
        })
    }
}

fn lines_of(node: &Node) -> String {
    if node.start_line == node.end_line {
        return node.start_line.to_string();
    }
    format!("{}-{}", node.start_line, node.end_line)
}

fn render_node(node: &Node, depth: usize, columns: &Columns, view: &mut View) {
    let lines = view.paint(Style::Number, format!("{:>1$}", lines_of(node), columns.lines));
    let visibility = node.visibility.as_deref().unwrap_or_default();
    let visibility = format!("{visibility:<width$}", width = columns.visibility);
    let gap = if columns.visibility == 0 { "" } else { "  " };
    let kind = format!("{:<1$}", node.kind, columns.kind);
    let said = view.paint(Style::Faint, format!("{visibility}{gap}{kind}"));
    let indent = "  ".repeat(depth);
    let used = columns.lines + columns.visibility + gap.len() + columns.kind + indent.len() + 4;
    let room = view.width().saturating_sub(used).max(20);
    let declaration = if node.signature.is_empty() { &node.name } else { &node.signature };
    let declaration = view.plain(shorten(declaration, room));
    view.line(format!("{lines}  {said}  {indent}{declaration}"));
    for child in &node.children {
        render_node(child, depth + 1, columns, view);
    }
}

struct OutlineFiles;

impl Runs for OutlineFiles {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let store = if ws.branch.is_initialized() {
            refresh(&ws)?;
            match ws.store(Access::ReadOnly) {
                Ok(store) => Some(store),
                Err(failure) if failure.code() == ErrorCode::NoIndexedBase => None,
                Err(failure) => return Err(failure),
            }
        } else {
            None
        };
        let snapshot = store.as_ref().map(|store| store.snapshot()).transpose()?;
        let mut files = Vec::with_capacity(args.files.len());
        for typed in &args.files {
            files.push(outline(&ws, snapshot.as_ref(), typed)?);
        }
        let output = Output { files };
        let told = output.files.iter().filter(|file| !file.symbols.is_empty());
        spared::files(&ws, "outline", &output, told.map(|file| file.path.as_str()));
        Ok(output)
    }
}

fn outline(ws: &Workspace<'_>, snapshot: Option<&Snapshot<'_>>, typed: &str) -> Result<Outline> {
    let is_elsewhere = typed.contains("://") || typed.contains("!/");
    let key = if is_elsewhere { FileKey::from_text(typed) } else { ws.key_of(Path::new(typed))? };
    if let Some(snapshot) = snapshot
        && let Some(file) = snapshot.file_by_key(&key)?
        && file.state == FileState::Indexed
        // The index may be behind where it could not be written; the file itself never is.
        && let Some(text) = text_of(ws, snapshot, &file)?
    {
        let items = snapshot.symbols_of(file.id)?;
        return Ok(Outline {
            path: key.as_str().to_owned(),
            language: Some(file.language.to_string()).filter(|language| !language.is_empty()),
            is_indexed: true,
            symbols: tree(items.into_iter().map(|row| Item::stored(row, &file, &text)).collect()),
        });
    }
    let path = key.to_path(&ws.root);
    let is_file = !is_elsewhere && fs::exists(&path) && fs::metadata(&path)?.is_file();
    if !is_file {
        return Err(Failure::new(ErrorCode::PathMissing, format!("there is no file `{typed}`"))
            .hint("`gik ls-files` lists what is indexed"));
    }
    let (text, _) = decode(fs::read(&path)?).map_err(|reason| {
        Failure::new(ErrorCode::ArgumentInvalid, format!("`{typed}` has no outline: {reason}"))
    })?;
    let language = detect(&key, text.as_bytes());
    let parsed = parse(&key, &text, language);
    Ok(Outline {
        path: key.as_str().to_owned(),
        language: language.map(|language| language.id.to_owned()),
        is_indexed: false,
        symbols: tree(parsed.symbols.into_iter().map(Item::parsed).collect()),
    })
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<OutlineFiles>(&["outline"], Effect::Reads, Shape::List, "gik outline src/main.rs");
