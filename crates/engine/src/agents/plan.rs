//! What would be done for the chosen agents, file by file. Nothing is written here.

use std::path::{Path, PathBuf};

use gik_base::{Result, fs};

use super::edit::{self, Standing, Wanted};
use super::places::{Agent, Files, Folders};
use super::record::{Kept, Record, What};
use super::target::Target;
use super::{Scope, entry};

/// What is done to one file.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) what: What,
    /// The agents that read it.
    pub(crate) agents: Vec<&'static str>,
    pub(crate) target: Target,
    pub(crate) action: Action,
    /// What the record keeps of it afterwards.
    pub(crate) kept: Option<Kept>,
}

/// What happens to a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// It is made.
    Create { text: String },
    /// It gets another text.
    Change { text: String },
    /// It goes, as it was made for us and nothing else is in it.
    Remove,
    /// It stays as it is.
    Nothing(Why),
}

/// Why a file stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    Current,
    Absent,
    Foreign,
    /// Others of our agents still need it.
    Needed(Vec<String>),
}

/// A file, what it is to hold, and for whom.
#[derive(Debug)]
struct File {
    target: Target,
    what: What,
    wanted: Wanted,
    agents: Vec<&'static str>,
}

/// Everything about the run that steps depend on.
#[derive(Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) scope: Scope,
    pub(crate) folders: &'a Folders,
    pub(crate) command: &'a str,
    pub(crate) record: &'a Record,
}

impl Ground<'_> {
    /// The files of some agents, each once.
    fn files(&self, agents: &[&'static Agent]) -> Result<Vec<File>> {
        let mut found: Vec<File> = Vec::new();
        for agent in agents {
            for (named, what, wanted) in self.files_of(agent) {
                let target = self.target(&named)?;
                let is_same = |it: &&mut File| it.target.real == target.real && it.what == what;
                match found.iter_mut().find(is_same) {
                    Some(same) => same.agents.push(agent.id),
                    None => found.push(File { target, what, wanted, agents: vec![agent.id] }),
                }
            }
        }
        Ok(found)
    }

    /// The file behind a path.
    pub(crate) fn target(&self, named: &Path) -> Result<Target> {
        let inside = (self.scope == Scope::Project).then_some(self.folders);
        Target::at(named, inside)
    }

    /// The files of one agent, with what they are to hold.
    pub(crate) fn files_of(&self, agent: &'static Agent) -> Vec<(PathBuf, What, Wanted)> {
        let files: &'static Files = match self.scope {
            Scope::User => &agent.user,
            Scope::Project => &agent.project,
        };
        let mut found = Vec::new();
        if let Some(server) = &files.server {
            let paths: Vec<_> =
                server.files.iter().filter_map(|at| at.path(self.folders)).collect();
            let there = paths.iter().find(|path| fs::exists(path)).or(paths.first());
            let entry = server.form.entry(self.command);
            let wanted = Wanted::Server { keys: server.keys, entry };
            found.extend(there.map(|path| (path.clone(), What::Server, wanted)));
        }
        let instructions = files.instructions.and_then(|at| at.path(self.folders));
        found.extend(instructions.map(|path| (path, What::Instructions, Wanted::Instructions)));
        found
    }

    /// The steps that put everything in.
    pub(crate) fn install(&self, agents: &[&'static Agent]) -> Result<Vec<Step>> {
        self.files(agents)?.into_iter().map(|file| self.install_one(file)).collect()
    }

    fn install_one(&self, file: File) -> Result<Step> {
        let File { target, what, wanted, agents } = file;
        let known = self.record.of(&target.real, what);
        let before = target.text.as_deref().unwrap_or_default();
        let standing = edit::standing(&target.named, before, &wanted)?;
        let (action, kept) = match standing {
            Standing::Foreign => (Action::Nothing(Why::Foreign), None),
            Standing::Current => {
                let kept = known.cloned().map(|kept| with_agents(kept, &agents));
                (Action::Nothing(Why::Current), kept)
            },
            Standing::Absent | Standing::Older => {
                let bare = match standing {
                    Standing::Older => edit::without(&target.named, before, &wanted, known)?.text,
                    Standing::Absent | Standing::Current | Standing::Foreign => before.to_owned(),
                };
                let edited = edit::with(&target.named, &bare, &wanted)?;
                // What was made earlier is still ours when the entry is written anew.
                let earlier = known.filter(|_| standing == Standing::Older);
                let kept = Kept {
                    path: target.real.to_string_lossy().into_owned(),
                    what,
                    agents: earlier.map_or_else(Vec::new, |kept| kept.agents.clone()),
                    inserted: edited.inserted,
                    parents: edited.parents.max(earlier.map_or(0, |kept| kept.parents)),
                    created: target.text.is_none() || earlier.is_some_and(|kept| kept.created),
                    folders: match earlier {
                        Some(kept) => kept.folders.clone(),
                        None => target.folders.clone(),
                    },
                };
                let text = edited.text;
                let action = match target.text {
                    None => Action::Create { text },
                    Some(_) => Action::Change { text },
                };
                (action, Some(with_agents(kept, &agents)))
            },
        };
        Ok(Step { what, agents, target, action, kept })
    }

    /// The steps that take everything out.
    pub(crate) fn uninstall(&self, agents: &[&'static Agent]) -> Result<Vec<Step>> {
        self.files(agents)?.into_iter().map(|file| self.uninstall_one(file)).collect()
    }

    fn uninstall_one(&self, file: File) -> Result<Step> {
        let File { target, what, wanted, agents } = file;
        let known = self.record.of(&target.real, what);
        let text = target.text.as_deref().unwrap_or_default();
        let standing = edit::standing(&target.named, text, &wanted)?;
        let others: Vec<String> = known
            .map(|kept| kept.agents.clone())
            .unwrap_or_default()
            .into_iter()
            .filter(|agent| !agents.contains(&agent.as_str()))
            .collect();
        let is_ours = matches!(standing, Standing::Current | Standing::Older);
        let (action, kept) = match standing {
            Standing::Absent => (Action::Nothing(Why::Absent), None),
            Standing::Foreign => (Action::Nothing(Why::Foreign), None),
            Standing::Current | Standing::Older if !others.is_empty() => {
                let kept = known.cloned().map(|kept| Kept { agents: others.clone(), ..kept });
                (Action::Nothing(Why::Needed(others)), kept)
            },
            Standing::Current | Standing::Older => {
                let edited = edit::without(&target.named, text, &wanted, known)?;
                let is_made = known.is_some_and(|kept| kept.created);
                let action = if is_made && edit::is_empty(&target.named, &edited.text, &wanted) {
                    Action::Remove
                } else {
                    Action::Change { text: edited.text }
                };
                (action, None)
            },
        };
        debug_assert!(is_ours || !matches!(action, Action::Change { .. } | Action::Remove));
        Ok(Step { what, agents, target, action, kept })
    }
}

fn with_agents(mut kept: Kept, agents: &[&'static str]) -> Kept {
    kept.agents.extend(agents.iter().map(|id| (*id).to_owned()));
    kept.agents.sort();
    kept.agents.dedup();
    kept
}

impl Scope {
    /// The command that entries of this scope start.
    pub(crate) fn command(self) -> Result<String> {
        match self {
            Self::User => entry::program_for_user(),
            Self::Project => Ok(entry::program_for_project()),
        }
    }
}
