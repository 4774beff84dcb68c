//! `gik symbols`: definitions by a name that may be short, partial or slightly wrong.

use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::ops::Range;

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_contract::ask::FreshnessState;
use gik_index::FileNo;
use gik_store::Snapshot;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Missing;
use crate::projection::text_of;
use crate::symbols::{
    Described, FileFilter, FoundSymbol, MatchClass, Pattern, Wanted, current_store, find, kinds,
    typed, warn_if_stale,
};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace, bases, spared};

/// Find definitions by name: whole, qualified, by its start or humps, or nearly
///
/// `phc` finds parseHttpConfig and parse_http_config; `Store::open` and `Store.open` find what stands in Store. Names that
/// merely resemble the one typed are listed only where no other fits.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Only these kinds (function, method, struct, class, trait, …, any), with commas or repeated
    #[arg(long = "kind", value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Only files in this language; may be repeated
    #[arg(long = "lang", value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// Only this very name, letter by letter
    #[arg(long)]
    pub exact: bool,
    /// Only files whose path matches, `!` in front excludes; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub files: Vec<String>,
    /// How many symbols at most [default: 20]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The name as typed.
    pub name: String,
    /// Best first.
    pub symbols: Vec<Entry>,
    /// Whether there are more than the limit lets through.
    pub has_more: bool,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One symbol.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// What it is and where.
    #[serde(flatten)]
    pub symbol: Described,
    /// In which way its name fits.
    #[serde(rename = "match")]
    pub class: MatchClass,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for Entry { symbol, .. } in &self.symbols {
            let path = view.paint(Style::Name, &symbol.path);
            let line = view.paint(Style::Number, symbol.start_line);
            let name = view.paint(Style::Heading, &symbol.qualified);
            let used = symbol.path.len() + symbol.kind.len() + symbol.qualified.len() + 12;
            let room = view.width().saturating_sub(used).max(20);
            let signature = view.paint(Style::Faint, shorten(&symbol.signature, room));
            view.line(format!("{path}:{line}: {} {name}  {signature}", symbol.kind));
        }
        if let Some(Entry { symbol, .. }) = self.symbols.first() {
            if self.has_more {
                let note = view.paint(Style::Faint, "there are more; `--limit N` shows them");
                view.line(note);
            }
            let name = typed(&symbol.qualified);
            view.hint(format!("`gik def {name}` shows it; `gik refs {name}` lists its uses"));
        } else {
            view.line("Nothing found.");
            view.hint(format!("`gik search {}` finds it in the text", typed(&self.name)));
        }
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.symbols)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.symbols, rows)
    }

    fn found(&self) -> bool {
        !self.symbols.is_empty()
    }
}

pub(crate) struct Symbols;

impl Runs for Symbols {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let pattern = Pattern::parse(&args.name)?;
        let wanted = Wanted {
            pattern: &pattern,
            worst: if args.exact { MatchClass::Exact } else { MatchClass::Fuzzy },
            kinds: kinds(&args.kinds)?,
            files: FileFilter::new(bases::languages(&args.languages)?, &args.files)?,
            limit: args.limit.map_or(20, |limit| limit as usize),
        };
        let missing = Missing::unless(args.no_init);
        let (store, freshness) = current_store(&ws, missing)?;
        let snapshot = store.snapshot()?;
        let lookup = find(&snapshot, &wanted)?;
        let output = Output {
            name: args.name,
            symbols: entries(&ws, &snapshot, &lookup.found)?,
            has_more: lookup.has_more,
            freshness,
        };
        let places = output.symbols.iter().map(|Entry { symbol, .. }| {
            (symbol.path.as_str(), symbol.start_line.into(), symbol.signature.as_str())
        });
        spared::lines(&ws, "symbols", &output, places);
        Ok(output)
    }
}

/// What was found with its declarations. Of a file that changed meanwhile they are not known.
fn entries(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    found: &[FoundSymbol],
) -> Result<Vec<Entry>> {
    let mut texts: HashMap<FileNo, String> = HashMap::default();
    let mut entries = Vec::with_capacity(found.len());
    for FoundSymbol { symbol, file, class, .. } in found {
        ws.ctx.cancel.check()?;
        let text = match texts.entry(file.id) {
            Occupied(known) => known.into_mut(),
            Vacant(unread) => unread.insert(text_of(ws, snapshot, file)?.unwrap_or_default()),
        };
        entries.push(Entry { symbol: Described::new(symbol, file, text), class: *class });
    }
    Ok(entries)
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Symbols>(
    &["symbols"],
    Effect::Reads,
    Shape::List,
    "gik symbols Store::open --kind method",
);
