//! What the warm process does for others: the same code that runs in theirs.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Progress, Result, env};
use gik_engine::tools::TOOLS;
use gik_engine::{Context, at_work};
use tokio::sync::mpsc::UnboundedSender;

use super::wire::{Event, Request};
use crate::cli::{self, SubcommandPair as _};
use crate::output::{Look, laid_out};
use crate::service::{Job, Worker};

/// Does what was asked for and says what came of it.
pub(super) fn answer(
    worker: &Worker,
    request: Request,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Event {
    let secrets = env::secrets_asked_for();
    let done = match request {
        Request::Command { arguments, cwd, options, look } => {
            let ctx = Context { options, cwd, progress, cancel: cancel.clone() };
            let arguments = arguments.into_iter().map(OsString::from).collect();
            at_work(|| command(arguments, &ctx, &look))
        },
        Request::Job(job) => call(worker, *job, progress, cancel),
    };
    // A key in the environment of the client is not known here.
    if env::secrets_asked_for() != secrets {
        return Event::Declined;
    }
    match done {
        Ok(Some(event)) => event,
        Err(failure) if failure.code() == ErrorCode::StoreBusy => {
            Event::Busy { message: failure.to_string(), hints: failure.hints().to_vec() }
        },
        Ok(None) | Err(_) => Event::Declined,
    }
}

fn command(arguments: Vec<OsString>, ctx: &Context<'_>, look: &Look) -> Result<Option<Event>> {
    let Ok(matches) = cli::understood(&arguments) else { return Ok(None) };
    let (name, sub) = matches.subcommand().unwrap_or_default_pair();
    let (tool, tool_matches) = cli::find_tool(name, sub)?;
    if !tool.can_be_asked_elsewhere() {
        return Ok(None);
    }
    let (format, root) = (cli::format_of(&matches), ctx.root().ok());
    let mut printed = None;
    tool.run(ctx, tool_matches, &mut |answer| {
        if !answer.is_failure() {
            let text = laid_out(answer.as_ref(), format, tool.shape, look, root.as_deref())?;
            printed = Some(Event::Printed { text, is_found: answer.found() });
        }
        Ok(ControlFlow::Break(()))
    })?;
    Ok(printed)
}

fn call(
    worker: &Worker,
    job: Job,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Option<Event>> {
    let tool =
        TOOLS.iter().find(|tool| tool.can_be_asked_elsewhere() && tool.wire_name() == job.tool);
    let Some(tool) = tool else { return Ok(None) };
    let answered = worker.run(tool, job, progress, cancel)?;
    Ok((!answered.is_failure).then(|| Event::Answered(Box::new(answered))))
}

/// How often a client hears how far the work is.
const PAUSE: Duration = Duration::from_millis(100);

/// Passes on to a client what a tool says.
pub(super) struct Forward {
    to: UnboundedSender<Event>,
    step: Mutex<Step>,
}

struct Step {
    untold: u64,
    told: Instant,
}

impl Forward {
    pub(super) fn new(to: UnboundedSender<Event>) -> Self {
        Self { to, step: Mutex::new(Step { untold: 0, told: Instant::now() }) }
    }

    /// A client that left hears nothing, which is no concern of the tool's.
    pub(super) fn say(&self, event: Event) {
        drop(self.to.send(event));
    }

    fn advance_by(&self, done: u64, at_once: bool) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        step.untold += done;
        if step.untold > 0 && (at_once || step.told.elapsed() >= PAUSE) {
            self.say(Event::Advance { done: step.untold });
            *step = Step { untold: 0, told: Instant::now() };
        }
    }
}

impl Progress for Forward {
    fn begin(&self, step: &str, total: Option<u64>) {
        self.advance_by(0, true);
        self.say(Event::Begin { step: step.to_owned(), total });
    }

    fn advance(&self, done: u64) {
        self.advance_by(done, false);
    }

    fn end(&self) {
        self.advance_by(0, true);
        self.say(Event::End);
    }

    fn warn(&self, message: &str) {
        self.say(Event::Warn { message: message.to_owned() });
    }

    fn inform(&self, message: &str) {
        self.say(Event::Inform { message: message.to_owned() });
    }
}
