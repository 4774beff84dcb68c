//! Whether something written is a value that its key may hold; if not, what would be.

use super::key::Kind;
use super::suggest::nearest;
use super::value::Value;
use super::yaml::{Data, Node, Style, parse};

/// Why a value is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// What stands there: `` `many` ``, `a list`.
    pub(crate) found: String,
    /// What may stand there.
    pub(crate) allowed: String,
    /// What was probably meant.
    pub(crate) hint: Option<String>,
}

impl Kind {
    /// The values the key may hold, in words.
    pub(crate) fn allowed(self) -> String {
        match self {
            Self::Bool => "`true` or `false`".to_owned(),
            Self::Integer { least, most } => format!("a whole number from {least} to {most}"),
            Self::Text => "a text that is not empty".to_owned(),
            Self::TextList => "a list of texts such as `[a, b]`".to_owned(),
            Self::Choice { names, prefix } => {
                let mut names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                if let Some(prefix) = prefix {
                    names.push(format!("`{prefix}<id>`"));
                }
                let last = names.pop().unwrap_or_default();
                format!("{} or {last}", names.join(", "))
            },
        }
    }

    /// The value that a node of a file holds.
    pub(crate) fn read(self, node: &Node) -> Result<Value, Complaint> {
        match (self, &node.data) {
            (Self::TextList, Data::List { items, .. }) => {
                let texts: Option<Vec<String>> = items.iter().map(item_text).collect();
                texts.map(Value::List).ok_or_else(|| self.complaint(node, None))
            },
            (Self::TextList, Data::Scalar { text, .. }) => {
                let hint = format!("write `{}`", Value::List(vec![text.clone()]).to_yaml());
                Err(self.complaint(node, (!text.is_empty()).then_some(hint)))
            },
            (_, Data::Scalar { text, style }) => self
                .read_scalar(text, *style)
                .ok_or_else(|| self.complaint(node, self.repair(text, *style))),
            (_, Data::List { .. } | Data::Mapping { .. }) => Err(self.complaint(node, None)),
        }
    }

    /// The value that a text outside any file holds: a variable, a flag, an argument. Lists may leave out the
    /// brackets.
    pub(crate) fn read_text(self, text: &str) -> Result<Value, Complaint> {
        let text = text.trim();
        if self != Self::TextList {
            return self.read(&Node::plain(text));
        }
        if text.starts_with('[') {
            let parsed = parse(text).ok().flatten();
            return self.read(&parsed.unwrap_or_else(|| Node::plain(text)));
        }
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        Ok(Value::List(items.map(str::to_owned).collect()))
    }

    fn read_scalar(self, text: &str, style: Style) -> Option<Value> {
        let plain = style == Style::Plain;
        match self {
            Self::Bool if plain => match text {
                "true" | "True" | "TRUE" => Some(Value::Bool(true)),
                "false" | "False" | "FALSE" => Some(Value::Bool(false)),
                _ => None,
            },
            Self::Integer { least, most } if plain => {
                let value = whole_number(text)?;
                (least..=most).contains(&value).then_some(Value::Integer(value))
            },
            Self::Text => (!text.trim().is_empty()).then(|| Value::Text(text.to_owned())),
            Self::Choice { names, prefix } => {
                let own = prefix.and_then(|prefix| text.strip_prefix(prefix));
                let known = names.contains(&text) || own.is_some_and(|own| !own.trim().is_empty());
                known.then(|| Value::Text(text.to_owned()))
            },
            Self::Bool | Self::Integer { .. } | Self::TextList => None,
        }
    }

    /// What to write instead, where that can be guessed.
    fn repair(self, text: &str, style: Style) -> Option<String> {
        let unquoted = (style != Style::Plain)
            .then(|| self.read_scalar(text, Style::Plain))
            .flatten()
            .map(|_| "remove the quotes".to_owned());
        let write = |word: &str| Some(format!("write `{word}`"));
        unquoted.or_else(|| match self {
            Self::Bool => match text.to_ascii_lowercase().as_str() {
                "yes" | "on" | "y" | "1" => write("true"),
                "no" | "off" | "n" | "0" => write("false"),
                _ => nearest(text, ["true", "false"]).and_then(write),
            },
            Self::Integer { least, most } => {
                let meant = number_with_unit(text)?;
                if meant < i128::from(least) {
                    Some(format!("write `{least}`, the least allowed"))
                } else if meant > i128::from(most) {
                    Some(format!("write `{most}`, the most allowed"))
                } else {
                    Some(format!("write `{meant}`"))
                }
            },
            Self::Choice { names, .. } => {
                let word = text.to_lowercase().replace(['-', ' '], "_");
                nearest(&word, names.iter().copied()).and_then(write)
            },
            Self::Text | Self::TextList => None,
        })
    }

    fn complaint(self, node: &Node, hint: Option<String>) -> Complaint {
        Complaint { found: describe(node), allowed: self.allowed(), hint }
    }
}

