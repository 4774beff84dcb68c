//! One opened workspace: its folder, its branch, its settings, its locks and its index.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::{ErrorCode, Failure, FileKey, Result, env, parallel};
use gik_contract::Revision;
use gik_discover::walk::{Explain, WalkOptions};
use gik_discover::{Scm, detect_scm, key_of};
use gik_ledger::{Branch, Held, Knowledge, Tracking};
use gik_retrieve::Current;
use gik_store::{Access, Store};

use crate::embedding::tables;
use crate::settings::Settings;
use crate::{Context, branching, proposals};

/// One opened workspace.
#[derive(Debug)]
pub struct Workspace<'a> {
    /// Who asked.
    pub ctx: &'a Context<'a>,
    /// The folder.
    pub root: PathBuf,
    /// What version control says.
    pub scm: Scm,
    /// Resolved settings.
    pub settings: Settings,
    /// The contract files.
    pub knowledge: Knowledge,
    /// The branch at hand.
    pub branch: Branch,
}

impl<'a> Workspace<'a> {
    /// Finds the workspace and reads its settings. Changes nothing.
    pub fn open(ctx: &'a Context<'a>) -> Result<Self> {
        let root = ctx.root()?;
        let loaded = ctx.settings(&root)?;
        for warning in &loaded.warnings {
            ctx.progress.warn(&match &warning.hint {
                Some(hint) => format!("{}; {hint}", warning.message),
                None => warning.message.clone(),
            });
        }
        let scm = detect_scm(&root)?;
        let knowledge = Knowledge::at(&root);
        let name = ctx
            .options
            .branch
            .clone()
            .or_else(|| env::var(env::GIK_BRANCH))
            .unwrap_or_else(|| scm.branch.clone());
        let branch = knowledge.branch(&name);
        knowledge.refuse_links(&branch)?;
        let ws = Self { ctx, root, scm, settings: loaded.settings, knowledge, branch };
        proposals::settle(&ws)?;
        Ok(ws)
    }

    /// Whether the branch at hand is the one checked out, so that its index follows the files.
    pub fn follows_files(&self) -> bool {
        self.branch.name() == self.scm.branch
    }

    /// Takes the writers' lock and finishes what a killed writer left behind.
    pub fn hold(&self) -> Result<Held> {
        let patience = Duration::from_secs(self.settings.lock.patience_seconds);
        self.hold_for(patience)
    }

    /// As [`Workspace::hold`], with a patience of the caller's.
    pub fn hold_for(&self, patience: Duration) -> Result<Held> {
        let held = self.branch.lock(patience, &self.ctx.cancel)?;
        for action in held.recovered() {
            self.ctx.progress.warn(action);
        }
        Ok(held)
    }

    /// Fails unless the branch has been initialised; a new branch of an initialised workspace is made on the way.
    pub fn require_initialized(&self) -> Result<()> {
        if self.branch.is_initialized() || branching::start_branch(self)? {
            return Ok(());
        }
        Err(self.not_initialized())
    }

    /// Fails unless the branch at hand is the one checked out: the files of another one are not its own.
    pub fn require_checked_out(&self) -> Result<()> {
        if self.follows_files() {
            return Ok(());
        }
        Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!(
                "the files are those of branch `{}`, not of `{}`",
                self.scm.branch,
                self.branch.name()
            ),
        )
        .hint("check out the branch to index its files"))
    }

    /// The contract's error for a branch without a `HEAD`.
    pub fn not_initialized(&self) -> Failure {
        if !self.follows_files() {
            return Failure::new(
                ErrorCode::BranchMissing,
                format!("there is no knowledge of a branch `{}`", self.branch.name()),
            )
            .hint("`gik branch` lists the branches there are");
        }
        Failure::new(
            ErrorCode::NotInitialized,
            format!(
                "branch `{}` of `{}` has no knowledge yet",
                self.branch.name(),
                self.root.display()
            ),
        )
        .hint("run `gik index` to index this workspace, or `gik init` to start empty")
    }

    /// Opens the index. A damaged one is made anew from the working tree when writing is allowed: it holds nothing
    /// that cannot be derived again.
    pub fn store(&self, access: Access) -> Result<Store> {
        let store = Store::open(&self.branch.index_db_path(), &self.branch.lexical_dir(), access)?;
        Ok(store.with_tables(tables::of(self)?))
    }

    /// Removes the index, for making it anew.
    pub fn remove_store(&self, _held: &Held) -> Result<()> {
        Store::remove(&self.branch.index_db_path(), &self.branch.lexical_dir())
    }

    /// What has been added and not removed again.
    pub fn tracking(&self) -> Result<Tracking> {
        Ok(Tracking::from_entries(&self.branch.pending()?))
    }

    /// The newest revision.
    pub fn head_revision(&self) -> Result<Revision> {
        self.branch.resolve("HEAD")
    }

    /// Threads to use.
    pub fn threads(&self) -> usize {
        self.settings.indexing.threads()
    }

    /// Does two things at once, where more than one thread may be used.
    pub(crate) fn both<A: Send, B>(
        &self,
        other: impl FnOnce() -> Result<A> + Send,
        own: impl FnOnce() -> Result<B>,
    ) -> Result<(A, B)> {
        if self.threads() < 2 {
            return Ok((other()?, own()?));
        }
        let (other, own) = parallel::both(other, own);
        Ok((other?, own?))
    }

    /// How to walk this workspace.
    pub fn walk_options(&self, explain: Explain) -> WalkOptions {
        self.settings.indexing.walk_options(explain)
    }

    /// The key of a path the user typed.
    pub fn key_of(&self, typed: &Path) -> Result<FileKey> {
        key_of(&self.root, &self.ctx.cwd, typed)
    }

    /// The key of a file, a member of an archive or a url that the user typed.
    pub fn key_typed(&self, typed: &str) -> Result<FileKey> {
        if typed.contains("://") || typed.contains("!/") {
            return Ok(FileKey::from_text(typed));
        }
        self.key_of(Path::new(typed))
    }

    /// The place that the user typed as `FILE` or `FILE:LINE`.
    pub fn current(&self, typed: Option<&str>) -> Result<Option<Current>> {
        let Some(typed) = typed else { return Ok(None) };
        let with_line = typed.rsplit_once(':').and_then(|(path, line)| {
            Some((path, line.parse::<u32>().ok().filter(|line| *line > 0)?))
        });
        let (path, line) = with_line.map_or((typed, None), |(path, line)| (path, Some(line)));
        Ok(Some(Current { path: self.key_typed(path)?, line }))
    }

    /// The global folder, for memory that is visible in every workspace.
    pub fn global_memory(&self) -> Option<gik_ledger::MemoryBase> {
        env::gik_home().map(|home| gik_ledger::MemoryBase::global(&home))
    }
}
