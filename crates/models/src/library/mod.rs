//! Which models are on this machine? The folder `~/.gik/models`:
//!
//! ```text
//! sentence-transformers--all-MiniLM-L6-v2/
//!   active                        the name of the revision in use; replaced as a whole
//!   c9745ed1d9f2…/                 one folder per revision, never changed once it is there
//!     manifest.json  config.json  model.safetensors  …
//!   .filling-<revision>/          a revision that is not complete yet; a download goes on here
//! ```
//!
//! A revision is filled, checked and opened before its folder gets its name, and only then does `active` point to it.
//! `take` adds local files, `pull` fetches them, `check` looks whether they are what they were, `remove` frees the room.

mod check;
mod filling;
mod gguf;
mod inspect;
mod name;
pub mod pull;
mod remove;
mod take;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::lock::Lock;
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result, fs};
use gik_contract::{ModelManifest, ModelSourceKind};

pub use check::{Damage, DamagedFile};
pub use inspect::{is_gguf, is_part};
pub use name::ModelName;
pub use remove::Removed;
pub use take::{Origin, model_folders};

use name::is_revision;

const MANIFEST: &str = "manifest.json";
const ACTIVE: &str = "active";
const FILLING: &str = ".filling-";
/// How long another command may work on the same model: as long as a download takes.
const PATIENCE: Duration = Duration::from_secs(6 * 60 * 60);

/// The models of a user.
#[derive(Debug, Clone)]
pub struct Library {
    folder: PathBuf,
    locks: PathBuf,
}

/// One revision of a model that is complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Installed {
    /// What it is.
    pub manifest: ModelManifest,
    /// Where its files are.
    pub folder: PathBuf,
    /// Whether the name of the model means this revision.
    pub active: bool,
}

impl Installed {
    /// The bytes of its files.
    pub fn total_bytes(&self) -> u64 {
        self.manifest.files.iter().map(|file| file.size).sum()
    }

    /// The command that brings its files back.
    pub fn how_to_get(&self) -> String {
        let ModelManifest { model_id, source, .. } = &self.manifest;
        match source.kind {
            ModelSourceKind::Hub => format!("`gik model pull {model_id}` fetches it again"),
            ModelSourceKind::Folder | ModelSourceKind::File | ModelSourceKind::Archive => {
                format!("`gik model add {} --name {model_id}` puts it back", source.location)
            },
        }
    }
}

/// A revision that is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The model.
    pub name: ModelName,
    /// The revision it is to become.
    pub revision: String,
    /// The bytes that are there.
    pub bytes: u64,
}

/// All that is in the library.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// By name and revision.
    pub installed: Vec<Installed>,
    /// Downloads that can go on.
    pub unfinished: Vec<Unfinished>,
    /// Folders whose manifest cannot be read, with the reason.
    pub broken: Vec<(PathBuf, String)>,
}

impl Library {
    /// The library of a home folder, which need not exist.
    pub fn at(gik_home: &Path) -> Self {
        Self { folder: gik_home.join("models"), locks: gik_home.join("locks") }
    }

    /// Where the models are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All that is there.
    pub fn contents(&self) -> Result<Contents> {
        let mut contents = Contents::default();
        for (name, folder) in self.model_folders()? {
            let active = self.active_revision(&name)?;
            for path in fs::list_dir(&folder)? {
                let Some(revision) = file_name(&path) else { continue };
                if let Some(revision) = revision.strip_prefix(FILLING) {
                    contents.unfinished.push(Unfinished {
                        name: name.clone(),
                        revision: revision.to_owned(),
                        bytes: disk_usage(&path)?,
                    });
                } else if fs::exists(&path.join(MANIFEST)) {
                    match read_manifest(&path) {
                        Ok(manifest) => {
                            let active = active.as_deref() == Some(revision);
                            contents.installed.push(Installed { manifest, folder: path, active });
                        },
                        Err(failure) => contents.broken.push((path, failure.to_string())),
                    }
                }
            }
        }
        Ok(contents)
    }

    /// The active revision of a model; `None` where there is none.
    pub fn find(&self, name: &ModelName) -> Result<Option<Installed>> {
        let Some(revision) = self.active_revision(name)? else { return Ok(None) };
        self.find_revision(name, &revision)
    }

