//! Something wrong with the configuration, where it stands and what to do about it.

use gik_base::{ErrorCode, Failure};
use schemars::JsonSchema;
use serde::Serialize;

use super::Origin;

/// Whether the configuration can be used all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// It cannot be used.
    Error,
    /// The value is left out and everything else is used.
    Warning,
}

/// Something wrong with the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    pub(crate) at: Origin,
    pub(crate) key: Option<String>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// Something the user should know though the configuration is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The place and what is wrong there.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    fn sentence(&self) -> String {
        format!("{}: {}", self.at, self.message)
    }

    pub(crate) fn into_warning(self) -> Warning {
        Warning { message: self.sentence(), hint: self.hint }
    }

    pub(crate) fn into_failure(self) -> Failure {
        let failure = Failure::new(ErrorCode::ConfigInvalid, self.sentence());
        match self.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// The failure that several problems make: the first error, and how to see the others.
/// `None` where there are only warnings.
pub(crate) fn failure_of(problems: &[Problem]) -> Option<Failure> {
    let mut errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let failure = errors.next()?.clone().into_failure();
    Some(match errors.count() {
        0 => failure,
        1 => failure.hint("`gik config check` shows one more error"),
        more => failure.hint(format!("`gik config check` shows {more} more errors")),
    })
}
