//! Why is one path taken or not? The walk's rules asked about every folder on the way to it, then its kind, size and text.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use gik_base::fs::{self, Metadata};
use gik_base::{ErrorCode, Failure, FileKey, Result};

use crate::rules::{GIK_IGNORE, Judgement, Layer, Present, Rules, Standing};
use crate::skip::{Rule, SkipReason};
use crate::text::{Content, content, decode};
use crate::traverse::{kind_reason, unreadable};
use crate::walk::{WalkOptions, too_large};

/// What becomes of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is taken.
    Taken {
        /// The `!` line that said so, where it took one.
        because: Option<Rule>,
    },
    /// It is left out.
    Skipped(SkipReason),
}

/// Why one path is or is not taken: the rule that decided, or its kind, size or content.
///
/// `root` must be canonical. A path that does not exist is a failure.
pub fn explain_path(root: &Path, key: &FileKey, options: &WalkOptions) -> Result<Verdict> {
    let (rules, layer) = Rules::load(root)?;
    Ok(match approach(root, &rules, &layer, key)? {
        Approach::Missing => return Err(missing(key)),
        Approach::Skipped(reason) => Verdict::Skipped(reason),
        Approach::Folder { standing: Standing::ReachedInto(reason), .. } => {
            Verdict::Skipped(SkipReason::clone(&reason))
        },
        Approach::Folder { standing: Standing::Open, because, .. } => {
            Verdict::Taken { because: because.map(|reason| reason.rule) }
        },
        Approach::File { path, metadata, because } => {
            match content_reason(key, &path, &metadata, because.as_ref(), options) {
                Some(reason) => Verdict::Skipped(reason),
                None => Verdict::Taken { because: because.map(|reason| reason.rule) },
            }
        },
    })
}

/// The `!` line of a `.gikignore` that asks for a file, or for a folder it lies in.
///
/// Such a file is taken even if [`crate::classify`] calls it generated or minified.
pub fn forced_by(root: &Path, key: &FileKey) -> Result<Option<Rule>> {
    // Where there is none of these files on the way, as nearly everywhere, no other rule need be read.
    let target = key.to_path(root);
    let mut folders = target.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
    if !folders.any(|folder| fs::exists(&folder.join(GIK_IGNORE))) {
        return Ok(None);
    }
    let (rules, layer) = Rules::load(root)?;
    Ok(match approach(root, &rules, &layer, key)? {
        Approach::File { because: Some(because), .. }
        | Approach::Folder { standing: Standing::Open, because: Some(because), .. } => {
            because.is_forced.then_some(because.rule)
        },
        Approach::Missing
        | Approach::Skipped(_)
        | Approach::File { because: None, .. }
        | Approach::Folder { .. } => None,
    })
}

/// The `!` line that opened the way to a path.
#[derive(Debug)]
pub(crate) struct Because {
    rule: Rule,
    is_forced: bool,
}

/// What is found where a key points, after the rules were asked about every part of the way.
#[derive(Debug)]
pub(crate) enum Approach {
    Missing,
    Skipped(SkipReason),
    File {
        path: PathBuf,
        metadata: Metadata,
        because: Option<Because>,
    },
    Folder {
        path: PathBuf,
        /// The rules of its parent, or its own where it is the root.
        layer: Arc<Layer>,
        standing: Standing,
        because: Option<Because>,
    },
}

/// Goes from the root to where a key points as the walk would, stopping where a rule leaves the way out.
pub(crate) fn approach(
    root: &Path,
    rules: &Rules,
    root_layer: &Arc<Layer>,
    key: &FileKey,
) -> Result<Approach> {
    let mut path = root.to_owned();
    let mut layer = Arc::clone(root_layer);
    let mut standing = Standing::Open;
    let mut because: Option<Because> = None;
    let target = key.to_path(root);
    // A key may come from a list of sources that someone else wrote.
    let inside = target.strip_prefix(root).ok().filter(|inside| {
        inside.components().all(|component| matches!(component, Component::Normal(_)))
    });
    let Some(inside) = inside else { return Ok(Approach::Missing) };
    let mut names = inside.iter().peekable();
    while let Some(name) = names.next() {
        path.push(name);
        let Some(metadata) = fs::symlink_metadata_if_present(&path)? else {
            return Ok(Approach::Missing);
        };
        let is_dir = metadata.is_dir();
        let judgement = rules.judge(&layer, &standing, &path, name, is_dir);
        let next_standing = match judgement {
            Judgement::Skip(cause) => return Ok(Approach::Skipped(cause.reason())),
            Judgement::Reach(cause) => cause.standing(),
            Judgement::Force(line) => {
                because = Some(Because { rule: line.rule(), is_forced: true });
                Standing::Open
            },
            Judgement::Take(line) => {
                // A folder that was forced stays the reason, unless something nearer is one.
                if let Some(line) = line
                    && !because.as_ref().is_some_and(|known| known.is_forced)
                {
                    because = Some(Because { rule: line.rule(), is_forced: false });
                }
                Standing::Open
            },
        };
        standing = next_standing;
        if is_dir {
            if names.peek().is_some() {
                layer = rules.enter(&layer, &path, Present::UNKNOWN)?;
            }
            continue;
        }
        return Ok(match kind_reason(metadata.file_type()) {
            Some(reason) => Approach::Skipped(reason),
            None if names.peek().is_some() => Approach::Missing,
            None => Approach::File { path, metadata, because },
        });
    }
    Ok(Approach::Folder { path, layer, standing, because })
}

fn content_reason(
    key: &FileKey,
    path: &Path,
    metadata: &Metadata,
    because: Option<&Because>,
    options: &WalkOptions,
) -> Option<SkipReason> {
    if let Some(reason) = too_large(metadata.len(), options.max_file_bytes) {
        return Some(reason);
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(failure) => return Some(unreadable(&failure)),
    };
    if because.is_some_and(|because| because.is_forced) {
        return decode(bytes).err();
    }
    match content(key, bytes) {
        Content::Text { .. } => None,
        Content::Skip(reason) => Some(reason),
    }
}

fn missing(key: &FileKey) -> Failure {
    Failure::new(ErrorCode::PathMissing, format!("there is no `{key}` in the workspace"))
}
