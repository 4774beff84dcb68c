//! One look at the files for all questions that wait for one, in a process that answers many at once.
//!
//! A look that began after a question was asked is as good for it as a look of its own. So whoever asks while nobody looks
//! is the first to look; whoever asks meanwhile waits for the next look, which one of them takes for all of them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gik_base::{Cancel, Result};
use gik_contract::ask::FreshnessState;

use super::refresh::{Files, Refreshed};
use crate::{Workspace, room};

/// How often whoever waits looks whether it should stop.
const GLANCE: Duration = Duration::from_millis(50);

static IS_ON: AtomicBool = AtomicBool::new(false);
static WORKSPACES: Mutex<BTreeMap<String, Arc<Looks>>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// Whether this thread looks for others: it must not wait for itself.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// Has questions share their looks from here on.
pub(crate) fn look_together() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// Brings the index up to date with `look`, or waits until another question has done so. What `look` made beside it is
/// there only where it was this one's turn.
pub(super) fn together<T>(
    ws: &Workspace<'_>,
    look: impl FnOnce() -> Result<(Refreshed, Option<T>)>,
) -> Result<(Refreshed, Option<T>)> {
    if !IS_ON.load(Ordering::Relaxed) || IS_LOOKING.get() {
        return look();
    }
    let place = Place::of(ws);
    match place.looks.turn(&ws.ctx.cancel)? {
        Turn::Own(turn) => {
            let (mut refreshed, made) = look()?;
            refreshed.read_files(ws)?;
            turn.share(&refreshed);
            Ok((refreshed, made))
        },
        Turn::Done(files) => Ok((Refreshed::by_another(files), None)),
        // It was not brought up to date, and everyone has to say why.
        Turn::Failed => look(),
    }
}

/// The looks at one workspace, with the settings that decide what is looked at.
struct Place {
    key: String,
    looks: Arc<Looks>,
}

impl Place {
    fn of(ws: &Workspace<'_>) -> Self {
        let Workspace { root, branch, settings, ctx, .. } = ws;
        let key = format!("{root:?} {:?} {settings:?} {:?}", branch.name(), ctx.options);
        let looks = Arc::clone(locked(&WORKSPACES).entry(key.clone()).or_default());
        Self { key, looks }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut workspaces = locked(&WORKSPACES);
        // One is in the list, the other one here: nobody else needs it.
        if Arc::strong_count(&self.looks) <= 2 {
            workspaces.remove(&self.key);
        }
    }
}

/// The looks at one workspace, one after the other.
#[derive(Debug, Default)]
struct Looks {
    state: Mutex<State>,
    has_ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The look that is taken, or was last.
    number: u64,
    is_looking: bool,
    waiting: usize,
    /// The last look that ended, while others may have waited for it: its number, and the files where it can be shared.
    ended: Option<(u64, Option<Files>)>,
}

enum Turn<'a> {
    Own(Own<'a>),
    Done(Files),
    Failed,
}

impl Looks {
    fn turn(&self, cancel: &Cancel) -> Result<Turn<'_>> {
        let mut state = locked(&self.state);
        if !state.is_looking {
            return Ok(self.begin(&mut state));
        }
        let next = state.number + 1;
        state.waiting += 1;
        drop(state);
        room::aside(|| self.wait_for(next, cancel))
    }

    /// Waits until the look of that number, or a later one, has ended or can begin.
    fn wait_for(&self, next: u64, cancel: &Cancel) -> Result<Turn<'_>> {
        let mut state = locked(&self.state);
        let turn = loop {
            match &state.ended {
                Some((number, files)) if *number >= next => {
                    break Ok(files.clone().map_or(Turn::Failed, Turn::Done));
                },
                _ if !state.is_looking => break Ok(self.begin(&mut state)),
                _ => {},
            }
            let waited = self.has_ended.wait_timeout(state, GLANCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if let Err(failure) = cancel.check() {
                break Err(failure);
            }
        };
        state.waiting -= 1;
        if state.waiting == 0 {
            state.ended = None;
        }
        turn
    }

    fn begin(&self, state: &mut State) -> Turn<'_> {
        state.number += 1;
        state.is_looking = true;
        IS_LOOKING.set(true);
        Turn::Own(Own { looks: self, files: None })
    }
}

