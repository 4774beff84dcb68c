//! Every capability, one file each, and the table they come from.

pub mod add;
pub mod agents;
pub mod ask;
pub mod bases;
pub mod branch;
pub mod changes;
pub mod commit;
pub mod config;
pub mod def;
pub mod doctor;
pub mod eval;
pub mod graph;
pub mod impact;
pub mod index;
pub mod init;
pub mod log;
pub mod ls_files;
pub mod map;
pub mod memory;
pub mod model;
pub mod outline;
pub mod pack;
pub mod refs;
pub mod reindex;
pub mod release;
pub mod rm;
pub mod savings;
pub mod search;
pub mod show;
pub mod similar;
pub mod stack;
pub mod stats;
pub mod status;
pub mod symbols;
pub mod tool;
pub mod verify;
pub mod watch;
pub mod why;

use crate::Tool;

/// The table: the order is that of the help.
pub static TOOLS: &[&Tool] = &[
    &ask::TOOL,
    &search::TOOL,
    &symbols::TOOL,
    &outline::TOOL,
    &def::TOOL,
    &refs::TOOL,
    &similar::TOOL,
    &pack::TOOL,
    &why::TOOL,
    &map::TOOL,
    &impact::TOOL,
    &graph::neighbors::TOOL,
    &graph::path::TOOL,
    &graph::callers::TOOL,
    &graph::callees::TOOL,
    &graph::imports::TOOL,
    &graph::importers::TOOL,
    &graph::cycles::TOOL,
    &graph::orphans::TOOL,
    &graph::hubs::TOOL,
    &graph::export::TOOL,
    &graph::import::TOOL,
    &index::TOOL,
    &watch::TOOL,
    &init::TOOL,
    &add::TOOL,
    &rm::TOOL,
    &commit::TOOL,
    &status::TOOL,
    &log::TOOL,
    &show::TOOL,
    &release::TOOL,
    &bases::TOOL,
    &stats::TOOL,
    &savings::TOOL,
    &stack::TOOL,
    &ls_files::TOOL,
    &reindex::TOOL,
    &branch::TOOL,
    &memory::add::TOOL,
    &memory::list::TOOL,
    &memory::show::TOOL,
    &memory::search::TOOL,
    &memory::metrics::TOOL,
    &memory::prune::TOOL,
    &memory::restore::TOOL,
    &model::list::TOOL,
    &model::pull::TOOL,
    &model::add::TOOL,
    &model::use_model::TOOL,
    &model::show::TOOL,
    &model::verify::TOOL,
    &model::rm::TOOL,
    &model::gc::TOOL,
    &changes::list::TOOL,
    &changes::show::TOOL,
    &changes::apply::TOOL,
    &changes::confirm::TOOL,
    &changes::discard::TOOL,
    &config::check::TOOL,
    &config::show::TOOL,
    &config::init::TOOL,
    &config::set::TOOL,
    &config::trust::TOOL,
    &agents::install::TOOL,
    &agents::uninstall::TOOL,
    &agents::status::TOOL,
    &verify::TOOL,
    &doctor::TOOL,
    &eval::TOOL,
    &tool::read_file::TOOL,
    &tool::list_files::TOOL,
    &tool::search_text::TOOL,
    &tool::search_symbols::TOOL,
    &tool::get_symbol_definition::TOOL,
    &tool::get_references::TOOL,
    &tool::get_diagnostics::TOOL,
    &tool::retrieve_context::TOOL,
    &tool::apply_unified_diff::TOOL,
    &tool::apply_text_edits::TOOL,
];

/// The tools that programs are offered first, by the names they call them.
pub static FEW: &[&str] = &[
    "search",
    "ask",
    "pack",
    "read_file",
    "symbols",
    "impact",
    "def",
    "refs",
    "outline",
    "why",
    "remember",
    "recall",
    "status",
];

/// What a group of tools is about, for the help of `gik memory` and the like.
pub static GROUPS: &[(&str, &str)] = &[
    ("graph", "The knowledge graph: who calls, imports and needs whom"),
    ("memory", "Decisions, notes and observations that outlive the conversation they came from"),
    ("model", "Models on this machine: fetching, checking and choosing them"),
    ("changes", "Changes of files that programs proposed: seeing, applying and discarding them"),
    ("tool", "Tools as models call them: fixed names, bounded answers in one envelope"),
    ("agents", "Coding agents: telling them about gik, and taking it back"),
    ("config", "Settings: what they are, where they come from, and changing them"),
];
