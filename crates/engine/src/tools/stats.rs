//! `gik stats`: how much is indexed, in which languages, and what it costs on disk.

use std::collections::BTreeMap;

use gik_base::Result;
use gik_contract::KgStats;
use gik_store::{Access, Count};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Missing, ensure_index};
use crate::ingest::refresh;
use crate::modes::Mode;
use crate::tool::Runs;
use crate::view::{Cell, Style, count, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View, kg};

/// Count what is indexed: files, chunks, symbols, languages, disk space
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Count only files of this mode
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<Mode>,
}

/// The counts.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The knowledge branch.
    pub branch: String,
    /// Per base.
    pub bases: Vec<Group>,
    /// Per mode: code, prose, records.
    pub modes: Vec<Group>,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Files left out per reason.
    pub skipped: BTreeMap<String, u64>,
    /// Lexical segments.
    pub segments: u64,
    /// Bytes of the lexical segments.
    pub lexical_bytes: u64,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// Nodes and edges of the knowledge graph, as the last commit wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<KgStats>,
    /// The SCIP index that was imported last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scip: Option<Scip>,
}

/// What is left of an imported SCIP index.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scip {
    /// The import.
    #[serde(flatten)]
    pub imported: kg::Imported,
    /// Edges of it that are still known: those of files that changed are gone.
    pub living_edges: u64,
}

/// One base or mode.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Files with chunks.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Symbols.
    pub symbols: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.modes.is_empty() {
            view.line("Nothing is indexed.");
            view.hint("`gik ls-files --all` tells what there is and why it is left out");
        }
        for (heading, groups) in [("base", &self.bases), ("mode", &self.modes)] {
            if !groups.is_empty() {
                let rows: Vec<Vec<Cell>> = groups.iter().map(Group::cells).collect();
                view.table(&[heading, "files", "chunks", "symbols"], &rows);
                view.blank();
            }
        }
        let mut languages: Vec<(&String, &u64)> = self.languages.iter().collect();
        languages.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let rows: Vec<Vec<Cell>> = languages
            .into_iter()
            .map(|(language, files)| vec![Cell::text(language), Cell::number(files)])
            .collect();
        if !rows.is_empty() {
            view.table(&["language", "files"], &rows);
        }
        if !self.skipped.is_empty() {
            view.blank();
            let rows: Vec<Vec<Cell>> = self
                .skipped
                .iter()
                .map(|(reason, files)| vec![Cell::text(reason), Cell::number(files)])
                .collect();
            view.table(&["left out", "files"], &rows);
        }
        view.blank();
        let mut pairs = vec![
            (
                "lexical index",
                format!(
                    "{} in {}",
                    human_bytes(self.lexical_bytes),
                    count(self.segments, "segment", "segments")
                ),
            ),
            ("database", human_bytes(self.database_bytes)),
        ];
        if let Some(graph) = &self.graph {
            let nodes = count(graph.node_count, "node", "nodes");
            let edges = count(graph.edge_count, "edge", "edges");
            pairs.push(("graph", format!("{nodes}, {edges}")));
        }
        if let Some(scip) = &self.scip {
            let kg::Imported { source, tool, made_at, edges, .. } = &scip.imported;
            let left = format!("{} of {}", scip.living_edges, count(*edges, "edge", "edges"));
            pairs
                .push(("scip", view.plain(format!("{left} of {source} ({tool}, made {made_at})"))));
        }
        view.pairs(&pairs);
    }
}

impl Group {
    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::styled(Style::Name, &self.name),
            Cell::number(self.files),
            Cell::number(self.chunks),
            Cell::number(self.symbols),
        ]
    }
}

impl From<Count> for Group {
    fn from(count: Count) -> Self {
        Self { name: count.name, files: count.files, chunks: count.chunks, symbols: count.symbols }
    }
}

struct Stats;

impl Runs for Stats {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ensure_index(&ws, Missing::Refuse)?;
        refresh(&ws)?;
        let store = ws.store(Access::ReadOnly)?;
        let snapshot = store.snapshot()?;
        let mode = args.mode.and_then(Mode::of_files);
        let bases = if mode.is_none() { snapshot.base_counts()? } else { Vec::new() };
        let mut modes = snapshot.mode_counts()?;
        modes.retain(|count| mode.is_none_or(|mode| count.name == mode));
        let database_bytes = gik_base::fs::metadata(&ws.branch.index_db_path())?.len();
        Ok(Output {
            branch: ws.branch.name().to_owned(),
            bases: bases.into_iter().map(Group::from).collect(),
            modes: modes.into_iter().map(Group::from).collect(),
            languages: snapshot.language_counts(mode)?,
            skipped: snapshot.skip_counts()?,
            segments: snapshot.segments().len() as u64,
            lexical_bytes: snapshot.segments().iter().map(|row| row.bytes).sum(),
            database_bytes,
            graph: kg::stats(&ws),
            scip: match kg::imported(&snapshot)? {
                Some(imported) => Some(Scip { imported, living_edges: kg::living(&snapshot)? }),
                None => None,
            },
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Stats>(&["stats"], Effect::Reads, Shape::One, "gik stats");