/// The turn of a question to look. It ends however the look ends.
struct Own<'a> {
    looks: &'a Looks,
    files: Option<Files>,
}

impl Own<'_> {
    fn share(mut self, refreshed: &Refreshed) {
        if refreshed.state == FreshnessState::Current {
            self.files = refreshed.files.clone();
        }
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        IS_LOOKING.set(false);
        let mut state = locked(&self.looks.state);
        state.is_looking = false;
        state.ended = (state.waiting > 0).then(|| (state.number, self.files.take()));
        self.looks.has_ended.notify_all();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use gik_base::progress::Silent;
    use gik_testkit::{Tree, eventually};

    use super::*;
    use crate::ingest::refresh;
    use crate::tools::index;
    use crate::{Context, Options};

    /// What came of `others` questions that waited while one looked: turns of their own, shared looks, failed ones.
    fn outcomes(others: usize, shares: bool) -> [usize; 3] {
        let looks = Looks::default();
        let cancel = Cancel::default();
        let counts = [const { AtomicUsize::new(0) }; 3];
        let Ok(Turn::Own(mut first)) = looks.turn(&cancel) else { panic!("nobody looks") };
        std::thread::scope(|scope| {
            for _ in 0..others {
                scope.spawn(|| {
                    let came = match looks.turn(&cancel).unwrap() {
                        Turn::Own(mut own) => {
                            own.files = shares.then(Files::default);
                            0
                        },
                        Turn::Done(_) => 1,
                        Turn::Failed => 2,
                    };
                    counts[came].fetch_add(1, Ordering::Relaxed);
                });
            }
            eventually("all wait", || locked(&looks.state).waiting == others);
            // It began before they asked, so it is of no use to them.
            first.files = Some(Files::default());
            drop(first);
        });
        assert!(locked(&looks.state).ended.is_none(), "nothing is kept for nobody");
        counts.map(AtomicUsize::into_inner)
    }

    #[test]
    fn all_who_asked_during_a_look_share_the_next_one() {
        assert_eq!(outcomes(6, true), [1, 5, 0]);
        assert_eq!(outcomes(6, false), [1, 0, 5]);
        assert_eq!(outcomes(1, true), [1, 0, 0]);
    }

    #[test]
    fn who_leaves_does_not_hold_up_the_others() {
        let (looks, cancel) = (Looks::default(), Cancel::default());
        let Ok(Turn::Own(first)) = looks.turn(&Cancel::default()) else { panic!("nobody looks") };
        std::thread::scope(|scope| {
            let leaving = scope.spawn(|| looks.turn(&cancel).is_err());
            eventually("it waits", || locked(&looks.state).waiting == 1);
            cancel.cancel();
            assert!(leaving.join().unwrap());
        });
        drop(first);
        assert!(matches!(looks.turn(&Cancel::default()), Ok(Turn::Own(_))));
    }

    #[test]
    fn every_question_sees_what_was_written_before_it_was_asked() {
        look_together();
        let tree = Tree::new("//- a.md\n# A\n");
        let context = || Context {
            options: Options { workspace: Some(tree.root().to_owned()), ..Options::default() },
            cwd: tree.root().to_owned(),
            progress: &Silent,
            cancel: Cancel::default(),
        };
        index::index(&context().open().unwrap(), &[], None, None, None).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (tree, context) = (&tree, &context);
                scope.spawn(move || {
                    for version in 0..12 {
                        let (path, text) =
                            (format!("{thread}.md"), format!("# Version {version}\n"));
                        tree.write(&path, &text);
                        let ctx = context();
                        let ws = ctx.open().unwrap();
                        let mut refreshed = refresh(&ws).unwrap();
                        assert_eq!(refreshed.state, FreshnessState::Current);
                        let store = refreshed.store(&ws).unwrap();
                        let snapshot = store.snapshot().unwrap();
                        let files = refreshed.files_of(&snapshot).unwrap();
                        let known = files.iter().find(|file| file.key.as_str() == path).unwrap();
                        assert_eq!(known.sha256, gik_base::hash::sha256(text.as_bytes()), "{path}");
                    }
                });
            }
        });
        let root = tree.root().to_string_lossy().into_owned();
        assert!(!locked(&WORKSPACES).keys().any(|key| key.contains(&root)), "nothing is kept");
    }
}
