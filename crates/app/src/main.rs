//! The binary `gik`: turns words into a call of one tool, and its answer into text or JSON. Nothing else.

mod catalog;
mod cli;
#[cfg_attr(not(unix), path = "daemon/absent.rs")]
mod daemon;
mod docs;
mod exit;
mod http;
mod links;
mod mcp;
mod output;
mod progress;
mod runtime;
mod service;

/// Syntax trees are made of millions of small pieces on every core: with the allocator of the C library, a fresh index
/// took a quarter longer.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    cli::main().end()
}
