//! The first index of a folder, made while calls are answered from what is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use gik_base::{ErrorCode, Failure, Progress, Result};

/// As long as a call waits for the first index.
const PATIENCE: Duration = Duration::from_millis(1200);

/// The indexes that are being made.
#[derive(Debug, Default)]
pub(super) struct Builds(Mutex<BTreeMap<PathBuf, Arc<Build>>>);

/// One of them.
#[derive(Debug, Default)]
pub(super) struct Build {
    progress: Progressing,
    ended: Mutex<Option<Result<()>>>,
    has_ended: Condvar,
}

impl Builds {
    /// The one of this folder, if it is still being made.
    pub(super) fn running(&self, folder: &Path) -> Option<Arc<Build>> {
        locked(&self.0).get(folder).cloned()
    }

    /// Whether one is still being made.
    pub(super) fn is_any_running(&self) -> bool {
        !locked(&self.0).is_empty()
    }

    /// Starts one, unless it was started meanwhile.
    pub(super) fn start(
        self: &Arc<Self>,
        folder: &Path,
        make: impl FnOnce(&Progressing) -> Result<()> + Send + 'static,
    ) -> Arc<Build> {
        let mut running = locked(&self.0);
        if let Some(build) = running.get(folder) {
            return Arc::clone(build);
        }
        let build = Arc::new(Build::default());
        running.insert(folder.to_owned(), Arc::clone(&build));
        drop(running);
        let (builds, made, folder) = (Arc::clone(self), Arc::clone(&build), folder.to_owned());
        let spawned = thread::Builder::new().name("index".to_owned()).spawn(move || {
            let ending = Ending { builds, build: made, folder };
            let result = make(&ending.build.progress);
            ending.build.end(result);
        });
        if let Err(error) = spawned {
            build.end(Err(
                Failure::new(ErrorCode::Io, "no thread could be started").caused_by(error)
            ));
        }
        build
    }
}

/// Takes a build off the list however it ends.
struct Ending {
    builds: Arc<Builds>,
    build: Arc<Build>,
    folder: PathBuf,
}

impl Drop for Ending {
    fn drop(&mut self) {
        locked(&self.builds.0).remove(&self.folder);
        let broken = || Err(Failure::new(ErrorCode::Internal, "making the index broke off"));
        locked(&self.build.ended).get_or_insert_with(broken);
        self.build.has_ended.notify_all();
    }
}

impl Build {
    fn end(&self, result: Result<()>) {
        locked(&self.ended).get_or_insert(result);
        self.has_ended.notify_all();
    }

    /// Waits a little. Says whether the index is made; fails where making it failed.
    pub(super) fn wait(&self) -> Result<bool> {
        let ended = locked(&self.ended);
        let waited = self.has_ended.wait_timeout_while(ended, PATIENCE, |ended| ended.is_none());
        let (ended, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &*ended {
            None => Ok(false),
            Some(Ok(())) => Ok(true),
            Some(Err(failure)) => {
                let again = Failure::new(failure.code(), failure.to_string());
                Err(failure.hints().iter().fold(again, |failure, hint| failure.hint(hint)))
            },
        }
    }

    /// How far it is, in a sentence.
    pub(super) fn told(&self) -> String {
        let step = locked(&self.progress.0);
        match step.total {
            _ if step.name.is_empty() => "the index is being made for the first time".to_owned(),
            None => format!("the index is being made for the first time: {}", step.name),
            Some(total) => format!(
                "the index is being made for the first time: {} ({} of {total}); answers are from what is there",
                step.name, step.done
            ),
        }
    }
}

/// How far a build is.
#[derive(Debug, Default)]
pub(super) struct Progressing(Mutex<At>);

#[derive(Debug, Default)]
struct At {
    name: String,
    done: u64,
    total: Option<u64>,
}

impl Progress for Progressing {
    fn begin(&self, step: &str, total: Option<u64>) {
        *locked(&self.0) = At { name: step.to_owned(), done: 0, total };
    }

    fn advance(&self, done: u64) {
        locked(&self.0).done += done;
    }

    fn end(&self) {}

    fn warn(&self, _: &str) {}

    fn inform(&self, _: &str) {}
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
