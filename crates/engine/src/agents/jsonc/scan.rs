//! JSON with comments and trailing commas, as people write configs: what it says, and in which bytes.

use std::ops::Range;

use serde_json::{Map, Value};

/// A value and where it stands.
#[derive(Debug)]
pub(crate) struct Node {
    /// From its first byte to behind its last.
    pub(crate) bytes: Range<usize>,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Plain(Value),
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Where its name begins, with the quote.
    pub(crate) start: usize,
    pub(crate) value: Node,
    /// Where the comma behind it is.
    pub(crate) comma: Option<usize>,
}

/// What is wrong, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) what: String,
}

impl Fault {
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}

impl Node {
    /// What it says. Of members with the same name the last counts, as it does for the readers of these files.
    pub(crate) fn value(&self) -> Value {
        match &self.kind {
            Kind::Plain(value) => value.clone(),
            Kind::Array(items) => items.iter().map(Self::value).collect(),
            Kind::Object(members) => {
                let mut map = Map::new();
                for member in members {
                    map.insert(member.name.clone(), member.value.value());
                }
                Value::Object(map)
            },
        }
    }

    /// The members, where it is an object.
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            Kind::Array(_) | Kind::Plain(_) => None,
        }
    }
}

/// The value of a document; `None` where there is nothing but blanks and comments.
pub(crate) fn scan(text: &str) -> Result<Option<Node>, Fault> {
    let mut scan = Scan { text, at: 0, depth: 0 };
    if text.starts_with('\u{feff}') {
        scan.at = '\u{feff}'.len_utf8();
    }
    scan.trivia()?;
    if scan.peek().is_none() {
        return Ok(None);
    }
    let node = scan.value()?;
    scan.trivia()?;
    if scan.peek().is_some() {
        return Err(Fault::new(scan.at, "there is something behind the end"));
    }
    Ok(Some(node))
}

/// Nothing that people write is nested deeper, and a deeper text must not end the program.
const DEEPEST: usize = 200;

struct Scan<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over blanks and comments.
    fn trivia(&mut self) -> Result<(), Fault> {
        loop {
            let rest = &self.text[self.at..];
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') if rest.starts_with("//") => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                },
                Some(b'/') if rest.starts_with("/*") => match rest[2..].find("*/") {
                    Some(end) => self.at += end + 4,
                    None => return Err(Fault::new(self.at, "a comment does not end")),
                },
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        if self.depth > DEEPEST {
            return Err(Fault::new(start, "this is nested too deeply"));
        }
        self.depth += 1;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.object()?),
            Some(b'[') => Kind::Array(self.array()?),
            Some(b'"') => Kind::Plain(Value::String(self.string()?)),
            _ => Kind::Plain(self.word()?),
        };
        self.depth -= 1;
        Ok(Node { bytes: start..self.at, kind })
    }

    fn object(&mut self) -> Result<Vec<Member>, Fault> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.trivia()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(members);
                },
                Some(b'"') => {},
                Some(_) => return Err(Fault::new(self.at, "a name in double quotes is expected")),
                None => return Err(Fault::new(self.at, "an object does not end")),
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(Fault::new(self.at, "a comma is missing"));
            }
            let start = self.at;
            let name = self.string()?;
            self.trivia()?;
            if self.peek() != Some(b':') {
                return Err(Fault::new(self.at, "a colon is missing"));
            }
            self.at += 1;
            self.trivia()?;
            let value = self.value()?;
            let comma = self.comma()?;
            members.push(Member { name, start, value, comma });
        }
    }

    fn array(&mut self) -> Result<Vec<Node>, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        let mut may_go_on = true;
        loop {
            self.trivia()?;
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(items);
                },
                Some(_) if may_go_on => {},
                Some(_) => return Err(Fault::new(self.at, "a comma is missing")),
                None => return Err(Fault::new(self.at, "a list does not end")),
            }
            items.push(self.value()?);
            may_go_on = self.comma()?.is_some();
        }
    }

    fn comma(&mut self) -> Result<Option<usize>, Fault> {
        self.trivia()?;
        if self.peek() != Some(b',') {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.at - 1))
    }

    fn string(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(b'\n') | None => return Err(Fault::new(start, "a text does not end")),
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        let typed = self.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(typed).map_err(|_| Fault::new(start, "this text cannot be read"))
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        let rest = &self.text[start..];
        let ends = |letter: char| letter.is_whitespace() || ",]}/:\"[{".contains(letter);
        self.at += rest.find(ends).unwrap_or(rest.len());
        serde_json::from_str(&self.text[start..self.at])
            .map_err(|_| Fault::new(start, "a value is expected"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value(text: &str) -> Value {
        scan(text).unwrap().unwrap().value()
    }

    #[test]
    fn comments_and_trailing_commas_say_nothing() {
        let text = "\u{feff}// a\n{ /* b */ \"x\": [1, 2,], // \"y\": 1\n \"s\": \"a // \\\" b\", }\n/* end */";
        assert_eq!(value(text), json!({"x": [1, 2], "s": "a // \" b"}));
        assert!(scan(" // nothing\n").unwrap().is_none());
        assert_eq!(value("{\"a\": 1, \"a\": 2}"), json!({"a": 2}));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, at) in [
            ("{\"a\": 1 \"b\": 2}", 8),
            ("{\"a\": tru}", 6),
            ("{\"a\" 1}", 5),
            ("{\"a\": \"x\n\"}", 6),
            ("{a: 1}", 1),
            ("{} {}", 3),
            ("{\"a\": [1 2]}", 9),
            ("{\"a\": 1", 7),
            ("{ /* x", 2),
            ("{\"a\": \"\\q\"}", 6),
            ("{\"a\\", 1),
            ("{,}", 1),
        ] {
            assert_eq!(scan(text).unwrap_err().at, at, "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(scan(&deep).unwrap_err().what.contains("deep"));
    }

    #[test]
    fn every_cut_of_a_document_is_read_or_refused() {
        let text =
            "{ \"a\": {\"é\": [1, -2.5e3, null, \"\\u00e9\\n\"]}, /* ü */ \"b\": true, // x\n}";
        for (end, _) in text.char_indices() {
            drop(scan(&text[..end]));
        }
    }
}
