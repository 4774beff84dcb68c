//! The one error type: a stable code, a sentence that names the cause, and what to do next.
//!
//! There is one type because there is one reader: the person or program that ran the command. Code that wants to
//! react to a failure matches on [`Failure::code`].

use std::error::Error;
use std::fmt;
use std::ops::Range;

use gik_contract::ErrorCode;

/// The result of everything that can fail.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why something could not be done.
pub struct Failure(Box<Inner>);

struct Inner {
    code: ErrorCode,
    message: String,
    hints: Vec<String>,
    cause: Option<Box<dyn Error + Send + Sync>>,
    place: Option<Place>,
}

/// A part of what the user typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// All of it.
    pub text: String,
    /// The part, in bytes.
    pub bytes: Range<usize>,
}

impl Place {
    /// Where the part begins, in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.bytes.start].chars().count() + 1
    }
}

impl Failure {
    /// A failure with its code and a sentence without a final period.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (message, hints) = (message.into(), Vec::new());
        Self(Box::new(Inner { code, message, hints, cause: None, place: None }))
    }

    /// Adds where in a text the user typed it is: bytes at the borders of characters.
    #[must_use]
    pub fn pointing(mut self, text: &str, bytes: Range<usize>) -> Self {
        if text.get(bytes.clone()).is_some() {
            self.0.place = Some(Place { text: text.to_owned(), bytes });
        }
        self
    }

    /// Adds what the user can do about it; the best hint is a command to type.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        if !self.0.hints.contains(&hint) {
            self.0.hints.push(hint);
        }
        self
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The sentence, without its causes.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do next, in order.
    pub fn hints(&self) -> &[String] {
        &self.0.hints
    }

    /// Where it is in what the user typed.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// The messages of the causes, outermost first.
    pub fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next: Option<&(dyn Error + 'static)> =
            self.0.cause.as_deref().map(|cause| cause as &(dyn Error + 'static));
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        causes
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        for cause in self.causes() {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {self}", self.0.code)?;
        for hint in &self.0.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl Error for Failure {}

/// Turns foreign errors into failures at the place that knows what was being done.
pub trait Context<T> {
    /// Wraps the error with a code and a sentence.
    fn context(self, code: ErrorCode, message: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Context<T> for std::result::Result<T, E> {
    fn context(self, code: ErrorCode, message: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::new(code, message()).caused_by(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_part_of_the_text_and_hints_are_not_repeated() {
        let failure = Failure::new(ErrorCode::Io, "cannot read `a`")
            .caused_by("no such file")
            .hint("check the path")
            .hint("check the path");
        assert_eq!(failure.to_string(), "cannot read `a`: no such file");
        assert_eq!(failure.hints(), ["check the path"]);
    }
}
