//! Data on standard output, everything else on standard error.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, env};
use gik_engine::view::Style;
use gik_engine::{Answer, Shape, View, Written, in_few_words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::exit::ExitCode;
use crate::links;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One document.
    Json,
    /// One document a line.
    Jsonl,
    /// A document in another form.
    Written(Written),
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
        self.color.for_stream(io::stderr().is_terminal())
    }

    /// Prints an answer; nothing found is status 1. A reader that left wants no more of them.
    pub(crate) fn answer(
        &self,
        answer: &dyn Answer,
        shape: Shape,
        root: Option<&Path>,
    ) -> Result<(ExitCode, ControlFlow<()>)> {
        let text = laid_out(answer, self.format, shape, &Look::of_stdout(self.color), root)?;
        let written = write_to_stdout(&text);
        let flow = if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        Ok((status_of_answer(&written, answer.found()), flow))
    }

    /// How text for standard output is laid out.
    pub(crate) fn look(&self) -> Look {
        Look::of_stdout(self.color)
    }

    /// Prints a failure: what, why, what to do next. With `--json` the same as data on standard output.
    pub(crate) fn failure(&self, failure: &Failure) -> ExitCode {
        let status = ExitCode::from(failure.code().exit_status());
        if matches!(self.format, Format::Json | Format::Jsonl) {
            to_stdout(&line(&failure_json(failure).to_string()));
            return status;
        }
        let view = View::new(width(), self.color_on_stderr());
        let label = view.paint(Style::Bad, "error:");
        let mut text = line(&format!("{label} {}", view.plain(failure)));
        if let Some(place) = failure.place() {
            let (typed, caret) = view.pointed(&place.text, place.bytes.clone());
            text.push_str(&line(&format!("  {typed}")));
            text.push_str(&line(&format!("  {caret}")));
        }
        for hint in failure.hints() {
            let label = view.paint(Style::Faint, "hint:");
            text.push_str(&line(&format!("{label} {}", view.plain(hint))));
        }
        to_stderr(&text);
        status
    }
}

/// How text for people is laid out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Look {
    width: usize,
    color: bool,
    links: bool,
}

impl Look {
    fn of_stdout(color: ColorChoice) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let (color, links) = (color.for_stream(is_terminal), links::are_followed(is_terminal));
        Self { width: width(), color, links }
    }
}

/// An answer as the bytes that are printed. The folder is where links start from.
pub(crate) fn laid_out(
    answer: &dyn Answer,
    format: Format,
    shape: Shape,
    look: &Look,
    root: Option<&Path>,
) -> Result<String> {
    Ok(match (format, shape) {
        (Format::Text, _) => {
            let mut view = View::new(look.width, look.color);
            if let Some(root) = root.filter(|_| look.links) {
                view = view.with_links(root);
            }
            answer.render(&mut view);
            view.finish()
        },
        (Format::Written(written), _) => match (answer.written(written), written) {
            (Some(text), _) => text,
            // A document that is made for models is as short as it gets.
            (None, Written::Compact) => match answer.written(Written::Markdown) {
                Some(text) => text,
                None => in_few_words(&answer.json()?),
            },
            (None, Written::Markdown) => return Err(not_written()),
        },
        (Format::Json | Format::Jsonl, Shape::Stream) => line(&answer.json()?.to_string()),
        (Format::Json, Shape::One | Shape::List) => line(&pretty(&answer.json()?)?),
        (Format::Jsonl, Shape::One | Shape::List) => {
            let rows = answer.rows().ok_or_else(not_a_list)?;
            rows.iter().map(|row| line(&row.to_string())).collect()
        },
    })
}

/// Prints an answer that was laid out elsewhere.
pub(crate) fn print_answer(text: &str, is_found: bool) -> ExitCode {
    status_of_answer(&write_to_stdout(text), is_found)
}

fn status_of_answer(written: &io::Result<()>, is_found: bool) -> ExitCode {
    let printed = status_of(written);
    if printed != ExitCode::SUCCESS || is_found { printed } else { ExitCode::from(1) }
}

/// A failure as data, the same on every surface.
pub(crate) fn failure_json(failure: &Failure) -> Value {
    let mut document = json!({
        "error": {
            "code": failure.code().as_str(),
            "name": failure.code().contract_name(),
            "message": failure.to_string(),
            "hints": failure.hints(),
        }
    });
    if let Some([name, older]) = failure.code().stable_names() {
        document["error"]["stableCode"] = name.into();
        document["error"]["aliases"] = json!([older]);
    }
    if let Some(place) = failure.place() {
        document["error"]["column"] = place.column().into();
    }
    document
}

/// What `--jsonl` says where there are no rows.
pub(crate) fn not_a_list() -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, "the answer of this command is not a list")
        .hint("use `--json`")
}

/// What `--format md` says where there is no such form.
fn not_written() -> Failure {
    Failure::new(ErrorCode::ArgumentInvalid, "the answer of this command is not such a document")
        .hint("`md` is for `gik ask`, `gik search` and `gik pack`; use `text`, `compact` or `json`")
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
            terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
        })
        .unwrap_or(UNLIMITED)
}

/// Prints text that is no answer of a tool.
pub(crate) fn to_stdout(text: &str) -> ExitCode {
    status_of(&write_to_stdout(text))
}

fn write_to_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// A reader that stopped listening (`gik log | head`) is no failure.
fn status_of(written: &io::Result<()>) -> ExitCode {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

/// There is nobody to tell when standard error cannot be written.
pub(crate) fn to_stderr(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
}
