//! Which of several ways to read a text is the most promising.

use super::costs;
use super::tables::ERROR_STATE;
use super::web::{Status, Web};

/// A way that costs so much more than another one is not worth following, or less the further the other one came.
const MOST_DIFFERENCE: u32 = 18 * costs::PER_PART;

/// What the errors on a way cost, that which it is in among them.
pub(super) fn cost(web: &Web, head: usize) -> u32 {
    let node = web.node(head);
    let begins = node.state == ERROR_STATE && node.first.is_some_and(|link| link.part.is_none());
    let is_in_error = begins || web.heads[head].status == Status::Paused;
    node.cost + if is_in_error { costs::PER_RECOVERY } else { 0 }
}

/// How many nodes can be seen since the last error.
pub(super) fn n_since_error(web: &mut Web, head: usize) -> u32 {
    let n_visible = web.node(head).n_visible;
    let head = &mut web.heads[head];
    head.n_at_error = head.n_at_error.min(n_visible);
    n_visible - head.n_at_error
}

/// How promising a way is.
pub(super) struct Standing {
    pub(super) cost: u32,
    pub(super) n_visible: u32,
    pub(super) precedence: i32,
    pub(super) is_in_error: bool,
}

/// Which of two ways to go on with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    TakeLeft,
    PreferLeft,
    Neither,
    PreferRight,
    TakeRight,
}

impl Standing {
    pub(super) fn of(web: &mut Web, head: usize) -> Self {
        let is_paused = web.heads[head].status == Status::Paused;
        Self {
            cost: cost(web, head) + if is_paused { costs::PER_PART } else { 0 },
            n_visible: n_since_error(web, head),
            precedence: web.node(head).precedence,
            is_in_error: is_paused || web.node(head).state == ERROR_STATE,
        }
    }

    pub(super) fn compared(&self, other: &Self) -> Comparison {
        use Comparison::{Neither, PreferLeft, PreferRight, TakeLeft, TakeRight};
        let is_far = |better: &Self, worse: &Self| {
            (worse.cost - better.cost).wrapping_mul(1 + better.n_visible) > MOST_DIFFERENCE
        };
        match (self.is_in_error, other.is_in_error) {
            (false, true) if self.cost < other.cost => TakeLeft,
            (false, true) => PreferLeft,
            (true, false) if other.cost < self.cost => TakeRight,
            (true, false) => PreferRight,
            _ if self.cost < other.cost => {
                if is_far(self, other) {
                    TakeLeft
                } else {
                    PreferLeft
                }
            },
            _ if other.cost < self.cost => {
                if is_far(other, self) {
                    TakeRight
                } else {
                    PreferRight
                }
            },
            _ if self.precedence > other.precedence => PreferLeft,
            _ if self.precedence < other.precedence => PreferRight,
            _ => Neither,
        }
    }
}
