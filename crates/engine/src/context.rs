//! What a tool gets from the surface that calls it.

use std::path::PathBuf;

use gik_base::{Cancel, Progress, Result, env};
use gik_discover::workspace::{Force, find_workspace};
use serde::{Deserialize, Serialize};

use crate::Workspace;
use crate::ingest::look_together;
use crate::settings::{LayerPaths, Loaded, Trust, load};

/// Choices that hold for every tool.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Options {
    /// The workspace folder; found from the current folder upward where it is not given.
    pub workspace: Option<PathBuf>,
    /// The knowledge branch; that of the working tree where it is not given.
    pub branch: Option<String>,
    /// Whether `/` and the home folder may be a workspace.
    pub force_root: bool,
    /// Config values that outrank every file.
    pub set: Vec<(String, String)>,
    /// Whether an answer from what is there is better than waiting for another writer.
    pub in_hurry: bool,
}

/// What a tool gets from the surface that calls it.
pub struct Context<'a> {
    /// Choices that hold for every tool.
    pub options: Options,
    /// The folder that relative paths start from.
    pub cwd: PathBuf,
    /// Hears how far the work is.
    pub progress: &'a dyn Progress,
    /// Asks the work to stop.
    pub cancel: Cancel,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("options", &self.options)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

/// Has what is slow to open stay open between questions from here on, and looks at the files serve all questions that wait
/// for one, for a process that answers many.
pub fn stay_warm() {
    look_together();
    gik_models::keep_models_open();
    gik_store::keep_connections_open();
}

impl Context<'_> {
    /// The workspace folder.
    pub fn root(&self) -> Result<PathBuf> {
        let force = if self.options.force_root { Force::Yes } else { Force::No };
        match &self.options.workspace {
            Some(folder) => find_workspace(&self.cwd.join(folder), force),
            None => find_workspace(&self.cwd, force),
        }
    }

    /// The resolved settings of a workspace, with warnings for whoever opens it to tell.
    pub fn settings(&self, root: &std::path::Path) -> Result<Loaded> {
        let home = env::gik_home();
        let paths = LayerPaths {
            global: home.as_ref().map(|home| home.join("config.yaml")),
            project: gik_ledger::Knowledge::at(root).config_path(),
        };
        let trust = Trust::of(root, &paths.project, home.as_deref())?;
        load(&paths, trust, &env::vars_with_prefix(env::GIK_CONFIG_PREFIX), &self.options.set)
    }

    /// Opens the workspace.
    pub fn open(&self) -> Result<Workspace<'_>> {
        Workspace::open(self)
    }
}
