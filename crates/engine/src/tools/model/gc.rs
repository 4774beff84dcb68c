//! `gik model gc`: removes what no name leads to.

use gik_base::{Result, env};
use gik_store::CacheSize;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{library, short_revision};
use crate::embedding::cache;
use crate::tool::{Runs, rows_of};
use crate::view::{Style, count, human_bytes};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Remove old revisions of models and downloads that were left
///
/// Models that a name leads to stay, in use or not: `gik model rm` removes those. Vectors of slow models that are kept for
/// all workspaces are cut down to `embeddings.cache.max_bytes`, those not asked for longest first.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Say what would go, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What `model gc` did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Whether nothing was removed in truth.
    pub dry_run: bool,
    /// The bytes that are free now, or would be.
    pub freed_bytes: u64,
    /// What went.
    pub removed: Vec<Gone>,
    /// Vectors that went from the cache.
    pub cached_vectors: u64,
}

/// A revision that went.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    /// The model.
    pub model_id: String,
    /// The revision.
    pub revision: String,
    /// Whether it was not complete.
    pub unfinished: bool,
    /// The bytes it took.
    pub bytes: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for gone in &self.removed {
            let name = view.paint(Style::Name, &gone.model_id);
            let revision = short_revision(&gone.revision);
            let what = if gone.unfinished { "not complete" } else { "not active" };
            view.line(format!("{name} {revision}: {what}, {}", human_bytes(gone.bytes)));
        }
        if self.cached_vectors > 0 {
            view.line(format!("{} of the cache", count(self.cached_vectors, "vector", "vectors")));
        }
        let bytes = human_bytes(self.freed_bytes);
        let is_nothing = self.removed.is_empty() && self.cached_vectors == 0;
        view.line(match (is_nothing, self.dry_run) {
            (true, _) => "Nothing to remove".to_owned(),
            (false, true) => format!("{bytes} would be free"),
            (false, false) => format!("{bytes} are free"),
        });
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.removed)
    }
}

struct Gc;

impl Runs for Gc {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let removed = library()?.collect_garbage(!args.dry_run)?;
        let cached = trimmed(ctx, args.dry_run)?;
        let of_models: u64 = removed.iter().map(|removed| removed.bytes).sum();
        Ok(Output {
            dry_run: args.dry_run,
            freed_bytes: of_models + cached.bytes,
            cached_vectors: cached.vectors,
            removed: removed
                .into_iter()
                .map(|removed| Gone {
                    model_id: removed.name.to_string(),
                    revision: removed.revision,
                    unfinished: removed.unfinished,
                    bytes: removed.bytes,
                })
                .collect(),
        })
    }
}

/// Cuts the cache of vectors down to its size. Says what went or would go.
fn trimmed(ctx: &Context<'_>, dry_run: bool) -> Result<CacheSize> {
    let Some(home) = env::gik_home().filter(|home| cache::exists(home)) else {
        return Ok(CacheSize::default());
    };
    let most_bytes = ctx.settings(&ctx.cwd)?.settings.embeddings.cache_bytes;
    let cache = cache::open(&home)?;
    if !dry_run {
        return cache.gc(most_bytes);
    }
    cache.excess(most_bytes)
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Gc>(&["model", "gc"], Effect::Writes, Shape::List, "gik model gc --dry-run")
        .for_people();
