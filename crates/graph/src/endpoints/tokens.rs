//! The words, marks and strings of a source text, without its comments: enough to see a call with a literal.
//!
//! One reader for all languages whose frameworks are known. It never fails: a string that does not end, ends with its
//! line.

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    /// The word or mark; of a string what is between the quotes, as written.
    pub(super) text: &'t str,
    /// First byte, of a string that of its quote.
    pub(super) at: usize,
    /// Behind the last byte.
    pub(super) end: usize,
    /// Whether it begins a line.
    pub(super) is_first: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a keyword or a number.
    Word,
    /// A string without parts that are computed.
    Literal,
    /// A string with computed parts.
    Template,
    /// One character of anything else, or `::`, `->`, `=>`.
    Mark,
}

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    JavaScript,
    Python,
    Ruby,
    Php,
    Rust,
    /// Java, Kotlin, C#, Go.
    CLike,
}

impl Family {
    fn has_slash_comments(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby)
    }

    fn has_hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Ruby | Self::Php)
    }
}

impl Token<'_> {
    pub(super) fn is(&self, mark: &str) -> bool {
        self.kind == TokenKind::Mark && self.text == mark
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }
}

/// All tokens of a text.
pub(super) fn tokens(text: &str, family: Family) -> Vec<Token<'_>> {
    let mut reader = Reader { text, family, at: 0, is_first: true, tokens: Vec::new() };
    while reader.at < text.len() {
        reader.step();
    }
    reader.tokens
}

struct Reader<'t> {
    text: &'t str,
    family: Family,
    at: usize,
    is_first: bool,
    tokens: Vec<Token<'t>>,
}

