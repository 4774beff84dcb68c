//! What did the system tell, and can it concern the index? Events come in on the system's thread, bursts go out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use notify::event::{EventKind, ModifyKind};

use super::burst::Burst;
use crate::builtin;

/// More paths than this are not worth judging one by one.
const MOST_PATHS: usize = 32;

/// What a burst was about.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum About {
    /// These paths, and nothing else.
    Paths(BTreeSet<PathBuf>),
    /// Too many to name, or the system lost count.
    Anything,
}

/// What counts, and what was heard of it.
#[derive(Debug)]
pub(super) struct State {
    /// Folders of the working tree: everything in them counts.
    pub(super) folders: BTreeSet<PathBuf>,
    /// Folders elsewhere: only `files` count in them.
    pub(super) beside: BTreeSet<PathBuf>,
    /// Single files.
    pub(super) files: BTreeSet<PathBuf>,
    pub(super) burst: Option<Burst>,
    pub(super) about: About,
}

/// Shared between the thread that hears and the one that waits.
#[derive(Debug)]
pub(super) struct Heard {
    state: Mutex<State>,
    news: Condvar,
}

impl Default for Heard {
    fn default() -> Self {
        let state = State {
            folders: BTreeSet::new(),
            beside: BTreeSet::new(),
            files: BTreeSet::new(),
            burst: None,
            about: About::Paths(BTreeSet::new()),
        };
        Self { state: Mutex::new(state), news: Condvar::new() }
    }
}

impl Heard {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the state free until there is news, for at most `longest`.
    pub(super) fn wait(&self, state: MutexGuard<'_, State>, longest: Duration) {
        // Whatever ends the wait, the caller looks at the state again.
        drop(self.news.wait_timeout(state, longest));
    }

    /// Takes in one event.
    pub(super) fn take_in(&self, event: notify::Result<notify::Event>) {
        let mut state = self.lock();
        let is_news = match event {
            Ok(event) if !event.need_rescan() => state.take_in(&event),
            // Events were lost, and with them the word that folders were replaced: all are watched anew.
            _ => {
                state.folders.clear();
                state.beside.clear();
                state.note_anything(Instant::now());
                true
            },
        };
        if is_news {
            self.news.notify_all();
        }
    }
}

impl State {
    fn take_in(&mut self, event: &notify::Event) -> bool {
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        let mut is_news = false;
        for path in &event.paths {
            if self.counts(path) {
                self.note(path, Instant::now());
                is_news = true;
            }
        }
        // The system's watch follows the folder it was set on, not the name: a new folder of that name needs its own.
        if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))) {
            for path in &event.paths {
                forget(&mut self.folders, path);
                forget(&mut self.beside, path);
            }
        }
        is_news
    }

    fn counts(&self, path: &Path) -> bool {
        if self.files.contains(path) || self.folders.contains(path) {
            return true;
        }
        let is_walked = |name: &std::ffi::OsStr| {
            name.to_str().is_none_or(|name| builtin::never_walked(name).is_none())
        };
        path.parent().is_some_and(|parent| self.folders.contains(parent))
            && path.file_name().is_some_and(is_walked)
    }

    fn note(&mut self, path: &Path, now: Instant) {
        self.go_on(now);
        if let About::Paths(paths) = &mut self.about {
            paths.insert(path.to_owned());
            if paths.len() > MOST_PATHS {
                self.about = About::Anything;
            }
        }
    }

    /// Everything may have changed.
    pub(super) fn note_anything(&mut self, now: Instant) {
        self.go_on(now);
        self.about = About::Anything;
    }

    fn go_on(&mut self, now: Instant) {
        self.burst.get_or_insert(Burst::starting(now)).goes_on(now);
    }

    /// Ends the burst and tells what it was about.
    pub(super) fn end_burst(&mut self) -> About {
        self.burst = None;
        std::mem::replace(&mut self.about, About::Paths(BTreeSet::new()))
    }
}

/// Takes a folder and all below it out of a set.
fn forget(folders: &mut BTreeSet<PathBuf>, gone: &Path) {
    if folders.contains(gone) {
        folders.retain(|folder| !folder.starts_with(gone));
    }
}

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind, DataChange, Event, Flag, RemoveKind};

    use super::*;

    const WRITTEN: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));

    fn heard() -> Heard {
        let heard = Heard::default();
        {
            let mut state = heard.lock();
            state.folders.extend(["/w", "/w/src", "/w/src/deep"].map(PathBuf::from));
            state.files.insert("/w/.git/HEAD".into());
        }
        heard
    }

    fn tell(heard: &Heard, kind: EventKind, path: &str) -> bool {
        heard.take_in(Ok(Event::new(kind).add_path(path.into())));
        heard.lock().burst.is_some()
    }

    #[test]
    fn only_entries_of_walked_folders_and_named_files_count() {
        let counts = |path: &str| tell(&heard(), WRITTEN, path);
        for path in ["/w/a.rs", "/w/src/b.rs", "/w/src", "/w/.gitignore", "/w/.git/HEAD"] {
            assert!(counts(path), "{path}");
        }
        for path in
            ["/w/target/x.o", "/w/.git", "/w/.guided", "/w/.git/index", "/w/src/new/c.rs", "/x"]
        {
            assert!(!counts(path), "{path}");
        }
    }

    #[test]
    fn reading_is_no_change() {
        assert!(!tell(&heard(), EventKind::Access(AccessKind::Any), "/w/a.rs"));
    }

    #[test]
    fn a_folder_that_goes_is_forgotten_with_all_below_it() {
        let heard = heard();
        assert!(tell(&heard, EventKind::Remove(RemoveKind::Folder), "/w/src"));
        let left: Vec<PathBuf> = heard.lock().folders.iter().cloned().collect();
        assert_eq!(left, [PathBuf::from("/w")]);
    }

    #[test]
    fn a_queue_that_ran_over_means_anything_and_watches_anew() {
        let heard = heard();
        heard.take_in(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan)));
        let mut state = heard.lock();
        assert!(state.folders.is_empty());
        assert!(state.burst.is_some());
        assert_eq!(state.end_burst(), About::Anything);
        assert_eq!(state.end_burst(), About::Paths(BTreeSet::new()));
    }

    #[test]
    fn many_paths_are_not_kept_one_by_one() {
        let heard = heard();
        for number in 0..1000 {
            tell(&heard, EventKind::Create(CreateKind::File), &format!("/w/src/{number}"));
        }
        assert_eq!(heard.lock().end_burst(), About::Anything);
    }
}
