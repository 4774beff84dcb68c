//! `gik memory prune`: lets entries go that a policy names, and says why each.

use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, Result, clock};
use gik_contract::memory::PruneMode;
use gik_contract::{MemoryEntry, MemoryPruningPolicy, RevisionOperation};
use gik_ledger::MemoryBase;
use gik_ledger::memory::plan_prune;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::names::{label, mode_name, modes, short_id, split_tags};
use super::{Change, Place, change};
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Archive or delete the entries of this branch that a policy lets go
///
/// The policy is in `bases/memory/config.json` of the branch; each option here replaces one of its fields.
/// An entry goes when any rule names it. The limits let the oldest go first.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Keep at most this many entries
    #[arg(long, value_name = "N")]
    pub max_entries: Option<u64>,
    /// Keep at most this many estimated tokens
    #[arg(long, value_name = "N")]
    pub max_estimated_tokens: Option<u64>,
    /// Let entries go that are older
    #[arg(long, value_name = "DAYS")]
    pub max_age_days: Option<u64>,
    /// Let entries go that have this tag; comma-separated or repeated
    #[arg(long = "obsolete-tag", value_name = "TAG")]
    #[serde(alias = "obsoleteTag")]
    pub obsolete_tags: Vec<String>,
    /// Keep them in the archive, or remove them for good [default: archive]
    #[arg(long, value_name = "MODE", value_parser = modes(), ignore_case = true)]
    pub mode: Option<PruneMode>,
    /// Prune the global memory instead of that of this branch
    #[arg(long)]
    pub global: bool,
    /// Show what would go and why, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What was pruned.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Entries that went, or would go.
    pub pruned: Vec<Pruned>,
    /// What happens to them.
    pub mode: PruneMode,
    /// Whether nothing was changed because only the plan was asked for.
    pub dry_run: bool,
    /// Moved to the archive.
    pub archived_count: u64,
    /// Removed for good.
    pub deleted_count: u64,
    /// Entries that stay.
    pub kept_count: u64,
    /// The new revision, where something was pruned on the branch.
    pub revision_id: Option<String>,
}

/// An entry that went, or would go.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pruned {
    /// The entry.
    pub entry: MemoryEntry,
    /// Why; a sentence for each rule.
    pub reasons: Vec<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.pruned.is_empty() {
            let kept = count(self.kept_count, "entry", "entries");
            view.line(format!("Nothing to prune; {kept} kept."));
            return;
        }
        for pruned in &self.pruned {
            let id = view.paint(Style::Name, short_id(&pruned.entry.id));
            let text = view.plain(label(&pruned.entry));
            view.line(format!("{id}  {text}"));
            for reason in &pruned.reasons {
                let reason = view.paint(Style::Faint, reason);
                view.line(format!("  {reason}"));
            }
        }
        let entries = count(self.pruned.len() as u64, "entry", "entries");
        let verb = match (self.mode, self.dry_run) {
            (PruneMode::Archive, true) => "would be archived",
            (PruneMode::Archive, false) => "archived",
            (PruneMode::Delete, true) => "would be deleted",
            (PruneMode::Delete, false) => "deleted",
        };
        view.line(format!("{entries} {verb}, {} kept", self.kept_count));
        if self.mode == PruneMode::Archive && !self.dry_run {
            view.hint("`gik memory restore ID` brings one back");
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.pruned)
    }
}

struct Prune;

impl Runs for Prune {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        ws.require_initialized()?;
        let place = if args.global { Place::Global } else { Place::Branch };
        if args.dry_run {
            let memory = place.folder(&ws)?;
            return Ok(plan(&args, &memory)?.output);
        }
        let (revision_id, output) = change(&ws, place, |memory| {
            let Plan { output, kept } = plan(&args, memory)?;
            if output.pruned.is_empty() {
                return Ok((None, output));
            }
            let change = Change {
                entries: kept,
                archived: archive(memory, &output)?,
                message: message(&output),
                operation: RevisionOperation::MemoryPrune {
                    count: output.pruned.len() as u64,
                    archived_count: output.archived_count,
                    deleted_count: output.deleted_count,
                },
            };
            Ok((Some(change), output))
        })?;
        Ok(Output { revision_id, ..output })
    }
}

/// What goes and what stays.
struct Plan {
    output: Output,
    kept: Vec<MemoryEntry>,
}

