//! The binary `gik`: turns words into a call of one tool, and its answer into text or JSON. Nothing else.

mod cli;
mod docs;
mod links;
mod output;
mod progress;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