/// What a node is, in words.
pub(crate) fn describe(node: &Node) -> String {
    match &node.data {
        Data::Scalar { text, style: Style::Plain } => format!("`{}`", excerpt(text)),
        Data::Scalar { text, .. } => format!("the text `\"{}\"`", excerpt(text)),
        Data::List { .. } => "a list".to_owned(),
        Data::Mapping { .. } => "a mapping".to_owned(),
    }
}

/// The start of a text, fit for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut excerpt: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '�' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        excerpt.push('…');
    }
    excerpt
}

fn item_text(node: &Node) -> Option<String> {
    match &node.data {
        Data::Scalar { text, .. } if !node.is_null() && !text.trim().is_empty() => {
            Some(text.clone())
        },
        Data::Scalar { .. } | Data::List { .. } | Data::Mapping { .. } => None,
    }
}

/// A whole number as YAML 1.2 writes it.
fn whole_number(text: &str) -> Option<u64> {
    let digits = |text: &str, radix: u32| {
        text.starts_with(|c: char| c.is_digit(radix))
            .then(|| u64::from_str_radix(text, radix).ok())
            .flatten()
    };
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        digits(hexadecimal, 16)
    } else if let Some(octal) = text.strip_prefix("0o") {
        digits(octal, 8)
    } else {
        digits(text.strip_prefix('+').unwrap_or(text), 10)
    }
}

/// The number meant by `4MB`, `1_000` or `-1`.
fn number_with_unit(text: &str) -> Option<i128> {
    if text.starts_with('-') {
        return text.parse().ok();
    }
    let compact: String = text.chars().filter(|c| !matches!(c, '_' | ',' | ' ' | '\'')).collect();
    let unit_at = compact.find(|c: char| !c.is_ascii_digit()).unwrap_or(compact.len());
    let (digits, unit) = compact.split_at(unit_at);
    let factor: i128 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" | "s" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return None,
    };
    digits.parse::<i128>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: Kind = Kind::Integer { least: 0, most: 256 };
    const PROVIDER: Kind = Kind::Choice { names: &["static", "ollama"], prefix: None };
    const BACKEND: Kind = Kind::Choice { names: &["simple_file"], prefix: Some("other:") };

    fn read(kind: Kind, yaml: &str) -> Result<Value, Complaint> {
        kind.read(&parse(yaml).unwrap().unwrap())
    }

    fn hint(kind: Kind, yaml: &str) -> String {
        read(kind, yaml).unwrap_err().hint.unwrap_or_default()
    }

    #[test]
    fn values_of_the_right_kind_are_read() {
        assert_eq!(read(Kind::Bool, "True"), Ok(Value::Bool(true)));
        assert_eq!(read(THREADS, "0x10"), Ok(Value::Integer(16)));
        assert_eq!(read(Kind::Text, "123"), Ok(Value::Text("123".to_owned())));
        assert_eq!(read(BACKEND, "other:mine"), Ok(Value::Text("other:mine".to_owned())));
        assert_eq!(
            read(Kind::TextList, "[a, \"b, c\"]"),
            Ok(Value::List(vec!["a".to_owned(), "b, c".to_owned()]))
        );
    }

    #[test]
    fn wrong_values_are_answered_with_the_right_one() {
        assert_eq!(hint(Kind::Bool, "yes"), "write `true`");
        assert_eq!(hint(Kind::Bool, "\"false\""), "remove the quotes");
        assert_eq!(hint(THREADS, "-1"), "write `0`, the least allowed");
        assert_eq!(hint(THREADS, "1_000"), "write `256`, the most allowed");
        assert_eq!(hint(Kind::Integer { least: 0, most: 1 << 30 }, "4 MiB"), "write `4194304`");
        assert_eq!(hint(PROVIDER, "Olama"), "write `ollama`");
        assert_eq!(hint(BACKEND, "simple-file"), "write `simple_file`");
        assert_eq!(hint(Kind::TextList, "a"), "write `[a]`");
        assert_eq!(hint(THREADS, "many"), "");
        assert_eq!(hint(BACKEND, "'other:'"), "");
    }

    #[test]
    fn lists_outside_files_need_no_brackets() {
        let list =
            |items: &[&str]| Ok(Value::List(items.iter().map(|item| (*item).to_owned()).collect()));
        assert_eq!(Kind::TextList.read_text("a, b,"), list(&["a", "b"]));
        assert_eq!(Kind::TextList.read_text("[::1, \"a,b\"]"), list(&["::1", "a,b"]));
        assert_eq!(Kind::TextList.read_text("[]"), list(&[]));
        assert!(Kind::TextList.read_text("[a").is_err());
    }

    #[test]
    fn numbers_that_overflow_are_refused() {
        assert!(read(THREADS, "99999999999999999999999").is_err());
        assert!(read(THREADS, "1e3").is_err());
        assert!(read(THREADS, "++1").is_err());
    }
}
