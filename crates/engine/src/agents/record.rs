//! What was put into which file, so that exactly that can be taken out again: `<gik home>/agents.json`.
//!
//! ```json
//! {"version": 1, "files": [{"path": "/home/me/.cursor/mcp.json", "what": "server", "agents": ["cursor"],
//!   "inserted": "…", "parents": 1, "created": false, "folders": []}]}
//! ```
//!
//! Losing it loses little: entries and blocks are known again by what they say.

use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::{Context as _, ErrorCode, Failure, Result};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// All that is kept.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    version: u32,
    pub(crate) files: Vec<Kept>,
}

/// What was put into a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kept {
    pub(crate) path: String,
    pub(crate) what: What,
    /// The agents it is there for.
    pub(crate) agents: Vec<String>,
    pub(crate) inserted: String,
    /// How many objects around the entry were made for it.
    #[serde(default)]
    pub(crate) parents: usize,
    /// Whether the file was made for it.
    #[serde(default)]
    pub(crate) created: bool,
    /// The folders that were made for it, outermost first.
    #[serde(default)]
    pub(crate) folders: Vec<PathBuf>,
}

/// The two things that are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    #[default]
    Server,
    Instructions,
}

impl Record {
    /// What is kept below a home.
    pub(crate) fn read(home: &Path) -> Result<Self> {
        let path = path(home);
        let Some(bytes) = fs::read_if_present(&path)? else { return Ok(Self::default()) };
        let broken = || format!("`{}` cannot be read", path.display());
        let record: Self = serde_json::from_slice(&bytes)
            .context(ErrorCode::ConfigInvalid, broken)
            .map_err(|failure| {
                failure.hint("move it away; what was installed is still known by what it says")
            })?;
        if record.version > VERSION {
            let message = format!("`{}` was written by a newer gik", path.display());
            return Err(Failure::new(ErrorCode::ConfigInvalid, message).hint("update gik"));
        }
        Ok(record)
    }

    pub(crate) fn write(&mut self, home: &Path) -> Result<()> {
        self.version = VERSION;
        self.files.sort_by(|a, b| (&a.path, a.what).cmp(&(&b.path, b.what)));
        let path = path(home);
        if self.files.is_empty() {
            return fs::remove_file_if_present(&path);
        }
        fs::create_dir_all(home)?;
        let mut bytes = serde_json::to_vec_pretty(self)
            .context(ErrorCode::Internal, || "the record cannot be written".to_owned())?;
        bytes.push(b'\n');
        fs::write_atomic(&path, &bytes, Durability::Synced)
    }

    pub(crate) fn of(&self, path: &Path, what: What) -> Option<&Kept> {
        self.files.iter().find(|kept| Path::new(&kept.path) == path && kept.what == what)
    }

    /// Puts what is kept of a file in the place of what was kept; nothing takes it away.
    pub(crate) fn set(&mut self, path: &Path, what: What, kept: Option<Kept>) {
        self.files.retain(|old| Path::new(&old.path) != path || old.what != what);
        self.files.extend(kept);
    }
}

fn path(home: &Path) -> PathBuf {
    home.join("agents.json")
}
