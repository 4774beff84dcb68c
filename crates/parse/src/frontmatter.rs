//! The data block at the top of a note: YAML between `---` lines or TOML between `+++` lines.
//!
//! Read from parser events rather than into a tree, so that aliases and deep nesting cost nothing.

use std::ops::Range;

use saphyr_parser::{Event, Parser};

use crate::line_table::LineTable;
use crate::{Problem, ProblemKind};

/// Larger blocks are not frontmatter but a document between two rules.
const MAX_BYTES: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;

/// What the data block of a note says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    /// The block with its delimiter lines.
    pub bytes: Range<usize>,
    /// Keys and values; keys of nested tables are joined with dots.
    pub pairs: Vec<(String, FrontmatterValue)>,
}

/// A value as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrontmatterValue {
    /// A single value.
    Text(String),
    /// A list of single values.
    List(Vec<String>),
}

impl Frontmatter {
    /// The first value of a key.
    pub fn get(&self, key: &str) -> Option<&FrontmatterValue> {
        self.pairs.iter().find(|(candidate, _)| candidate == key).map(|(_, value)| value)
    }

    /// The title, where there is one.
    pub fn title(&self) -> Option<&str> {
        match self.get("title")? {
            FrontmatterValue::Text(text) if !text.is_empty() => Some(text),
            FrontmatterValue::Text(_) | FrontmatterValue::List(_) => None,
        }
    }

    /// The tags: a list, or words separated by commas or spaces; a leading `#` is dropped.
    pub fn tags(&self) -> Vec<&str> {
        let words: Vec<&str> = match self.get("tags").or_else(|| self.get("tag")) {
            Some(FrontmatterValue::List(tags)) => tags.iter().map(String::as_str).collect(),
            Some(FrontmatterValue::Text(text)) => text.split([',', ' ']).collect(),
            None => Vec::new(),
        };
        let trimmed = words.into_iter().map(|tag| tag.trim().trim_start_matches('#'));
        trimmed.filter(|tag| !tag.is_empty()).collect()
    }
}

/// The frontmatter of a text, where it has one that can be read.
pub fn frontmatter_of(text: &str) -> Option<Frontmatter> {
    let head = text.trim_start_matches('\u{feff}');
    if !head.starts_with("---") && !head.starts_with("+++") {
        return None;
    }
    read(&LineTable::new(text), &mut Vec::new())
}

/// Finds the frontmatter of a text and reads it; what cannot be read is a problem and has no pairs.
pub(crate) fn read(lines: &LineTable<'_>, problems: &mut Vec<Problem>) -> Option<Frontmatter> {
    if lines.count() < 2 {
        return None;
    }
    let opening = lines.line(0).trim_start_matches('\u{feff}').trim_end();
    let closings: &[&str] = match opening {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return None,
    };
    let within = 1..lines.line_at(MAX_BYTES.min(lines.text.len())) + 1;
    let closing = within
        .take_while(|line| *line < lines.count())
        .find(|line| closings.contains(&lines.line(*line).trim_end()))?;
    let inner = &lines.text[lines.start(1)..lines.start(closing)];
    // A rule above a paragraph and another below it look alike, but hold no key.
    if !inner.trim().is_empty() && !inner.contains([':', '=']) {
        return None;
    }
    let pairs = if opening == "---" { yaml_pairs(inner) } else { toml_pairs(inner) };
    let pairs = pairs.unwrap_or_else(|message| {
        problems.push(Problem { kind: ProblemKind::Frontmatter, line: 1, message });
        Vec::new()
    });
    Some(Frontmatter { bytes: 0..lines.start(closing + 1), pairs })
}

type Pairs = Vec<(String, FrontmatterValue)>;

enum Frame {
    Map { prefix: String, key: Option<String> },
    List { key: String, values: Vec<String> },
}

fn yaml_pairs(text: &str) -> Result<Pairs, String> {
    let mut pairs = Pairs::new();
    let mut frames: Vec<Frame> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, _) =
            event.map_err(|error| format!("the frontmatter is not valid YAML: {error}"))?;
        match event {
            Event::Scalar(value, ..) => take_scalar(&mut frames, &mut pairs, value.into_owned())?,
            Event::Alias(_) => take_scalar(&mut frames, &mut pairs, String::new())?,
            Event::MappingStart(..) => {
                let prefix = match inner_key(&mut frames)? {
                    Some(key) => format!("{key}."),
                    None => String::new(),
                };
                frames.push(Frame::Map { prefix, key: None });
            },
            Event::SequenceStart(..) => {
                let Some(key) = inner_key(&mut frames)? else {
                    return Err("the frontmatter is a list where keys are expected".to_owned());
                };
                frames.push(Frame::List { key, values: Vec::new() });
            },
            Event::MappingEnd => drop(frames.pop()),
            Event::SequenceEnd => {
                if let Some(Frame::List { key, values }) = frames.pop() {
                    pairs.push((key, FrontmatterValue::List(values)));
                }
            },
            Event::DocumentEnd => break,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {},
        }
        if frames.len() > MAX_DEPTH {
            return Err(format!("the frontmatter is nested deeper than {MAX_DEPTH} levels"));
        }
    }
    Ok(pairs)
}

