//! The text of pattern files to patterns: `(kind field: (kind) @capture (#eq? @capture "text"))`.

use std::fmt;
use std::num::NonZeroU16;

use super::kinds::Kinds;
use super::predicate::{Predicate, Test, Wording};
use super::scanner::{Read, Scanner};
use super::{ERROR, Item, Kind, Pattern, Shape, Times};

/// Everything that was read.
pub(super) struct Source {
    pub(super) patterns: Vec<Pattern>,
    pub(super) capture_names: Vec<&'static str>,
    pub(super) wordings: Vec<Wording>,
}

/// Why a file of patterns cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::syntax) struct PatternError {
    file: &'static str,
    line: usize,
    reason: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}: {}", self.file, self.line, self.reason)
    }
}

/// Reads files of patterns one after the other; they share captures.
pub(super) fn read(
    language: &tree_sitter::Language,
    files: &[(&'static str, &'static str)],
) -> Result<Source, PatternError> {
    let source = Source { patterns: Vec::new(), capture_names: Vec::new(), wordings: Vec::new() };
    let mut reader =
        Reader { language, scanner: Scanner::new(""), kinds: Kinds::new(language), source };
    for (file, text) in files {
        reader.scanner = Scanner::new(text);
        while reader.scanner.peek().is_some() {
            let pattern = reader.pattern();
            let line = reader.scanner.line();
            reader.source.patterns.push(pattern.map_err(|reason| PatternError {
                file,
                line,
                reason,
            })?);
        }
    }
    Ok(reader.source)
}

struct Reader<'l> {
    language: &'l tree_sitter::Language,
    scanner: Scanner,
    kinds: Kinds<'l>,
    source: Source,
}

/// What stands between brackets: items, and what is said about the node around them or the pattern.
#[derive(Default)]
struct Inside {
    items: Vec<Item>,
    without: Vec<u16>,
    predicates: Vec<Predicate>,
}

