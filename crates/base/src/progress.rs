//! Telling how far long work is, without knowing who listens.

use std::sync::{Mutex, PoisonError};

/// Receives the progress of one command. Methods may be called from any thread.
pub trait Progress: Send + Sync {
    /// A named step starts, with the number of things to do where it is known.
    fn begin(&self, step: &str, total: Option<u64>);
    /// The same for a step that counts bytes.
    fn begin_bytes(&self, step: &str, total: Option<u64>) {
        self.begin(step, total);
    }
    /// That many more things of the step are done.
    fn advance(&self, done: u64);
    /// The current step is over.
    fn end(&self);
    /// Something the user should know though the command goes on.
    fn warn(&self, message: &str);
    /// Something worth saying about what is being done (`no index yet: making one`).
    fn inform(&self, message: &str);
    /// Shows a person a text, made with colours or without, and asks a question; `None` where nobody can answer.
    fn ask(&self, _shown: &dyn Fn(bool) -> String, _question: &str) -> Option<bool> {
        None
    }
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _step: &str, _total: Option<u64>) {}
    fn advance(&self, _done: u64) {}
    fn end(&self) {}
    fn warn(&self, _message: &str) {}
    fn inform(&self, _message: &str) {}
}

/// Keeps what is said until it is known whether it counts; how far the work is goes unheard.
#[derive(Debug, Default)]
pub struct Held(Mutex<Vec<(Tone, String)>>);

#[derive(Debug, Clone, Copy)]
enum Tone {
    Warn,
    Inform,
}

impl Held {
    /// Says all of it, in order.
    pub fn tell(self, listener: &dyn Progress) {
        for (tone, message) in self.0.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match tone {
                Tone::Warn => listener.warn(&message),
                Tone::Inform => listener.inform(&message),
            }
        }
    }

    fn keep(&self, tone: Tone, message: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((tone, message.to_owned()));
    }
}

impl Progress for Held {
    fn begin(&self, _step: &str, _total: Option<u64>) {}
    fn advance(&self, _done: u64) {}
    fn end(&self) {}

    fn warn(&self, message: &str) {
        self.keep(Tone::Warn, message);
    }

    fn inform(&self, message: &str) {
        self.keep(Tone::Inform, message);
    }
}
