//! `gik memory metrics`: how much is remembered, and how much the pruning policy would let go.

use std::collections::BTreeMap;

use gik_base::{Result, clock};
use gik_contract::MemoryPruningPolicy;
use gik_ledger::memory::{MemoryMetrics, plan_prune};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list;
use crate::tool::Runs;
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Show how much is remembered on this branch
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The memory of a branch in numbers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The branch.
    pub branch: String,
    /// The entries that the branch keeps: what pruning works on.
    #[serde(flatten)]
    pub metrics: MemoryMetrics,
    /// Entries that can be seen from the branch: its own, those of the project and the global ones.
    pub visible_count: u64,
    /// The policy of `bases/memory/config.json`; null where there is none.
    pub pruning_policy: Option<MemoryPruningPolicy>,
    /// Entries that `gik memory prune` would let go now.
    pub prunable_count: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let metrics = &self.metrics;
        let number = |n: u64| view.paint(Style::Number, n);
        let mut pairs = vec![
            ("branch", view.paint(Style::Name, &self.branch)),
            ("entries", number(metrics.entry_count)),
            ("archived", number(metrics.archived_count)),
            ("visible", number(self.visible_count)),
            ("characters", number(metrics.characters)),
            ("tokens", format!("{} (estimated)", number(metrics.estimated_tokens))),
        ];
        for (name, counts) in [
            ("scopes", &metrics.by_scope),
            ("sources", &metrics.by_source),
            ("tags", &metrics.by_tag),
        ] {
            if !counts.is_empty() {
                pairs.push((name, view.plain(listed(counts))));
            }
        }
        if let (Some(oldest), Some(newest)) = (metrics.oldest, metrics.newest) {
            pairs.push(("oldest", view.plain(oldest)));
            pairs.push(("newest", view.plain(newest)));
        }
        view.pairs(&pairs);
        if self.prunable_count > 0 {
            let entries = count(self.prunable_count, "entry", "entries");
            view.hint(format!(
                "the policy lets {entries} go; `gik memory prune --dry-run` lists them"
            ));
        }
    }
}

/// `a 3, b 1`, the most frequent first.
fn listed(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    sorted.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}

struct Metrics;

impl Runs for Metrics {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let memory = ws.branch.memory();
        let entries = memory.entries()?;
        let pruning_policy = memory.config()?.pruning_policy;
        let prunable_count = pruning_policy
            .as_ref()
            .map_or(0, |policy| plan_prune(&entries, policy, clock::now()).len() as u64);
        Ok(Output {
            branch: ws.branch.name().to_owned(),
            metrics: MemoryMetrics::of(&entries, memory.archived()?.len() as u64),
            visible_count: list::active(&ws)?.len() as u64,
            pruning_policy,
            prunable_count,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Metrics>(
    &["memory", "metrics"],
    Effect::Reads,
    Shape::One,
    "gik memory metrics --json",
);
