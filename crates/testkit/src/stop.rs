//! Stops a protocol at a chosen step, as a kill or a full disk would.

use std::cell::Cell;

/// How it is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// No later step happens either, as when the process is killed.
    Killed,
    /// The steps after it work again, so the code can clean up.
    Failed,
}

/// A step that does not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Its number, from 0.
    pub step: usize,
    /// Whether it is the chosen one, which may leave half of its work behind.
    pub is_chosen: bool,
}

thread_local! {
    static PLAN: Cell<Option<(Manner, usize)>> = const { Cell::new(None) };
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// Runs `body`; step number `step` (from 0) and, for a kill, all later ones are stopped. Gives the result and the number
/// of steps that were asked for.
pub fn at<R>(step: usize, manner: Manner, body: impl FnOnce() -> R) -> (R, usize) {
    PLAN.set(Some((manner, step)));
    TAKEN.set(0);
    let result = body();
    PLAN.set(None);
    (result, TAKEN.get())
}

/// Counts a step, and says whether it is one that does not happen.
pub fn next() -> Option<Stopped> {
    let (manner, chosen) = PLAN.get()?;
    let step = TAKEN.get();
    TAKEN.set(step + 1);
    let happens = step < chosen || (step > chosen && manner == Manner::Failed);
    (!happens).then_some(Stopped { step, is_chosen: step == chosen })
}
