//! Was code squeezed into a few very long lines? Then it is a copy of something readable that lives elsewhere.

use gik_base::{FileKey, line_ends};

/// Formats whose lines are long by nature: paragraphs, records, pages, cells. Without an extension it is mostly prose.
const LONG_BY_NATURE: &[&str] = &[
    "", "md", "markdown", "mdx", "rst", "adoc", "org", "txt", "tex", "html", "htm", "csv", "tsv",
    "jsonl", "ndjson", "log", "ipynb",
];
/// Nothing below this is worth leaving out.
const MIN_BYTES: usize = 4 << 10;
/// Nobody writes lines of this length by hand.
const LONG_LINE: usize = 300;
/// A file with this many readable lines is kept, whatever data it embeds.
const MAX_READABLE_LINES: usize = 60;

/// Whether nearly all of the text is in very long lines.
pub(super) fn is_minified(key: &FileKey, text: &str) -> bool {
    if text.len() < MIN_BYTES || LONG_BY_NATURE.contains(&key.extension().as_ref()) {
        return false;
    }
    let n_lines = 1 + line_ends(text.as_bytes()).count();
    if text.len() / n_lines < LONG_LINE / 2 {
        return false;
    }
    let (mut readable, mut long_bytes) = (0, 0);
    for line in text.lines() {
        if line.len() > LONG_LINE {
            long_bytes += line.len();
        } else if !line.trim().is_empty() {
            readable += 1;
        }
    }
    readable <= MAX_READABLE_LINES && long_bytes >= text.len() / 10 * 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str) -> bool {
        is_minified(&FileKey::from_text(name), text)
    }

    #[test]
    fn squeezed_code_is_minified_and_embedded_data_is_not() {
        let squeezed = "function a(){return b+c};".repeat(400);
        assert!(check("a.js", &squeezed));
        assert!(check("a.js", &format!("/*!\n * Licence\n */\n{squeezed}\n")));
        let wrapped = format!("{}\n", "x=1;".repeat(120)).repeat(40);
        assert!(check("a.js", &wrapped));
        let written = "let value = compute(other, 1);\n".repeat(100);
        assert!(!check("a.js", &written));
        assert!(!check("a.js", &format!("{written}const DATA = \"{squeezed}\";\n")));
    }

    #[test]
    fn paragraphs_records_and_small_files_are_kept() {
        let long = "many words in a row ".repeat(600);
        assert!(!check("a.md", &long));
        assert!(!check("a.csv", &long));
        assert!(!check("a.json", "{\"a\":1}"));
    }
}
