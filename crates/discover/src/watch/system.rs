//! The system's own watching: which folders it is asked about, and how it says no.
//!
//! Linux and the BSDs watch folder by folder, so only those are watched that the walk enters: `node_modules` costs
//! nothing. macOS and Windows watch a whole tree at once; there the same list of folders sorts out what comes in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::{
    Config, ErrorKind, EventKindMask, PathOp, RecommendedWatcher, RecursiveMode, WatchPathConfig,
    Watcher as _, WatcherKind,
};

use super::heard::Heard;

/// The system's watcher of one workspace.
#[derive(Debug)]
pub(super) struct System {
    watcher: RecommendedWatcher,
    root: PathBuf,
}

/// Why the system does not watch.
#[derive(Debug)]
pub struct Refusal {
    /// Its words.
    pub reason: String,
    /// Whether it is a limit that an administrator can raise.
    pub is_limit: bool,
}

impl Refusal {
    fn of(error: &notify::Error) -> Self {
        let is_limit = match &error.kind {
            ErrorKind::MaxFilesWatch => true,
            // So many programs watch already that there is no room for one more.
            ErrorKind::Io(error) => error.raw_os_error() == Some(TOO_MANY_OPEN_FILES),
            ErrorKind::Generic(_)
            | ErrorKind::PathNotFound
            | ErrorKind::WatchNotFound
            | ErrorKind::InvalidConfig(_) => false,
        };
        Self { reason: error.to_string(), is_limit }
    }
}

/// `EMFILE`, the same number on every Unix.
const TOO_MANY_OPEN_FILES: i32 = 24;

impl System {
    pub(super) fn start(root: &Path, heard: &Arc<Heard>) -> Result<Self, Refusal> {
        let ear = Arc::clone(heard);
        // Reading is no change, and our own look reads every folder.
        let config =
            Config::default().with_event_kinds(EventKindMask::CORE).with_follow_symlinks(false);
        let started = RecommendedWatcher::new(move |event| ear.take_in(event), config).and_then(
            |mut watcher| {
                if watches_whole_trees() {
                    watcher.watch(root, RecursiveMode::Recursive)?;
                }
                Ok(watcher)
            },
        );
        match started {
            Ok(watcher) => Ok(Self { watcher, root: root.to_owned() }),
            Err(error) => Err(Refusal::of(&error)),
        }
    }

    /// Watches single files, through the folders that hold them: a file that is replaced is another file.
    pub(super) fn follow_files(
        &mut self,
        heard: &Heard,
        files: Vec<PathBuf>,
    ) -> Result<(), Refusal> {
        let mut state = heard.lock();
        let holding: BTreeSet<PathBuf> =
            files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        let new: Vec<PathBuf> = holding
            .iter()
            .filter(|folder| !state.folders.contains(*folder) && !state.beside.contains(*folder))
            .cloned()
            .collect();
        state.files = files.into_iter().collect();
        state.beside.extend(holding);
        drop(state);
        self.watch(new)
    }

    /// Stops watching what is not in `entered` any more, and gives what is new there.
    pub(super) fn retain_folders(
        &mut self,
        heard: &Heard,
        entered: &BTreeSet<PathBuf>,
    ) -> Vec<PathBuf> {
        let mut state = heard.lock();
        let left: Vec<PathBuf> = state.folders.difference(entered).cloned().collect();
        let unwatched: Vec<PathBuf> =
            left.iter().filter(|folder| !state.beside.contains(*folder)).cloned().collect();
        for folder in &left {
            state.folders.remove(folder);
        }
        let new = entered.difference(&state.folders).cloned().collect();
        drop(state);
        if !watches_whole_trees() {
            for folder in unwatched {
                // A folder that is gone took its watch along.
                drop(self.watcher.unwatch(&folder));
            }
        }
        new
    }

    pub(super) fn follow_folders(
        &mut self,
        heard: &Heard,
        new: Vec<PathBuf>,
    ) -> Result<(), Refusal> {
        heard.lock().folders.extend(new.iter().cloned());
        self.watch(new)
    }

    fn watch(&mut self, folders: Vec<PathBuf>) -> Result<(), Refusal> {
        let config =
            WatchPathConfig::new(RecursiveMode::NonRecursive).with_dereference_symlinks(false);
        let is_covered = |folder: &PathBuf| watches_whole_trees() && folder.starts_with(&self.root);
        let mut orders: Vec<PathOp> = folders
            .into_iter()
            .filter(|folder| !is_covered(folder))
            .map(|folder| PathOp::Watch(folder, config.clone()))
            .collect();
        while let Err(stopped) = self.watcher.update_paths(orders) {
            if !is_about_one_folder(&stopped.source) {
                return Err(Refusal::of(&stopped.source));
            }
            orders = stopped.remaining;
        }
        Ok(())
    }
}

fn watches_whole_trees() -> bool {
    matches!(
        RecommendedWatcher::kind(),
        WatcherKind::Fsevent | WatcherKind::ReadDirectoryChangesWatcher
    )
}

/// Whether a folder went away, or may not be read: neither says anything of the others.
fn is_about_one_folder(error: &notify::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    match &error.kind {
        ErrorKind::PathNotFound | ErrorKind::WatchNotFound => true,
        ErrorKind::Io(error) => {
            matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
        },
        ErrorKind::Generic(_) | ErrorKind::InvalidConfig(_) | ErrorKind::MaxFilesWatch => false,
    }
}
