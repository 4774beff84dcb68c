//! Which file is really written: links are followed to what they mean, but not out of a project.

use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};

use super::places::Folders;

/// The file behind a path, with what stands in it.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the agent names it.
    pub(crate) named: PathBuf,
    /// What is written: never a link.
    pub(crate) real: PathBuf,
    /// `None` where there is no file yet.
    pub(crate) text: Option<String>,
    /// Folders that have to be made, outermost first.
    pub(crate) folders: Vec<PathBuf>,
}

/// Larger files are no configs.
const LARGEST: u64 = 64 << 20;

impl Target {
    /// Looks at a path. `inside` says that it must not lead out of the project.
    pub(crate) fn at(named: &Path, inside: Option<&Folders>) -> Result<Self> {
        let (real, folders) = match fs::symlink_metadata_if_present(named)? {
            Some(_) => (fs::canonicalize(named)?, Vec::new()),
            None => missing(named)?,
        };
        if let Some(project) = inside.and_then(|folders| folders.project.as_deref()) {
            let root = fs::canonicalize(project)?;
            if !real.starts_with(&root) {
                let message = format!(
                    "`{}` leads out of the project, to `{}`",
                    named.display(),
                    real.display()
                );
                return Err(Failure::new(ErrorCode::PathOutside, message)
                    .hint("files of a project are written only inside of it"));
            }
        }
        let text = text_of(&real)?;
        Ok(Self { named: named.to_owned(), real, text, folders })
    }
}

/// The real path of what is not there yet, and the folders that are not there either.
fn missing(named: &Path) -> Result<(PathBuf, Vec<PathBuf>)> {
    let mut below = Vec::new();
    let mut folder = named;
    loop {
        let Some(parent) = folder.parent() else {
            let message = format!("`{}` is not an absolute path", named.display());
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
        };
        below.extend(folder.file_name());
        folder = parent;
        if fs::symlink_metadata_if_present(folder)?.is_some() {
            break;
        }
    }
    let mut real = fs::canonicalize(folder)?;
    let mut folders = Vec::new();
    while let Some(name) = below.pop() {
        real.push(name);
        if !below.is_empty() {
            folders.push(real.clone());
        }
    }
    Ok((real, folders))
}

fn text_of(path: &Path) -> Result<Option<String>> {
    if !fs::exists(path) {
        return Ok(None);
    }
    let metadata = fs::metadata(path)?;
    let refused = |why: &str| {
        let message = format!("`{}` {why}", path.display());
        Err(Failure::new(ErrorCode::ConfigInvalid, message)
            .hint("nothing was changed; leave this agent out with `--agent`"))
    };
    if !metadata.is_file() {
        return refused("is not a file");
    }
    if metadata.len() > LARGEST {
        return refused("is too large for a config");
    }
    match String::from_utf8(fs::read(path)?) {
        Ok(text) => Ok(Some(text)),
        Err(_) => refused("is not UTF-8 text"),
    }
}
