//! The contract files of a knowledge repository: branches, HEAD, timeline, staging, memory, ask log.
//!
//! Start with [`Knowledge`], which finds the [`Branch`]es of a workspace. Reading takes no lock and writes nothing.
//! Every change goes through a [`Transaction`] under the one lock of the workspace ([`Held`]); the `journal`
//! module says how a change becomes one indivisible step and what each kill leaves behind.
//!
//! Not for what can be derived from the working tree: this crate moves such files into place, nothing more.

pub mod asks;
mod branch;
mod branch_name;
mod counts;
mod disk;
mod held;
mod init;
mod journal;
pub mod jsonl;
mod knowledge;
mod links;
pub mod memory;
mod recovery;
mod revisions;
mod root;
pub mod staging;
mod tail;
mod tracking;
mod transaction;
mod verify;

#[cfg(test)]
mod tests;

pub use asks::{AnswerLog, AskLog};
pub use branch::Branch;
pub use branch_name::{decode_branch, encode_branch};
pub use gik_base::fs::Durability;
pub use held::Held;
pub use knowledge::Knowledge;
pub use memory::MemoryBase;
pub use recovery::Recovery;
pub use tracking::Tracking;
pub use transaction::Transaction;
pub use verify::{Finding, Repair, Severity};
