//! What a config value can be, and how it is written in a file and shown to people.

use std::fmt::{self, Write as _};

use schemars::JsonSchema;
use serde::Serialize;

/// A checked config value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(u64),
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
            Self::List(items) => write!(f, "[{}]", items.join(", ")),
        }
    }
}

impl Value {
    /// The value as it stands in a YAML file, on one line.
    pub(crate) fn to_yaml(&self) -> String {
        match self {
            Self::Bool(_) | Self::Integer(_) => self.to_string(),
            Self::Text(text) => yaml_text(text),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|item| yaml_text(item)).collect();
                format!("[{}]", items.join(", "))
            },
        }
    }
}

/// A text as a YAML scalar: plain where no reader could take it for anything else, quoted otherwise.
pub(crate) fn yaml_text(text: &str) -> String {
    if is_safe_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            },
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_safe_plain(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        || text.starts_with("~/")
        || text.starts_with("./");
    let inner = |c: char| c.is_ascii_alphanumeric() || "_-./:@+~".contains(c);
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    starts_well
        && text.chars().all(inner)
        && !text.ends_with(':')
        && !reserved.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_yaml_would_read_something_else() {
        assert_eq!(yaml_text("BAAI/bge-small-en-v1.5"), "BAAI/bge-small-en-v1.5");
        assert_eq!(yaml_text("~/.gik/models"), "~/.gik/models");
        assert_eq!(yaml_text("10.0.0.0/8"), "\"10.0.0.0/8\"");
        assert_eq!(yaml_text("no"), "\"no\"");
        assert_eq!(yaml_text("a # b"), "\"a # b\"");
        assert_eq!(yaml_text("a\"\u{1}"), "\"a\\\"\\U00000001\"");
        assert_eq!(yaml_text(""), "\"\"");
    }
}
