//! `get_symbol_definition`: where a symbol is defined, and how.

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search_symbols::Symbol;
use super::{Envelope, Given};
use crate::tool::Runs;
use crate::tools::def;
use crate::{Context, Effect, Shape, Tool};

/// Get the definition location and signature for a symbol id
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// The id that `search_symbols` gave, or a name
    #[arg(value_name = "ID")]
    pub symbol_id: String,
}

/// The definitions.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Definitions {
    /// One, or more where a name has several.
    pub definitions: Vec<Definition>,
}

/// One definition.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Definition {
    /// What and where.
    #[serde(flatten)]
    pub symbol: Symbol,
    /// What its comment says.
    pub doc: String,
    /// Its lines, from the first on.
    pub content: String,
    /// Whether lines at its end were left out.
    pub truncated: bool,
}

struct GetSymbolDefinition;

impl Runs for GetSymbolDefinition {
    type Args = Args;
    type Output = Envelope<Definitions>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(find(ctx, args))
    }
}

fn find(ctx: &Context<'_>, args: Args) -> Result<Given<Definitions>> {
    let symbol = args.symbol_id.clone();
    let found = def::Def::run(ctx, def::Args { symbol, ..def::Args::default() })?;
    if found.definitions.is_empty() {
        return Err(missing(&args.symbol_id));
    }
    let definitions: Vec<Definition> = found
        .definitions
        .into_iter()
        .map(|found| Definition {
            symbol: Symbol::of(found.symbol),
            doc: found.doc,
            content: found.source,
            truncated: found.truncated,
        })
        .collect();
    let is_cut =
        definitions.iter().any(|it| it.truncated) || found.total > definitions.len() as u64;
    Ok(Given { data: Definitions { definitions }, is_cut, warnings: Vec::new() })
}

/// What is said where there is no such symbol.
pub(super) fn missing(symbol: &str) -> Failure {
    let symbol: String = symbol.chars().take(200).collect();
    Failure::new(ErrorCode::NothingFound, format!("there is no symbol `{symbol}`"))
        .hint("`search_symbols` finds symbols by name")
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<GetSymbolDefinition>(
    &["tool", "get_symbol_definition"],
    Effect::Reads,
    Shape::One,
    "gik tool get_symbol_definition Store::open",
)
.called("get_symbol_definition")
.telling_failures(Envelope::<Definitions>::told);
