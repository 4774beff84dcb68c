//! Every capability, one file each, and the table they come from.

mod add;
mod ask;
mod bases;
mod branch;
mod commit;
mod config;
mod doctor;
mod index;
mod init;
mod log;
mod ls_files;
mod memory;
mod reindex;
mod release;
mod rm;
mod search;
mod show;
mod stack;
mod stats;
mod status;
mod verify;

use crate::Tool;

/// The table: the order is that of the help.
pub static TOOLS: &[&Tool] = &[
    &ask::TOOL,
    &search::TOOL,
    &index::TOOL,
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
    &config::check::TOOL,
    &config::show::TOOL,
    &config::init::TOOL,
    &config::set::TOOL,
    &config::trust::TOOL,
    &verify::TOOL,
    &doctor::TOOL,
];

/// What a group of tools is about, for the help of `gik memory` and the like.
pub static GROUPS: &[(&str, &str)] = &[
    ("memory", "Decisions, notes and observations that outlive the conversation they came from"),
    ("config", "Settings: what they are, where they come from, and changing them"),
];
