//! `gik def`: what a symbol is: its declaration, its documentation and its source as the file has it now.

use std::collections::hash_map::Entry;
use std::ops::Range;

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_contract::ask::FreshnessState;
use gik_index::FileNo;
use gik_parse::{Parsed, language_by_id, parse};
use gik_store::{FileRow, Snapshot, SymbolRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Missing;
use crate::projection::text_of;
use crate::symbols::{Described, current_store, definitions, near_names, typed, warn_if_stale};
use crate::tool::{Runs, keep, rows_of};
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, spared};

/// Show the definitions of a symbol: place, declaration, documentation and source
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A name (open), a qualified name (Store::open, Store.open) or the id of a symbol
    #[arg(value_name = "SYMBOL")]
    pub symbol: String,
    /// How many lines of source at most of each definition [default: 40]
    #[arg(long, value_name = "N")]
    pub lines: Option<u32>,
    /// How many definitions at most [default: 10]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// The definitions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The symbol as typed.
    pub symbol: String,
    /// Best first.
    pub definitions: Vec<Definition>,
    /// How many there are, shown or not.
    pub total: u64,
    /// Definitions left out because their file changed while it was looked at.
    pub changed: u64,
    /// Where nothing was found: names that are like the one typed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_names: Vec<String>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One definition.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What it is and where.
    #[serde(flatten)]
    pub symbol: Described,
    /// Its documentation comment without comment marks.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Its lines, from `startLine` on.
    pub source: String,
    /// Whether lines at its end were left out.
    pub truncated: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for definition in &self.definitions {
            render_definition(definition, view);
            view.blank();
        }
        if let Some(first) = self.definitions.first() {
            let left = self.total - self.definitions.len() as u64 - self.changed;
            if left > 0 {
                let note = view.paint(Style::Faint, format!("{left} more; `--limit N` shows them"));
                view.line(note);
            }
            let name = typed(&first.symbol.qualified);
            view.hint(format!("`gik refs {name}` lists its uses"));
        } else if self.changed > 0 {
            view.line("The file changed while it was looked at.");
            view.hint("run the command again");
        } else {
            view.line("Nothing found.");
            render_near_names(&self.near_names, &self.symbol, view);
        }
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.definitions)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.definitions, rows)
    }

    fn found(&self) -> bool {
        !self.definitions.is_empty()
    }
}

/// What to try where a symbol was not found.
pub(crate) fn render_near_names(near_names: &[String], symbol: &str, view: &mut View) {
    if near_names.is_empty() {
        view.hint(format!("`gik search {}` finds it in the text", typed(symbol)));
    } else {
        let names: Vec<String> = near_names.iter().map(|name| format!("`{name}`")).collect();
        view.hint(format!("there is {}", names.join(", ")));
    }
}

fn render_definition(definition: &Definition, view: &mut View) {
    let symbol = &definition.symbol;
    let path = view.paint(Style::Name, &symbol.path);
    let lines = format!("{}-{}", symbol.start_line, symbol.end_line);
    let lines = view.paint(Style::Number, lines);
    let name = view.paint(Style::Heading, &symbol.qualified);
    let visibility = symbol.visibility.as_deref().unwrap_or_default();
    let kind = format!("{visibility} {}", symbol.kind);
    let kind = view.paint(Style::Faint, kind.trim_start());
    view.line(format!("{path}:{lines}  {name}  {kind}"));
    for line in definition.doc.lines() {
        let line = view.plain(line);
        view.line(format!("  {line}"));
    }
    let first = u64::from(symbol.start_line);
    let widest = (first + definition.source.lines().count() as u64).to_string().len();
    for (number, line) in (first..).zip(definition.source.lines()) {
        let number = view.paint(Style::Faint, format!("{number:>widest$}"));
        let line = view.plain(line.replace('\t', "    "));
        view.line(format!("{number}  {line}"));
    }
    if definition.truncated {
        let more = view.paint(Style::Faint, "…");
        view.line(format!("{:>widest$}  {more}", ""));
    }
}

pub(crate) struct Def;

impl Runs for Def {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let missing = Missing::unless(args.no_init);
        let (store, freshness) = current_store(&ws, missing)?;
        let snapshot = store.snapshot()?;
        let (pattern, found) = definitions(&snapshot, &args.symbol)?;
        let mut output = Output {
            symbol: args.symbol,
            definitions: Vec::new(),
            total: found.len() as u64,
            changed: 0,
            near_names: if found.is_empty() {
                near_names(&snapshot, &pattern)?
            } else {
                Vec::new()
            },
            freshness,
        };
        let max_lines = args.lines.map_or(40, |lines| lines as usize);
        let mut texts = Texts { ws: &ws, snapshot: &snapshot, known: HashMap::default() };
        for found in found.iter().take(args.limit.map_or(10, |limit| limit as usize)) {
            ws.ctx.cancel.check()?;
            match texts.definition(&found.symbol, &found.file, max_lines)? {
                Some(definition) => output.definitions.push(definition),
                None => output.changed += 1,
            }
        }
        let paths = output.definitions.iter().map(|found| found.symbol.path.as_str());
        spared::files(&ws, "def", &output, paths);
        Ok(output)
    }
}

/// Files that were read and taken apart on the way.
struct Texts<'a> {
    ws: &'a Workspace<'a>,
    snapshot: &'a Snapshot<'a>,
    known: HashMap<FileNo, Option<(String, Parsed)>>,
}

impl Texts<'_> {
    /// A symbol with what its file says now; `None` where that is not what was indexed.
    fn definition(
        &mut self,
        symbol: &SymbolRow,
        file: &FileRow,
        max_lines: usize,
    ) -> Result<Option<Definition>> {
        let known = match self.known.entry(file.id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let text = text_of(self.ws, self.snapshot, file)?;
                unread.insert(text.map(|text| {
                    let parsed = parse(&file.key, &text, language_by_id(&file.language));
                    (text, parsed)
                }))
            },
        };
        let Some((text, parsed)) = known else { return Ok(None) };
        let (first, last) = (symbol.start.0 as usize, symbol.end.0 as usize);
        let n_lines = (last + 1).saturating_sub(first).max(1);
        let lines: Vec<&str> =
            text.lines().skip(first.saturating_sub(1)).take(n_lines.min(max_lines)).collect();
        let same = parsed
            .symbols
            .iter()
            .find(|parsed| parsed.bytes == symbol.bytes && parsed.name == symbol.name);
        Ok(Some(Definition {
            symbol: Described::new(symbol, file, text),
            doc: same.map(|parsed| parsed.doc.clone()).unwrap_or_default(),
            source: lines.join("\n"),
            truncated: lines.len() < n_lines,
        }))
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Def>(&["def"], Effect::Reads, Shape::List, "gik def Store::open --lines 20");
