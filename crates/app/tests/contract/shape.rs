//! How an expectation of the contract is written: which fields there must and may be, and what their values look like.

use serde_json::Value;

/// What a value looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Any text but the empty one.
    Text,
    /// A UUID in lower case.
    Uuid,
    /// `mem-` and twelve hexadecimal digits.
    MemoryId,
    /// ISO 8601 in UTC: `2025-11-27T00:00:00Z`.
    Time,
    /// A whole number from 0.
    Count,
    /// Any number.
    Number,
    /// True or false.
    Bool,
    /// An object, whatever is in it.
    Object,
    /// An object whose values are counts.
    Counts,
    /// A list of texts.
    Texts,
    /// A list of anything.
    List,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Null, or that.
    OrNull(&'static Self),
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.as_str().is_some_and(|text| !text.is_empty()),
            Self::Uuid => value.as_str().is_some_and(is_uuid),
            Self::MemoryId => value.as_str().is_some_and(is_memory_id),
            Self::Time => value.as_str().is_some_and(is_time),
            Self::Count => value.is_u64(),
            Self::Number => value.is_number(),
            Self::Bool => value.is_boolean(),
            Self::Object => value.is_object(),
            Self::Counts => value.as_object().is_some_and(|all| all.values().all(Value::is_u64)),
            Self::Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
            Self::List => value.is_array(),
            Self::OneOf(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            Self::OrNull(kind) => value.is_null() || kind.fits(value),
        }
    }
}

/// Checks that an object has all `required` fields, none beyond `optional`, and that each value looks as it should.
#[track_caller]
pub(crate) fn check(value: &Value, required: &[(&str, Kind)], optional: &[(&str, Kind)]) {
    let object = value.as_object().expect("an object");
    for (name, _) in required {
        assert!(object.contains_key(*name), "`{name}` is missing in {value:#}");
    }
    for (name, found) in object {
        let mut known = required.iter().chain(optional);
        let kind = known.find(|(wanted, _)| wanted == name).map(|(_, kind)| *kind);
        let kind = kind.unwrap_or_else(|| unexpected(name, value));
        assert!(kind.fits(found), "`{name}` is not {kind:?} in {value:#}");
    }
}

#[track_caller]
fn unexpected(name: &str, value: &Value) -> Kind {
    panic!("`{name}` is not part of the contract: {value:#}")
}

fn has_form(text: &str, form: &str, is_digit: impl Fn(u8) -> bool) -> bool {
    text.len() == form.len()
        && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
            b'0' => is_digit(byte),
            other => byte == other,
        })
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

fn is_uuid(text: &str) -> bool {
    has_form(text, "00000000-0000-0000-0000-000000000000", is_lower_hex)
}

fn is_memory_id(text: &str) -> bool {
    has_form(text, "mem-000000000000", is_lower_hex)
}

fn is_time(text: &str) -> bool {
    has_form(text, "0000-00-00T00:00:00Z", |byte| byte.is_ascii_digit())
}

#[test]
fn forms_are_told_apart() {
    assert!(is_time("2025-11-27T00:00:00Z"));
    assert!(!is_time("2025-11-27T00:00:00+00:00") && !is_time("2025-11-27 00:00:00Z"));
    assert!(is_uuid("3f4e9c0a-1b23-4d5e-8abc-1234567890ab"));
    assert!(!is_uuid("3F4E9C0A-1B23-4D5E-8ABC-1234567890AB"));
}
