//! `gik daemon status`, `start` and `stop`.

use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Failure, Result, env, fs};
use gik_engine::View;
use gik_engine::warm::Place;
use serde_json::{Value, json};

use super::client::Conversation;
use super::helper::{self, hello, is_wanted};
use super::wire::{Hello, Welcome};
use crate::exit::ExitCode;
use crate::output::{Format, print_answer};

/// As long as a process is waited for to come or to go.
const PATIENCE: Duration = Duration::from_secs(30);
const GLANCE: Duration = Duration::from_millis(20);

/// Tells whether a warm process runs; that none does is status 1.
pub(super) fn status(format: Format) -> Result<ExitCode> {
    let (place, hello) = (Place::of_user()?, looking()?);
    let found = look(&place, &hello)?;
    Ok(told(format, &place, &hello, found.as_ref(), found.is_some()))
}

/// Starts one, unless one runs, and waits until it answers.
pub(super) fn start(format: Format, cancel: &Cancel) -> Result<ExitCode> {
    if !is_wanted() {
        return Err(Failure::new(ErrorCode::NotSupported, "the warm process is turned off").hint(
            format!("unset `{}`, and take `daemon.use` out of your config", env::GIK_NO_DAEMON),
        ));
    }
    let (place, hello) = (Place::of_user()?, looking()?);
    let mut found = look(&place, &hello)?;
    if found.is_none() {
        helper::start(&place)?;
        wait("the warm process does not answer", cancel, || {
            found = look(&place, &hello)?;
            Ok(found.is_some())
        })?;
    }
    Ok(told(format, &place, &hello, found.as_ref(), true))
}

/// Ends the one that runs. It ends when its socket is gone, whatever its version, and needs no word for that.
pub(super) fn stop(format: Format, cancel: &Cancel) -> Result<ExitCode> {
    let (place, hello) = (Place::of_user()?, looking()?);
    if place.has_socket()? {
        fs::remove_file_if_present(&place.socket)?;
        wait("the warm process does not end", cancel, || {
            Ok(gik_base::lock::Lock::try_acquire(&place.lock)?.is_some())
        })?;
    }
    Ok(told(format, &place, &hello, None, true))
}

fn looking() -> Result<Hello> {
    Ok(Hello { only_looks: true, ..hello()? })
}

fn look(place: &Place, hello: &Hello) -> Result<Option<Welcome>> {
    Ok(Conversation::begin(place, hello)?.map(|conversation| conversation.welcome))
}

fn wait(problem: &str, cancel: &Cancel, mut is_done: impl FnMut() -> Result<bool>) -> Result<()> {
    let started = Instant::now();
    while !is_done()? {
        cancel.check()?;
        if started.elapsed() >= PATIENCE {
            return Err(Failure::new(ErrorCode::StoreBusy, problem)
                .hint("`gik daemon run` tells why, where it cannot be started"));
        }
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

fn told(
    format: Format,
    place: &Place,
    hello: &Hello,
    found: Option<&Welcome>,
    is_found: bool,
) -> ExitCode {
    let document = document(place, hello, found);
    let text = match format {
        Format::Json => format!("{document:#}\n"),
        Format::Jsonl => format!("{document}\n"),
        Format::Text | Format::Written(_) => text(place, hello, found),
    };
    print_answer(&text, is_found)
}

fn document(place: &Place, hello: &Hello, found: Option<&Welcome>) -> Value {
    let socket = place.socket.to_string_lossy();
    let Some(welcome) = found else { return json!({"running": false, "socket": socket}) };
    json!({
        "running": true,
        "socket": socket,
        "pid": welcome.pid,
        "version": welcome.build.version,
        "sameBuild": hello.protocol == welcome.protocol && hello.build == welcome.build,
        "sameEnvironment": hello.environment == welcome.environment,
        "calls": welcome.calls,
        "working": welcome.running,
        "idleSeconds": welcome.idle_seconds,
    })
}

fn text(place: &Place, hello: &Hello, found: Option<&Welcome>) -> String {
    let mut view = View::new(100, false);
    let Some(welcome) = found else {
        view.line("no warm process runs");
        return view.finish();
    };
    let use_of_it = if hello.fits(welcome) {
        "this program uses it"
    } else if hello.environment == welcome.environment {
        "another build of gik: this program answers by itself"
    } else {
        "started in another environment: this program answers by itself here"
    };
    view.pairs(&[
        ("process", welcome.pid.to_string()),
        ("version", format!("{}; {use_of_it}", view.plain(&welcome.build.version))),
        ("socket", view.plain(place.socket.display())),
        ("calls", format!("{}, {} under way", welcome.calls, welcome.running)),
        ("ends", format!("after {} s without a call", welcome.idle_seconds)),
    ]);
    view.finish()
}
