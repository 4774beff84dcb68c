//! What tests of every crate share: folders made from text, the real binary in isolation, stable snapshots, seeded
//! randomness.
//!
//! Everything here panics when something goes wrong, with the path or command in the message: the caller is a test.
//! Not for the product: only dev-dependencies and `xtask` may name this crate, and it names no other crate of ours.

mod crash;
mod fixture;
mod gik;
mod git;
mod lines;
mod patience;
pub mod python;
mod redact;
mod rng;
pub mod stop;
mod talk;
mod tiny_model;
mod tree;

pub use crash::{Ending, Running};
pub use gik::{Gik, Run};
pub use lines::Lines;
pub use patience::eventually;
pub use redact::Redactor;
pub use rng::Rng;
pub use talk::Talk;
pub use tiny_model::{tiny_encoder, tiny_static_model};
pub use tree::Tree;
