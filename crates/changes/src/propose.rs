//! A diff or edits to a proposal: everything is checked against the files as they are, and nothing is changed.

use gik_base::{ErrorCode, Failure, Result};

use crate::content::{Change, Content, Proposal};
use crate::diff::{self, Patch};
use crate::edits::{self, TextEdit};
use crate::hunks;
use crate::place::Site;

/// A longer diff, or longer edits, are not read.
const MOST_BYTES: usize = 1 << 20;
/// More files are not changed at once.
const MOST_FILES: usize = 200;
/// More text, before and after, is not kept.
const MOST_KEPT_BYTES: usize = 16 << 20;
/// More edits are not made at once.
const MOST_EDITS: usize = 10_000;

/// A proposal that was made from what a program sent.
#[derive(Debug)]
pub struct Proposed {
    /// The proposal.
    pub proposal: Proposal,
    /// What there is to say about it.
    pub notes: Vec<String>,
}

impl Proposed {
    /// Reads a unified diff. `now` is in seconds since 1970.
    pub fn from_diff(site: &Site, tool: &str, diff: &str, now: i64) -> Result<Self> {
        refuse_long(diff.len(), "the diff")?;
        let patches = diff::parse(diff)?;
        if patches.len() > MOST_FILES {
            let message = format!("the diff changes {} files", patches.len());
            return Err(Failure::new(ErrorCode::TooLarge, message)
                .hint(format!("propose at most {MOST_FILES} at once")));
        }
        let (mut changes, mut notes) = (Vec::new(), Vec::new());
        for patch in &patches {
            changes.extend(changes_of(site, patch, &mut notes)?);
        }
        Self::checked(site, tool, changes, notes, now)
    }

    /// Reads edits of one file.
    pub fn from_edits(
        site: &Site,
        tool: &str,
        (path, edits): (&str, &[TextEdit]),
        now: i64,
    ) -> Result<Self> {
        let path = path.strip_prefix("./").unwrap_or(path);
        refuse_long(edits.iter().map(|edit| edit.replacement.len()).sum(), "the edits together")?;
        if edits.is_empty() {
            return Err(Failure::new(ErrorCode::ArgumentInvalid, "there are no edits"));
        }
        if edits.len() > MOST_EDITS {
            let message = format!("there are more than {MOST_EDITS} edits");
            return Err(Failure::new(ErrorCode::TooLarge, message));
        }
        let before = existing(site, path)?;
        let text = edits::put(path, &before.text, edits)?;
        let after = Some(Content { text, executable: before.executable });
        let change = Change { path: path.to_owned(), from: None, before: Some(before), after };
        Self::checked(site, tool, vec![change], Vec::new(), now)
    }

    fn checked(
        site: &Site,
        tool: &str,
        changes: Vec<Change>,
        notes: Vec<String>,
        now: i64,
    ) -> Result<Self> {
        let proposal = Proposal::new(&site.name(), tool, changes, now);
        for pair in proposal.changes.windows(2) {
            let [one, other] = pair else { continue };
            if one.path == other.path {
                let message = format!("`{}` is changed twice", one.path);
                return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                    .hint("put all hunks of a file under one header"));
            }
            if other.path.strip_prefix(&one.path).is_some_and(|rest| rest.starts_with('/')) {
                let message = format!("`{}` cannot be a file and a folder", one.path);
                return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
            }
        }
        if let Some(same) = proposal.changes.iter().find(|it| it.before == it.after) {
            let message = format!("`{}` would stay as it is", same.path);
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
        }
        let contents = proposal.changes.iter().flat_map(|it| [&it.before, &it.after]).flatten();
        let kept: usize = contents.map(|content| content.text.len()).sum();
        if kept > MOST_KEPT_BYTES {
            let message = format!("the files have {kept} bytes, before and after together");
            return Err(
                Failure::new(ErrorCode::TooLarge, message).hint("propose fewer files at once")
            );
        }
        Ok(Self { proposal, notes })
    }
}

fn refuse_long(bytes: usize, what: &str) -> Result<()> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::TooLarge, format!("{what} has {bytes} bytes"))
        .hint(format!("propose at most {MOST_BYTES} bytes at once")))
}

/// What is at a path, which must be a file.
fn existing(site: &Site, path: &str) -> Result<Content> {
    site.check(path)?;
    site.content(path)?
        .ok_or_else(|| Failure::new(ErrorCode::PathMissing, format!("there is no file `{path}`")))
}

/// Fails where something is at a path.
fn free(site: &Site, path: &str) -> Result<()> {
    site.check(path)?;
    if site.metadata(path)?.is_none() {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{path}` is there already")))
}

fn changes_of(site: &Site, patch: &Patch<'_>, notes: &mut Vec<String>) -> Result<Vec<Change>> {
    let mut put = |path: &str, text: &str| {
        let (text, said) = hunks::put(path, text, &patch.hunks)?;
        notes.extend(said);
        Ok::<_, Failure>(text)
    };
    match (&patch.old, &patch.new) {
        (None, Some(path)) => {
            free(site, path)?;
            let executable = patch.executable.unwrap_or(false);
            let after = Some(Content { text: put(path, "")?, executable });
            Ok(vec![Change { path: path.clone(), from: None, before: None, after }])
        },
        (Some(path), None) => {
            let before = existing(site, path)?;
            if !put(path, &before.text)?.is_empty() {
                let message = format!("the diff removes `{path}` but not all of its lines");
                return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
            }
            let (path, before) = (path.clone(), Some(before));
            Ok(vec![Change { path, from: None, before, after: None }])
        },
        (Some(old), Some(new)) => {
            let before = existing(site, old)?;
            let executable = patch.executable.unwrap_or(before.executable);
            let after = Some(Content { text: put(old, &before.text)?, executable });
            if old == new {
                let (path, before) = (new.clone(), Some(before));
                return Ok(vec![Change { path, from: None, before, after }]);
            }
            free(site, new)?;
            let gone = Change { path: old.clone(), from: None, before: Some(before), after: None };
            let from = Some(old.clone());
            Ok(vec![gone, Change { path: new.clone(), from, before: None, after }])
        },
        (None, None) => {
            Err(Failure::new(ErrorCode::ArgumentInvalid, "a file of the diff has no name"))
        },
    }
}
