//! `get_references`: where a symbol is used.

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_symbol_definition::missing;
use super::{Envelope, Given};
use crate::tool::Runs;
use crate::tools::refs;
use crate::{Context, Effect, Shape, Tool};

const DEFAULT_LIMIT: u32 = 50;

/// Get references/uses for a symbol id
///
/// Found by name: two things of one name are not told apart, and `definitions` says how many share it.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// The id that `search_symbols` gave, or a name
    #[arg(value_name = "ID")]
    pub symbol_id: String,
    /// How many at most [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
}

/// The uses.
#[derive(Debug, Serialize, JsonSchema)]
pub struct References {
    /// In the order of files and lines.
    pub references: Vec<Reference>,
    /// How many there are.
    pub total: u64,
    /// How many definitions share the name, which a use may mean.
    pub definitions: u64,
}

/// One use.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reference {
    /// Path from the root of the workspace.
    pub path: String,
    /// The line.
    pub line: u32,
    /// `call`, `usage`, `import`, `type` or `write`.
    pub kind: String,
    /// The text of the line.
    pub text: String,
    /// The symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enclosing: Option<String>,
}

struct GetReferences;

impl Runs for GetReferences {
    type Args = Args;
    type Output = Envelope<References>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(find(ctx, args))
    }
}

fn find(ctx: &Context<'_>, args: Args) -> Result<Given<References>> {
    let limit = Some(args.limit.unwrap_or(DEFAULT_LIMIT));
    let symbol = args.symbol_id.clone();
    let found = refs::Refs::run(ctx, refs::Args { symbol, limit, ..refs::Args::default() })?;
    if found.matches.is_empty() && found.definitions == 0 {
        return Err(missing(&args.symbol_id));
    }
    let references: Vec<Reference> = found
        .matches
        .into_iter()
        .map(|found| Reference {
            path: found.path,
            line: found.line,
            kind: found.role,
            text: found.text,
            enclosing: found.enclosing.map(|around| around.qualified),
        })
        .collect();
    let is_cut = (references.len() as u64) < found.total;
    let (total, definitions) = (found.total, found.definitions);
    Ok(Given { data: References { references, total, definitions }, is_cut, warnings: Vec::new() })
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<GetReferences>(
    &["tool", "get_references"],
    Effect::Reads,
    Shape::One,
    "gik tool get_references Store::open",
)
.called("get_references")
.telling_failures(Envelope::<References>::told);