    /// The revision of a model that a text names; the active one where none is named.
    pub fn get(&self, name: &ModelName, revision: Option<&str>) -> Result<Installed> {
        let found = match revision {
            None => self.find(name)?,
            Some(revision) if is_revision(revision) => self.find_revision(name, revision)?,
            Some(_) => None,
        };
        found.ok_or_else(|| {
            let message = match revision {
                None => format!("there is no model `{name}` on this machine"),
                Some(revision) => format!("there is no revision `{revision}` of model `{name}`"),
            };
            Failure::new(ErrorCode::ModelMissing, message)
                .hint("`gik model list` lists the models there are")
                .hint(format!("`gik model pull {name}` fetches it"))
        })
    }

    fn find_revision(&self, name: &ModelName, revision: &str) -> Result<Option<Installed>> {
        let folder = self.folder_of(name).join(revision);
        if !fs::exists(&folder.join(MANIFEST)) {
            return Ok(None);
        }
        let active = self.active_revision(name)?.as_deref() == Some(revision);
        Ok(Some(Installed { manifest: read_manifest(&folder)?, folder, active }))
    }

    fn active_revision(&self, name: &ModelName) -> Result<Option<String>> {
        let bytes = fs::read_if_present(&self.folder_of(name).join(ACTIVE))?;
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
        Ok(text.filter(|revision| is_revision(revision)))
    }

    /// The folders that are named as models are.
    fn model_folders(&self) -> Result<Vec<(ModelName, PathBuf)>> {
        let folders = fs::list_dir(&self.folder)?.into_iter().filter(|path| path.is_dir());
        let named = folders.filter_map(|folder| {
            let name = file_name(&folder).and_then(ModelName::of_folder)?;
            Some((name, folder))
        });
        Ok(named.collect())
    }

    /// Where the revisions of a model are.
    fn folder_of(&self, name: &ModelName) -> PathBuf {
        self.folder.join(name.folder())
    }

    fn lock_path(&self, name: &ModelName) -> PathBuf {
        self.locks.join(format!("model-{}.lock", name.folder()))
    }

    /// Keeps other commands from changing the same model. A download by another one is waited for.
    fn lock(&self, name: &ModelName, progress: &dyn Progress, cancel: &Cancel) -> Result<Lock> {
        let path = self.lock_path(name);
        if let Some(lock) = Lock::try_acquire(&path)? {
            return Ok(lock);
        }
        progress.inform(&format!("another command is at work on `{name}`: waiting for it"));
        Lock::acquire(&path, PATIENCE, cancel)
    }
}

fn file_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

fn read_manifest(folder: &Path) -> Result<ModelManifest> {
    let path = folder.join(MANIFEST);
    let broken = |what: &str| {
        let message = format!("`{}` {what}", path.display());
        Failure::new(ErrorCode::ModelInvalid, message)
    };
    let manifest: ModelManifest = serde_json::from_slice(&fs::read(&path)?).map_err(|error| {
        broken("is no manifest of a model").caused_by(error).hint("get the model again")
    })?;
    if manifest.files.iter().any(|file| !name::is_file_path(&file.path)) {
        return Err(broken("names files outside its folder"));
    }
    if is_newer(&manifest.min_gik_version, env!("CARGO_PKG_VERSION")) {
        let what = format!("needs version {} of gik", manifest.min_gik_version);
        return Err(broken(&what).hint("get a newer version of gik"));
    }
    Ok(manifest)
}

/// Whether a version is later than another, by its three numbers.
fn is_newer(version: &str, than: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        let plain = version.split(['-', '+']).next().unwrap_or_default();
        plain.split('.').map(|number| number.parse().unwrap_or(0)).collect()
    };
    numbers(version) > numbers(than)
}

/// The bytes of all files below a folder; links are not followed.
fn disk_usage(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for path in fs::list_dir(folder)? {
        match fs::symlink_metadata_if_present(&path)? {
            Some(metadata) if metadata.is_dir() => bytes += disk_usage(&path)?,
            Some(metadata) => bytes += metadata.len(),
            None => {},
        }
    }
    Ok(bytes)
}
