//! The warm process: one per user, which answers for commands, MCP clients and editors over a socket.
//!
//! [`helper`] is the side that asks: it greets, and where anything at all differs or goes wrong, the process that was
//! asked answers by itself. [`server`] is the side that answers. Only tools that read are asked there, so a question
//! that was lost is asked again without harm.

mod client;
mod conversation;
mod helper;
mod identity;
mod server;
mod state;
mod status;
mod wire;
mod work;

use clap::{ArgMatches, Command};
use gik_base::{Cancel, Result};

pub(crate) use self::helper::{Helper, print};
use crate::exit::ExitCode;
use crate::output::Format;

/// Adds the command.
pub(crate) fn add_command(root: Command) -> Command {
    root.subcommand(
        Command::new("daemon")
            .about("The warm process that answers for commands and servers of this user")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                Command::new("status")
                    .about("Tell whether a warm process runs, and which")
                    .after_help("Example:\n  gik daemon status --json"),
            )
            .subcommand(
                Command::new("start")
                    .about("Start a warm process in the background, unless one runs")
                    .after_help("Example:\n  gik daemon start"),
            )
            .subcommand(
                Command::new("stop")
                    .about("End the warm process once it has answered what it was asked")
                    .after_help("Example:\n  gik daemon stop"),
            )
            .subcommand(
                Command::new("run")
                    .about("Be the warm process, in the foreground")
                    .after_help("Example:\n  gik daemon run"),
            ),
    )
}

/// Runs the command.
pub(crate) fn run(matches: &ArgMatches, format: Format, stopping: Cancel) -> Result<ExitCode> {
    match matches.subcommand_name() {
        Some("start") => status::start(format, &stopping),
        Some("stop") => status::stop(format, &stopping),
        Some("run") => server::run(stopping),
        _ => status::status(format),
    }
}
