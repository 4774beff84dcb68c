//! `search_symbols`: definitions by name.

use gik_base::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Envelope, Given};
use crate::symbols::Described;
use crate::tool::Runs;
use crate::tools::symbols;
use crate::{Context, Effect, Shape, Tool};

const DEFAULT_LIMIT: u32 = 20;

/// Search the symbol index
///
/// Names may be whole, qualified, begun, or abbreviated by their humps.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Args {
    /// The name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// function|class|struct|enum|protocol|var|typealias|module|any [default: any]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// How many at most [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<u32>,
}

/// The symbols.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Symbols {
    /// Best first.
    pub symbols: Vec<Symbol>,
}

/// One symbol.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Symbol {
    /// Its id, for `get_symbol_definition` and `get_references`.
    pub symbol_id: String,
    /// The name with what it stands in.
    pub qualified: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// Path from the root of the workspace.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Its declaration.
    pub signature: String,
}

impl Symbol {
    pub(super) fn of(symbol: Described) -> Self {
        Self {
            symbol_id: symbol.symbol_id,
            qualified: symbol.qualified,
            kind: symbol.kind,
            path: symbol.path,
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            signature: symbol.signature,
        }
    }
}

struct SearchSymbols;

impl Runs for SearchSymbols {
    type Args = Args;
    type Output = Envelope<Symbols>;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Self::Output> {
        Envelope::of(find(ctx, args))
    }
}

fn find(ctx: &Context<'_>, args: Args) -> Result<Given<Symbols>> {
    let found = symbols::Symbols::run(
        ctx,
        symbols::Args {
            name: args.name,
            kinds: kinds(args.kind.as_deref().unwrap_or("any")),
            limit: Some(args.limit.unwrap_or(DEFAULT_LIMIT)),
            ..symbols::Args::default()
        },
    )?;
    let is_cut = found.has_more;
    let symbols = found.symbols.into_iter().map(|found| Symbol::of(found.symbol)).collect();
    Ok(Given { data: Symbols { symbols }, is_cut, warnings: Vec::new() })
}

/// The kinds of the index that a word of this API stands for.
fn kinds(word: &str) -> Vec<String> {
    let kinds: &[&str] = match word {
        "function" => &["function", "method", "constructor"],
        "protocol" => &["protocol", "trait", "interface"],
        "var" => &["var", "const", "field", "property"],
        other => &[other],
    };
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// The row of the table.
pub const TOOL: Tool = Tool::new::<SearchSymbols>(
    &["tool", "search_symbols"],
    Effect::Reads,
    Shape::One,
    "gik tool search_symbols AuthToken --kind struct",
)
.called("search_symbols")
.telling_failures(Envelope::<Symbols>::told);
