//! How much may one object cost? A small pack can be made whose objects unfold without end.

use super::Kind;

/// Differences that are held at once have so many times the bytes of the largest object at most.
const MOST_HELD: usize = 4;
/// All objects on the way together have so many times the bytes of the largest: more than git's own fifty in a row.
const MOST_MADE: usize = 64;
/// So often a chain of differences leads from one pack to another.
const MOST_HOPS: usize = 10;

/// What is left of the effort for one object.
#[derive(Debug)]
pub(super) struct Effort {
    /// No object on the way is larger.
    pub(super) most_bytes: usize,
    held: usize,
    made: usize,
    hops: usize,
}

impl Effort {
    /// The effort for an object of a kind.
    pub(super) fn of(kind: Kind) -> Self {
        let most_bytes = kind.most_bytes();
        Self {
            most_bytes,
            held: most_bytes * MOST_HELD,
            made: most_bytes * MOST_MADE,
            hops: MOST_HOPS,
        }
    }

    /// A difference is held until its base is there; `None` where that is too much.
    pub(super) fn hold(&mut self, bytes: usize) -> Option<()> {
        // One without a byte takes room as well.
        spend(&mut self.held, bytes + size_of::<Vec<u8>>())
    }

    /// An object on the way was made.
    pub(super) fn make(&mut self, bytes: usize) -> Option<()> {
        spend(&mut self.made, bytes)
    }

    /// The chain leads to another pack.
    pub(super) fn hop(&mut self) -> Option<()> {
        spend(&mut self.hops, 1)
    }
}

fn spend(left: &mut usize, amount: usize) -> Option<()> {
    *left = left.checked_sub(amount)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_made_or_followed_is_bounded() {
        let most = Kind::Blob.most_bytes();
        let mut effort = Effort::of(Kind::Blob);
        let held = std::iter::from_fn(|| effort.hold(most - 100)).take(1000).count();
        assert_eq!(held, MOST_HELD);
        let made = std::iter::from_fn(|| effort.make(most)).take(1000).count();
        assert_eq!(made, MOST_MADE);
        let hops = std::iter::from_fn(|| effort.hop()).take(1000).count();
        assert_eq!(hops, MOST_HOPS);
    }
}
