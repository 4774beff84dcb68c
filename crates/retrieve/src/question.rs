//! What kind of question is it, and which of its words are names?

use gik_index::Query;

/// What the ranking needs to know of a question, besides its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Its words and the parts of its identifiers, lower-case.
    pub(crate) words: Vec<String>,
    /// Its identifiers as the analyzer writes them.
    pub(crate) names: Vec<String>,
    /// Whether it is one word: a name, and names are found by their letters.
    pub(crate) is_name: bool,
}

/// A word of fewer letters says too little about a file.
const MIN_WORD: usize = 2;
/// A name of fewer letters names too many things.
const MIN_NAME: usize = 3;

/// Scripts from here on write sentences without spaces, or nearly so.
const FIRST_UNSPACED: char = '\u{e00}';

/// Whether a question is one word.
pub fn is_name(text: &str) -> bool {
    !text.trim().contains(|c: char| c.is_whitespace() || c >= FIRST_UNSPACED)
}

impl Asked {
    pub(crate) fn new(text: &str, query: &Query) -> Self {
        let is_name = is_name(text);
        let identifiers = text
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .filter(|word| is_name || is_identifier(word));
        Self {
            words: query.terms().iter().filter(|word| word.len() >= MIN_WORD).cloned().collect(),
            names: identifiers.filter_map(whole).filter(|name| name.len() >= MIN_NAME).collect(),
            is_name,
        }
    }
}

/// Whether a word is written as only names are: `read_file`, `_private`, `parseConfig`, `HttpClient`.
fn is_identifier(word: &str) -> bool {
    let rises =
        word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    rises || word.contains('_')
}

/// The term that a name has as a whole; `None` for what is no one name.
pub(crate) fn whole(name: &str) -> Option<String> {
    // A plain identifier is its own term, and nearly all names are plain.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.is_empty()
        && !name.starts_with('_')
        && !name.ends_with('_')
        && name.len() <= 64;
    if is_plain {
        return Some(name.to_ascii_lowercase());
    }
    let mut written: Vec<(String, u32)> = Vec::new();
    gik_index::analyze(name, &mut |term, position| written.push((term.to_owned(), position)));
    match written.as_slice() {
        // The whole comes first, at the position of its first part.
        [(whole, _)] | [(whole, 0), (_, 0), ..] => Some(whole.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asked {
        Asked::new(text, &Query::parse(text).unwrap())
    }

    #[test]
    fn identifiers_in_a_sentence_are_names_and_other_words_are_not() {
        for (text, expected) in [
            ("how does parseConfig read_file work", &["parseconfig", "read_file"][..]),
            ("where is HttpClient used", &["httpclient"]),
            ("who calls __init__ here", &["init"]),
            ("how are errors handled in JSON", &[]),
            ("session", &["session"]),
            ("tree-sitter", &["tree_sitter"]),
            ("do", &[]),
        ] {
            assert_eq!(asked(text).names, expected, "{text}");
        }
    }

    #[test]
    fn one_word_is_a_name() {
        assert!(asked(" commit ").is_name && asked("größe").is_name);
        assert!(!asked("how commit").is_name && !asked("如何处理错误").is_name);
    }

    #[test]
    fn names_are_compared_as_the_analyzer_writes_them() {
        for (name, question, expected) in [
            ("parseHTTPConfig", "parseHTTPConfig", true),
            ("parseHTTPConfig", "PARSEHTTPCONFIG", true),
            ("parseHTTPConfig", "parse http config", false),
            ("read_file", "read-file", true),
            ("tree-sitter", "tree_sitter", true),
            ("tree-sitter", "tree", false),
            ("__init__", "init", true),
            ("GRÖSSE", "grösse", true),
            ("caf\u{65}\u{301}", "café", true),
            ("fs::read", "fs", false),
            ("…", "x", false),
        ] {
            let names = asked(question).names;
            let is_asked = whole(name).is_some_and(|name| names.contains(&name));
            assert_eq!(is_asked, expected, "{name} {question}");
        }
    }
}
