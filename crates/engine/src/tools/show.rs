//! `gik show`: one revision in full.

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::Revision;
use gik_graph::export::{dot, mermaid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::log::{in_words, short};
use crate::tool::Runs;
use crate::view::Style;
use crate::{Context, Effect, Report, Shape, Tool, View, kg};

/// Show one revision
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// `HEAD`, `@`, `HEAD~2`, or the start of an id [default: HEAD]
    #[arg(value_name = "REVISION")]
    pub revision: Option<String>,
    /// The knowledge graph of the newest revision between files, endpoints and dependencies, for Graphviz
    #[arg(long, conflicts_with = "kg_mermaid")]
    pub kg_dot: bool,
    /// The same for Mermaid
    #[arg(long)]
    pub kg_mermaid: bool,
}

/// A revision as the timeline holds it, and where it stands.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The line of `timeline.jsonl`.
    #[serde(flatten)]
    pub revision: Revision,
    /// Whether it is the newest one of the branch.
    pub is_head: bool,
    /// The knowledge graph, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if let Some(graph) = &self.graph {
            for line in graph.lines() {
                view.line(line);
            }
            return;
        }
        let Revision { id, parent_id, branch, git_commit, timestamp, message, operations, .. } =
            &self.revision;
        let head = if self.is_head {
            format!(" {}", view.paint(Style::Good, "HEAD"))
        } else {
            String::new()
        };
        let mut pairs = vec![("revision", format!("{}{head}", view.paint(Style::Name, id)))];
        pairs.push(match parent_id {
            Some(parent) => ("parent", view.paint(Style::Name, short(parent))),
            None => ("parent", view.plain("none: it is the first")),
        });
        pairs.push(("branch", view.plain(branch)));
        if let Some(commit) = git_commit {
            pairs.push(("commit", view.plain(commit)));
        }
        pairs.push(("when", view.plain(timestamp)));
        for operation in operations {
            pairs.push((operation.kind(), view.plain(in_words(operation))));
        }
        view.pairs(&pairs);
        view.blank();
        for line in message.lines() {
            let line = view.plain(line);
            view.line(format!("    {line}"));
        }
    }
}

struct Show;

impl Runs for Show {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let revision = ws.branch.resolve(args.revision.as_deref().unwrap_or("HEAD"))?;
        let is_head = ws.branch.head()?.as_deref() == Some(&revision.id);
        let graph = if args.kg_dot || args.kg_mermaid {
            if !is_head {
                return Err(Failure::new(
                    ErrorCode::ArgumentInvalid,
                    "only the newest revision has its graph",
                )
                .hint("leave the revision out"));
            }
            let drawn = kg::committed_drawing(&ws)?;
            Some(if args.kg_dot { dot(&drawn) } else { mermaid(&drawn) })
        } else {
            None
        };
        Ok(Output { revision, is_head, graph })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Show>(&["show"], Effect::Reads, Shape::One, "gik show HEAD~1");
