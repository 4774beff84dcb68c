//! What of a file cannot be read as its language asks, place by place.

use std::ops::Range;

use gik_base::FileKey;

use crate::language::{Language, Structure};
use crate::line_table::LineTable;
use crate::{ProblemKind, parse, syntax};

/// A place that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of oddity.
    pub kind: ProblemKind,
    /// Where, at the borders of characters.
    pub bytes: Range<usize>,
    /// A sentence without a final period.
    pub message: String,
}

/// The places of a file that cannot be read, in order; no more than so many. Never fails, whatever the text.
pub fn diagnostics(
    path: &FileKey,
    text: &str,
    language: &'static Language,
    most: usize,
) -> Vec<Diagnostic> {
    let lines = LineTable::new(text);
    if let Structure::Syntax(description) = language.structure()
        && let Ok(unread) = syntax::errors(text, language, description, most)
    {
        let told = |it: syntax::tree::Unread| told(text, language, it.bytes, it.missing.as_deref());
        return unread.into_iter().map(told).collect();
    }
    let problems = parse(path, text, Some(language)).problems.into_iter().take(most);
    let mut found: Vec<Diagnostic> = problems
        .map(|problem| {
            let line = (problem.line as usize).saturating_sub(1).min(lines.count().max(1) - 1);
            let start = lines.start(line);
            let bytes = start..start + lines.line(line).trim_end().len();
            Diagnostic { kind: problem.kind, bytes, message: problem.message }
        })
        .collect();
    found.sort_by_key(|it| (it.bytes.start, it.bytes.end));
    found
}

fn told(text: &str, language: &Language, bytes: Range<usize>, missing: Option<&str>) -> Diagnostic {
    const SHOWN: usize = 40;
    let start = text.floor_char_boundary(bytes.start.min(text.len()));
    let end = text.ceil_char_boundary(bytes.end.min(text.len())).max(start);
    let message = match missing {
        Some(what) => format!("`{what}` is missing"),
        None => {
            let first = text[start..end].trim_start().lines().next().unwrap_or_default();
            let shown: String = first.trim_end().chars().take(SHOWN).collect();
            if shown.is_empty() {
                format!("not valid {} here", language.name)
            } else {
                format!("not valid {}: `{shown}`", language.name)
            }
        },
    };
    Diagnostic { kind: ProblemKind::Syntax, bytes: start..end, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language_by_id;

    fn found(name: &str, language: &str, text: &str) -> Vec<(usize, String)> {
        let language = language_by_id(language).unwrap();
        let found = diagnostics(&FileKey::from_text(name), text, language, 100);
        found.into_iter().map(|it| (it.bytes.start, it.message)).collect()
    }

    #[test]
    fn every_place_that_cannot_be_read_is_told() {
        assert_eq!(found("a.rs", "rust", "fn a() { let x = 1; }\n"), []);
        let errors = found("a.rs", "rust", "fn a() { let x = 1 }\nfn b() {}\nfn c() { ) }\n");
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert_eq!(errors[0].1, "`;` is missing");
        assert!(errors[1].1.starts_with("not valid Rust"), "{errors:?}");
    }

    #[test]
    fn no_more_are_told_than_asked_for() {
        let text = "fn a() { let x = 1 }\nfn b() {}\nfn c() { ) }\n";
        let rust = language_by_id("rust").unwrap();
        assert_eq!(diagnostics(&FileKey::from_text("a.rs"), text, rust, 1).len(), 1);
    }

    #[test]
    fn a_broken_block_of_data_at_the_top_is_told() {
        let errors = found("a.md", "markdown", "---\na: [1\nb: }\n---\n# A\n");
        assert_eq!(errors.len(), 1, "{errors:?}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_places_within_itself(text in "[-(){};a\"'é🎈\n ]{0,200}") {
            for id in ["rust", "python", "javascript", "html", "json", "markdown"] {
                let language = language_by_id(id).unwrap();
                for it in diagnostics(&FileKey::from_text("x"), &text, language, 20) {
                    proptest::prop_assert!(text.get(it.bytes.clone()).is_some(), "{it:?}");
                }
            }
        }
    }
}
