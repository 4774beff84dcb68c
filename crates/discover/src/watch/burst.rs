//! When is a burst of events over? Arithmetic over moments; the waiting is done elsewhere.

use std::time::{Duration, Instant};

/// A burst is over when nothing was heard for this long: one save of an editor is several events.
const QUIET: Duration = Duration::from_millis(200);
/// A stream of events that never pauses is cut after this long.
const LONGEST: Duration = Duration::from_secs(2);
/// How long a checkout may hold a burst open. A git that was killed leaves its lock behind, which must not stop us
/// for ever.
const LONGEST_CHECKOUT: Duration = Duration::from_secs(30);

/// Events that follow each other closely.
#[derive(Debug, Clone, Copy)]
pub(super) struct Burst {
    first: Instant,
    last: Instant,
    limit: Instant,
}

impl Burst {
    pub(super) fn starting(now: Instant) -> Self {
        Self { first: now, last: now, limit: now + LONGEST }
    }

    /// One more event.
    pub(super) fn goes_on(&mut self, now: Instant) {
        self.last = now;
    }

    /// When it is over, unless more is heard.
    pub(super) fn due(&self) -> Instant {
        (self.last + QUIET).min(self.limit)
    }

    /// A checkout is under way: what it has not finished is not worth a look. `false` when it takes too long.
    pub(super) fn waits_for_checkout(&mut self, now: Instant) -> bool {
        let is_patient = now < self.first + LONGEST_CHECKOUT;
        if is_patient {
            self.last = now;
            self.limit = self.limit.max(now + QUIET);
        }
        is_patient
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_ends_after_a_quiet_moment() {
        let start = Instant::now();
        let mut burst = Burst::starting(start);
        assert_eq!(burst.due(), start + QUIET);
        burst.goes_on(start + QUIET / 2);
        assert_eq!(burst.due(), start + QUIET / 2 + QUIET);
    }

    #[test]
    fn a_stream_without_a_pause_is_cut() {
        let start = Instant::now();
        let mut burst = Burst::starting(start);
        for millisecond in 0..5000 {
            burst.goes_on(start + Duration::from_millis(millisecond));
        }
        assert_eq!(burst.due(), start + LONGEST);
    }

    #[test]
    fn a_checkout_holds_a_burst_open_but_not_for_ever() {
        let start = Instant::now();
        let mut burst = Burst::starting(start);
        let later = start + LONGEST * 3;
        assert!(burst.waits_for_checkout(later));
        assert_eq!(burst.due(), later + QUIET);
        assert!(!burst.waits_for_checkout(start + LONGEST_CHECKOUT));
        assert_eq!(burst.due(), later + QUIET);
    }
}
