//! What does one manifest say? Parsed alone, without its neighbours; broken ones become problems.

use std::collections::BTreeMap;

use gik_base::{FileKey, hash};

use crate::declaration::{Declaration, Key, Target, Template};
use crate::inventory::StackFile;
use crate::manager::Manager;
use crate::managers::{self, Reader};
use crate::scope::Scope;

/// Larger manifests are not read; people do not write them.
pub const MAX_MANIFEST_BYTES: usize = 1 << 20;

/// Parsed manifests by path.
pub type Manifests = BTreeMap<FileKey, Manifest>;

/// What is wrong with a manifest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ManifestProblem {
    /// The manifest.
    pub path: FileKey,
    /// What is wrong, with the line where that is known.
    pub message: String,
}

/// What one manifest says, before values it takes from others are filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// Why it could not be read, wholly or in part.
    pub problems: Vec<ManifestProblem>,
    pub(crate) manager: Option<Manager>,
    pub(crate) package_manager: Option<Manager>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) shared: BTreeMap<Key, Template>,
    pub(crate) catalog: BTreeMap<String, Vec<CatalogPackage>>,
    pub(crate) reach: Reach,
    pub(crate) parent: Option<String>,
    pub(crate) services: Vec<Service>,
    pub(crate) images: Vec<String>,
    fingerprint: u64,
}

/// Who may look up what a manifest shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reach {
    /// Itself, and manifests that name it as their parent.
    #[default]
    Named,
    /// Every manifest in its folder and below.
    Below,
}

/// A package that a version catalog gives an accessor to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CatalogPackage {
    pub(crate) name: String,
    pub(crate) version: String,
}

/// A service of a compose file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) image: Option<String>,
}

impl Manifest {
    pub(crate) fn depend(
        &mut self,
        manager: Manager,
        name: impl Into<Template>,
        version: impl Into<Template>,
        scope: Scope,
    ) {
        // Files that only share values get a manager when they declare something themselves.
        self.manager.get_or_insert(manager);
        let target = Target::Package { name: name.into(), version: version.into() };
        self.declarations.push(Declaration { target, scope });
    }

    pub(crate) fn share(&mut self, key: Key, value: impl Into<Template>) {
        self.shared.insert(key, value.into());
    }

    fn problem(&mut self, path: &FileKey, message: impl Into<String>) {
        self.problems.push(ManifestProblem { path: path.clone(), message: message.into() });
    }
}

/// Whether the file is one that [`read_manifest`] understands. Manifests of vendored packages are not ours.
pub fn is_manifest(path: &FileKey) -> bool {
    !is_vendored(path) && managers::reader_of(path).is_some()
}

/// Reads one manifest. Always gives a value.
pub fn read_manifest(path: &FileKey, bytes: &[u8]) -> Manifest {
    let mut manifest = Manifest { fingerprint: hash::fast64(bytes), ..Manifest::default() };
    let Some(reader) = managers::reader_of(path) else {
        manifest.problem(path, "not a manifest of a known package manager");
        return manifest;
    };
    if bytes.len() > MAX_MANIFEST_BYTES {
        manifest.problem(path, format!("larger than {MAX_MANIFEST_BYTES} bytes, not read"));
        return manifest;
    }
    let Ok(text) = str::from_utf8(bytes) else {
        manifest.problem(path, "not valid UTF-8");
        return manifest;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match reader {
        Reader::Lenient(read) => read(path, text, &mut manifest),
        Reader::Strict(read) => {
            if let Err(message) = read(path, text, &mut manifest) {
                manifest.problem(path, message);
            }
        },
    }
    manifest
}

/// Brings `manifests` up to date with the files: new and changed ones are parsed, gone ones dropped, the rest kept.
pub fn refresh(
    manifests: &mut Manifests,
    files: &[StackFile<'_>],
    read: &dyn Fn(&FileKey) -> Option<Vec<u8>>,
) {
    let mut known = std::mem::take(manifests);
    for file in files.iter().filter(|file| is_manifest(file.path)) {
        let manifest = match read(file.path) {
            Some(bytes) => match known.remove(file.path) {
                Some(manifest) if manifest.fingerprint == hash::fast64(&bytes) => manifest,
                _ => read_manifest(file.path, &bytes),
            },
            None => {
                let mut manifest = Manifest::default();
                manifest.problem(file.path, "cannot be read");
                manifest
            },
        };
        manifests.insert(file.path.clone(), manifest);
    }
}

/// Folders that hold other people's packages.
const VENDORED: &[&str] = &[
    ".venv",
    "Carthage",
    "Pods",
    "bower_components",
    "node_modules",
    "site-packages",
    "vendor",
    "venv",
];

pub(crate) fn is_vendored(path: &FileKey) -> bool {
    let mut folders = path.as_str().split('/');
    folders.next_back();
    folders.any(|folder| VENDORED.contains(&folder))
}

#[cfg(test)]
mod tests;
