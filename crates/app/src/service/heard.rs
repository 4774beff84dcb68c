//! What a running tool says: warnings become notes of the answer, steps are passed on a few times a second.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gik_base::Progress;

/// How often steps are passed on.
const PAUSE: Duration = Duration::from_millis(100);
/// More notes than this are of no use to anyone.
const MOST_NOTES: usize = 20;

/// How far a tool is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// What it does.
    pub(crate) name: String,
    /// How much of everything so far is done.
    pub(crate) done: u64,
    /// How much there is to do, as far as that is known.
    pub(crate) total: Option<u64>,
}

/// Listens to one call.
pub(crate) struct Heard {
    inner: Mutex<Inner>,
    tell: Box<dyn Fn(Step) + Send + Sync>,
}

struct Inner {
    notes: Vec<String>,
    step: Step,
    told: Option<Instant>,
}

impl Heard {
    /// Listens, and passes steps on.
    pub(crate) fn new(tell: impl Fn(Step) + Send + Sync + 'static) -> Self {
        let step = Step { name: String::new(), done: 0, total: None };
        let inner = Mutex::new(Inner { notes: Vec::new(), step, told: None });
        Self { inner, tell: Box::new(tell) }
    }

    /// What there is to say beside the answer.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.with(|inner| inner.notes.clone())
    }

    /// Adds something to say.
    pub(crate) fn note(&self, note: &str) {
        self.with(|inner| {
            if inner.notes.len() < MOST_NOTES && !inner.notes.iter().any(|known| known == note) {
                inner.notes.push(note.to_owned());
            }
        });
    }

    fn with<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        change(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn step(&self, is_new: bool, change: impl FnOnce(&mut Step)) {
        let told = self.with(|inner| {
            change(&mut inner.step);
            let is_due = inner.told.is_none_or(|told| told.elapsed() >= PAUSE);
            (is_new || is_due).then(|| {
                inner.told = Some(Instant::now());
                inner.step.clone()
            })
        });
        if let Some(step) = told {
            (self.tell)(step);
        }
    }
}

impl Progress for Heard {
    fn begin(&self, step: &str, total: Option<u64>) {
        self.step(true, |known| {
            step.clone_into(&mut known.name);
            known.total = total.map(|total| known.done + total);
        });
    }

    fn advance(&self, done: u64) {
        self.step(false, |known| known.done += done);
    }

    fn end(&self) {}

    fn warn(&self, message: &str) {
        self.note(message);
    }

    fn inform(&self, message: &str) {
        self.note(message);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use gik_base::Progress as _;

    use super::Heard;

    #[test]
    fn progress_only_ever_grows() {
        let steps = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&steps);
        let heard = Heard::new(move |step| told.lock().unwrap().push(step));
        for step in ["one", "two", "three"] {
            heard.begin(step, Some(10));
            heard.advance(10);
            heard.end();
        }
        let steps = steps.lock().unwrap();
        assert_eq!(steps.len(), 3);
        assert!(steps.is_sorted_by_key(|step| step.done));
        assert!(steps.iter().all(|step| step.total.is_some_and(|total| total >= step.done)));
    }

    #[test]
    fn the_same_note_is_said_once() {
        let heard = Heard::new(|_| {});
        heard.warn("a");
        heard.inform("a");
        (0..100).for_each(|n| heard.note(&n.to_string()));
        assert_eq!(heard.notes().len(), super::MOST_NOTES);
    }
}
