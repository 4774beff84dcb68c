//! What is known of a coding agent, and which paths its files have on this machine.

use std::path::{Path, PathBuf};

use gik_base::env;

use super::entry::Form;

/// One agent.
#[derive(Debug)]
pub(crate) struct Agent {
    /// What `--agent` calls it.
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    /// The program that starts it, where it has one on `PATH`.
    pub(crate) program: Option<&'static str>,
    /// Folders that are there when it is.
    pub(crate) traces: &'static [At],
    pub(crate) user: Files,
    pub(crate) project: Files,
}

/// What is written for an agent in one scope.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) server: Option<Server>,
    pub(crate) instructions: Option<At>,
}

/// Where the servers of an agent are listed.
#[derive(Debug)]
pub(crate) struct Server {
    /// The first one that is there is meant, else the first.
    pub(crate) files: &'static [At],
    /// The keys that lead to the list.
    pub(crate) keys: &'static [&'static str],
    pub(crate) form: Form,
}

/// A path below a folder that depends on the user or the project.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At(pub(crate) Base, pub(crate) &'static str);

#[derive(Debug, Clone, Copy)]
pub(crate) enum Base {
    /// The user's home.
    Home,
    /// `~/.config`, or what `XDG_CONFIG_HOME` says.
    Config,
    /// The user folder of Visual Studio Code.
    Code,
    /// A folder that a variable names, or one below the home.
    Named(&'static str, &'static str),
    /// The workspace.
    Project,
}

/// The folders that paths begin with.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    pub(crate) home: PathBuf,
    pub(crate) config: PathBuf,
    /// Those that variables name.
    pub(crate) moved: Vec<(&'static str, PathBuf)>,
    pub(crate) project: Option<PathBuf>,
}

impl At {
    /// The path; `None` for one of a project where there is none.
    pub(crate) fn path(self, folders: &Folders) -> Option<PathBuf> {
        let Self(base, below) = self;
        let folder = match base {
            Base::Home => folders.home.clone(),
            Base::Config => folders.config.clone(),
            Base::Code => code_folder(folders),
            Base::Named(variable, otherwise) => {
                let moved = folders.moved.iter().find(|(name, _)| *name == variable);
                moved.map_or_else(|| folders.home.join(otherwise), |(_, folder)| folder.clone())
            },
            Base::Project => folders.project.clone()?,
        };
        Some(if below.is_empty() { folder } else { folder.join(Path::new(below)) })
    }
}

fn code_folder(folders: &Folders) -> PathBuf {
    if cfg!(target_os = "macos") {
        return folders.home.join("Library/Application Support/Code/User");
    }
    let windows = cfg!(windows).then(|| env::var_os(env::APPDATA)).flatten().map(PathBuf::from);
    windows.unwrap_or_else(|| folders.config.clone()).join("Code/User")
}

impl Agent {
    /// Whether it seems to be in use here.
    pub(crate) fn is_present(&self, folders: &Folders) -> bool {
        let has_trace = |at: &At| at.path(folders).is_some_and(|path| gik_base::fs::exists(&path));
        self.traces.iter().any(has_trace)
            || self.program.is_some_and(|program| env::find_program(program).is_some())
    }
}
