//! Where the knowledge of a workspace is: its branches, its lock, its config and its question log.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gik_base::fs::{self, Durability};
use gik_base::{Cancel, Result};

use crate::branch_name::is_cut;
use crate::root::{JOURNAL, Kind, Root};
use crate::{
    AnswerLog, AskLog, Branch, Held, decode_branch, encode_branch, journal, jsonl, recovery,
};

/// What the version control of the workspace leaves alone. Truth that a team may share is let through.
const GITIGNORE: &str = "\
# Derived from the working tree, or personal. What may be shared: the config, and per branch HEAD,
# the timeline, the list of sources, and memory.
*.gik-tmp
*.torn
/changes/
/knowledge/.lock
/knowledge/asks/
/knowledge/*/*
!/knowledge/*/HEAD
!/knowledge/*/timeline.jsonl
!/knowledge/*/staging/
/knowledge/*/staging/*
!/knowledge/*/staging/pending.jsonl
!/knowledge/*/bases/
/knowledge/*/bases/*
!/knowledge/*/bases/memory/
/knowledge/*/bases/memory/*
!/knowledge/*/bases/memory/sources.jsonl
!/knowledge/*/bases/memory/archive.jsonl
!/knowledge/*/bases/memory/config.json
";

/// The knowledge repository of a workspace, `<workspace>/.guided/knowledge`. Need not exist.
#[derive(Debug, Clone)]
pub struct Knowledge {
    guided: PathBuf,
    dir: PathBuf,
}

impl Knowledge {
    /// The knowledge repository of the workspace with that root.
    pub fn at(workspace: &Path) -> Self {
        let guided = workspace.join(".guided");
        Self { dir: guided.join("knowledge"), guided }
    }

    /// `.guided/knowledge`.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// `.guided`.
    pub fn guided_dir(&self) -> &Path {
        &self.guided
    }

    /// The project's config.
    pub fn config_path(&self) -> PathBuf {
        self.dir.join("config.yaml")
    }

    /// What is kept of the history of the repository, for all branches; derived.
    pub fn history_dir(&self) -> PathBuf {
        self.dir.join("history")
    }

    /// Changes of the workspace's files that wait for a person's word.
    pub fn changes_dir(&self) -> PathBuf {
        self.guided.join("changes")
    }

    /// The log of questions.
    pub fn ask_log(&self) -> AskLog {
        AskLog::at(&self.dir)
    }

    /// The lengths of other answers.
    pub fn answer_log(&self) -> AnswerLog {
        AnswerLog::of_answers(&self.dir)
    }

    /// The branch with that name. Need not exist.
    pub fn branch(&self, name: &str) -> Branch {
        Branch::new(&self.dir, name)
    }

    /// The names of the branches that have a HEAD or a timeline, sorted.
    pub fn branches(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for dir in fs::list_dir(&self.dir)? {
            let root = Root { dir: &dir, kind: Kind::Branch };
            let Some(folder) = dir.file_name().and_then(|name| name.to_str()) else { continue };
            if !fs::exists(&root.head()) && !fs::exists(&root.timeline()) {
                continue;
            }
            let name =
                if is_cut(folder) { full_name(root, folder)? } else { decode_branch(folder) };
            // A folder that no name leads to was not made by this program.
            if encode_branch(&name) == folder {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Takes the lock of the workspace, waiting up to `patience`, and finishes what a killed process left undone on
    /// any branch. [`Branch::lock`] also repairs the branch.
    pub fn lock(&self, patience: Duration, cancel: &Cancel) -> Result<Held> {
        let mut held = Held::acquire(&self.dir, patience, cancel)?;
        for dir in fs::list_dir(&self.dir)? {
            if fs::exists(&dir.join(JOURNAL)) {
                let root = Root { dir: &dir, kind: Kind::Branch };
                let recovery = recovery::recover(root, &held)?;
                held.note_recovered(recovery.actions);
            }
        }
        Ok(held)
    }

    /// Makes the folders and, where there is none, the file that keeps derived files out of version control.
    pub fn ensure_layout(&self) -> Result<()> {
        fs::create_dir_all(&self.dir)?;
        let ignore = self.guided.join(".gitignore");
        if fs::symlink_metadata_if_present(&ignore)?.is_none() {
            fs::write_atomic(&ignore, GITIGNORE.as_bytes(), Durability::Cached)?;
        }
        Ok(())
    }
}

/// The name of a branch whose folder name was cut: its newest revision says it.
fn full_name(root: Root<'_>, folder: &str) -> Result<String> {
    let revisions = jsonl::read_lines::<gik_contract::Revision>(&root.timeline())?;
    let newest = journal::newest_id(root)?;
    let named = revisions.into_iter().rev().find(|revision| Some(&revision.id) == newest.as_ref());
    Ok(named.map_or_else(|| folder.to_owned(), |revision| revision.branch))
}