fn plan(args: &Args, memory: &MemoryBase) -> Result<Plan> {
    let policy = merged(memory.config()?.pruning_policy, args);
    if !has_rule(&policy) {
        return Err(without_rule(memory));
    }
    let entries = memory.entries()?;
    let mut reasons: HashMap<String, Vec<String>> = plan_prune(&entries, &policy, clock::now())
        .into_iter()
        .map(|decision| (decision.id, decision.reasons))
        .collect();
    let mut kept = Vec::new();
    let mut pruned = Vec::new();
    for entry in entries {
        match reasons.remove(&entry.id) {
            Some(reasons) => pruned.push(Pruned { entry, reasons }),
            None => kept.push(entry),
        }
    }
    let mode = policy.mode.unwrap_or_default();
    let (archived_count, deleted_count) = match mode {
        PruneMode::Archive => (pruned.len() as u64, 0),
        PruneMode::Delete => (0, pruned.len() as u64),
    };
    let output = Output {
        mode,
        dry_run: args.dry_run,
        archived_count,
        deleted_count,
        kept_count: kept.len() as u64,
        revision_id: None,
        pruned,
    };
    Ok(Plan { output, kept })
}

/// The archive with the pruned entries at its end, each id once; `None` where nothing is archived.
fn archive(memory: &MemoryBase, output: &Output) -> Result<Option<Vec<MemoryEntry>>> {
    if output.mode == PruneMode::Delete {
        return Ok(None);
    }
    let mut archived = memory.archived()?;
    archived.retain(|old| output.pruned.iter().all(|pruned| pruned.entry.id != old.id));
    archived.extend(output.pruned.iter().map(|pruned| pruned.entry.clone()));
    Ok(Some(archived))
}

/// The policy of the file with the fields that were given on the command line.
fn merged(policy: Option<MemoryPruningPolicy>, args: &Args) -> MemoryPruningPolicy {
    let policy = policy.unwrap_or_default();
    let tags = split_tags(&args.obsolete_tags);
    MemoryPruningPolicy {
        max_entries: args.max_entries.or(policy.max_entries),
        max_estimated_tokens: args.max_estimated_tokens.or(policy.max_estimated_tokens),
        max_age_days: args.max_age_days.or(policy.max_age_days),
        obsolete_tags: if tags.is_empty() { policy.obsolete_tags } else { Some(tags) },
        mode: args.mode.or(policy.mode),
        extra: policy.extra,
    }
}

fn has_rule(policy: &MemoryPruningPolicy) -> bool {
    policy.max_entries.is_some()
        || policy.max_estimated_tokens.is_some()
        || policy.max_age_days.is_some()
        || policy.obsolete_tags.as_ref().is_some_and(|tags| !tags.is_empty())
}

fn without_rule(memory: &MemoryBase) -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, "no rule says which entries may go")
        .hint("give one: `--max-entries`, `--max-estimated-tokens`, `--max-age-days` or `--obsolete-tag`")
        .hint(format!(
            "or write a policy to `{}`: {{\"pruningPolicy\":{{\"maxEntries\":1000,\"maxAgeDays\":365,\
             \"obsoleteTags\":[\"deprecated\"],\"mode\":\"archive\"}}}}",
            memory.config_path().display()
        ))
}

fn message(output: &Output) -> String {
    let entries = count(output.pruned.len() as u64, "memory entry", "memory entries");
    format!("Prune {entries} ({})", mode_name(output.mode))
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Prune>(
    &["memory", "prune"],
    Effect::Writes,
    Shape::List,
    "gik memory prune --max-age-days 365 --obsolete-tag deprecated --dry-run",
)
.destroying();

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> MemoryPruningPolicy {
        MemoryPruningPolicy {
            max_entries: Some(1000),
            max_age_days: Some(365),
            obsolete_tags: Some(vec!["deprecated".to_owned()]),
            mode: Some(PruneMode::Delete),
            ..MemoryPruningPolicy::default()
        }
    }

    #[test]
    fn options_replace_the_policy_field_by_field() {
        assert_eq!(merged(Some(policy()), &Args::default()), policy());

        let args = Args {
            max_entries: Some(5),
            max_estimated_tokens: Some(100),
            obsolete_tags: vec!["a, b".to_owned()],
            mode: Some(PruneMode::Archive),
            ..Args::default()
        };
        let expected = MemoryPruningPolicy {
            max_entries: Some(5),
            max_estimated_tokens: Some(100),
            obsolete_tags: Some(vec!["a".to_owned(), "b".to_owned()]),
            mode: Some(PruneMode::Archive),
            ..policy()
        };
        assert_eq!(merged(Some(policy()), &args), expected);
    }

    #[test]
    fn options_alone_are_a_policy_and_the_mode_alone_is_none() {
        let zero = Args { max_entries: Some(0), ..Args::default() };
        assert!(has_rule(&merged(None, &zero)));
        let only_mode = Args { mode: Some(PruneMode::Delete), ..Args::default() };
        assert!(!has_rule(&merged(None, &only_mode)));
        let no_tags = MemoryPruningPolicy { obsolete_tags: Some(Vec::new()), ..Default::default() };
        assert!(!has_rule(&merged(Some(no_tags), &Args::default())));
    }
}
