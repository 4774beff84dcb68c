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
use gik_discover::history::{
    Changes, Commit, Kept, ObjectId, PastCommit, Repository, head_of, shallow_mark_of,
};
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
    pub(crate) fn of(ws: &Workspace<'_>) -> Result<Option<Self>> {
        if !ws.follows_files() || ws.scm.provider == Provider::None {
            return Ok(None);
        }
        match update(ws, Effort::Few) {
            Err(failure) if failure.code() == ErrorCode::Interrupted => Err(failure),
            // The history helps an answer and is none: where it cannot be read the answer does with what is kept.
            Err(_) => Ok(Self::open(&folder(ws))),
            Ok(past) => Ok(past),
        }
    }

    fn open(folder: &Path) -> Option<Self> {
        let kept = Kept::open(&folder.join(COMMITS))?;
        let words = words::open(folder, kept.head())?;
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
        Ok(_) => Ok(()),
    }
}

/// The commits that lead to the one checked out, newest first, as many as are kept.
pub(crate) fn commits(ws: &Workspace<'_>) -> Result<Vec<PastCommit>> {
    let past = update(ws, Effort::All)?;
    past.and_then(|past| past.kept.commits()).ok_or_else(|| no_history(&ws.root))
}

/// The failure where there is no history.
pub(crate) fn no_history(root: &Path) -> Failure {
    let message = format!("`{}` has no git history: nothing has been committed", root.display());
    Failure::new(ErrorCode::HistoryMissing, message)
        .hint("`gik log` tells what happened to the knowledge repository")
}

/// Brings what is kept up to the commit that is checked out, and gives it.
fn update(ws: &Workspace<'_>, effort: Effort) -> Result<Option<Past>> {
    // A workspace that was opened long ago may have moved on. In jj, what is checked out is named by an operation, and
    // git's own HEAD is beside it.
    let head = match (ws.scm.provider, effort) {
        (Provider::None, _) => return Ok(None),
        (Provider::Git, Effort::Few) => ws.scm.head.as_deref().and_then(ObjectId::from_hex),
        (Provider::Git, Effort::All) | (Provider::Jj, _) => head_of(&ws.root)?,
    };
    let Some(head) = head else { return Ok(None) };
    let folder = folder(ws);
    let kept = Kept::open(&folder.join(COMMITS));
    let words = kept.as_ref().and_then(|kept| words::open(&folder, kept.head()));
    let before = kept.as_ref().map(Kept::head);
    let as_it_was = |kept: Option<Kept>, words: Option<Segment>| {
        kept.zip(words).map(|(kept, words)| Past { kept, words })
    };
    let is_current = before == Some(head) && words.is_some();
    if is_current && !kept.as_ref().map_or(Ok(false), |kept| may_be_better(ws, kept, effort))? {
        return Ok(as_it_was(kept, words));
    }
    let Some(repository) = Repository::open(&ws.root)? else { return Ok(None) };
    let head = repository.head();
    // What cannot be read now may be readable later: until then what is kept is worth more.
    if repository.commit(&head).is_none() {
        return Ok(as_it_was(kept, words));
    }
    let known = kept.as_ref().map(|kept| known(&repository, kept)).unwrap_or_default();
    let Some(new) = new_commits(&repository, &known, effort, &ws.ctx.cancel)? else {
        return Ok(as_it_was(kept, words));
    };
    if new.is_empty() && before == Some(head) && words.is_some() {
        return Ok(as_it_was(kept, words));
    }
    // A file that is mapped cannot be replaced everywhere.
    drop(kept);
    let earlier = words.filter(|_| before != Some(head));
    let (commits, is_cut) = Kept::joined(known, new, head, MOST_COMMITS);
    fs::create_dir_all(&folder)?;
    words::write(&folder, head, &commits, earlier.as_ref(), repository.is_whole())?;
    // What it names is there before it, and what it named before goes after it.
    Kept::write(&folder.join(COMMITS), &repository, &commits, is_cut)?;
    drop(earlier);
    words::sweep(&folder, head)?;
    Ok(Past::open(&folder))
}

/// Whether there may be more to know of a history than what is kept of it, though no commit is new: it was cut off
/// when it was fetched and no longer is, something could not be read, or what is kept is damaged.
fn may_be_better(ws: &Workspace<'_>, kept: &Kept, effort: Effort) -> Result<bool> {
    if kept.shallow_mark() != 0 && kept.shallow_mark() != shallow_mark_of(&ws.root)? {
        return Ok(true);
    }
    Ok(effort == Effort::All && (is_short(kept) || !kept.is_intact()))
}

/// Whether older commits are missing and there is room for them.
fn is_short(kept: &Kept) -> bool {
    kept.is_cut() && kept.n_commits() < MOST_COMMITS
}

/// The commits that need not be read again: none where those behind them would be missed.
fn known(repository: &Repository, kept: &Kept) -> Vec<PastCommit> {
    if kept.shallow_mark() != repository.shallow_mark() {
        return Vec::new();
    }
    let commits = kept.commits().unwrap_or_default();
    if is_short(kept) {
        let ids: BTreeSet<ObjectId> = commits.iter().map(|commit| commit.id).collect();
        let mut parents = commits.iter().flat_map(|commit| &commit.parents);
        if parents.any(|parent| !ids.contains(parent) && repository.commit(parent).is_some()) {
            return Vec::new();
        }
    }
    commits
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
