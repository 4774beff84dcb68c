//! The binary `gik`: turns words into a call of one tool, and its answer into text or JSON. Nothing else.

mod catalog;
mod cli;
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
