//! The file and the lines of `FILE`, `FILE:LINE` and `FILE:LINE-LINE`.

use gik_base::{ErrorCode, Failure, Result};

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place<'t> {
    pub(super) path: &'t str,
    /// The first and the last line, from 1; `None` means all.
    pub(super) lines: Option<(u32, u32)>,
}

impl<'t> Place<'t> {
    /// Reads what was typed. `has_file` tells whether a file has a name: one may end like a line.
    pub(super) fn parse(text: &'t str, has_file: &dyn Fn(&str) -> bool) -> Result<Self> {
        let whole = Self { path: text, lines: None };
        let Some((path, lines)) = text.rsplit_once(':').filter(|_| !has_file(text)) else {
            return Ok(whole);
        };
        let wrong = |problem: &str| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("`{text}`: {problem}"))
                .hint("write it as `src/main.rs`, `src/main.rs:12` or `src/main.rs:12-20`")
        };
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|line| *line > 0);
        let (Some(first), Some(last)) = (number(first), number(last)) else {
            return Err(wrong(&format!("`{lines}` is no line and no range of lines")));
        };
        if last < first {
            return Err(wrong(&format!("line {last} comes before line {first}")));
        }
        if path.is_empty() {
            return Err(wrong("it names no file"));
        }
        Ok(Self { path, lines: Some((first, last)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_file_and_maybe_lines() {
        let none = |_: &str| false;
        for (text, path, lines) in [
            ("a.rs", "a.rs", None),
            ("a.rs:3", "a.rs", Some((3, 3))),
            ("a.rs:3-9", "a.rs", Some((3, 9))),
            ("c:/a.rs:3", "c:/a.rs", Some((3, 3))),
        ] {
            assert_eq!(Place::parse(text, &none).unwrap(), Place { path, lines });
        }
        for wrong in ["a.rs:0", "a.rs:x", "a.rs:9-3", ":3", "a.rs:", "a.rs:1-"] {
            let failure = Place::parse(wrong, &none).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ArgumentInvalid, "{wrong}");
        }
        let odd = Place::parse("a:3", &|name| name == "a:3").unwrap();
        assert_eq!(odd, Place { path: "a:3", lines: None });
    }
}
