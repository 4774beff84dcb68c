//! The nearest of many, without keeping the others.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A row and how near it is.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour<T> {
    /// Larger is nearer.
    pub score: f32,
    /// Breaks ties: the smaller one is first.
    pub id: u64,
    /// What else is known of the row; has no say in the order.
    pub row: T,
}

impl<T> Neighbour<T> {
    /// Less is nearer.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.id.cmp(&other.id))
    }
}

impl<T> PartialEq for Neighbour<T> {
    fn eq(&self, other: &Self) -> bool {
        self.order(other).is_eq()
    }
}

impl<T> Eq for Neighbour<T> {}

impl<T> PartialOrd for Neighbour<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Neighbour<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order(other)
    }
}

/// Keeps the nearest so many.
#[derive(Debug)]
pub struct Best<T> {
    limit: usize,
    heap: BinaryHeap<Neighbour<T>>,
}

impl<T> Best<T> {
    /// Keeps up to `limit`.
    pub fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Whether a row of that score and id would be kept now.
    pub fn wants(&self, score: f32, id: u64) -> bool {
        self.heap.len() < self.limit
            || self
                .heap
                .peek()
                .is_some_and(|worst| score.total_cmp(&worst.score).then(worst.id.cmp(&id)).is_gt())
    }

    /// Offers a row.
    pub fn push(&mut self, neighbour: Neighbour<T>) {
        if !self.wants(neighbour.score, neighbour.id) {
            return;
        }
        if self.heap.len() == self.limit {
            self.heap.pop();
        }
        self.heap.push(neighbour);
    }

    /// What was kept, nearest first.
    pub fn into_sorted(self) -> Vec<Neighbour<T>> {
        self.heap.into_sorted_vec()
    }
}
