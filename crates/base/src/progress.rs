//! Telling how far long work is, without knowing who listens.

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
