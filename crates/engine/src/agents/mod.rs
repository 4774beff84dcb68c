//! Telling coding agents about gik, and taking it back: an entry among their servers, a block in their instructions.
//!
//! [`table`] knows the agents, [`plan`] works out what a file becomes, [`carry_out`] writes it, [`record`] remembers
//! what was put in. The files belong to somebody else, so: text is put in and cut out, never written anew; what cannot
//! be read is left alone; what has our name and is not ours is left alone; a second time changes nothing.

pub(crate) mod block;
pub(crate) mod carry_out;
pub(crate) mod difference;
pub(crate) mod edit;
pub(crate) mod entry;
pub(crate) mod jsonc;
pub(crate) mod places;
pub(crate) mod plan;
pub(crate) mod record;
pub(crate) mod table;
pub(crate) mod target;
#[cfg(test)]
mod tests;
mod toml_table;

use std::path::PathBuf;

use gik_base::{ErrorCode, Failure, Result, env};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Context;
use crate::agents::places::{Agent, Folders};
use crate::agents::table::AGENTS;

/// Whose files are meant.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The user's own, for all projects
    #[default]
    User,
    /// Those of the workspace, which others may share
    Project,
}

/// The folders of this user, and the workspace where it is needed.
pub(crate) fn folders(ctx: &Context<'_>, scope: Scope) -> Result<Folders> {
    let without_home =
        || Failure::new(ErrorCode::ConfigInvalid, "there is no home folder").hint("set `HOME`");
    let project = match scope {
        Scope::User => None,
        Scope::Project => Some(ctx.root()?),
    };
    let home = env::home_dir().ok_or_else(without_home)?;
    let config = env::config_dir().ok_or_else(without_home)?;
    let moved = [env::CLAUDE_CONFIG_DIR, env::CODEX_HOME]
        .into_iter()
        .filter_map(|name| Some((name, PathBuf::from(env::var_os(name)?))))
        .filter(|(_, folder)| folder.is_absolute())
        .collect();
    Ok(Folders { home, config, moved, project })
}

/// The agents that were named, or those that seem to be in use.
pub(crate) fn chosen(names: &[String], folders: &Folders) -> Result<Vec<&'static Agent>> {
    let names: Vec<&str> = names.iter().flat_map(|name| name.split(',')).map(str::trim).collect();
    if names.is_empty() {
        return Ok(AGENTS.iter().filter(|agent| agent.is_present(folders)).collect());
    }
    if names.contains(&"all") {
        return Ok(AGENTS.iter().collect());
    }
    for name in &names {
        if !AGENTS.iter().any(|agent| agent.id == *name) {
            let known: Vec<&str> = AGENTS.iter().map(|agent| agent.id).collect();
            let message = format!("there is no agent `{name}`");
            let nearest = crate::settings::nearest(name, known.iter().copied());
            let failure = Failure::new(ErrorCode::ArgumentInvalid, message);
            let failure = match nearest {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure,
            };
            return Err(failure.hint(format!("known are {} and all", known.join(", "))));
        }
    }
    Ok(AGENTS.iter().filter(|agent| names.contains(&agent.id)).collect())
}
