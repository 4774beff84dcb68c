//! How does a model on this machine come into the library? Its parts are copied, hashed on the way and opened.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use gik_base::hash::Sha256Stream;
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result, fs};
use gik_contract::{ModelFile, ModelSource, ModelSourceKind};

use super::filling::{Filling, LOCAL};
use super::inspect::{WEIGHTS, is_gguf, parts_of};
use super::name::ModelName;
use super::{Installed, Library};

const CHUNK_BYTES: usize = 256 << 10;
/// Where an archive is unpacked, inside the folder that is filled.
const UNPACKED: &str = ".unpacked";
/// How deep a model may lie in an archive.
const DEEPEST: usize = 8;

/// Where a model that is added came from, as its manifest tells it.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// What the user named.
    pub kind: ModelSourceKind,
    /// Its path.
    pub location: &'a str,
}

impl Library {
    /// Adds the model of a folder, or a single file: weights with the other parts beside them, or a GGUF file.
    /// `locate` gives its path; it gets an empty folder in case the model has to be unpacked first.
    pub fn add(
        &self,
        name: &ModelName,
        origin: Origin<'_>,
        locate: impl FnOnce(&Path) -> Result<PathBuf>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Installed> {
        let filling = self.fill(name, LOCAL, progress, cancel)?;
        let folder = filling.folder().to_owned();
        let unpacked = folder.join(UNPACKED);
        let files = fs::create_dir_all(&unpacked)
            .and_then(|()| locate(&unpacked))
            .and_then(|path| copy_parts(&filling, &path, progress, cancel))
            .and_then(|files| fs::remove_dir_all_if_present(&unpacked).map(|()| files));
        let source = ModelSource { kind: origin.kind, location: origin.location.to_owned() };
        let installed = files.and_then(|files| filling.finish(files, None, source));
        if installed.is_err() {
            // The original is still where it was.
            fs::remove_dir_all_if_present(&folder)?;
        }
        installed
    }
}

fn copy_parts(
    filling: &Filling<'_>,
    path: &Path,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Vec<ModelFile>> {
    let parts = parts(path)?;
    let total = parts.iter().map(|(_, from)| fs::metadata(from).map(|found| found.len()));
    progress.begin_bytes("copying", Some(total.sum::<Result<u64>>()?));
    let copied = parts.iter().map(|(part, from)| {
        let (size, sha256) = copy(from, &filling.place(part)?, progress, cancel)?;
        Ok(ModelFile { path: part.clone(), size, sha256 })
    });
    let copied = copied.collect();
    progress.end();
    copied
}

/// The folders of a tree, itself included, that hold a model.
pub fn model_folders(tree: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![(tree.to_owned(), 0)]);
    while let Some((folder, depth)) = open.pop() {
        if parts_of(&folder).iter().filter(|part| [WEIGHTS, "config.json"].contains(part)).count()
            == 2
        {
            found.push(folder.clone());
        }
        for path in fs::list_dir(&folder)? {
            let metadata = fs::symlink_metadata_if_present(&path)?;
            if depth < DEEPEST && metadata.is_some_and(|metadata| metadata.is_dir()) {
                open.push((path, depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The parts of a model with the files they come from.
fn parts(path: &Path) -> Result<Vec<(String, PathBuf)>> {
    let metadata = fs::metadata(path)?;
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if metadata.is_dir() {
        let parts = parts_of(path);
        return Ok(parts.into_iter().map(|part| (part.to_owned(), path.join(part))).collect());
    }
    if is_gguf(file_name) {
        return Ok(vec![("model.gguf".to_owned(), path.to_owned())]);
    }
    if path.extension().is_some_and(|extension| extension == "safetensors") {
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = parts_of(folder).into_iter().filter(|part| *part != WEIGHTS);
        let mut parts: Vec<(String, PathBuf)> =
            beside.map(|part| (part.to_owned(), folder.join(part))).collect();
        parts.push((WEIGHTS.to_owned(), path.to_owned()));
        return Ok(parts);
    }
    let message = format!("`{}` is no model", path.display());
    Err(Failure::new(ErrorCode::ModelInvalid, message)
        .hint("a folder, a `.safetensors` or `.gguf` file, a `.whl` or `.zip` can be added"))
}

/// Copies a file and gives its size and hash.
fn copy(from: &Path, to: &Path, progress: &dyn Progress, cancel: &Cancel) -> Result<(u64, String)> {
    let (mut source, mut target): (File, File) = (fs::open(from)?, fs::create(to)?);
    let (mut hash, mut size) = (Sha256Stream::default(), 0u64);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        cancel.check()?;
        let read = source.read(&mut chunk).map_err(|error| fs::failure("read", from, error))?;
        if read == 0 {
            break;
        }
        hash.update(&chunk[..read]);
        target.write_all(&chunk[..read]).map_err(|error| fs::failure("write", to, error))?;
        size += read as u64;
        progress.advance(read as u64);
    }
    target.sync_all().map_err(|error| fs::failure("write", to, error))?;
    Ok((size, hash.finish().to_string()))
}
