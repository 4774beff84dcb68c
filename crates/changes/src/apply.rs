//! Applying a proposal: every file or none, also when the process is killed. [`crate::journal`] tells how.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result};
use gik_ledger::Held;

use crate::content::{Change, Proposal};
use crate::journal::{Journal, State};
use crate::place::Site;
use crate::step;

/// Whether a killed process left something for [`recover`].
pub fn is_unfinished(dir: &Path) -> Result<bool> {
    Journal::is_there(dir)
}

/// Finishes or takes back what a killed process left. Gives what was done, a sentence each.
pub fn recover(site: &Site, dir: &Path, _held: &Held) -> Result<Vec<String>> {
    let Some(journal) = Journal::find(dir, site)? else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    if journal.state == State::Applying {
        told.push(format!("took back the interrupted change {}", journal.id));
        told.extend(journal.undo(site)?);
    }
    journal.clean(site, dir)?;
    Ok(told)
}

/// Changes all files of a proposal, or none. `dir` is the folder of proposals; what was left there must have been
/// recovered under the same lock.
pub fn apply(site: &Site, dir: &Path, held: &Held, proposal: &Proposal) -> Result<()> {
    proposal.check(&site.name())?;
    for change in &proposal.changes {
        site.check(&change.path)?;
        check_base(site, change)?;
    }
    let mut journal = Journal::of(site, proposal)?;
    journal.write(dir, State::Applying)?;
    let applied =
        carry_out(site, &journal, proposal).and_then(|()| journal.write(dir, State::Done));
    match applied {
        // The change is made. What is left of it is removed now or by the next command.
        Ok(()) => drop(journal.clean(site, dir)),
        Err(failure) => {
            journal.state = State::Applying;
            let left = journal.undo(site).and_then(|left| {
                journal.clean(site, dir)?;
                Ok(left)
            });
            return Err(match left {
                Ok(left) => left.into_iter().fold(failure, Failure::hint),
                Err(_) => failure
                    .hint("not all files could be put back yet; the next command does the rest"),
            });
        },
    }
    drop(recover(site, dir, held));
    Ok(())
}

/// Whether every file is still what a proposal was made for.
pub fn is_current(site: &Site, proposal: &Proposal) -> bool {
    proposal.changes.iter().all(|change| check_base(site, change).is_ok())
}

/// Fails unless the file of a change is what the change was made for.
pub(crate) fn check_base(site: &Site, change: &Change) -> Result<()> {
    let now = site.content(&change.path).ok();
    if now.as_ref() == Some(&change.before) {
        return Ok(());
    }
    let message = format!("`{}` is no longer what the change was made for", change.path);
    Err(Failure::new(ErrorCode::ChangeOutdated, message)
        .hint("nothing was written; the change has to be proposed again from the file as it is"))
}

/// Steps 2 and 3 of the journal.
fn carry_out(site: &Site, journal: &Journal, proposal: &Proposal) -> Result<()> {
    for folder in &journal.folders {
        step::create_dir(&site.path(folder))?;
    }
    for (at, change) in proposal.changes.iter().enumerate() {
        site.check_way(&change.path)?;
        let like = site.metadata(&change.path)?;
        if change.before.is_some() {
            step::link(&site.path(&change.path), &journal.old_name(site, at))?;
        }
        if let Some(after) = &change.after {
            let new = journal.new_name(site, at);
            // A moved file keeps the permissions that it had under its old name.
            let moved = change.from.as_deref().map(|from| site.metadata(from)).transpose()?;
            step::write_new(&new, after.text.as_bytes())?;
            let like = like.as_ref().or_else(|| moved.as_ref()?.as_ref());
            step::permit(&new, like, after.executable)?;
        }
    }
    for (at, change) in proposal.changes.iter().enumerate() {
        check_base(site, change)?;
        let path = site.path(&change.path);
        match &change.after {
            Some(_) => step::rename(&journal.new_name(site, at), &path)?,
            None => step::remove(&path)?,
        }
    }
    for change in &proposal.changes {
        step::sync_beside(&site.path(&change.path))?;
    }
    Ok(())
}
