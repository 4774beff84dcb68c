//! Changes one value of a config file and leaves every other character as it is: comments, order, spacing.
//!
//! The edit is made in the text at the place the parser names, and then checked: the changed text must set the value
//! and nothing else. A file too unusual for that is left alone.

use std::path::Path;

use crate::settings::document::{Layer, read_document};
use crate::settings::key::{Named, find};
use crate::settings::problem::Severity;
use crate::settings::value::{Value, yaml_text};
use crate::settings::yaml::{Data, Layout, Node, Pair, Style, SyntaxError, byte_of, parse};

const INDENT: usize = 2;

/// The text with the value set; `name` is a full key in snake_case.
pub(crate) fn set_value(text: &str, name: &str, value: &Value) -> Result<String, SyntaxError> {
    let root = parse(text)?;
    let place = root.as_ref().map_or(Place::Empty, |root| locate(root, "", name));
    let edited = match place {
        Place::Empty => append(text, &block_lines(name, 0, value)),
        Place::Value(pair) => replace(text, pair, &value.to_yaml()),
        Place::Unfilled { pair, rest } => fill(text, pair, &rest, value),
        Place::Within { node, rest } => insert(text, node, &rest, value),
        Place::Blocked { line } => {
            let message = "the line holds a value where keys must stand".to_owned();
            return Err(SyntaxError { line, message, hint: None });
        },
    };
    if sets_only(text, &edited, name, value) {
        Ok(edited)
    } else {
        let line = root.map_or(1, |root| root.line);
        let message = format!("`{name}` cannot be set here without changing more than that");
        let hint = format!("set it by hand: `{name}: {}`", value.to_yaml());
        Err(SyntaxError { line, message, hint: Some(hint) })
    }
}

/// Where a key stands or would stand. `rest` is the part of its name that is not in the file yet.
enum Place<'a> {
    /// There is nothing but comments.
    Empty,
    /// The key is there.
    Value(&'a Pair),
    /// A group is there without anything in it.
    Unfilled { pair: &'a Pair, rest: String },
    /// A group is there with other keys.
    Within { node: &'a Node, rest: String },
    /// A group has a value that is no mapping.
    Blocked { line: usize },
}

fn locate<'a>(node: &'a Node, group: &str, name: &str) -> Place<'a> {
    let Data::Mapping { pairs, .. } = &node.data else {
        return Place::Blocked { line: node.line };
    };
    for pair in pairs {
        let written = if group.is_empty() {
            pair.key.text.clone()
        } else {
            format!("{group}.{}", pair.key.text)
        };
        match find(&written) {
            Named::Key(_, found) if found == name => return Place::Value(pair),
            Named::Group(found) => {
                let Some(rest) = below(name, &found) else { continue };
                if pair.value.is_null() {
                    return Place::Unfilled { pair, rest: rest.to_owned() };
                }
                return locate(&pair.value, &found, name);
            },
            Named::Key(..) | Named::Unknown => {},
        }
    }
    let rest = below(name, group).unwrap_or(name);
    Place::Within { node, rest: rest.to_owned() }
}

/// The part of a name below a group.
fn below<'a>(name: &'a str, group: &str) -> Option<&'a str> {
    name.strip_prefix(group)?.strip_prefix('.')
}

fn replace(text: &str, pair: &Pair, value: &str) -> String {
    let node = &pair.value;
    let by_lines = match &node.data {
        Data::Scalar { style, .. } => *style == Style::Block,
        Data::List { layout, .. } | Data::Mapping { layout, .. } => *layout == Layout::Block,
    };
    let start = byte_of(text, node.span.start);
    if by_lines {
        let colon = after_colon(text, pair);
        let end = line_end(text, content_end(text, node));
        let comment = match &node.data {
            // The rest of the line is the `|` or `>` of the block.
            Data::Scalar { .. } => "",
            Data::List { .. } | Data::Mapping { .. } => &text[colon..line_end(text, colon)],
        };
        format!("{} {value}{comment}{}", &text[..colon], &text[end..])
    } else if node.span.is_empty() {
        let colon = after_colon(text, pair);
        format!("{} {value}{}", &text[..colon], &text[colon..])
    } else {
        format!("{}{value}{}", &text[..start], &text[content_end(text, node)..])
    }
}

/// Puts the first key into a group that is there without one.
fn fill(text: &str, pair: &Pair, rest: &str, value: &Value) -> String {
    let colon = after_colon(text, pair);
    let mut cleared = text.to_owned();
    if !pair.value.span.is_empty() {
        let null = byte_of(text, pair.value.span.start)..byte_of(text, pair.value.span.end);
        cleared.replace_range(null, "");
    }
    let at = line_end(&cleared, colon);
    insert_lines(&cleared, at, &block_lines(rest, pair.key.column + INDENT, value))
}