impl<'t> Reader<'t> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return };
        if c.is_whitespace() {
            self.is_first |= c == '\n';
            self.at += c.len_utf8();
        } else if let Some(length) = self.comment(rest) {
            self.at += length;
        } else if is_word_char(c) {
            let length = rest.find(|c: char| !is_word_char(c)).unwrap_or(rest.len());
            let is_prefix =
                matches!(&rest[..length], "r" | "b" | "f" | "rb" | "br" | "u" | "R" | "F")
                    && rest[length..].starts_with(['"', '\''])
                    && self.family == Family::Python;
            if is_prefix {
                let is_template = rest[..length].contains(['f', 'F']);
                self.at += length;
                self.string(is_template);
            } else {
                self.push(TokenKind::Word, length);
            }
        } else if matches!(c, '"' | '`') || (c == '\'' && !self.is_lifetime(rest)) {
            self.string(false);
        } else if c == '@' && rest.starts_with("@\"") && self.family == Family::CLike {
            self.at += 1;
            self.string(false);
        } else if c == '/' && self.family == Family::JavaScript && self.may_be_pattern() {
            self.at += pattern_length(rest);
        } else {
            let two = ["::", "->", "=>"].into_iter().find(|mark| rest.starts_with(mark));
            self.push(TokenKind::Mark, two.map_or(c.len_utf8(), str::len));
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let (at, end) = (self.at, self.at + length);
        let is_first = std::mem::take(&mut self.is_first);
        self.tokens.push(Token { kind, text: &self.text[at..end], at, end, is_first });
        self.at = end;
    }

    /// The length of a comment that starts here.
    fn comment(&self, rest: &str) -> Option<usize> {
        let line = || rest.find('\n').unwrap_or(rest.len());
        if self.family.has_slash_comments() {
            if rest.starts_with("//") {
                return Some(line());
            }
            if let Some(inside) = rest.strip_prefix("/*") {
                return Some(inside.find("*/").map_or(rest.len(), |end| end + 4));
            }
        }
        // An attribute of PHP begins with the mark of a comment.
        let is_hash =
            rest.starts_with('#') && !(self.family == Family::Php && rest.starts_with("#["));
        (self.family.has_hash_comments() && is_hash).then(line)
    }

    /// Reads a string whose quote is here.
    fn string(&mut self, is_template: bool) {
        let rest = &self.text[self.at..];
        let quote = rest.chars().next().unwrap_or('"');
        let triple = ["\"\"\"", "'''"].into_iter().find(|mark| {
            rest.starts_with(mark) && matches!(self.family, Family::Python | Family::CLike)
        });
        let (open, close, many_lines) = match triple {
            Some(mark) => (3, mark.to_owned(), true),
            None => (
                1,
                quote.to_string(),
                quote == '`' || self.family == Family::Php || self.family == Family::Rust,
            ),
        };
        let mut at = open;
        let mut computed = is_template;
        while at < rest.len() && !rest[at..].starts_with(&close) {
            let c = rest[at..].chars().next().unwrap_or('\0');
            if c == '\n' && !many_lines {
                break;
            }
            if c == '\\' && (self.family != Family::CLike || quote == '"') {
                at += 1;
            }
            computed |= match self.family {
                Family::JavaScript => quote == '`' && rest[at..].starts_with("${"),
                Family::Ruby => quote == '"' && rest[at..].starts_with("#{"),
                Family::Php => quote == '"' && rest[at..].starts_with('$'),
                Family::Python | Family::Rust | Family::CLike => false,
            };
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
        let inner = at.min(rest.len());
        let end = (inner + close.len()).min(rest.len());
        let end = if rest[inner..].starts_with(&close) { end } else { inner };
        let kind = if computed { TokenKind::Template } else { TokenKind::Literal };
        let text = rest.get(open..inner).unwrap_or_default();
        let is_first = std::mem::take(&mut self.is_first);
        self.tokens.push(Token { kind, text, at: self.at, end: self.at + end, is_first });
        self.at += end.max(1);
    }

    /// Whether a quote begins no string: `'a` in Rust.
    fn is_lifetime(&self, rest: &str) -> bool {
        if self.family != Family::Rust {
            return false;
        }
        let mut chars = rest.chars().skip(1);
        !matches!((chars.next(), chars.next()), (Some('\\'), _) | (_, Some('\'')))
    }

    /// Whether a slash begins a pattern: where no value can end.
    fn may_be_pattern(&self) -> bool {
        self.tokens.last().is_none_or(|before| match before.kind {
            TokenKind::Word => matches!(before.text, "return" | "typeof" | "case"),
            TokenKind::Mark => !matches!(before.text, ")" | "]" | "}"),
            TokenKind::Literal | TokenKind::Template => false,
        })
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of a pattern between slashes; 1 where the line ends before it does.
fn pattern_length(rest: &str) -> usize {
    let mut is_class = false;
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return 1,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => is_class = true,
            ']' => is_class = false,
            '/' if !is_class => return at + 1,
            _ => {},
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, family: Family) -> String {
        let token = |token: &Token<'_>| match token.kind {
            TokenKind::Literal => format!("'{}'", token.text),
            TokenKind::Template => format!("`{}`", token.text),
            TokenKind::Word | TokenKind::Mark => token.text.to_owned(),
        };
        tokens(text, family).iter().map(token).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_go_and_strings_stay() {
        assert_eq!(
            told("app.get('/a', x) // get('/b')\n/* '/c' */ `${d}`", Family::JavaScript),
            "app . get ( '/a' , x ) `${d}`"
        );
        assert_eq!(told("a = /['\"]/.test(b) / 2", Family::JavaScript), "a = . test ( b ) / 2");
        assert_eq!(told("@a('/x') # '/y'\nf'/{z}'", Family::Python), "@ a ( '/x' ) `/{z}`");
        assert_eq!(
            told("#[get(\"/x\")] fn a<'b>() { 'c' }", Family::Rust),
            "# [ get ( '/x' ) ] fn a < ' b > ( ) { 'c' }"
        );
        assert_eq!(told("Route::get('/x', $a); # b", Family::Php), "Route :: get ( '/x' , $a ) ;");
        assert_eq!(told("get '/x', to: \"a#{b}\"", Family::Ruby), "get '/x' , to : `a#{b}`");
    }

    #[test]
    fn any_text_ends() {
        for text in
            ["'", "\"", "`", "'''", "/*", "/", "\\", "'\\", "é'ü", "\"\\", "r'", "@\"", "#["]
        {
            for family in [
                Family::JavaScript,
                Family::Python,
                Family::Ruby,
                Family::Php,
                Family::Rust,
                Family::CLike,
            ] {
                drop(tokens(text, family));
                drop(tokens(&format!("{text}\n{text}x"), family));
            }
        }
    }
}
