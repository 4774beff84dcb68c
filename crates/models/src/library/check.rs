//! Are the files of a model still what its manifest says?

use std::io::Read as _;
use std::path::Path;

use gik_base::hash::Sha256Stream;
use gik_base::{Cancel, Progress, Result, fs};
use gik_contract::ModelFile;

use super::Installed;

const CHUNK_BYTES: usize = 256 << 10;

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// It is not there.
    Missing,
    /// It is longer or shorter.
    Size,
    /// Its bytes are others.
    Content,
}

impl Damage {
    /// As a half-sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "is missing",
            Self::Size => "has another size",
            Self::Content => "has other bytes",
        }
    }
}

/// A file that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedFile {
    /// Its path in the folder of the model.
    pub path: String,
    /// What is wrong with it.
    pub damage: Damage,
}

impl Installed {
    /// Reads every file and compares it with the manifest.
    pub fn verify(&self, progress: &dyn Progress, cancel: &Cancel) -> Result<Vec<DamagedFile>> {
        progress.begin_bytes("checking", Some(self.total_bytes()));
        let found = self.damages(|path, file| content(path, file, progress, cancel));
        progress.end();
        found
    }

    /// Compares the sizes alone, which costs nothing.
    pub fn look(&self) -> Result<Vec<DamagedFile>> {
        self.damages(|_, _| Ok(true))
    }

    fn damages(
        &self,
        is_same: impl Fn(&Path, &ModelFile) -> Result<bool>,
    ) -> Result<Vec<DamagedFile>> {
        let mut damaged = Vec::new();
        for file in &self.manifest.files {
            let path = self.folder.join(&file.path);
            let damage = match fs::symlink_metadata_if_present(&path)? {
                None => Some(Damage::Missing),
                Some(metadata) if !metadata.is_file() => Some(Damage::Missing),
                Some(metadata) if metadata.len() != file.size => Some(Damage::Size),
                Some(_) if is_same(&path, file)? => None,
                Some(_) => Some(Damage::Content),
            };
            damaged.extend(damage.map(|damage| DamagedFile { path: file.path.clone(), damage }));
        }
        Ok(damaged)
    }
}

fn content(
    path: &Path,
    file: &ModelFile,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<bool> {
    let hash = hash_file(path, cancel, &mut |bytes| progress.advance(bytes))?;
    Ok(hash.finish().to_string() == file.sha256)
}

/// The hash of a file so far as it is there.
pub(super) fn hash_file(
    path: &Path,
    cancel: &Cancel,
    read_bytes: &mut dyn FnMut(u64),
) -> Result<Sha256Stream> {
    let mut source = fs::open(path)?;
    let mut hash = Sha256Stream::default();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        cancel.check()?;
        let read = source.read(&mut chunk).map_err(|error| fs::failure("read", path, error))?;
        if read == 0 {
            return Ok(hash);
        }
        hash.update(&chunk[..read]);
        read_bytes(read as u64);
    }
}