fn take_scalar(frames: &mut [Frame], pairs: &mut Pairs, value: String) -> Result<(), String> {
    match frames.last_mut() {
        Some(Frame::Map { prefix, key }) => match key.take() {
            None => *key = Some(value),
            Some(name) => pairs.push((format!("{prefix}{name}"), FrontmatterValue::Text(value))),
        },
        Some(Frame::List { values, .. }) => values.push(value),
        None if value.is_empty() => {},
        None => return Err("the frontmatter is a text where keys are expected".to_owned()),
    }
    Ok(())
}

/// The full key under which a nested collection belongs; `None` at the top.
fn inner_key(frames: &mut [Frame]) -> Result<Option<String>, String> {
    match frames.last_mut() {
        None => Ok(None),
        Some(Frame::Map { prefix, key }) => match key.take() {
            Some(name) => Ok(Some(format!("{prefix}{name}"))),
            None => Err("the frontmatter has a key that is no text".to_owned()),
        },
        Some(Frame::List { key, .. }) => Ok(Some(key.clone())),
    }
}

fn toml_pairs(text: &str) -> Result<Pairs, String> {
    let table: toml::Table = toml::from_str(text)
        .map_err(|error| format!("the frontmatter is not valid TOML: {}", error.message()))?;
    let mut pairs = Pairs::new();
    // The TOML parser limits the depth, so recursion is safe.
    flatten_table("", &table, &mut pairs);
    Ok(pairs)
}

fn flatten_table(prefix: &str, table: &toml::Table, pairs: &mut Pairs) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner) => flatten_table(&format!("{key}."), inner, pairs),
            toml::Value::Array(values) => {
                let texts: Vec<String> = values.iter().filter_map(toml_text).collect();
                if !texts.is_empty() || values.is_empty() {
                    pairs.push((key.clone(), FrontmatterValue::List(texts)));
                }
                for inner in values.iter().filter_map(toml::Value::as_table) {
                    flatten_table(&format!("{key}."), inner, pairs);
                }
            },
            toml::Value::String(_)
            | toml::Value::Integer(_)
            | toml::Value::Float(_)
            | toml::Value::Boolean(_)
            | toml::Value::Datetime(_) => {
                pairs.extend(toml_text(value).map(|text| (key, FrontmatterValue::Text(text))));
            },
        }
    }
}

fn toml_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        toml::Value::Datetime(time) => Some(time.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Option<Frontmatter>, Vec<Problem>) {
        let mut problems = Vec::new();
        let found = read(&LineTable::new(text), &mut problems);
        (found, problems)
    }

    #[test]
    fn yaml_keys_lists_and_nested_tables_are_pairs() {
        let text = "---\r\ntitle: \"A: b\"\r\ntags: [x, '#y']\r\nlink:\r\n  to: z\r\nn: 007\r\n---\r\nbody\r\n";
        let (found, problems) = read_text(text);
        let found = found.unwrap();
        assert_eq!(found.title(), Some("A: b"));
        assert_eq!(found.tags(), ["x", "y"]);
        assert_eq!(found.get("link.to"), Some(&FrontmatterValue::Text("z".to_owned())));
        assert_eq!(found.get("n"), Some(&FrontmatterValue::Text("007".to_owned())));
        assert_eq!(&text[found.bytes.end..], "body\r\n");
        assert_eq!(problems, []);
    }

    #[test]
    fn toml_between_plus_signs_is_read_too() {
        let (found, _) =
            read_text("+++\ntitle = \"T\"\ndate = 2024-01-02\ntags = [\"a\", \"b\"]\n+++\n");
        let found = found.unwrap();
        assert_eq!(found.title(), Some("T"));
        assert_eq!(found.tags(), ["a", "b"]);
        assert_eq!(found.get("date"), Some(&FrontmatterValue::Text("2024-01-02".to_owned())));
    }

    #[test]
    fn broken_frontmatter_is_a_problem_and_not_an_error() {
        let (found, problems) = read_text("---\na: [1\nb: }\n---\n");
        assert_eq!(found.unwrap().pairs, []);
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn a_rule_at_the_top_is_no_frontmatter() {
        assert_eq!(read_text("---\nhello\n---\n").0, None);
        assert_eq!(read_text("---\ntitle: never closed\n").0, None);
    }

    #[test]
    fn aliases_and_deep_nesting_do_not_explode() {
        let bomb = "---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n";
        assert!(read_text(bomb).0.is_some());
        let deep = format!("---\na: {}\n---\n", "- ".repeat(20_000));
        assert_eq!(read_text(&deep).1.len(), 1);
        let flow = format!("---\na: {}\n---\n", "[".repeat(20_000));
        assert_eq!(read_text(&flow).1.len(), 1);
    }
}
