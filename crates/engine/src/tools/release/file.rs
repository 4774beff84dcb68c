//! Where the changelog is, and how it is replaced without losing what was there.

use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::{Context as _, ErrorCode, Failure, FileKey, Result};

use crate::Workspace;

const DEFAULT_FILE: &str = "CHANGELOG.md";

/// The file of a changelog. Need not exist.
#[derive(Debug)]
pub(super) struct ChangelogFile {
    key: FileKey,
    /// The file behind a link, so that the link stays one.
    path: PathBuf,
}

impl ChangelogFile {
    /// The file that was named, or the usual one. The knowledge repository and version control keep theirs to
    /// themselves.
    pub(super) fn find(ws: &Workspace<'_>, typed: Option<&Path>) -> Result<Self> {
        let key = match typed {
            Some(typed) => ws.key_of(typed)?,
            None => ws.key_of(&ws.root.join(DEFAULT_FILE))?,
        };
        let first = key.as_str().split('/').next().unwrap_or_default();
        let is_taken =
            ["", ".guided", ".git", ".jj"].iter().any(|name| name.eq_ignore_ascii_case(first));
        let path = key.to_path(&ws.root);
        if is_taken || path.is_dir() {
            return Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("a changelog cannot be written to `{}`", path.display()),
            )
            .hint("name a file of the project, for example `--output docs/CHANGELOG.md`"));
        }
        let path = if fs::exists(&path) { fs::canonicalize(&path)? } else { path };
        Ok(Self { key, path })
    }

    /// Its name, relative to the workspace.
    pub(super) fn name(&self) -> &str {
        self.key.as_str()
    }

    /// Its text; `None` where there is no file.
    pub(super) fn read(&self) -> Result<Option<String>> {
        let Some(bytes) = fs::read_if_present(&self.path)? else { return Ok(None) };
        let text = String::from_utf8(bytes)
            .context(ErrorCode::ArgumentInvalid, || format!("`{}` is not UTF-8 text", self.key))?;
        Ok(Some(text))
    }

    /// Replaces it in one step.
    pub(super) fn write(&self, text: &str) -> Result<()> {
        fs::write_atomic(&self.path, text.as_bytes(), Durability::Synced)
    }

    /// Writes a text to the first of `FILE.bak`, `FILE.bak2`, … that is not taken, and gives its name.
    pub(super) fn keep_aside(&self, text: &str) -> Result<String> {
        let mut attempt: u32 = 1;
        loop {
            let ending = if attempt == 1 { ".bak".to_owned() } else { format!(".bak{attempt}") };
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(&ending);
            let aside = self.path.with_file_name(&name);
            if fs::symlink_metadata_if_present(&aside)?.is_none() {
                fs::write_atomic(&aside, text.as_bytes(), Durability::Synced)?;
                return Ok(name.to_string_lossy().into_owned());
            }
            attempt += 1;
        }
    }
}
