//! Why a chore ended early, and the exit code that tells the shell.

use std::path::Path;

/// The result of everything that can fail here.
pub(crate) type Result<T> = std::result::Result<T, Stop>;

/// Why a chore ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The command line makes no sense.
    Usage(String),
    /// Something did not hold or could not be done.
    Failed(String),
    /// A program that was run has told the reason itself; its code is passed on.
    Child(u8),
}

impl Stop {
    /// The failure of an operation on a path.
    pub(crate) fn on_path(action: &str, path: &Path, error: impl std::fmt::Display) -> Self {
        Self::Failed(format!("cannot {action} `{}`: {error}", path.display()))
    }

    /// What to print, if there is anything left to say.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Self::Usage(message) | Self::Failed(message) => Some(format!("error: {message}")),
            Self::Child(_) => None,
        }
    }

    /// The exit code of the process.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
            Self::Child(code) => *code,
        }
    }
}
