//! `path:src -lang:go re:/lock\(/i`: which conditions does a question name?
//!
//! Text that people paste has colons of its own, so a condition is a known name, a colon and, without a space, a value
//! of the shape that such a condition has. Everything else is words: `std::fs`, `error: foo`, `path:&str)`.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result};

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionName {
    /// The path of the file, as a pattern.
    Path,
    /// The language of the file.
    Lang,
    /// What a chunk is or defines.
    Kind,
    /// Code, prose, comments, records.
    Mode,
    /// The base.
    Base,
    /// A tag of a document or a memory entry.
    Tag,
    /// When the file changed.
    Changed,
    /// Who changed the file.
    Author,
    /// A regular expression that the text has.
    Re,
}

impl ConditionName {
    /// Every name.
    pub const ALL: [Self; 9] = [
        Self::Path,
        Self::Lang,
        Self::Kind,
        Self::Mode,
        Self::Base,
        Self::Tag,
        Self::Changed,
        Self::Author,
        Self::Re,
    ];

    /// As it is typed before the colon.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Lang => "lang",
            Self::Kind => "kind",
            Self::Mode => "mode",
            Self::Base => "base",
            Self::Tag => "tag",
            Self::Changed => "changed",
            Self::Author => "author",
            Self::Re => "re",
        }
    }

    /// Whether a value without quotes has the shape of such values.
    fn takes(self, value: &str) -> bool {
        let is_word = |more: &str| {
            value.starts_with(char::is_alphanumeric)
                && value.chars().all(|c| c.is_alphanumeric() || more.contains(c))
        };
        match self {
            Self::Path => {
                !value.is_empty()
                    && !value.starts_with(':')
                    && !value.starts_with("//")
                    && !value.ends_with([',', ':', '?', '.'])
                    && !value.contains(['&', '<', '>', '(', ')', '=', ';', '|', '\'', '`', '"'])
                    || matches!(value, "." | "..")
            },
            Self::Lang | Self::Kind | Self::Mode | Self::Base => {
                is_word("+#_-.") && !value.ends_with('.')
            },
            Self::Tag => {
                is_word("_-/") || value.strip_prefix('#').is_some_and(|tag| self.takes(tag))
            },
            Self::Changed => {
                let rest = value.trim_start_matches(['<', '>', '=']);
                rest.starts_with(|c: char| c.is_ascii_digit())
                    && rest.chars().all(|c| c.is_ascii_alphanumeric() || "-:+.".contains(c))
            },
            Self::Author => is_word("_-.@+") && !value.ends_with('.'),
            Self::Re => false,
        }
    }
}

/// Something that must be true of what is found, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What it is about.
    pub name: ConditionName,
    /// Whether it must hold; with `-` in front it must not.
    pub wanted: bool,
    /// What follows the colon, without quotes; of a regular expression what is between the slashes, after its flags.
    pub value: String,
    /// Where it stands in the question, in bytes; empty where it was not typed there.
    pub place: Range<usize>,
}

/// The condition at the start of `body`, its sign left out, and what follows it. `None` for words.
pub(super) fn read<'t>(
    text: &str,
    body: &'t str,
    start: usize,
    wanted: bool,
) -> Result<Option<(Condition, &'t str)>> {
    let named = ConditionName::ALL
        .into_iter()
        .find_map(|name| Some((name, body.strip_prefix(name.as_str())?.strip_prefix(':')?)));
    let Some((name, rest)) = named else { return Ok(None) };
    let offset = |rest: &str| text.len() - rest.len();
    let (value, rest) = if name == ConditionName::Re {
        let Some(rest) = rest.strip_prefix('/') else { return Ok(None) };
        pattern(text, rest, start)?
    } else if let Some(quoted) = rest.strip_prefix('"') {
        let Some(end) = quoted.find('"') else {
            return Err(super::parse::unclosed(text, offset(rest)));
        };
        (quoted[..end].to_owned(), &quoted[end + 1..])
    } else {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if !name.takes(&rest[..end]) {
            return Ok(None);
        }
        (rest[..end].to_owned(), &rest[end..])
    };
    let place = start..offset(rest);
    if value.trim().is_empty() {
        return Err(Failure::new(
            ErrorCode::QueryInvalid,
            format!("`{}:` has no value", name.as_str()),
        )
        .hint("write what must hold between the quotes, or leave the condition out")
        .pointing(text, place));
    }
    Ok(Some((Condition { name, wanted, value, place }, rest)))
}

/// A regular expression up to its closing slash, its flags put in front, and what follows.
fn pattern<'t>(text: &str, rest: &'t str, start: usize) -> Result<(String, &'t str)> {
    let (mut is_escaped, mut is_in_class) = (false, false);
    let closing = rest.char_indices().find(|(_, c)| {
        let is_closing = *c == '/' && !is_escaped && !is_in_class;
        match c {
            '[' if !is_escaped => is_in_class = true,
            ']' if !is_escaped => is_in_class = false,
            _ => {},
        }
        is_escaped = *c == '\\' && !is_escaped;
        is_closing
    });
    let Some((closing, _)) = closing else {
        return Err(Failure::new(ErrorCode::QueryInvalid, "the regular expression is not closed")
            .hint("close it with `/`: `re:/open|close/`; to look for the words, quote them")
            .pointing(text, start..text.len()));
    };
    let (inside, after) = (&rest[..closing], &rest[closing + 1..]);
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let (flags, rest) = after.split_at(end);
    match flags {
        "" => Ok((inside.to_owned(), rest)),
        "i" => Ok((format!("(?i){inside}"), rest)),
        _ => {
            let from = text.len() - after.len();
            Err(Failure::new(
                ErrorCode::QueryInvalid,
                format!("`{flags}` is no flag of a regular expression"),
            )
            .hint("`i` takes upper and lower case alike; a slash inside is written `\\/`")
            .pointing(text, from..from + end))
        },
    }
}
