//! Word of changes as they happen: the system tells of single events, a [`Watcher`] of bursts that are over.
//!
//! What exactly changed is not told and need not be: whoever hears of a burst looks at the tree as a whole, which finds
//! all of it, also what the system lost. So an event has to be right about one thing only, that it is time to look.
//! Where the system cannot watch, a look at intervals takes its place.

mod burst;
mod concern;
mod heard;
mod system;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gik_base::{Cancel, FileKey, Result, fs};

use self::concern::is_worth_a_look;
use self::heard::Heard;
pub use self::system::Refusal;
use self::system::System;
use crate::scm::checkout_files;
use crate::walk::{WalkOptions, folders};

/// Between two looks where the system cannot watch.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How soon a wish to stop is noticed.
const ATTENTION: Duration = Duration::from_millis(200);

/// Waits for changes of a workspace.
#[derive(Debug)]
pub struct Watcher {
    root: PathBuf,
    heard: Arc<Heard>,
    system: Option<System>,
    interval: Option<Duration>,
    /// Exists while git changes the working tree.
    checkout_lock: Option<PathBuf>,
}

/// How a workspace is watched from here on.
#[derive(Debug)]
pub enum Following {
    /// The system tells of changes in that many folders.
    Events(usize),
    /// The tree is looked at again and again, that often.
    Polling(Duration),
    /// The system refused just now, so the tree is looked at every [`POLL_INTERVAL`] from here on.
    Refused(Refusal),
}

impl Watcher {
    /// One that hears from the system. `root` must be canonical. Nothing is watched before [`Watcher::follow`].
    pub fn by_events(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            heard: Arc::default(),
            system: None,
            interval: None,
            checkout_lock: None,
        }
    }

    /// One that asks for a look again and again.
    pub fn by_polling(root: &Path, interval: Duration) -> Self {
        Self { interval: Some(interval), ..Self::by_events(root) }
    }

    /// Watches the folders that a walk enters below `scopes`, the ignore files above them, the single `files`, and
    /// what tells of another branch. To be called before each look at the tree: a change after it is heard of, a
    /// change before it is seen by the look.
    pub fn follow(
        &mut self,
        scopes: &[FileKey],
        files: &[PathBuf],
        options: &WalkOptions,
        cancel: &Cancel,
    ) -> Result<Following> {
        let checkout = checkout_files(&self.root)?;
        self.checkout_lock = checkout.lock;
        if let Some(interval) = self.interval {
            return Ok(Following::Polling(interval));
        }
        let mut system = match self.system.take() {
            Some(system) => system,
            None => match System::start(&self.root, &self.heard) {
                Ok(system) => system,
                Err(refusal) => return Ok(self.fall_back(refusal)),
            },
        };
        let files: Vec<PathBuf> =
            files.iter().chain(&checkout.told_by).filter_map(|file| real(file)).collect();
        if let Err(refusal) = system.follow_files(&self.heard, files) {
            return Ok(self.fall_back(refusal));
        }
        // Something may be made in a new folder between its listing and its watch. A walk that finds nothing new
        // listed every folder under its watch.
        let mut tried = BTreeSet::new();
        loop {
            let mut entered: BTreeSet<PathBuf> =
                folders(&self.root, scopes, options, cancel)?.into_iter().collect();
            entered.extend(scopes.iter().flat_map(|scope| self.folders_above(scope)));
            let new = system.retain_folders(&self.heard, &entered);
            let new: Vec<PathBuf> =
                new.into_iter().filter(|folder| tried.insert(folder.clone())).collect();
            if new.is_empty() {
                self.system = Some(system);
                return Ok(Following::Events(entered.len()));
            }
            if let Err(refusal) = system.follow_folders(&self.heard, new) {
                return Ok(self.fall_back(refusal));
            }
        }
    }

    fn fall_back(&mut self, refusal: Refusal) -> Following {
        self.system = None;
        self.interval = Some(POLL_INTERVAL);
        Following::Refused(refusal)
    }

    /// The folders from the root to a scope, as far as they exist: the scope may be a file, or come back.
    fn folders_above(&self, scope: &FileKey) -> Vec<PathBuf> {
        let path = scope.to_path(&self.root);
        let above = path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.root));
        let is_folder =
            |folder: &&Path| fs::metadata(folder).is_ok_and(|metadata| metadata.is_dir());
        above.filter(is_folder).chain([self.root.as_path()]).map(Path::to_owned).collect()
    }

    /// Waits until a burst of changes is over, or `at_latest` has passed. `false` once someone asked to stop.
    pub fn wait(&self, at_latest: Option<Duration>, cancel: &Cancel) -> bool {
        let pause = [self.interval, at_latest].into_iter().flatten().min();
        let mut deadline = pause.map(|pause| Instant::now() + pause);
        while !cancel.is_cancelled() {
            let now = Instant::now();
            let mut state = self.heard.lock();
            if deadline.is_some_and(|deadline| deadline <= now) {
                deadline = None;
                state.note_anything(now);
            }
            match &mut state.burst {
                Some(burst) if burst.due() <= now => {
                    if self.is_checkout_under_way() && burst.waits_for_checkout(now) {
                        continue;
                    }
                    let about = state.end_burst();
                    drop(state);
                    if is_worth_a_look(&self.root, &about) {
                        return true;
                    }
                },
                burst => {
                    let due = burst.map(|burst| burst.due()).into_iter().chain(deadline).min();
                    let pause = due.map_or(ATTENTION, |due| due - now).min(ATTENTION);
                    self.heard.wait(state, pause);
                },
            }
        }
        false
    }

    fn is_checkout_under_way(&self) -> bool {
        self.checkout_lock.as_deref().is_some_and(fs::exists)
    }
}

/// A file by the real path of its folder, which is how the system names it; the file itself may come later.
fn real(file: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(file.parent()?).ok()?;
    Some(folder.join(file.file_name()?))
}

#[cfg(test)]
mod tests;
