//! Types that TypeScript names together with the file they come from: `import("./shelf").Shelf<Note>`.
//!
//! Compilers write them into declarations; the grammar reads them only without arguments.

const WORD: &str = "import(";

/// A text with blanks in place of `import("…").` wherever a type may stand; everything else stays at its byte.
pub(crate) fn hide(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(WORD) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = source_length(from).filter(|_| is_type(&out)).unwrap_or_default();
        out.extend(std::iter::repeat_n(' ', length));
        let kept = if length == 0 { WORD.len() } else { 0 };
        out.push_str(&from[length..length + kept]);
        rest = &from[length + kept..];
    }
    out.push_str(rest);
    out
}

/// The bytes of `import("…").`.
fn source_length(text: &str) -> Option<usize> {
    let quoted = text.strip_prefix(WORD)?;
    let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let source = quoted.get(1..)?.split(['\n', quote]).next()?;
    let end = WORD.len() + 1 + source.len() + 1;
    text.get(end..)?.starts_with(").").then_some(end + 2)
}

/// Whether a type may follow: `import()` as a value follows other signs and words.
fn is_type(before: &str) -> bool {
    let before = before.trim_end();
    before.ends_with([':', '<', '|', '&', ',', '(', '[', '?', '=', '>'])
        || ["extends", "is", "readonly"].iter().any(|word| before.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_types_are_hidden_and_nothing_moves() {
        let hidden = hide("a?: import(\"./ä\").B<c> | import('d').E;\n");
        assert_eq!(hidden, "a?:                B<c> |             E;\n");
        for kept in ["typeof import(\"a\").b", "await import(\"a\")", "x: import(\"a\")", "import("]
        {
            assert_eq!(hide(kept), kept);
        }
    }
}
