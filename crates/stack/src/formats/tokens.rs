//! Words, texts and marks of build scripts that are programs (Gradle, Gemfile, mix.exs, Package.swift, conanfile.py).
//!
//! Not a parser of those languages: it knows comments, quotes and brackets, which is enough to find declarations that
//! are written the usual way. Linear in the length of the text.

/// A piece of a build script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Letters, digits, `_` and `.`: `libs.ktor.core`, `.package`, `gem`.
    Word(&'a str),
    /// What stands between quotes, escapes untouched.
    Text(&'a str),
    /// Any other character.
    Mark(char),
    /// The end of a line.
    Line,
}

/// How a language marks comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comments {
    /// From `#` to the end of the line.
    Hash,
    /// From `//` to the end of the line, and `/* … */`.
    Slashes,
}

/// Longer lists are passed over; it keeps brackets that never close from making the work quadratic.
const MAX_BRACKETED: usize = 1024;
/// Longer statements are cut, for the same reason.
const MAX_STATEMENT: usize = 256;

/// All tokens of a script.
pub(crate) fn tokens(text: &str, comments: Comments) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '\n' {
            tokens.push(Token::Line);
            1
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if let Some(length) = comment(rest, comments) {
            length
        } else if matches!(first, '"' | '\'') {
            let (text, length) = quoted(rest, first);
            tokens.push(Token::Text(text));
            length
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..length]));
            length
        } else {
            tokens.push(Token::Mark(first));
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The length of the comment that starts here.
fn comment(rest: &str, comments: Comments) -> Option<usize> {
    let to_line_end = || rest.find('\n').unwrap_or(rest.len());
    match comments {
        Comments::Hash => rest.starts_with('#').then(to_line_end),
        Comments::Slashes if rest.starts_with("//") => Some(to_line_end()),
        Comments::Slashes if rest.starts_with("/*") => {
            Some(rest.find("*/").map_or(rest.len(), |end| end + 2))
        },
        Comments::Slashes => None,
    }
}

/// The inside of the quotes that start here, and the length with them. A text on one line ends with the line at the
/// latest, so that one stray quote does not swallow the rest of the file.
fn quoted(rest: &str, quote: char) -> (&str, usize) {
    let triple = [quote; 3].iter().collect::<String>();
    if let Some(inner) = rest.strip_prefix(triple.as_str()) {
        return match inner.find(triple.as_str()) {
            Some(end) => (&inner[..end], end + 6),
            None => (inner, rest.len()),
        };
    }
    let inner = &rest[1..];
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '\n' => return (&inner[..at], at + 1),
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return (&inner[..at], at + 2),
            _ => {},
        }
    }
    (inner, rest.len())
}

/// The tokens between the bracket at `open` and its partner. Empty when there is no bracket at that
/// place, or no partner near enough.
pub(crate) fn bracketed<'t, 'a>(tokens: &'t [Token<'a>], open: usize) -> &'t [Token<'a>] {
    let Some(Token::Mark('(' | '[' | '{')) = tokens.get(open) else { return &[] };
    let mut depth = 0usize;
    let limit = tokens.len().min(open + MAX_BRACKETED);
    for (at, token) in tokens.iter().enumerate().take(limit).skip(open) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => {
                depth -= 1;
                if depth == 0 {
                    return &tokens[open + 1..at];
                }
            },
            Token::Word(_) | Token::Text(_) | Token::Mark(_) | Token::Line => {},
        }
    }
    &[]
}

/// The tokens from `start` to the end of the statement: the line, unless it ends in a comma or inside brackets. A
/// block (`{`, or a closing bracket of the surroundings) ends it too.
pub(crate) fn statement<'t, 'a>(tokens: &'t [Token<'a>], start: usize) -> &'t [Token<'a>] {
    let mut depth = 0usize;
    let limit = tokens.len().min(start + MAX_STATEMENT);
    let mut continued = false;
    for (at, token) in tokens.iter().enumerate().take(limit).skip(start) {
        match token {
            Token::Mark('(' | '[') => depth += 1,
            Token::Mark(')' | ']') if depth > 0 => depth -= 1,
            Token::Mark(')' | ']' | '}') => return &tokens[start..at],
            Token::Mark('{' | ';') | Token::Line if depth == 0 && !continued => {
                return &tokens[start..at];
            },
            Token::Word(_) | Token::Text(_) | Token::Mark(_) | Token::Line => {},
        }
        continued = matches!(token, Token::Mark(',')) || (continued && *token == Token::Line);
    }
    &tokens[start..limit]
}

/// The texts among the tokens.
pub(crate) fn texts<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'a str> + 't {
    tokens.iter().filter_map(|token| if let Token::Text(text) = token { Some(*text) } else { None })
}

/// The text given as `label: "text"`, `label = "text"` or `label => "text"`.
pub(crate) fn labelled<'a>(tokens: &[Token<'a>], label: &str) -> Option<&'a str> {
    match after_label(tokens, label)? {
        [Token::Text(text), ..] => Some(text),
        _ => None,
    }
}

/// The tokens after `label:`, `label =` or `label =>`.
pub(crate) fn after_label<'t, 'a>(tokens: &'t [Token<'a>], label: &str) -> Option<&'t [Token<'a>]> {
    let at = tokens.windows(2).position(
        |pair| matches!(pair, [Token::Word(word), Token::Mark(':' | '=')] if *word == label),
    )?;
    let rest = &tokens[at + 2..];
    Some(rest.strip_prefix(&[Token::Mark('>')]).unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_quotes_are_understood() {
        let script = "a('x//y') // 'no'\n/* \"no\" */ b \"\"\"t\nu\"\"\" 'open\nc";
        let found: Vec<_> = texts(&tokens(script, Comments::Slashes)).collect();
        assert_eq!(found, ["x//y", "t\nu", "open"]);
    }

    #[test]
    fn a_statement_goes_on_after_a_comma_and_inside_brackets() {
        let all = tokens("gem 'a',\n  '1', x: [\n1]\ngem 'b'", Comments::Hash);
        assert_eq!(texts(statement(&all, 0)).collect::<Vec<_>>(), ["a", "1"]);
    }

    #[test]
    fn labels_of_all_spellings() {
        let all = tokens("name: 'a', version = 'b', :git => 'c'", Comments::Hash);
        let found = ["name", "version", "git"].map(|label| labelled(&all, label));
        assert_eq!(found, [Some("a"), Some("b"), Some("c")]);
    }

    #[test]
    fn brackets_that_never_close_cost_little() {
        let all = tokens("(", Comments::Hash);
        assert!(bracketed(&all, 0).is_empty());
        assert!(bracketed(&all, 9).is_empty());
    }
}
