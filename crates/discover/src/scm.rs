//! Which version control system, branch and commit is this? Reads its files, never runs a program.

use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

use crate::git::{self, Head};
use crate::jj;

/// The branch of a folder without version control.
const BRANCH_WITHOUT_SCM: &str = "main";
/// The branch of a git working tree that has a commit checked out instead of a branch.
const DETACHED_BRANCH: &str = "HEAD";
/// What jj calls its first workspace.
const JJ_DEFAULT_WORKSPACE: &str = "default";

/// Who keeps the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// git, also in linked worktrees and submodules.
    Git,
    /// jj, also where it keeps a git repository beside it.
    Jj,
    /// Nobody.
    None,
}

impl Provider {
    /// The name as the data contracts write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Jj => "jj",
            Self::None => "none",
        }
    }
}

/// What version control says of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scm {
    /// Who keeps the history.
    pub provider: Provider,
    /// The root of the working tree.
    pub root: Option<PathBuf>,
    /// The branch, also one without a commit; `HEAD` when detached, the workspace name in jj, `main` without either.
    pub branch: String,
    /// Whether a commit is checked out instead of a branch.
    pub detached: bool,
    /// The full id of the commit (git) or operation (jj) that is checked out.
    pub head: Option<String>,
    /// The local branch that this one was made from, as far as git's reflogs tell.
    pub created_from: Option<String>,
}

/// What version control says of the nearest repository at or above `start`.
pub fn detect_scm(start: &Path) -> Result<Scm> {
    for folder in start.ancestors() {
        if fs::exists(&folder.join(".jj")) {
            return from_jj(folder);
        }
        if let Some(dirs) = git::git_dirs(folder)? {
            return from_git(folder, &dirs);
        }
    }
    Ok(Scm {
        provider: Provider::None,
        root: None,
        branch: BRANCH_WITHOUT_SCM.to_owned(),
        detached: false,
        head: None,
        created_from: None,
    })
}

/// Where version control leaves traces of a checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckoutFiles {
    /// A change of one of these may mean another branch, or other files that are left out.
    pub told_by: Vec<PathBuf>,
    /// Exists while git changes the working tree.
    pub lock: Option<PathBuf>,
}

/// Where the nearest repository at or above `start` leaves traces of a checkout.
pub fn checkout_files(start: &Path) -> Result<CheckoutFiles> {
    for folder in start.ancestors() {
        if fs::exists(&folder.join(".jj")) {
            let told_by = vec![folder.join(jj::CHECKOUT_FILE)];
            return Ok(CheckoutFiles { told_by, lock: None });
        }
        if let Some(dirs) = git::git_dirs(folder)? {
            return Ok(CheckoutFiles {
                told_by: vec![dirs.head_file(), dirs.common.join("info/exclude")],
                lock: Some(dirs.own.join("index.lock")),
            });
        }
    }
    Ok(CheckoutFiles::default())
}

fn from_jj(root: &Path) -> Result<Scm> {
    let checkout = jj::checkout(root)?;
    Ok(Scm {
        provider: Provider::Jj,
        root: Some(root.to_owned()),
        branch: checkout.workspace.unwrap_or_else(|| JJ_DEFAULT_WORKSPACE.to_owned()),
        detached: false,
        head: checkout.operation,
        created_from: None,
    })
}

fn from_git(root: &Path, dirs: &git::GitDirs) -> Result<Scm> {
    let mut scm = Scm {
        provider: Provider::Git,
        root: Some(root.to_owned()),
        branch: DETACHED_BRANCH.to_owned(),
        detached: true,
        head: None,
        created_from: None,
    };
    match dirs.head()? {
        Some(Head::Ref(name)) => {
            scm.head = dirs.commit_of(&name)?;
            let branch = name.strip_prefix("refs/heads/").unwrap_or(&name);
            scm.created_from = dirs.created_from(branch)?;
            branch.clone_into(&mut scm.branch);
            scm.detached = false;
        },
        Some(Head::Commit(id)) => scm.head = Some(id),
        None => {},
    }
    Ok(scm)
}

#[cfg(test)]
mod tests;
