//! `gik graph import`: what a compiler knows, in place of what was guessed.

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Missing, ensure_index};
use crate::ingest::refresh;
use crate::kg::{self, Imported};
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Import a SCIP index made by rust-analyzer, scip-typescript, scip-python or another indexer
///
/// What it says about a name wins over what was found without it. It holds for a file until that file changes, or one that
/// its edges rest on; names that are not where the index says are left out and counted.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The index, such as `index.scip`
    #[arg(value_name = "FILE")]
    pub file: String,
}

/// What was imported.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The import.
    #[serde(flatten)]
    pub imported: Imported,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let it = &self.imported;
        let edges = count(it.edges, "edge", "edges");
        let files = count(it.files, "file", "files");
        let source = view.paint(Style::Name, &it.source);
        let tool = if it.tool.is_empty() { "an unknown tool" } else { it.tool.as_str() };
        let tool = view.plain(tool);
        view.line(format!("{edges} of {files} from {source} ({tool}, made {})", it.made_at));
        for (n, one, many) in [
            (
                it.unknown_files,
                "file of it is not in the index",
                "files of it are not in the index",
            ),
            (
                it.stale_names,
                "name is not where it says: the file is another, or writes it differently",
                "names are not where it says: the files are others, or write them differently",
            ),
        ] {
            if n > 0 {
                let note = view.paint(Style::Faint, count(n, one, many));
                view.line(note);
            }
        }
        if it.edges == 0 {
            view.hint("paths in it are relative to the root of the project that was indexed");
        }
    }

    fn found(&self) -> bool {
        self.imported.edges > 0
    }
}

struct Import;

impl Runs for Import {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_checked_out()?;
        ensure_index(&ws, Missing::Index)?;
        refresh(&ws)?;
        let path = ctx.cwd.join(&args.file);
        Ok(Output { imported: kg::import(&ws, &path)? })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Import>(
    &["graph", "import"],
    Effect::Writes,
    Shape::One,
    "gik graph import index.scip",
)
.for_people();
