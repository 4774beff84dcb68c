//! A graph that tells how long it took to answer.

use std::time::Instant;

use gik_base::Result;
use gik_graph::{Edge, Edges, Node};

/// Edges, and the time spent on them.
#[derive(Debug)]
pub(crate) struct Timed<G> {
    pub(crate) edges: G,
    pub(crate) ms: f64,
}

impl<G> Timed<G> {
    fn time<T>(&mut self, answer: impl FnOnce(&mut G) -> T) -> T {
        let started = Instant::now();
        let result = answer(&mut self.edges);
        self.ms += started.elapsed().as_secs_f64() * 1e3;
        result
    }
}

impl<G: Edges> Edges for Timed<G> {
    type Failure = G::Failure;

    fn from(&mut self, node: Node) -> Result<Vec<Edge>, G::Failure> {
        self.time(|graph| graph.from(node))
    }

    fn to(&mut self, node: Node) -> Result<Vec<Edge>, G::Failure> {
        self.time(|graph| graph.to(node))
    }
}

/// A graph, or nothing where it could not be brought up to date.
#[derive(Debug)]
pub(crate) struct Known<G>(pub(crate) Option<G>);

impl<G: Edges> Edges for Known<G> {
    type Failure = G::Failure;

    fn from(&mut self, node: Node) -> Result<Vec<Edge>, G::Failure> {
        self.0.as_mut().map_or_else(|| Ok(Vec::new()), |graph| graph.from(node))
    }

    fn to(&mut self, node: Node) -> Result<Vec<Edge>, G::Failure> {
        self.0.as_mut().map_or_else(|| Ok(Vec::new()), |graph| graph.to(node))
    }
}
