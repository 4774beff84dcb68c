//! The edges that one file says, each pair of ends and kind once.

use std::rc::Rc;

use gik_base::collections::HashMap;
use gik_base::hash;
use gik_contract::KgEdgeKind;

use super::bodies::{EdgeBody, Known};
use super::ids;

/// What tells edges apart.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) from: Rc<str>,
    pub(crate) to: Rc<str>,
    pub(crate) kind: KgEdgeKind,
}

/// The edges of a file.
#[derive(Debug)]
pub(crate) struct Gathered<'a> {
    /// The file that says them.
    path: &'a str,
    edges: Vec<EdgeBody<'a>>,
    /// Where they are, by the hash that their ids begin with.
    places: HashMap<u128, usize>,
}

impl<'a> Gathered<'a> {
    pub(crate) fn new(path: &'a str) -> Self {
        Self { path, edges: Vec::new(), places: HashMap::default() }
    }

    /// Adds an edge to those with the same ends and kind.
    pub(crate) fn add(&mut self, key: Key, known: Known) -> &mut Known {
        let hash = self.hash(&key);
        let place = *self.places.entry(hash).or_insert(self.edges.len());
        if let Some(old) = self.edges.get_mut(place) {
            old.known.add(&known);
        } else {
            let Key { from, to, kind } = key;
            let id = ["edge:", &hash::hex(&hash.to_be_bytes()[..8]), ":", kind.as_str()].concat();
            self.edges.push(EdgeBody { id, from, to, kind, known, path: self.path });
        }
        &mut self.edges[place].known
    }

    /// The same for the same ends and kind, on every machine.
    fn hash(&self, key: &Key) -> u128 {
        let (from, to, kind) = (key.from.as_bytes(), key.to.as_bytes(), key.kind.as_str());
        // What leaves another file than the one that says it may be said by several.
        if ids::is_of(&key.from, self.path) {
            hash::fast128(&[from, to, kind.as_bytes()])
        } else {
            hash::fast128(&[from, to, kind.as_bytes(), self.path.as_bytes()])
        }
    }

    /// All of them, sorted by id.
    pub(super) fn bodies(mut self) -> Vec<EdgeBody<'a>> {
        self.edges.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        self.edges
    }
}
