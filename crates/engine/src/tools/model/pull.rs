//! `gik model pull`: fetches a model from the Hugging Face hub, or from what speaks its API.

use gik_base::{Result, env};
use gik_models::ModelName;
use gik_models::library::pull::{ENDPOINT, Hub, Tries, Wanted, offline, refuse_offline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{InUse, Listed, library, next_step, refuse_builtin, told};
use crate::tool::Runs;
use crate::view::human_bytes;
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Fetch a model; what is there already is not fetched again
///
/// Ctrl-C pauses: the next run goes on where this one stopped. Every file is checked before the model can be used. Only
/// the endpoint is asked, and the encrypted hosts it hands its files out from.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The name, such as `sentence-transformers/all-MiniLM-L6-v2`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The branch, tag or commit [default: main]
    #[arg(long, value_name = "REVISION")]
    pub revision: Option<String>,
    /// The server [default: `HF_ENDPOINT`, or `https://huggingface.co`]
    #[arg(long, value_name = "URL")]
    pub endpoint: Option<String>,
    /// Fetch this GGUF file instead of an embedder
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Fail instead of using the network, as with `GIK_OFFLINE=1`
    #[arg(long)]
    pub offline: bool,
}

/// The model that was fetched.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What it is.
    #[serde(flatten)]
    pub model: Listed,
    /// Where its files are.
    pub folder: String,
    /// The bytes that came over the network.
    pub fetched_bytes: u64,
    /// The bytes that an earlier run had fetched.
    pub resumed_bytes: u64,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let line = told(view, &self.model);
        if self.fetched_bytes == 0 && self.resumed_bytes == 0 {
            view.line(format!("{line}: there already"));
        } else {
            let fetched = human_bytes(self.fetched_bytes);
            view.line(format!("Fetched {line} ({fetched} over the network)"));
        }
        next_step(view, &self.model);
    }
}

struct Pull;

impl Runs for Pull {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let name = ModelName::parse(&args.name)?;
        refuse_builtin(&name, "fetched")?;
        let what = format!("fetching `{name}`");
        if args.offline {
            let failure = offline(&what).hint("run it again without `--offline`");
            return Err(failure.hint("`gik model add PATH` takes a model from this machine"));
        }
        refuse_offline(&what)?;
        let endpoint = args.endpoint.or_else(|| env::var(env::HF_ENDPOINT));
        let hub = Hub::new(endpoint.as_deref().unwrap_or(ENDPOINT), Tries::default())?;
        let wanted = Wanted { revision: args.revision, file: args.file };
        let pulled = library()?.pull(&hub, &name, &wanted, ctx.progress, &ctx.cancel)?;
        Ok(Output {
            model: Listed::of(&pulled.installed, &InUse::of(ctx)?),
            folder: pulled.installed.folder.display().to_string(),
            fetched_bytes: pulled.fetched_bytes,
            resumed_bytes: pulled.resumed_bytes,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<Pull>(
    &["model", "pull"],
    Effect::Writes,
    Shape::One,
    "gik model pull sentence-transformers/all-MiniLM-L6-v2",
)
.for_people()
.reaching_out();
