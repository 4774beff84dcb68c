//! Which files tools hand out: those of the workspace, whatever links say, and no secrets.

use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_discover::{NEVER_WALKED, forced_by, may_hold_secrets};

use crate::Workspace;

/// The key of a file that may be read: inside the workspace, whatever links say, and no secret.
pub(crate) fn readable(ws: &Workspace<'_>, typed: &str) -> Result<FileKey> {
    if typed.is_empty() || typed.contains('\0') {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, "this is not a path"));
    }
    let asked = ws.key_typed(typed)?;
    if asked.as_str().contains("!/") || asked.as_str().contains("://") {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            "only files of the working tree can be read",
        ));
    }
    // A link inside the workspace is judged by what it points to.
    let path = fs::canonicalize(&asked.to_path(&ws.root))?;
    let key = ws.key_of(&path)?;
    let refused = |why: &str| {
        Failure::new(ErrorCode::PathRefused, format!("`{typed}` {why}"))
            .hint("a `!` line in `.gikignore` allows a file")
    };
    let is_kept = |part: &str| NEVER_WALKED.contains(&format!("{}/", part.to_lowercase()).as_str());
    if key.as_str().split('/').any(is_kept) {
        return Err(refused("belongs to version control or to the index"));
    }
    if !fs::metadata(&path)?.is_file() {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{typed}` is not a file")));
    }
    if may_hold_secrets(key.as_str()) && forced_by(&ws.root, &key)?.is_none() {
        return Err(refused("may hold secrets"));
    }
    Ok(key)
}
