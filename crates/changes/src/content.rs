//! What a proposed change is: files before and after, and a hash over all of it that names it.

use gik_base::hash::{self, Sha256Stream};
use gik_base::{ErrorCode, Failure, Result};
use serde::{Deserialize, Serialize};

/// A file as it is or shall be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Its whole text, a byte order mark included.
    pub text: String,
    /// Whether it may be run as a program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

impl Content {
    /// The sha256 of its bytes.
    pub fn sha256(&self) -> String {
        hash::sha256_hex(self.text.as_bytes())
    }
}

/// What happens to one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// From the root of the workspace, with `/`.
    pub path: String,
    /// The path that a moved file had; that path has a change of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What must be there; `None` where nothing may be.
    pub before: Option<Content>,
    /// What shall be there; `None` where nothing shall be.
    pub after: Option<Content>,
}

/// What a change does, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Other text or permissions.
    Modify,
    /// A new file.
    Create,
    /// No file any more.
    Delete,
    /// A file under another name.
    Rename,
}

impl Operation {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Modify => "modify",
            Self::Create => "create",
            Self::Delete => "delete",
            Self::Rename => "rename",
        }
    }
}

/// A change of files that waits for a person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The version of the form on disk.
    pub version: u32,
    /// The beginning of its digest.
    pub id: String,
    /// When it was made, in seconds since 1970.
    pub created_at: i64,
    /// The tool that was called.
    pub tool: String,
    /// Sorted by path, each path once.
    pub changes: Vec<Change>,
}

/// The version of [`Proposal`] on disk.
pub(crate) const VERSION: u32 = 1;
/// So many digits of the digest are an id.
const ID_DIGITS: usize = 16;

impl Proposal {
    /// A proposal for a workspace, by its real path.
    pub(crate) fn new(
        workspace: &str,
        tool: &str,
        mut changes: Vec<Change>,
        created_at: i64,
    ) -> Self {
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        let id = digest(workspace, &changes)[..ID_DIGITS].to_owned();
        Self { version: VERSION, id, created_at, tool: tool.to_owned(), changes }
    }

    /// A hash over the workspace, every path, what was there and what shall be: a token is bound to it.
    pub fn digest(&self, workspace: &str) -> String {
        digest(workspace, &self.changes)
    }

    /// Fails unless it is what its id says.
    pub(crate) fn check(&self, workspace: &str) -> Result<()> {
        let is_sorted = self.changes.is_sorted_by(|one, other| one.path < other.path);
        let is_whole = self.version == VERSION
            && is_sorted
            && !self.changes.is_empty()
            && self.changes.iter().all(|change| change.before != change.after)
            && self.digest(workspace).starts_with(&self.id)
            && self.id.len() == ID_DIGITS;
        if is_whole {
            return Ok(());
        }
        Err(Failure::new(
            ErrorCode::ContractInvalid,
            format!("the proposed change `{}` is damaged, or made for another workspace", self.id),
        )
        .hint(format!("`gik changes discard {}` removes it", self.id)))
    }

    /// What happens to each file; a moved one is told once, under its new name.
    pub fn shown(&self) -> impl Iterator<Item = (Operation, &Change)> {
        let moved = |path: &str| self.changes.iter().any(|it| it.from.as_deref() == Some(path));
        self.changes.iter().filter_map(move |change| {
            let operation = match (&change.before, &change.after) {
                (Some(_), None) if moved(&change.path) => return None,
                (Some(_), None) => Operation::Delete,
                (None, Some(_)) if change.from.is_some() => Operation::Rename,
                (None, _) => Operation::Create,
                (Some(_), Some(_)) => Operation::Modify,
            };
            Some((operation, change))
        })
    }

    /// What the file of a change was before, under whatever name.
    pub fn before<'a>(&'a self, change: &'a Change) -> Option<&'a Content> {
        let Some(from) = &change.from else { return change.before.as_ref() };
        self.changes.iter().find(|it| it.path == *from).and_then(|it| it.before.as_ref())
    }
}

fn digest(workspace: &str, changes: &[Change]) -> String {
    let mut stream = Sha256Stream::default();
    // Lengths go first, so that no two lists of parts have the same bytes.
    let mut part = |text: &str| {
        stream.update(&(text.len() as u64).to_le_bytes());
        stream.update(text.as_bytes());
    };
    part("gik change 1");
    part(workspace);
    for change in changes {
        part(&change.path);
        part(change.from.as_deref().unwrap_or_default());
        for content in [&change.before, &change.after] {
            part(&content.as_ref().map(Content::sha256).unwrap_or_default());
            part(if content.as_ref().is_some_and(|it| it.executable) { "x" } else { "" });
        }
    }
    stream.finish().to_string()
}
