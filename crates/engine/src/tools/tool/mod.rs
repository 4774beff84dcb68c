//! The tools of the assistant's API: names, arguments, limits, envelope and error codes that models are taught.
//!
//! They are thin: each turns its arguments into those of a tool that people use, and wraps the answer. Whatever goes
//! wrong is an answer, too, with one of six codes.

pub mod apply_text_edits;
pub mod apply_unified_diff;
pub mod get_diagnostics;
pub mod get_references;
pub mod get_symbol_definition;
pub mod list_files;
pub mod read_file;
pub mod retrieve_context;
pub mod search_symbols;
pub mod search_text;
pub mod writing;

use std::marker::PhantomData;

use gik_base::{ErrorCode, Failure, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::bound::{self, MOST_BYTES};
use crate::view::Style;
use crate::{Answer, Report, View};

/// What every tool of this API answers with.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Envelope<T> {
    /// Whether it did what was asked.
    pub ok: bool,
    /// The answer.
    #[schemars(with = "Option<T>")]
    pub data: Value,
    /// Why not: one of `invalid_arguments`, `not_found`, `permission_denied`, `requires_confirmation`, `too_large`,
    /// `internal_error`.
    pub error: Option<&'static str>,
    /// About the answer.
    pub meta: Meta,
    #[serde(skip)]
    kind: PhantomData<T>,
}

/// About an answer.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Meta {
    /// Whether something was left out.
    pub truncated: bool,
    /// The length of the data as JSON, in bytes.
    pub bytes: u64,
    /// What there is to say.
    pub warnings: Vec<String>,
}

/// Data, with what is to be said about it.
pub(crate) struct Given<T> {
    pub(crate) data: T,
    pub(crate) is_cut: bool,
    pub(crate) warnings: Vec<String>,
}

impl<T> Given<T> {
    pub(crate) fn whole(data: T) -> Self {
        Self { data, is_cut: false, warnings: Vec::new() }
    }
}

impl<T: Serialize> Envelope<T> {
    /// Wraps what came of a call. Being stopped is no answer.
    pub(crate) fn of(result: Result<Given<T>>) -> Result<Self> {
        Self::within(MOST_BYTES, result)
    }

    /// The same with fewer bytes.
    pub(crate) fn within(most: usize, result: Result<Given<T>>) -> Result<Self> {
        match result.and_then(|given| Self::filled(most, given)) {
            Ok(envelope) => Ok(envelope),
            Err(failure) if failure.code() == ErrorCode::Interrupted => Err(failure),
            Err(failure) => Ok(Self::refused(&failure)),
        }
    }

    fn filled(most: usize, given: Given<T>) -> Result<Self> {
        /// Room for the envelope itself and its warnings.
        const FRAME: usize = 2_000;
        let Given { data, is_cut, mut warnings } = given;
        let mut data = serde_json::to_value(data).map_err(|error| {
            Failure::new(ErrorCode::Internal, "the output cannot be written as JSON")
                .caused_by(error)
        })?;
        let cuts = bound::fit(&mut data, most.min(MOST_BYTES).saturating_sub(FRAME))?;
        for cut in &cuts {
            warnings.push(format!("{} has {} of {}", cut.at, cut.kept, cut.of));
        }
        warnings.truncate(10);
        let bytes = data.to_string().len() as u64;
        let meta = Meta { truncated: is_cut || !cuts.is_empty(), bytes, warnings };
        Ok(Self { ok: true, data, error: None, meta, kind: PhantomData })
    }

    fn refused(failure: &Failure) -> Self {
        let hints = failure.hints().iter().cloned();
        let warnings: Vec<String> = std::iter::once(failure.to_string()).chain(hints).collect();
        let meta = Meta { truncated: false, bytes: 4, warnings };
        let error = Some(code_of(failure.code()));
        Self { ok: false, data: Value::Null, error, meta, kind: PhantomData }
    }

    /// A failure as this tool tells it.
    pub(crate) fn told(failure: &Failure) -> Box<dyn Answer>
    where
        T: 'static,
    {
        Box::new(Self::refused(failure))
    }
}

/// What came of a call of any tool, as the tools of this API tell it.
pub(crate) fn enveloped(answer: Result<Value>) -> Result<Value> {
    Envelope::of(answer.map(Given::whole))?.json()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what has no code of its own is internal")]
fn code_of(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::ArgumentInvalid
        | ErrorCode::QueryInvalid
        | ErrorCode::SourceInvalid
        | ErrorCode::BaseUnknown => "invalid_arguments",
        ErrorCode::PathMissing
        | ErrorCode::NothingFound
        | ErrorCode::NoIndexedBase
        | ErrorCode::NotInitialized
        | ErrorCode::BranchMissing => "not_found",
        ErrorCode::PathOutside | ErrorCode::PathRefused | ErrorCode::ConfigUntrusted => {
            "permission_denied"
        },
        ErrorCode::ConfirmationRequired | ErrorCode::ChangeOutdated => "requires_confirmation",
        ErrorCode::TooLarge => "too_large",
        _ => "internal_error",
    }
}

impl<T: Serialize> Report for Envelope<T> {
    fn render(&self, view: &mut View) {
        if let Some(error) = self.error {
            let error = view.paint(Style::Bad, error);
            view.line(error);
        } else {
            render_data(&self.data, view);
        }
        for warning in &self.meta.warnings {
            let warning = view.paint(Style::Faint, format!("note: {warning}"));
            view.line(warning);
        }
    }

    fn found(&self) -> bool {
        self.ok
    }

    fn is_failure(&self) -> bool {
        !self.ok
    }
}

/// Lists as lines, texts as they are.
fn render_data(data: &Value, view: &mut View) {
    let Value::Object(fields) = data else { return };
    for (name, value) in fields {
        match value {
            Value::Array(items) => {
                for item in items {
                    let line = view.plain(one_line(item));
                    view.line(line);
                }
            },
            Value::String(text) if text.contains('\n') => {
                for line in text.lines() {
                    let line = view.plain(line);
                    view.line(line);
                }
            },
            Value::String(text) => {
                let line = view.plain(format!("{name}: {text}"));
                view.line(line);
            },
            Value::Null => {},
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                let line = view.plain(format!("{name}: {value}"));
                view.line(line);
            },
        }
    }
}

/// `path:line text` where an item has them.
fn one_line(item: &Value) -> String {
    let Value::Object(fields) = item else {
        return item.as_str().map_or_else(|| item.to_string(), str::to_owned);
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let line = ["line", "start_line"].iter().find_map(|name| fields.get(*name));
    let place = match line {
        Some(line) => format!("{}:{line}", text("path")),
        None => text("path").to_owned(),
    };
    let rest = ["kind", "qualified", "signature", "text", "content"].map(text);
    let rest: Vec<&str> = rest.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{place} {}", rest.join(" ")).trim().to_owned()
}
