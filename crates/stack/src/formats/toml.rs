//! TOML tables.

use toml::{Table, Value};

/// The whole document. Nesting is limited by the parser.
pub(crate) fn table(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| {
        let message = error.message().lines().next().unwrap_or("invalid TOML").to_owned();
        match error.span() {
            Some(span) => {
                let before = text.get(..span.start).unwrap_or(text);
                let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
                format!("{message} at line {line}")
            },
            None => message,
        }
    })
}

/// The table at a path of keys; `None` when any step is missing or not a table.
pub(crate) fn table_at<'a>(table: &'a Table, path: &[&str]) -> Option<&'a Table> {
    path.iter().try_fold(table, |table, key| table.get(*key)?.as_table())
}

/// The entries of the table at a path of keys; none when it is missing.
pub(crate) fn entries_at<'a>(
    table: &'a Table,
    path: &[&str],
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    table_at(table, path).into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// The texts of an array; none when the value is missing or no array.
pub(crate) fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// A text field of an inline table.
pub(crate) fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

/// Whether a flag of an inline table is set.
pub(crate) fn flag(table: &Table, key: &str) -> bool {
    table.get(key).and_then(Value::as_bool) == Some(true)
}
