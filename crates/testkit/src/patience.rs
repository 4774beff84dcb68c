//! Waiting for something that happens in another process, for as long as it takes.

use std::time::{Duration, Instant};

/// Far longer than anything takes that a test waits for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Asks again and again until it is so; fails with `what` when it never is.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "not in {} s: {what}", PATIENCE.as_secs());
        std::thread::sleep(PAUSE);
    }
}
