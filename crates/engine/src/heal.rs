//! When damage of the index shows while a tool runs: the index is made anew and the tool runs again.
//!
//! Opening the index finds most damage; a bad page in the middle shows only when something reads it.

use gik_base::{ErrorCode, Failure, Result};
use gik_ledger::Held;
use gik_store::Access;

use crate::ingest::{self, Effort, Request, fill, had_vectors};
use crate::view::count;
use crate::{Context, Workspace};

/// Runs a tool; when the index proves damaged on the way, makes it anew from the working tree and runs it once more.
/// A tool that failed has changed nothing, so running it again is safe.
pub(crate) fn healing<T>(ctx: &Context<'_>, mut run: impl FnMut() -> Result<T>) -> Result<T> {
    match run() {
        Err(failure) if failure.code() == ErrorCode::StoreBroken => {
            heal(ctx, failure)?;
            run()
        },
        other => other,
    }
}

fn heal(ctx: &Context<'_>, failure: Failure) -> Result<()> {
    let ws = ctx.open()?;
    if !ws.follows_files() {
        return Err(failure.hint(format!("check out `{}` first", ws.branch.name())));
    }
    // Where nothing can be written the damage is what there is to tell.
    let Ok(held) = ws.hold() else { return Err(failure) };
    // Another process may have healed it while this one waited for the lock.
    if !is_whole(&ws) {
        make_anew(&ws, &held, &failure)?;
        let tracking = ws.tracking()?;
        ingest::run(&ws, &held, &Request::of(&tracking))?;
        drop(held);
        if had_vectors(&ws) {
            fill(&ws, Effort::Tables)?;
        }
    }
    Ok(())
}

/// Removes a damaged index: it holds nothing that cannot be derived again.
pub(crate) fn make_anew(ws: &Workspace<'_>, held: &Held, failure: &Failure) -> Result<()> {
    ws.ctx.progress.warn(&format!("{failure}; it is made anew from the working tree"));
    let pages = ws.tracking()?.urls().len() as u64;
    if pages > 0 {
        let pages = count(pages, "page is", "pages are");
        ws.ctx.progress.warn(&format!("{pages} missing until `gik commit` fetches them again"));
    }
    ws.remove_store(held)
}

fn is_whole(ws: &Workspace<'_>) -> bool {
    let checked = ws.store(Access::ReadOnly).and_then(|store| store.verify());
    checked.is_ok_and(|findings| findings.is_empty())
}
