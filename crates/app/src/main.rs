//! The binary `gik`: turns words into a call of one tool, and its answer into text or JSON. Nothing else.

mod catalog;
mod cli;
#[cfg_attr(not(unix), path = "daemon/absent.rs")]
mod daemon;
mod docs;
mod http;
mod links;
mod mcp;
mod output;
mod progress;
mod runtime;
mod service;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
