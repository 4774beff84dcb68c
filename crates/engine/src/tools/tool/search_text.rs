//! `search_text`: places with words, best first.

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::tool::Runs;
use crate::tools::search;
use crate::{Context, Effect, Shape, Tool};

const DEFAULT_LIMIT: u32 = 30;

/// Lexical search across indexed content
///
/// Best for identifiers and error messages.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// What to look for
    #[arg(value_name = "QUERY")]
    pub query: String,
    /// How many places at most [default: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
    /// Only below these paths
    #[arg(long = "path", value_name = "PREFIX")]
    pub paths: Vec<String>,
}

/// The places.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Places {
    /// Best first.
    pub matches: Vec<Match>,
}

/// One place.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// Path from the root of the workspace.
    pub path: String,
    /// The line.
    pub line: u64,
    /// Its text.
    pub text: String,
    /// Relevance; comparable within one answer.
    pub score: f64,
    /// What it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

struct SearchText;

impl Runs for SearchText {
    type Args = Args;
    type Output = Envelope<Places>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(find(ctx, args))
    }
}

fn find(ctx: &Context<'_>, args: Args) -> Result<Given<Places>> {
    let found = search::Search::run(
        ctx,
        search::Args {
            query: vec![args.query],
            files: args.paths.iter().flat_map(|path| below(path)).collect(),
            limit: Some(args.limit.unwrap_or(DEFAULT_LIMIT)),
            ..search::Args::default()
        },
    )?;
    let matches = found.results.into_iter().map(|place| Match {
        path: place.path,
        line: place.line,
        text: place.text,
        score: place.score,
        symbol: place.name,
    });
    Ok(Given::whole(Places { matches: matches.collect() }))
}

/// Patterns for everything whose path begins like that.
fn below(prefix: &str) -> [String; 2] {
    let escaped: String = prefix
        .trim_start_matches("./")
        .trim_start_matches('/')
        .chars()
        .flat_map(|letter| {
            let escape = "*?[]{}!\\".contains(letter).then_some('\\');
            escape.into_iter().chain([letter])
        })
        .collect();
    [format!("/{escaped}*"), format!("/{escaped}*/**")]
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<SearchText>(
    &["tool", "search_text"],
    Effect::Reads,
    Shape::One,
    "gik tool search_text AuthToken --path src/",
)
.called("search_text")
.telling_failures(Envelope::<Places>::told);
