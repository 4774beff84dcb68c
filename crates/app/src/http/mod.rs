//! `gik serve`: the tools over HTTP, and MCP beside them, for programs on this machine or, with a token, on others.
//!
//! A request passes the [`guard`] (who asks, from where), then [`routes`] (what for). Tools run on threads of their own,
//! a bounded number at once; a client that leaves takes its call along.

mod answer;
mod body;
mod calls;
mod events;
mod guard;
mod metrics;
mod openapi;
mod routes;
mod server;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use gik_base::{Cancel, ErrorCode, Failure, Result, env, fs};
use gik_engine::Options;
use gik_engine::bound::MOST_TOKENS;

use self::guard::Guard;
use crate::daemon::Helper;
use crate::exit::ExitCode;
use crate::{mcp, output, runtime};

const PORT: u16 = 7311;
/// Anything shorter is found by trying.
const LEAST_TOKEN: usize = 16;

/// The command.
pub(crate) fn command() -> Command {
    let arguments = mcp::arguments().into_iter().map(|argument| match argument.get_id().as_str() {
        "profile" => argument.default_value("full"),
        _ => argument,
    });
    Command::new("serve")
        .about("Serve the tools over HTTP on this machine, with MCP at /mcp")
        .args(arguments)
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("ADDRESS")
                .value_parser(value_parser!(IpAddr))
                .help("Listen on this address [default: 127.0.0.1]; any other than this machine's own needs a token"),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .help("Listen on this port [default: 7311]; 0 takes one that is free"),
        )
        .arg(
            Arg::new("token-file")
                .long("token-file")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Ask for the token in this file; `GIK_TOKEN` does the same"),
        )
        .arg(
            Arg::new("allow-host")
                .long("allow-host")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Answer under this name, too; may be repeated"),
        )
        .arg(
            Arg::new("allow-origin")
                .long("allow-origin")
                .value_name("ORIGIN")
                .action(ArgAction::Append)
                .help("Answer pages of this origin (https://example.com); may be repeated"),
        )
        .arg(
            Arg::new("conformance")
                .long("conformance")
                .action(ArgAction::SetTrue)
                .hide(true)
                .help("Offer what the conformance suite of MCP expects"),
        )
        .after_help("Example:\n  gik serve --port 7311\n  curl -d '{\"query\":\"lock\"}' -H 'content-type: application/json' http://127.0.0.1:7311/v1/tools/search")
}

/// Serves until a signal comes.
pub(crate) fn run(matches: &ArgMatches, options: Options, stopping: Cancel) -> Result<ExitCode> {
    let host = matches.get_one("host").copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let port = matches.get_one("port").copied().unwrap_or(PORT);
    let token = token(matches)?;
    if !host.is_loopback() && token.is_none() {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("{host} can be reached from other machines, and there is no token"),
        )
        .hint("put a long random word into a file and name it with `--token-file`, or set `GIK_TOKEN`"));
    }
    let names = |id: &str| -> Vec<String> {
        matches.get_many::<String>(id).map(|all| all.cloned().collect()).unwrap_or_default()
    };
    gik_engine::stay_warm();
    let guard = Guard::new(token, names("allow-host"), names("allow-origin"))?;
    let service = mcp::service(matches, options, MOST_TOKENS, Helper::of_user(false), &stopping)?;
    let form = mcp::output(matches);
    let fixture = if matches.get_flag("conformance") { mcp::Fixture::new() } else { None };
    runtime::block_on(async move {
        let listener = server::listen(SocketAddr::new(host, port)).await?;
        let address = listener.local_addr().map_err(|error| server::cannot_listen(port, error))?;
        output::to_stdout(&format!("listening on http://{address}\n"));
        let server = mcp::Server::new(Arc::new(service), form, false).with_fixture(fixture);
        server::serve(listener, server, guard, stopping).await;
        Ok(ExitCode::SUCCESS)
    })
}

/// The token that clients must show, from a file or the environment: arguments are seen by every process.
fn token(matches: &ArgMatches) -> Result<Option<String>> {
    let given = match matches.get_one::<PathBuf>("token-file") {
        Some(file) => Some(String::from_utf8_lossy(&fs::read(file)?).into_owned()),
        None => env::var(env::GIK_TOKEN),
    };
    let Some(token) = given.map(|token| token.trim().to_owned()) else { return Ok(None) };
    let is_visible = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.len() < LEAST_TOKEN || !is_visible {
        return Err(Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("the token must have at least {LEAST_TOKEN} letters, digits or signs"),
        ));
    }
    Ok(Some(token))
}
