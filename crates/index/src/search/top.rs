//! The best hits so far, and what a new one must have to be among them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Hit;

/// A hit that compares by rank: smaller is better.
struct Ranked(Hit);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) = (&self.0, &other.0);
        // Equal scores are ordered by content. The rest only matters if two chunks agree in that too.
        right
            .score
            .cmp(&left.score)
            .then_with(|| left.tie.cmp(&right.tie))
            .then_with(|| (left.chunk, left.doc).cmp(&(right.chunk, right.doc)))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

pub(super) struct Top {
    limit: usize,
    /// The worst hit on top.
    heap: BinaryHeap<Ranked>,
}

impl Top {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// The score below which a document cannot be among the best any more; an equal one still can.
    pub(super) fn threshold(&self) -> u32 {
        match self.heap.peek() {
            Some(worst) if self.heap.len() >= self.limit => worst.0.score.0,
            _ => 0,
        }
    }

    /// Whether a hit would be among the best.
    pub(super) fn takes(&self, hit: &Hit) -> bool {
        self.heap.len() < self.limit
            || self.heap.peek().is_some_and(|worst| Ranked(*hit).cmp(worst) == Ordering::Less)
    }

    /// Adds a hit that [`Top::takes`].
    pub(super) fn push(&mut self, hit: Hit) {
        if self.heap.len() >= self.limit {
            self.heap.pop();
        }
        self.heap.push(Ranked(hit));
    }

    /// The hits, best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.heap.into_sorted_vec().into_iter().map(|ranked| ranked.0).collect()
    }
}
