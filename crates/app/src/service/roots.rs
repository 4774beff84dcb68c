//! The folders that are served, each with a short name.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use gik_base::progress::Silent;
use gik_base::{Cancel, ErrorCode, Failure, Result};
use gik_engine::{Context, Options};

/// One folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    /// Its short name.
    pub(crate) name: String,
    /// The folder of the workspace.
    pub(crate) folder: PathBuf,
}

/// The folders that are served.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    folders: RwLock<Vec<Root>>,
    options: Options,
}

impl Roots {
    /// The workspaces that these folders are in.
    pub(crate) fn new(folders: &[PathBuf], options: &Options) -> Result<Self> {
        let roots = Self { folders: RwLock::default(), options: options.clone() };
        roots.replace(folders)?;
        Ok(roots)
    }

    /// Serves these folders from here on.
    pub(crate) fn replace(&self, folders: &[PathBuf]) -> Result<()> {
        let mut roots: Vec<Root> = Vec::new();
        for folder in folders {
            let options = Options { workspace: Some(folder.clone()), ..self.options.clone() };
            let cwd = folder.clone();
            let folder =
                Context { options, cwd, progress: &Silent, cancel: Cancel::default() }.root()?;
            if roots.iter().any(|root| root.folder == folder) {
                continue;
            }
            roots.push(Root { name: name_for(&folder, &roots), folder });
        }
        *self.folders.write().unwrap_or_else(PoisonError::into_inner) = roots;
        Ok(())
    }

    /// Their names, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|root| root.name).collect()
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<Root> {
        self.folders.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The one of this name, or the first.
    pub(crate) fn find(&self, name: Option<&str>) -> Result<Root> {
        let mut roots = self.all().into_iter();
        let found = match name {
            Some(name) => roots.find(|root| root.name == name),
            None => roots.next(),
        };
        found.ok_or_else(|| {
            Failure::new(ErrorCode::WorkspaceMissing, "no folder is served")
                .hint("name one with `--root`, or open a folder in the client")
        })
    }
}

/// The name of the folder, with a number where another has it already.
fn name_for(folder: &Path, known: &[Root]) -> String {
    let name = folder.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy());
    let is_free = |name: &str| !known.iter().any(|root| root.name == name);
    if is_free(&name) {
        return name.into_owned();
    }
    let numbered = (2..).map(|n| format!("{name}-{n}"));
    numbered.into_iter().find(|name| is_free(name)).unwrap_or_default()
}
