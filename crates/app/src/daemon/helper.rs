//! Who a process turns to before it answers by itself: the warm process of its user, started where that is wanted.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gik_base::{Cancel, Progress, Result, env, process};
use gik_engine::warm::{self, Place};
use gik_engine::{Context, Tool};

use super::client::Conversation;
use super::identity::{Build, environment};
use super::wire::{Event, Hello, PROTOCOL, Request};
use crate::output::Look;
use crate::service::{Answered, Job};

/// Between two attempts to start a warm process.
const PAUSE: Duration = Duration::from_secs(10);

/// Asks the warm process for a process that stays.
#[derive(Debug)]
pub(crate) struct Helper {
    place: Place,
    hello: Hello,
    /// When it was last tried to start one; `None` where that is not wanted.
    started: Option<Mutex<Option<Instant>>>,
}

impl Helper {
    /// The one of this user, unless there is none to be. With `starts` a warm process is started now, and whenever one
    /// is missing.
    pub(crate) fn of_user(starts: bool) -> Option<Self> {
        if !is_wanted() {
            return None;
        }
        let started = starts.then(Mutex::default);
        let helper = Self { place: Place::of_user().ok()?, hello: hello().ok()?, started };
        if !helper.place.is_listened_to().ok()? {
            helper.start();
        }
        Some(helper)
    }

    /// The answer of the warm process; `None` where this process is to do it itself.
    pub(crate) fn ask(
        &self,
        job: &Job,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Option<Result<Answered>> {
        let Some(conversation) = Conversation::begin(&self.place, &self.hello).ok()? else {
            self.start();
            return None;
        };
        if !self.hello.fits(&conversation.welcome) {
            return None;
        }
        let request = Request::Job(Box::new(job.clone()));
        match conversation.ask(&request, progress, cancel)? {
            Ok(Event::Answered(answered)) => Some(Ok(*answered)),
            Ok(_) => None,
            Err(failure) => Some(Err(failure)),
        }
    }

    /// Starts a warm process in the background, for later calls.
    fn start(&self) {
        let Some(started) = &self.started else { return };
        let mut last = started.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        *last = Some(Instant::now());
        // Where it cannot be started this process goes on answering.
        drop(start(&self.place));
    }
}

/// What a command prints, as a warm process says that runs already; `None` where this process is to answer itself.
pub(crate) fn print(tool: &Tool, ctx: &Context<'_>, look: Look) -> Option<Result<(String, bool)>> {
    let place = Place::of_user().ok()?;
    let may_ask = tool.can_be_asked_elsewhere() && place.has_socket().ok()? && is_wanted();
    if !may_ask {
        return None;
    }
    let hello = hello().ok()?;
    let arguments = env::arguments().into_iter().map(|word| word.into_string().ok());
    let request = Request::Command {
        arguments: arguments.collect::<Option<_>>()?,
        cwd: ctx.cwd.clone(),
        options: ctx.options.clone(),
        look,
    };
    let conversation = Conversation::begin(&place, &hello).ok()??;
    if !hello.fits(&conversation.welcome) {
        return None;
    }
    match conversation.ask(&request, ctx.progress, &ctx.cancel)? {
        Ok(Event::Printed { text, is_found }) => Some(Ok((text, is_found))),
        Ok(_) => None,
        Err(failure) => Some(Err(failure)),
    }
}

/// Whether the user wants a warm process to be used.
pub(super) fn is_wanted() -> bool {
    !env::is_without_daemon() && warm::settings().is_ok_and(|settings| settings.is_used)
}

pub(super) fn hello() -> Result<Hello> {
    let (build, environment) = (Build::of_this()?, environment());
    Ok(Hello { protocol: PROTOCOL, build, environment, only_looks: false })
}

/// Starts a warm process in the background. It ends at once where another one is there already.
pub(super) fn start(place: &Place) -> Result<()> {
    place.prepare()?;
    let program =
        env::current_exe().map_err(|error| gik_base::fs::failure("find", "gik".as_ref(), error))?;
    process::start_in_background(&program, &["daemon", "run"], env::seen_by_tools())
}
