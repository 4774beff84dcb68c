//! Proposed changes of this workspace's files: who may apply them, and what a killed process left of one.

use std::path::PathBuf;
use std::time::Duration;

use gik_base::{ErrorCode, Failure, Result, clock, env};
use gik_changes::{Confirmations, Proposal, Shelf, Site};
use gik_ledger::Held;

use crate::Workspace;

/// The proposals of a workspace, and what is needed to change its files.
#[derive(Debug)]
pub(crate) struct Desk<'w> {
    ws: &'w Workspace<'w>,
    pub(crate) site: Site,
    pub(crate) shelf: Shelf,
    dir: PathBuf,
}

impl<'w> Desk<'w> {
    pub(crate) fn of(ws: &'w Workspace<'w>) -> Result<Self> {
        let site = Site::new(&ws.root, env::gik_home().as_deref())?;
        let dir = ws.knowledge.changes_dir();
        Ok(Self { ws, shelf: Shelf::new(&dir, &site), site, dir })
    }

    /// Takes the lock of the workspace and finishes what a killed process left.
    pub(crate) fn hold(&self) -> Result<Held> {
        let patience = Duration::from_secs(self.ws.settings.lock.patience_seconds);
        let progress = self.ws.ctx.progress;
        let held = self.ws.knowledge.lock(patience, &self.ws.ctx.cancel)?;
        held.recovered().iter().for_each(|action| progress.warn(action));
        self.ws.knowledge.ensure_layout()?;
        for told in gik_changes::recover(&self.site, &self.dir, &held)? {
            progress.warn(&told);
        }
        Ok(held)
    }

    /// The tokens by which people let programs apply a change.
    pub(crate) fn confirmations(&self) -> Result<Confirmations> {
        let home = env::gik_home().ok_or_else(|| {
            Failure::new(ErrorCode::ConfigInvalid, "there is no home folder for confirmations")
                .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
        })?;
        if self.site.holds_home() {
            return Err(Failure::new(
                ErrorCode::ConfigInvalid,
                format!("`{}` lies in the workspace, where tools write", home.display()),
            )
            .hint("confirmations are kept where no proposal can reach"));
        }
        Ok(Confirmations::of(&home))
    }

    /// Whether the user lets tools write without a word. A config inside the workspace says nothing about that.
    pub(crate) fn is_autonomous(&self) -> bool {
        self.ws.settings.autonomous_changes && !self.site.holds_home()
    }

    /// Applies a proposal and forgets it.
    pub(crate) fn apply(&self, held: &Held, proposal: &Proposal) -> Result<()> {
        gik_changes::apply(&self.site, &self.dir, held, proposal)?;
        self.shelf.remove(held, &proposal.id).map(drop)
    }
}

/// Now, in seconds since 1970.
pub(crate) fn now() -> i64 {
    clock::now().as_second()
}

/// Finishes or takes back a change that a killed process left, before anything is read. Where that cannot be done, it
/// is told, and reading goes on.
pub(crate) fn settle(ws: &Workspace<'_>) -> Result<()> {
    if !gik_changes::is_unfinished(&ws.knowledge.changes_dir())? {
        return Ok(());
    }
    match Desk::of(ws).and_then(|desk| desk.hold()) {
        Ok(_) => Ok(()),
        Err(failure) if failure.code() == ErrorCode::Interrupted => Err(failure),
        Err(failure) => {
            ws.ctx.progress.warn(&format!("a change of files was interrupted: {failure}"));
            Ok(())
        },
    }
}
