//! What the history of the repository says about a question: commits that answer it, and files that change together.
//!
//! Derived from git, kept in `.guided/knowledge/history` for all branches, bounded, and made anew where it is missing
//! or damaged. While HEAD stays where it is, asking it costs a comparison; one that moved costs the new commits.

mod events;
mod signals;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gik_base::{Cancel, ErrorCode, Failure, Result, fs};
use gik_contract::Timestamp;
use gik_discover::Provider;
use gik_discover::history::{Changes, Commit, Kept, ObjectId, PastCommit, Repository, head_of};
use gik_index::Segment;

use crate::Workspace;

pub(crate) use events::{answers_why, commit_events};

/// So many commits are kept, the newest.
const MOST_COMMITS: usize = 10_000;
/// A question waits for so many new commits at most; more are left to `gik index` and to whoever writes.
const MOST_FOR_QUESTIONS: usize = 300;

/// How much may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// All that is kept.
    All,
    /// What a question may wait for.
    Few,
}

/// The history of the repository.
#[derive(Debug)]
pub(crate) struct Past {
    kept: Kept,
    words: Segment,
}

impl Past {
    /// The history up to the commit that is checked out, as far as it is known or quickly read; `None` without git.
    pub(crate) fn of(ws: &Workspace<'_>) -> Option<Self> {
        if !ws.follows_files() || ws.scm.provider == Provider::None {
            return None;
        }
        // The history helps an answer and is none: what cannot be read or written it does without.
        drop(update(ws, Effort::Few));
        Self::open(ws)
    }

    fn open(ws: &Workspace<'_>) -> Option<Self> {
        let folder = folder(ws);
        let kept = Kept::open(&folder.join(COMMITS))?;
        let words = words::open(&folder, kept.head())?;
        Some(Self { kept, words })
    }
}

const COMMITS: &str = "commits.dat";

fn folder(ws: &Workspace<'_>) -> PathBuf {
    ws.knowledge.history_dir()
}

/// Seconds since 1970 as a time; what no calendar has is its beginning.
pub(crate) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Reads what is new in the history and says what could not be: an index is worth having without it.
pub(crate) fn update_or_warn(ws: &Workspace<'_>) -> Result<()> {
    match update(ws, Effort::All) {
        Err(failure) if failure.code() == ErrorCode::Interrupted => Err(failure),
        Err(failure) => {
            ws.ctx.progress.warn(&format!("the history of git was not read: {failure}"));
            Ok(())
        },
        Ok(()) => Ok(()),
    }
}

/// The commits that lead to the one checked out, newest first, as many as are kept.
pub(crate) fn commits(ws: &Workspace<'_>) -> Result<Vec<PastCommit>> {
    update(ws, Effort::All)?;
    let kept = Past::open(ws).and_then(|past| past.kept.commits());
    kept.ok_or_else(|| no_history(&ws.root))
}

/// The failure where there is no history.
pub(crate) fn no_history(root: &Path) -> Failure {
    let message = format!("`{}` has no git history: nothing has been committed", root.display());
    Failure::new(ErrorCode::HistoryMissing, message)
        .hint("`gik log` tells what happened to the knowledge repository")
}

/// Brings what is kept up to the commit that is checked out.
fn update(ws: &Workspace<'_>, effort: Effort) -> Result<()> {
    // A workspace that was opened long ago may have moved on. In jj, what is checked out is named by an operation, and
    // git's own HEAD is beside it.
    let head = match (ws.scm.provider, effort) {
        (Provider::None, _) => return Ok(()),
        (Provider::Git, Effort::Few) => ws.scm.head.as_deref().and_then(ObjectId::from_hex),
        (Provider::Git, Effort::All) | (Provider::Jj, _) => head_of(&ws.root)?,
    };
    let Some(head) = head else { return Ok(()) };
    let folder = folder(ws);
    let kept = Kept::open(&folder.join(COMMITS));
    let words = kept.as_ref().and_then(|kept| words::open(&folder, kept.head()));
    if kept.as_ref().is_some_and(|kept| kept.head() == head) && words.is_some() {
        return Ok(());
    }
    let Some(repository) = Repository::open(&ws.root)? else { return Ok(()) };
    let known = kept.as_ref().and_then(Kept::commits).unwrap_or_default();
    let Some(new) = new_commits(&repository, &known, effort, &ws.ctx.cancel)? else {
        return Ok(());
    };
    let head = repository.head();
    let (commits, is_cut) = Kept::joined(known, new, head, MOST_COMMITS);
    fs::create_dir_all(&folder)?;
    words::write(&folder, head, &commits, words.as_ref(), repository.is_whole())?;
    // What it names is there before it, and what it named before goes after it.
    Kept::write(&folder.join(COMMITS), head, &commits, is_cut)?;
    words::sweep(&folder, head)
}

/// What is new, with the files of each; `None` where it is more than was to be read.
fn new_commits(
    repository: &Repository,
    known: &[PastCommit],
    effort: Effort,
    cancel: &Cancel,
) -> Result<Option<Vec<(Commit, Changes)>>> {
    let known: BTreeSet<ObjectId> = known.iter().map(|commit| commit.id).collect();
    let most = match effort {
        Effort::All => MOST_COMMITS,
        Effort::Few => MOST_FOR_QUESTIONS + 1,
    };
    let new = repository.commits(&|id| known.contains(id), most, cancel)?;
    if effort == Effort::Few && new.len() == most {
        return Ok(None);
    }
    let mut with_changes = Vec::with_capacity(new.len());
    for commit in new {
        cancel.check()?;
        let changes = repository.changes(&commit);
        with_changes.push((commit, changes));
    }
    Ok(Some(with_changes))
}
