//! Any answer in few tokens, from its JSON: a line a value, a table for a list of objects. `docs/agents.md` has the rules.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The lines of an answer.
pub fn in_few_words(answer: &Value) -> String {
    let mut text = String::new();
    match answer {
        Value::Object(fields) => object(&mut text, "", fields),
        Value::Array(items) => list(&mut text, "", items),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            line(&mut text, &plain(answer));
        },
    }
    text
}

fn object(text: &mut String, prefix: &str, fields: &Map<String, Value>) {
    // Values before lists, so that what counts for all of it is read first.
    let is_long = |value: &Value| match value {
        Value::Array(items) => items.iter().any(Value::is_object),
        Value::Object(fields) => fields.values().any(|value| value.is_object() || value.is_array()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    let (long, short): (Vec<_>, Vec<_>) = fields.iter().partition(|(_, value)| is_long(value));
    for (name, value) in short.into_iter().chain(long) {
        if is_empty(value) {
            continue;
        }
        let name = format!("{prefix}{}", escaped(name));
        match value {
            Value::Object(fields) => object(text, &format!("{name}."), fields),
            Value::Array(items) => list(text, &name, items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                line(text, &format!("{name}: {}", plain(value)));
            },
        }
    }
}

fn list(text: &mut String, name: &str, items: &[Value]) {
    let rows: Option<Vec<Vec<(String, String)>>> =
        items.iter().map(|item| item.as_object().map(cells)).collect();
    let Some(rows) = rows else {
        let values: Vec<String> = items.iter().map(plain).collect();
        let label = if name.is_empty() { String::new() } else { format!("{name}: ") };
        return line(text, &format!("{label}{}", values.join(", ")));
    };
    let mut columns: Vec<&str> = Vec::new();
    for (column, _) in rows.iter().flatten() {
        if !columns.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    let cell = |row: &[(String, String)], column: &str| {
        row.iter().find(|(name, _)| name == column).map(|(_, value)| value.clone())
    };
    let shared = |column: &&str| {
        let first = cell(rows.first()?, column)?;
        let is_same = |row: &Vec<(String, String)>| cell(row, column).as_ref() == Some(&first);
        (rows.len() > 1 && rows.iter().all(is_same)).then_some(first)
    };
    let (same, own): (Vec<&str>, Vec<&str>) =
        columns.into_iter().partition(|column| shared(column).is_some());
    let mut words: Vec<String> = own.iter().map(|column| (*column).to_owned()).collect();
    words.extend(same.iter().map(|it| format!("{it}={}", shared(it).unwrap_or_default())));
    line(text, format!("{name}[{}]: {}", items.len(), words.join(" ")).trim_end());
    for row in &rows {
        let values: Vec<String> =
            own.iter().map(|column| cell(row, column).unwrap_or_default()).collect();
        line(text, values.join("\t").trim_end_matches('\t'));
    }
}

/// The values of an object by their names; those of objects in it under the names of both.
fn cells(fields: &Map<String, Value>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in fields.iter().filter(|(_, value)| !is_empty(value)) {
        match value {
            Value::Object(inner) => {
                let inner = cells(inner).into_iter();
                found.extend(inner.map(|(below, value)| (format!("{name}.{below}"), value)));
            },
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => found.push((escaped(name), plain(value))),
        }
    }
    found
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => escaped(text),
        Value::Array(items) if !items.iter().any(|it| it.is_array() || it.is_object()) => {
            items.iter().map(plain).collect::<Vec<_>>().join(",")
        },
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// A text in one line and one cell.
fn escaped(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => found.push_str("\\\\"),
            '\n' => found.push_str("\\n"),
            '\r' => found.push_str("\\r"),
            '\t' => found.push_str("\\t"),
            // Nothing in an answer may steer a terminal.
            other if other.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(found, "\\u{:04x}", u32::from(other));
            },
            other => found.push(other),
        }
    }
    found
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_lines_and_lists_of_objects_are_tables() {
        let answer = json!({
            "matches": [
                {"path": "a.rs", "line": 3, "role": "call", "in": {"name": "f"}},
                {"path": "b.rs", "line": 40, "role": "call", "text": "a\tb\\\n", "x": null},
            ],
            "total": 2,
            "notes": [],
            "words": ["a", "b"],
            "freshness": {"state": "current", "ahead": false},
        });
        assert_eq!(
            in_few_words(&answer),
            "total: 2\nwords: a, b\nfreshness.state: current\nfreshness.ahead: false\n\
             matches[2]: path line in.name text role=call\na.rs\t3\tf\nb.rs\t40\t\ta\\tb\\\\\\n\n"
        );
    }

    #[test]
    fn one_row_keeps_its_columns_and_odd_lists_stay_readable() {
        assert_eq!(in_few_words(&json!({"a": [{"b": 1}]})), "a[1]: b\n1\n");
        assert_eq!(in_few_words(&json!([1, "x", [2, 3], {"y": 1}])), "1, x, 2,3, {\"y\":1}\n");
        assert_eq!(in_few_words(&json!({"a": [{"b": [{"c": 1}]}]})), "a[1]: b\n[{\"c\":1}]\n");
        assert_eq!(in_few_words(&json!({"esc": "\u{1b}[2J"})), "esc: \\u001b[2J\n");
        assert_eq!(in_few_words(&json!({})), "");
    }
}
