//! A new branch starts from the nearest one that has knowledge, so that it costs only the difference.

use gik_base::Result;
use gik_ledger::{Branch, Held};
use gik_store::{Access, Store};

use crate::Workspace;

/// Starts the branch at hand from the nearest branch with knowledge. `false` when there is none.
pub(crate) fn start_branch(ws: &Workspace<'_>) -> Result<bool> {
    // A branch that is neither checked out nor known is a typing error, not a new branch.
    if !ws.follows_files() {
        return Ok(false);
    }
    let Some(from) = nearest(ws)? else { return Ok(false) };
    let held = ws.hold()?;
    if !ws.branch.is_initialized() {
        fork(ws, &held, &from, &ws.branch)?;
        ws.ctx.progress.inform(&format!(
            "branch `{}` starts from the knowledge of `{}`",
            ws.branch.name(),
            from.name()
        ));
    }
    Ok(true)
}

/// Makes `to` from `from`: history and tracked sources as truth, the index as a copy that the next look corrects.
pub(crate) fn fork(ws: &Workspace<'_>, held: &Held, from: &Branch, to: &Branch) -> Result<()> {
    ws.knowledge.refuse_links(to)?;
    let message = format!("Branch {} from {}", to.name(), from.name());
    to.init(held, &message, ws.scm.head.clone(), Some(from))?;
    let copied = Store::open(&from.index_db_path(), &from.lexical_dir(), Access::ReadOnly)
        .and_then(|store| store.copy_to(&to.index_db_path(), &to.lexical_dir()));
    if let Err(failure) = copied {
        // The index is derived: without the copy the next look makes it from the files.
        ws.ctx
            .progress
            .warn(&format!("the index of `{}` could not be copied: {failure}", from.name()));
        Store::remove(&to.index_db_path(), &to.lexical_dir())?;
    }
    Ok(())
}

/// The branch the working tree most likely came from: what the reflog names, a branch indexed at this very commit,
/// the usual main branches, then the one changed last.
fn nearest(ws: &Workspace<'_>) -> Result<Option<Branch>> {
    let names = ws.knowledge.branches()?;
    let known = |name: &str| names.iter().any(|other| other == name);
    if let Some(name) = ws.scm.created_from.as_deref().filter(|name| known(name)) {
        return Ok(Some(ws.knowledge.branch(name)));
    }
    let mut candidates = Vec::new();
    for name in &names {
        let branch = ws.knowledge.branch(name);
        let Ok(head) = branch.resolve("HEAD") else { continue };
        let same_commit = ws.scm.head.is_some() && head.git_commit == ws.scm.head;
        let is_main = matches!(name.as_str(), "main" | "master" | "trunk");
        candidates.push(((same_commit, is_main, head.timestamp), branch));
    }
    Ok(candidates.into_iter().max_by_key(|(rank, _)| *rank).map(|(_, branch)| branch))
}
