//! Why is a file not taken? One closed list of reasons, each with a stable code and a sentence.

use std::fmt;

use gik_base::FileKey;

/// A file or folder that is not taken, and why. Nothing below a skipped folder is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Where it is.
    pub key: FileKey,
    /// Why it is left out.
    pub reason: SkipReason,
}

/// One line of an ignore file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The ignore file: relative to the workspace where it lies inside, absolute otherwise.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
    /// The pattern as written.
    pub pattern: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "`{}` ({}:{line})", self.pattern, self.file),
            None => write!(f, "`{}` ({})", self.pattern, self.file),
        }
    }
}

/// Why a file or folder is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// A line of an ignore file says so.
    Ignored {
        /// The ignore file.
        file: String,
        /// The line, counted from 1.
        line: Option<u64>,
        /// The pattern as written.
        pattern: String,
    },
    /// A rule that ships with the product says so.
    Builtin {
        /// The pattern as the table writes it.
        pattern: &'static str,
    },
    /// More bytes than the limit.
    TooLarge {
        /// The size of the file.
        bytes: u64,
        /// The limit that was set.
        limit: u64,
    },
    /// The content is not text.
    Binary,
    /// The content says that a program wrote it.
    Generated {
        /// The words that say so.
        marker: String,
    },
    /// Code squeezed into a few very long lines.
    Minified,
    /// Links are not followed.
    SymbolicLink,
    /// A socket, pipe or device.
    NotAFile,
    /// Only other modes are indexed.
    Mode {
        /// The mode of the file.
        mode: &'static str,
    },
    /// The system does not let us look, in its words.
    Unreadable(String),
}

impl SkipReason {
    /// The stable kebab-case name, as found in `--json`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Ignored { .. } => "ignored",
            Self::Builtin { .. } => "builtin",
            Self::TooLarge { .. } => "too-large",
            Self::Binary => "binary",
            Self::Generated { .. } => "generated",
            Self::Minified => "minified",
            Self::SymbolicLink => "symbolic-link",
            Self::NotAFile => "not-a-file",
            Self::Mode { .. } => "mode",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl From<Rule> for SkipReason {
    fn from(rule: Rule) -> Self {
        Self::Ignored { file: rule.file, line: rule.line, pattern: rule.pattern }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored { file, line: Some(line), pattern } => {
                write!(f, "ignored by `{pattern}` in {file}, line {line}")
            },
            Self::Ignored { file, line: None, pattern } => {
                write!(f, "ignored by `{pattern}` in {file}")
            },
            Self::Builtin { pattern } => write!(f, "left out by the built-in rule `{pattern}`"),
            Self::TooLarge { bytes, limit } => {
                write!(f, "too large: {bytes} bytes, the limit is {limit}")
            },
            Self::Binary => f.write_str("not text"),
            Self::Generated { marker } => write!(f, "written by a program: `{marker}`"),
            Self::Minified => f.write_str("minified: nearly all of it is in very long lines"),
            Self::SymbolicLink => f.write_str("a symbolic link; links are not followed"),
            Self::NotAFile => f.write_str("neither a file nor a folder"),
            Self::Mode { mode } => write!(f, "the mode `{mode}` is not indexed"),
            Self::Unreadable(why) => write!(f, "cannot be read: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_file_names_the_line_that_decided() {
        let rule = Rule { file: ".gitignore".into(), line: Some(3), pattern: "*.log".into() };
        assert_eq!(rule.to_string(), "`*.log` (.gitignore:3)");
        let reason = SkipReason::from(rule);
        assert_eq!(reason.code(), "ignored");
        assert_eq!(reason.to_string(), "ignored by `*.log` in .gitignore, line 3");
    }
}