/// Adds a key behind the others of its group.
fn insert(text: &str, node: &Node, rest: &str, value: &Value) -> String {
    let Data::Mapping { pairs, layout } = &node.data else { return text.to_owned() };
    match (layout, pairs.first(), pairs.last()) {
        (Layout::Block, Some(first), Some(last)) => {
            let at = line_end(text, pair_end(text, last));
            insert_lines(text, at, &block_lines(rest, first.key.column, value))
        },
        (Layout::Flow, _, Some(last)) => {
            let at = pair_end(text, last);
            format!("{}, {}{}", &text[..at], flow_pair(rest, value), &text[at..])
        },
        (_, _, _) => {
            let at = byte_of(text, node.span.start) + 1;
            let (front, back) = text.split_at(at.min(text.len()));
            format!("{front}{}{back}", flow_pair(rest, value))
        },
    }
}

/// The lines that set a key, one for each part of its name.
fn block_lines(name: &str, indent: usize, value: &Value) -> Vec<String> {
    let parts: Vec<&str> = name.split('.').collect();
    let last = parts.len() - 1;
    parts
        .iter()
        .enumerate()
        .map(|(depth, part)| {
            let spaces = " ".repeat(indent + depth * INDENT);
            let part = yaml_text(part);
            if depth == last {
                format!("{spaces}{part}: {}", value.to_yaml())
            } else {
                format!("{spaces}{part}:")
            }
        })
        .collect()
}

/// `a: {b: value}`.
fn flow_pair(name: &str, value: &Value) -> String {
    match name.split_once('.') {
        Some((first, rest)) => format!("{}: {{{}}}", yaml_text(first), flow_pair(rest, value)),
        None => format!("{}: {}", yaml_text(name), value.to_yaml()),
    }
}

fn append(text: &str, lines: &[String]) -> String {
    let end = text.trim_end_matches(['\n', '\r']).len();
    if end == 0 {
        return lines.join(newline(text)) + newline(text);
    }
    insert_lines(text, end, lines)
}

/// Puts lines behind the line that ends at `at`.
fn insert_lines(text: &str, at: usize, lines: &[String]) -> String {
    let newline = newline(text);
    let (front, back) = text.split_at(at);
    let end = if back.is_empty() { newline } else { "" };
    format!("{front}{newline}{}{end}{back}", lines.join(newline))
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The byte behind the colon of a key.
fn after_colon(text: &str, pair: &Pair) -> usize {
    let key_end = byte_of(text, pair.key.span.end);
    text[key_end..].find(':').map_or(key_end, |colon| key_end + colon + 1)
}

/// The byte at which the line ends that holds the byte before `at`.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    if text[..end].ends_with('\r') { end - 1 } else { end }
}

fn pair_end(text: &str, pair: &Pair) -> usize {
    if pair.value.is_null() && pair.value.span.is_empty() {
        return after_colon(text, pair);
    }
    content_end(text, &pair.value)
}

/// The byte behind the last character of a value.
fn content_end(text: &str, node: &Node) -> usize {
    let own_end = byte_of(text, node.span.end);
    match &node.data {
        Data::List { items, layout: Layout::Block } => {
            items.last().map_or(own_end, |item| content_end(text, item))
        },
        Data::Mapping { pairs, layout: Layout::Block } => {
            pairs.last().map_or(own_end, |pair| pair_end(text, pair))
        },
        // The empty lines below a block of text are counted as its own.
        Data::Scalar { style: Style::Block, .. } => text[..own_end].trim_end().len(),
        Data::Scalar { .. } | Data::List { .. } | Data::Mapping { .. } => own_end,
    }
}

/// Whether the edited text sets the value and differs in nothing else.
fn sets_only(before: &str, after: &str, name: &str, value: &Value) -> bool {
    let document = read_document(after.as_bytes(), Path::new(""), Layer::Global);
    let wrong = document.problems.iter().any(|problem| {
        problem.severity == Severity::Error
            && problem.key.as_deref().is_none_or(|key| key == name || below(name, key).is_some())
    });
    let set = document.assignments.iter().any(|set| set.name == name && set.value == *value);
    let others = |text: &str| {
        let mut leaves = Vec::new();
        if let Ok(Some(root)) = parse(text) {
            collect_leaves(&root, "", name, &mut leaves);
        }
        leaves
    };
    set && !wrong && others(before) == others(after)
}

/// Every scalar with the path to it, but those of one key.
fn collect_leaves(node: &Node, path: &str, except: &str, leaves: &mut Vec<(String, String)>) {
    if matches!(find(path), Named::Key(_, name) if name == except) {
        return;
    }
    match &node.data {
        Data::Scalar { .. } if node.is_null() => {},
        Data::Scalar { text, style } => leaves.push((format!("{path}/{style:?}"), text.clone())),
        Data::List { items, .. } => {
            for (at, item) in items.iter().enumerate() {
                collect_leaves(item, &format!("{path}.{at}"), except, leaves);
            }
        },
        Data::Mapping { pairs, .. } => {
            for pair in pairs {
                let front = if path.is_empty() { String::new() } else { format!("{path}.") };
                collect_leaves(&pair.value, &format!("{front}{}", pair.key.text), except, leaves);
            }
        },
    }
}

#[cfg(test)]
mod tests;
