//! What is this project made of? File list and manifests in, languages, dependencies and technologies out.
//!
//! Start with [`inventory`]: it joins the file list with the parsed manifests of every package manager. A manifest is
//! read alone ([`read_manifest`]) and never fails: what is wrong with it is a [`ManifestProblem`]. What one manifest
//! takes from another (a Cargo workspace version, a Maven parent, a version catalog) is looked up when the inventory
//! is made, so a change of one manifest never asks for the others to be parsed again.
//!
//! Not for: lock files, installed packages, or anything that runs a package manager.

mod declaration;
mod folders;
mod formats;
mod inventory;
mod manager;
mod managers;
mod manifest;
mod resolve;
mod scope;
mod tables;
mod tech;
#[cfg(test)]
mod testing;

pub use inventory::{Inventory, StackFile, inventory, summarize};
pub use manager::Manager;
pub use manifest::{
    MAX_MANIFEST_BYTES, Manifest, ManifestProblem, Manifests, is_manifest, read_manifest, refresh,
};
pub use scope::Scope;
