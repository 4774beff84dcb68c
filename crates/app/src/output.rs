//! Data on standard output, everything else on standard error.

use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::process::ExitCode;

use gik_base::{ErrorCode, Failure, Result, env};
use gik_engine::view::Style;
use gik_engine::{Answer, View};
use serde_json::{Value, json};

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One document.
    Json,
    /// One document a line.
    Jsonl,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless the environment says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    fn for_stream(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let forced = env::var(env::CLICOLOR_FORCE).is_some_and(|value| value != "0");
                let refused = env::var(env::NO_COLOR).is_some();
                !refused && (forced || is_terminal)
            },
        }
    }
}

/// Prints answers and failures.
#[derive(Debug)]
pub(crate) struct Printer {
    format: Format,
    color: ColorChoice,
}

impl Printer {
    pub(crate) fn new(format: Format, color: ColorChoice) -> Self {
        Self { format, color }
    }

    pub(crate) fn color_on_stderr(&self) -> bool {
        self.color.for_stream(std::io::stderr().is_terminal())
    }

    /// Prints an answer; nothing found is status 1.
    pub(crate) fn answer(&self, answer: &dyn Answer) -> Result<ExitCode> {
        let text = match self.format {
            Format::Text => {
                let mut view =
                    View::new(width(), self.color.for_stream(std::io::stdout().is_terminal()));
                answer.render(&mut view);
                view.finish()
            },
            Format::Json => line(&pretty(&answer.json()?)?),
            Format::Jsonl => {
                let rows = answer.rows().ok_or_else(not_a_list)?;
                rows.iter().map(|row| line(&row.to_string())).collect()
            },
        };
        let printed = to_stdout(&text);
        if printed != ExitCode::SUCCESS || answer.found() {
            return Ok(printed);
        }
        Ok(ExitCode::from(1))
    }

    /// Prints a failure: what, why, what to do next. With `--json` the same as data on standard output.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        let status = ExitCode::from(failure.code().exit_status());
        if self.format != Format::Text {
            let document = json!({
                "error": {
                    "code": failure.code().as_str(),
                    "name": failure.code().contract_name(),
                    "message": failure.to_string(),
                    "hints": failure.hints(),
                }
            });
            to_stdout(&line(&document.to_string()));
            return status;
        }
        let view = View::new(width(), self.color_on_stderr());
        let label = view.paint(Style::Bad, "error:");
        let mut text = line(&format!("{label} {}", view.plain(failure)));
        for hint in failure.hints() {
            let label = view.paint(Style::Faint, "hint:");
            text.push_str(&line(&format!("{label} {}", view.plain(hint))));
        }
        to_stderr(&text);
        status
    }
}

/// What `--jsonl` says where there are no rows.
pub(crate) fn not_a_list() -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, "the answer of this command is not a list")
        .hint("use `--json`")
}

fn pretty(value: &Value) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|error| {
        Failure::new(ErrorCode::Internal, "the answer cannot be printed").caused_by(error)
    })
}

fn line(text: &str) -> String {
    format!("{text}\n")
}

/// What `COLUMNS` says, or the width of the terminal. Into a pipe nothing is cut.
fn width() -> usize {
    const UNLIMITED: usize = 1 << 20;
    let columns = env::var(env::COLUMNS).and_then(|text| text.parse().ok());
    columns
        .or_else(|| {
            terminal_size::terminal_size_of(std::io::stdout())
                .map(|(width, _)| usize::from(width.0))
        })
        .unwrap_or(UNLIMITED)
}

/// A reader that stopped listening (`gik log | head`) is no failure.
pub(crate) fn to_stdout(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}

/// There is nobody to tell when standard error cannot be written.
pub(crate) fn to_stderr(text: &str) {
    drop(std::io::stderr().lock().write_all(text.as_bytes()));
}
