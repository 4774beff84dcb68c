//! `gik config …`: looking at the settings and changing them.

pub mod check;
pub mod init;
pub mod set;
pub mod show;
pub mod trust;

use std::path::PathBuf;
use std::time::Duration;

use gik_base::fs::{self, Durability};
use gik_base::lock::Lock;
use gik_base::{Cancel, ErrorCode, Failure, Result, env};
use gik_ledger::Knowledge;

use crate::Context;
use crate::settings::document::Layer;
use crate::settings::{LayerPaths, Trust};

/// Everything the layers are read from.
#[derive(Debug)]
pub(in crate::tools) struct Layers {
    root: PathBuf,
    home: Option<PathBuf>,
    paths: LayerPaths,
    environment: Vec<(String, String)>,
    flags: Vec<(String, String)>,
    cancel: Cancel,
}

impl Layers {
    pub(in crate::tools) fn of(ctx: &Context<'_>) -> Result<Self> {
        let mut layers = Self::at(ctx.root()?, env::gik_home());
        layers.environment = env::vars_with_prefix(env::GIK_CONFIG_PREFIX);
        layers.flags.clone_from(&ctx.options.set);
        layers.cancel = ctx.cancel.clone();
        Ok(layers)
    }

    /// The user's own file alone, for commands that need no workspace.
    pub(in crate::tools) fn of_user(ctx: &Context<'_>, home: PathBuf) -> Self {
        let mut layers = Self::at(PathBuf::new(), Some(home));
        layers.cancel = ctx.cancel.clone();
        layers
    }

    /// The files of a workspace and a home, without environment and flags.
    fn at(root: PathBuf, home: Option<PathBuf>) -> Self {
        let paths = LayerPaths {
            global: home.as_ref().map(|home| home.join("config.yaml")),
            project: Knowledge::at(&root).config_path(),
        };
        let cancel = Cancel::default();
        Self { root, home, paths, environment: Vec::new(), flags: Vec::new(), cancel }
    }

    fn trust(&self) -> Result<Trust> {
        Trust::of(&self.root, &self.paths.project, self.home.as_deref())
    }

    /// The folder for what belongs to the user.
    fn home(&self) -> Result<&PathBuf> {
        self.home.as_ref().ok_or_else(|| {
            Failure::new(ErrorCode::ConfigInvalid, "there is no home folder")
                .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
        })
    }

    /// The file that is written to.
    pub(in crate::tools) fn file(&self, layer: Layer) -> Result<PathBuf> {
        match layer {
            Layer::Global => Ok(self.home()?.join("config.yaml")),
            Layer::Project => Ok(self.paths.project.clone()),
        }
    }

    /// Keeps two commands from changing a file at the same time. A home that cannot be written to does not keep a
    /// project from being configured.
    fn lock(&self) -> Result<Option<Lock>> {
        let Some(home) = &self.home else { return Ok(None) };
        let path = home.join("locks/config.lock");
        match Lock::acquire(&path, Duration::from_secs(10), &self.cancel) {
            Ok(lock) => Ok(Some(lock)),
            Err(failure) if failure.code() == ErrorCode::WorkspaceReadOnly => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Replaces the file of a layer as a whole.
    fn write(&self, layer: Layer, bytes: &[u8]) -> Result<()> {
        let file = self.file(layer)?;
        match layer {
            Layer::Global => fs::create_dir_all(self.home()?)?,
            Layer::Project => Knowledge::at(&self.root).ensure_layout()?,
        }
        fs::write_atomic(&file, bytes, Durability::Synced)
    }
}

/// The layer that `--global` chooses.
fn layer_of(global: bool) -> Layer {
    if global { Layer::Global } else { Layer::Project }
}

#[cfg(test)]
mod tests;
