//! How does a revision come into being? Its files are gathered in a folder of their own; when they are checked, the
//! folder gets its name and the model points to it.

use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::lock::Lock;
use gik_base::progress::Silent;
use gik_base::{Cancel, Context as _, ErrorCode, Failure, Progress, Result, clock, hash};
use gik_contract::{ModelFile, ModelManifest, ModelSource};

use super::inspect::inspect;
use super::name::{ModelName, is_file_path, is_revision};
use super::{ACTIVE, FILLING, Installed, Library, MANIFEST};

/// A revision that is being filled. No other command changes the model meanwhile.
#[derive(Debug)]
pub(super) struct Filling<'a> {
    library: &'a Library,
    name: ModelName,
    folder: PathBuf,
    _lock: Lock,
}

/// The name of the folder while the revision follows from the files.
pub(super) const LOCAL: &str = "local";

impl Library {
    /// Starts to fill a revision, or goes on with one that was left.
    pub(super) fn fill(
        &self,
        name: &ModelName,
        revision: &str,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Filling<'_>> {
        if !is_revision(revision) {
            let message = format!("`{revision}` cannot be the name of a revision");
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let lock = self.lock(name, progress, cancel)?;
        let folder = self.folder_of(name).join(format!("{FILLING}{revision}"));
        if revision == LOCAL {
            // What a killed command left is of other files.
            fs::remove_dir_all_if_present(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Filling { library: self, name: name.clone(), folder, _lock: lock })
    }
}

impl Filling<'_> {
    /// Where the files go.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a file goes; its folder is made.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf> {
        if !is_file_path(path) {
            let message = format!("`{path}` cannot be the name of a model's file");
            return Err(Failure::new(ErrorCode::ModelInvalid, message));
        }
        let place = self.folder.join(path);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(place)
    }

    /// Opens the model and makes it the active revision; which that is follows from the files where it is not given.
    pub(super) fn finish(
        self,
        mut files: Vec<ModelFile>,
        revision: Option<&str>,
        source: ModelSource,
    ) -> Result<Installed> {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let inspected = inspect(&self.folder, self.name.as_str(), &paths)?;
        let revision = revision.map_or_else(|| local_revision(&files), str::to_owned);
        let manifest = ModelManifest {
            schema_version: ModelManifest::SCHEMA_VERSION.to_owned(),
            model_id: self.name.to_string(),
            revision,
            kind: inspected.kind,
            dimension: inspected.dimension,
            quantization: inspected.quantization,
            license: inspected.license,
            source,
            min_gik_version: env!("CARGO_PKG_VERSION").to_owned(),
            created_at: clock::now(),
            files,
            extra: gik_contract::Extra::default(),
        };
        let mut bytes = serde_json::to_vec_pretty(&manifest)
            .context(ErrorCode::Internal, || "cannot write the manifest".to_owned())?;
        bytes.push(b'\n');
        fs::write_new(&self.folder.join(MANIFEST), &bytes, Durability::Synced)?;
        self.put(manifest)
    }

    /// Gives the folder its name and points the model to it.
    fn put(self, manifest: ModelManifest) -> Result<Installed> {
        let (library, revision) = (self.library, &manifest.revision);
        if let Some(same) = library.find_revision(&self.name, revision).unwrap_or_default()
            && same.manifest.files == manifest.files
            && same.verify(&Silent, &Cancel::default())?.is_empty()
        {
            // Nothing is gained by replacing it, and nobody can be disturbed who reads it.
            library.activate(&self.name, revision)?;
            fs::remove_dir_all_if_present(&self.folder)?;
            return Ok(Installed { active: true, ..same });
        }
        let folder = library.folder_of(&self.name).join(revision);
        // A folder of that name has damaged files.
        let replaced = library.folder_of(&self.name).join(format!("{FILLING}replaced"));
        fs::remove_dir_all_if_present(&replaced)?;
        if fs::exists(&folder) {
            fs::rename(&folder, &replaced)?;
        }
        fs::rename(&self.folder, &folder)?;
        library.activate(&self.name, revision)?;
        fs::remove_dir_all_if_present(&replaced)?;
        Ok(Installed { manifest, folder, active: true })
    }
}

impl Library {
    /// Makes the name of a model mean this revision, in one step.
    pub(super) fn activate(&self, name: &ModelName, revision: &str) -> Result<()> {
        let path = self.folder_of(name).join(ACTIVE);
        fs::write_atomic(&path, format!("{revision}\n").as_bytes(), Durability::Synced)
    }
}

/// The same files have the same revision, wherever they came from.
fn local_revision(files: &[ModelFile]) -> String {
    let lines: String =
        files.iter().flat_map(|file| [&*file.sha256, "  ", &*file.path, "\n"]).collect();
    format!("local-{}", &hash::sha256_hex(lines.as_bytes())[..16])
}
