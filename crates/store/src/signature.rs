//! What does a declaration say on one line? Where the file says it, only how many of its bytes do is kept.

/// The declaration of a symbol without its body, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// So many bytes of the text, from the start of the symbol on, put on one line.
    Cut(u32),
    /// What cannot be read from the text.
    Text(String),
}

impl Signature {
    /// How to keep a line about a symbol that starts at `start`.
    pub fn new(text: &str, start: usize, line: String) -> Self {
        let source = text.get(start..).unwrap_or_default();
        length_of(source, &line)
            .filter(|&length| {
                source.get(..length).is_some_and(|cut| on_one_line(cut, line.len()) == line)
            })
            .and_then(|length| u32::try_from(length).ok())
            .map_or(Self::Text(line), Self::Cut)
    }

    /// The line, for the text it was made from; empty where that is another one.
    pub fn line(&self, text: &str, start: usize) -> String {
        match self {
            Self::Text(line) => line.clone(),
            Self::Cut(length) => {
                let end = start.saturating_add(*length as usize);
                on_one_line(text.get(start..end).unwrap_or_default(), *length as usize)
            },
        }
    }
}

/// How many bytes of the source hold the signs of the line: all but white space, and commas that it left out.
fn length_of(source: &str, line: &str) -> Option<usize> {
    let source = source.as_bytes();
    let mut at = 0;
    for sign in line.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        while source
            .get(at)
            .is_some_and(|&byte| byte != sign && (byte.is_ascii_whitespace() || byte == b','))
        {
            at += 1;
        }
        if source.get(at) != Some(&sign) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Words joined as one would write them on one line: no space inside of brackets, no comma before they close.
fn on_one_line(declaration: &str, room: usize) -> String {
    let mut line = String::with_capacity(room);
    for word in declaration.split_whitespace() {
        if word.starts_with(')') && line.ends_with(',') {
            line.pop();
        }
        let is_tight =
            line.is_empty() || line.ends_with(['(', '[']) || word.starts_with([')', ']']);
        if !is_tight {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(source: &str, line: &str) -> Signature {
        let text = format!("ä {source}");
        let signature = Signature::new(&text, 3, line.to_owned());
        assert_eq!(signature.line(&text, 3), line);
        signature
    }

    #[test]
    fn a_line_that_the_text_says_is_a_number() {
        assert_eq!(cut("fn open()  {", "fn open()"), Signature::Cut(9));
        assert_eq!(cut("fn größe(\n\tä: A,\n) -> B {", "fn größe(ä: A) -> B"), Signature::Cut(26));
        assert_eq!(cut("f( a,\u{a0}b )", "f(a, b)"), Signature::Text("f(a, b)".to_owned()));
        assert_eq!(cut("", ""), Signature::Cut(0));
    }

    #[test]
    fn a_line_that_the_text_does_not_say_is_kept() {
        for (source, line) in [
            ("fn open()", "fn close()"),
            ("fn open(a,b)", "fn open(a, b)"),
            ("fn", "fn open"),
            ("a , b", "a b"),
            ("", "x"),
        ] {
            assert_eq!(cut(source, line), Signature::Text(line.to_owned()), "{source}");
        }
    }

    #[test]
    fn another_text_gives_no_line_and_no_panic() {
        assert_eq!(Signature::Cut(9).line("short", 2), "");
        assert_eq!(Signature::Cut(1).line("ä", 0), "");
        assert_eq!(Signature::Cut(u32::MAX).line("a", usize::MAX), "");
    }
}