impl Reader<'_> {
    /// One whole pattern, which is about a single node.
    fn pattern(&mut self) -> Read<Pattern> {
        let mut predicates = Vec::new();
        let mut items = self.items(&mut predicates)?;
        let only = items.pop().filter(|_| items.is_empty());
        let item = only.ok_or("a pattern has to be about one node")?;
        if item.times != Times::Once || item.is_next {
            return Err("a pattern is about a node that is there, wherever it stands".to_owned());
        }
        if item.shapes.iter().any(|shape| shape.field.is_some() || shape.kind == Kind::Is(ERROR)) {
            return Err("a pattern starts neither at a field nor at an error".to_owned());
        }
        let used = predicates.iter().flat_map(|predicate: &Predicate| {
            let other = if let Test::SameAs(other) = predicate.test { Some(other) } else { None };
            [Some(predicate.capture), other].into_iter().flatten()
        });
        for capture in used {
            if !item.shapes.iter().any(|shape| shape.captures(capture)) {
                let name = self.source.capture_names[capture as usize];
                return Err(format!("the pattern does not capture @{name}"));
            }
        }
        Ok(Pattern { shapes: item.shapes, predicates, may_overlap: false })
    }

    /// What is written at one place: a node, alternatives, or several in a row in brackets of their own.
    fn items(&mut self, predicates: &mut Vec<Predicate>) -> Read<Vec<Item>> {
        let mut items = match self.scanner.peek() {
            Some(b'[') => vec![self.alternatives(predicates)?],
            Some(b'(') => {
                self.scanner.expect(b'(')?;
                if matches!(self.scanner.peek(), Some(b'(' | b'[' | b'"')) {
                    self.group(predicates)?
                } else {
                    vec![Item::once(vec![self.node(predicates)?])]
                }
            },
            Some(b'"') => {
                let text = self.scanner.string()?;
                vec![Item::once(vec![Shape::of(self.kinds.literal(&text)?)])]
            },
            Some(_) => match self.scanner.name()? {
                "_" => vec![Item::once(vec![Shape::of(Kind::Any)])],
                field => vec![self.field(field, predicates)?],
            },
            None => return Err("the file ends inside a pattern".to_owned()),
        };
        loop {
            let times = if self.scanner.take(b'@') {
                let capture = self.capture()?;
                // What is said about several in a row is said about the first.
                let first = items.first_mut().map(|item| &mut item.shapes);
                first.into_iter().flatten().for_each(|shape| shape.captures.push(capture));
                continue;
            } else if self.scanner.take(b'?') {
                Times::AtMostOnce
            } else if self.scanner.take(b'*') {
                Times::AnyNumber
            } else if self.scanner.take(b'+') {
                Times::AtLeastOnce
            } else {
                break;
            };
            match items.as_mut_slice() {
                [item] if item.times == Times::Once => item.times = times,
                _ => return Err("only a single node can be repeated, and once".to_owned()),
            }
        }
        Ok(items)
    }

    fn alternatives(&mut self, predicates: &mut Vec<Predicate>) -> Read<Item> {
        self.scanner.expect(b'[')?;
        let mut shapes = Vec::new();
        while !self.scanner.take(b']') {
            let mut items = self.items(predicates)?;
            match items.pop() {
                Some(item) if items.is_empty() && item.times == Times::Once => {
                    shapes.extend(item.shapes);
                },
                _ => return Err("an alternative has to be a single node".to_owned()),
            }
        }
        if shapes.is_empty() {
            return Err("there are no alternatives".to_owned());
        }
        Ok(Item::once(shapes))
    }

    fn group(&mut self, predicates: &mut Vec<Predicate>) -> Read<Vec<Item>> {
        let inside = self.inside()?;
        if !inside.without.is_empty() || inside.items.last().is_some_and(|item| item.is_last) {
            return Err("`!field` and an anchor at the end belong to a node".to_owned());
        }
        predicates.extend(inside.predicates);
        Ok(inside.items)
    }

    fn node(&mut self, predicates: &mut Vec<Predicate>) -> Read<Shape> {
        let name = self.scanner.name()?;
        let kind = self.kinds.named(name)?;
        let inside = self.inside()?;
        predicates.extend(inside.predicates);
        Ok(Shape { items: inside.items, without: inside.without, ..Shape::of(kind) })
    }

    fn field(&mut self, name: &str, predicates: &mut Vec<Predicate>) -> Read<Item> {
        self.scanner.expect(b':')?;
        let id = self.field_id(name)?;
        let mut items = self.items(predicates)?;
        let only = items.pop().filter(|_| items.is_empty());
        let mut item = only.ok_or("a field holds a single node")?;
        for shape in &mut item.shapes {
            if shape.field.replace(id).is_some() {
                return Err("a node is in one field only".to_owned());
            }
        }
        Ok(item)
    }

    fn field_id(&self, name: &str) -> Read<NonZeroU16> {
        let id = self.language.field_id_for_name(name);
        id.ok_or_else(|| format!("the grammar has no field `{name}`"))
    }

    /// Everything up to the bracket that closes.
    fn inside(&mut self) -> Read<Inside> {
        let mut inside = Inside::default();
        let mut is_next = false;
        while !self.scanner.take(b')') {
            if self.scanner.take(b'.') {
                is_next = true;
            } else if self.scanner.take(b'!') {
                let name = self.scanner.name()?;
                inside.without.push(self.field_id(name)?.get());
            } else if self.scanner.starts_with(b'(', b'#') {
                let predicate = self.predicate()?;
                inside.predicates.push(predicate);
            } else {
                let mut items = self.items(&mut inside.predicates)?;
                if let Some(first) = items.first_mut() {
                    first.is_next |= std::mem::take(&mut is_next);
                }
                inside.items.append(&mut items);
            }
        }
        if is_next {
            let last = inside.items.last_mut();
            last.ok_or("an anchor needs a node beside it")?.is_last = true;
        }
        Ok(inside)
    }

    /// `(#eq? @name "text")` and its relatives.
    fn predicate(&mut self) -> Read<Predicate> {
        self.scanner.expect(b'(')?;
        self.scanner.expect(b'#')?;
        let name = self.scanner.name()?;
        self.scanner.expect(b'?')?;
        let (name, expected) = match name.strip_prefix("not-") {
            Some(name) => (name, false),
            None => (name, true),
        };
        self.scanner.expect(b'@')?;
        let capture = self.capture()?;
        let test = match name {
            "eq" if self.scanner.take(b'@') => Test::SameAs(self.capture()?),
            "eq" => Test::Among(vec![self.scanner.string()?]),
            "any-of" => {
                let mut words = Vec::new();
                while self.scanner.peek() == Some(b'"') {
                    words.push(self.scanner.string()?);
                }
                Test::Among(words)
            },
            "match" => {
                let expression = self.scanner.string()?;
                let wordings = &mut self.source.wordings;
                let known = wordings.iter().position(|known| known.expression == expression);
                Test::Wording(known.unwrap_or_else(|| {
                    wordings.push(Wording::new(expression));
                    wordings.len() - 1
                }))
            },
            other => return Err(format!("`#{other}?` means nothing")),
        };
        self.scanner.expect(b')')?;
        Ok(Predicate { capture, test, expected })
    }

    fn capture(&mut self) -> Read<u32> {
        let name = self.scanner.name()?;
        let names = &mut self.source.capture_names;
        let idx = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        u32::try_from(idx).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn error(text: &'static str) -> String {
        let language = tree_sitter_json::LANGUAGE.into();
        read(&language, &[("a.scm", "(object)"), ("b.scm", text)]).err().unwrap().to_string()
    }

    #[test]
    fn errors_say_where_and_why() {
        assert_eq!(error("(array)\n; (\n\n(list)"), "b.scm line 4: the grammar has no node `list`");
        assert_eq!(error("(E)"), "b.scm line 1: the grammar has no node `E`");
        assert_eq!(error("(array \"<\")"), "b.scm line 1: the grammar has no \"<\"");
        assert_eq!(error("(pair name: (_))"), "b.scm line 1: the grammar has no field `name`");
        assert_eq!(error("(pair !name)"), "b.scm line 1: the grammar has no field `name`");
    }

    #[test]
    fn what_is_no_pattern_is_an_error() {
        let texts = [
            "(",
            ")",
            "array",
            "(array",
            "(array]",
            "[]",
            "[(array)",
            "(array (number)",
            "@a",
            "(array . )",
            "(array \"[)",
            "(array) @",
            "(pair key (_))",
            "(pair key: )",
            "((array) (object))",
            "(array)? @a",
            "key: (_)",
            "(ERROR)",
            "(MISSING)",
            "(array ((number) (string))*)",
            "(array (number)*?)",
            "(array [(number)+ (string)])",
            "((array) @a (#eq? @b \"x\"))",
            "((array) @a (#is? @a \"x\"))",
            "((array) @a (#eq? @a x))",
            "((array) @a (#eq? @a))",
            "(array) @a (#eq? @a \"x\")",
        ];
        for text in texts {
            assert!(error(text).starts_with("b.scm line 1: "), "{text}");
        }
    }

    #[test]
    fn a_word_in_quotes_may_hold_any_character() {
        let mut scanner = Scanner::new(r#" "a\"b\\w\n;é" x"#);
        assert_eq!(scanner.string().unwrap(), "a\"b\\w\n;é");
        assert_eq!(scanner.name().unwrap(), "x");
    }
}
