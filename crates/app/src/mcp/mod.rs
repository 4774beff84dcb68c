//! `gik mcp`: the tools over the Model Context Protocol, on standard input and output.
//!
//! Standard output carries the protocol and nothing else. Tools run on threads of their own; only waiting is
//! asynchronous.

mod beginning;
mod conformance;
mod content;
mod prompts;
mod resources;
mod roots;
mod server;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use gik_base::{Cancel, ErrorCode, Failure, Result};
use gik_engine::bound::MOST_TOKENS;
use gik_engine::{Options, Profile};
use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use tokio_util::sync::CancellationToken;

use self::beginning::Beginning;
pub(crate) use self::conformance::Fixture;
pub(crate) use self::server::{Output, Server};
use crate::daemon::Helper;
use crate::exit::ExitCode;
use crate::runtime;
use crate::service::{Roots, Service, Setup};

/// So many tokens an answer has where nobody says: clients begin to complain at 10,000.
const TOKENS: u64 = 8_000;

/// The command.
pub(crate) fn command() -> Command {
    Command::new("mcp")
        .about("Serve the tools to a coding agent over MCP, on standard input and output")
        .args(arguments())
        .after_help("Example:\n  claude mcp add gik -- gik mcp")
}

/// What all commands that serve have in common.
pub(crate) fn arguments() -> Vec<Arg> {
    vec![
        Arg::new("root")
            .long("root")
            .value_name("DIR")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::DirPath)
            .help("Serve this folder; may be repeated, the first is the one used where a call names none"),
        Arg::new("profile")
            .long("profile")
            .value_name("PROFILE")
            .value_parser(Profile::NAMES)
            .default_value("few")
            .help("Offer the few tools that do most of the work, or all"),
        Arg::new("read-only")
            .long("read-only")
            .action(ArgAction::SetTrue)
            .help("Leave out tools that change anything"),
        Arg::new("max-tokens")
            .long("max-tokens")
            .value_name("N")
            .value_parser(value_parser!(u64).range(500..=MOST_TOKENS))
            .help("About how many tokens an answer may have where a call does not say [default: 8000]"),
        Arg::new("output")
            .long("output")
            .value_name("FORM")
            .value_parser(["text", "both", "structured"])
            .default_value("both")
            .help("Answer as text, as data, or as both"),
    ]
}

/// The tools as the command line wants them served.
pub(crate) fn service(
    matches: &ArgMatches,
    options: Options,
    default_tokens: u64,
    helper: Option<Helper>,
    stopping: &Cancel,
) -> Result<Service> {
    let named: Vec<PathBuf> =
        matches.get_many("root").map(|roots| roots.cloned().collect()).unwrap_or_default();
    let cwd = gik_base::env::current_dir().map_err(|error| {
        Failure::new(ErrorCode::WorkspaceMissing, "the current folder does not exist")
            .caused_by(error)
    })?;
    let folders: Vec<PathBuf> = if named.is_empty() {
        vec![options.workspace.as_ref().map_or_else(|| cwd.clone(), |folder| cwd.join(folder))]
    } else {
        named.iter().map(|folder| cwd.join(folder)).collect()
    };
    let roots = Roots::new(&folders, &options)?;
    let profile = matches.get_one::<String>("profile").and_then(|name| Profile::named(name));
    let setup = Setup {
        options,
        profile: profile.unwrap_or(Profile::Few),
        read_only: matches.get_flag("read-only"),
        tokens: matches.get_one("max-tokens").copied().unwrap_or(default_tokens),
    };
    Ok(Service::new(setup, roots, helper, stopping.clone()))
}

/// The form of answers that the command line wants.
pub(crate) fn output(matches: &ArgMatches) -> Output {
    match matches.get_one::<String>("output").map(String::as_str) {
        Some("text") => Output::Text,
        Some("structured") => Output::Structured,
        _ => Output::Both,
    }
}

/// Serves until the client hangs up or a signal comes.
pub(crate) fn run(matches: &ArgMatches, options: Options, stopping: Cancel) -> Result<ExitCode> {
    let has_roots = matches.contains_id("root") || options.workspace.is_some();
    let service = Arc::new(service(matches, options, TOKENS, Helper::of_user(true), &stopping)?);
    let server = Server::new(service, output(matches), !has_roots);
    runtime::block_on(async move {
        let token = CancellationToken::new();
        runtime::cancel_on_signal(token.clone(), stopping);
        serve(server, token).await
    })
}

async fn serve(server: Server, token: CancellationToken) -> Result<ExitCode> {
    let (read, write) = stdio_pipes();
    let transport = Beginning::of(AsyncRwTransport::new_server(read, write));
    match server.serve_with_ct(transport, token).await {
        Ok(running) => {
            drop(running.waiting().await);
            Ok(ExitCode::SUCCESS)
        },
        // A client that hangs up before it said anything wants nothing.
        Err(
            rmcp::service::ServerInitializeError::ConnectionClosed(_)
            | rmcp::service::ServerInitializeError::Cancelled,
        ) => Ok(ExitCode::SUCCESS),
        Err(error) => {
            Err(Failure::new(ErrorCode::Io, "the conversation did not begin").caused_by(error))
        },
    }
}
