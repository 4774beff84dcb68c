//! What a config key is: its name, what it may hold, and how a written name finds its row in the table.

use std::ops::RangeInclusive;

use super::keys::KEYS;
use super::suggest::nearest;
use super::value::Value;

/// One row of the table of keys.
#[derive(Debug)]
pub(crate) struct Key {
    /// Dotted, snake_case; `*` stands for the name of a base.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) preset: Preset,
    pub(crate) needs_trust: NeedsTrust,
    pub(crate) status: Status,
    /// One sentence.
    pub(crate) doc: &'static str,
}

/// What a key may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Integer {
        least: u64,
        most: u64,
    },
    Text,
    TextList,
    /// One of the names, or the prefix and a name of one's own.
    Choice {
        names: &'static [&'static str],
        prefix: Option<&'static str>,
    },
}

/// The value that holds where no layer sets the key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Preset {
    Unset,
    Bool(bool),
    Integer(u64),
    EmptyList,
}

/// Which values a project file may set only once the workspace is trusted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NeedsTrust {
    Never,
    Always,
    /// Only for these names.
    For(&'static [&'static str]),
    /// All of them, and no trust is enough: the user's own file, the environment and flags alone decide.
    UserOnly,
    /// The same, and neither the environment nor flags can: those may come from whoever starts the program.
    UserFileOnly,
}

/// Whether a key does anything in this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    InUse,
    /// Read and checked, without effect.
    Reserved,
}

impl Key {
    const fn new(name: &'static str, kind: Kind, preset: Preset, doc: &'static str) -> Self {
        Self { name, kind, preset, needs_trust: NeedsTrust::Never, status: Status::InUse, doc }
    }

    pub(crate) const fn bool(name: &'static str, preset: bool, doc: &'static str) -> Self {
        Self::new(name, Kind::Bool, Preset::Bool(preset), doc)
    }

    pub(crate) const fn integer(
        name: &'static str,
        range: RangeInclusive<u64>,
        preset: u64,
        doc: &'static str,
    ) -> Self {
        let kind = Kind::Integer { least: *range.start(), most: *range.end() };
        Self::new(name, kind, Preset::Integer(preset), doc)
    }

    pub(crate) const fn list(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, Kind::TextList, Preset::EmptyList, doc)
    }

    /// A key that need not be set by anyone.
    pub(crate) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self::new(name, kind, Preset::Unset, doc)
    }

    pub(crate) const fn reserved(name: &'static str, kind: Kind, doc: &'static str) -> Self {
        Self { status: Status::Reserved, ..Self::new(name, kind, Preset::Unset, doc) }
    }

    pub(crate) const fn trust(self, needs_trust: NeedsTrust) -> Self {
        Self { needs_trust, ..self }
    }

    /// Whether a project file may set this value only once the workspace is trusted.
    pub(crate) fn needs_trust_for(&self, value: &Value) -> bool {
        match self.needs_trust {
            NeedsTrust::Never => false,
            NeedsTrust::Always | NeedsTrust::UserOnly | NeedsTrust::UserFileOnly => true,
            NeedsTrust::For(names) => {
                matches!(value, Value::Text(text) if names.contains(&text.as_str()))
            },
        }
    }

    /// The value that holds where no layer sets the key.
    pub(crate) fn default_value(&self) -> Option<Value> {
        match self.preset {
            Preset::Unset => None,
            Preset::Bool(value) => Some(Value::Bool(value)),
            Preset::Integer(value) => Some(Value::Integer(value)),
            Preset::EmptyList => Some(Value::List(Vec::new())),
        }
    }

    fn segments(&self) -> impl Iterator<Item = &'static str> {
        self.name.split('.')
    }

    /// Whether the first parts of the name match.
    fn starts_like(&self, segments: &[&str]) -> bool {
        let mut own = self.segments();
        segments.iter().all(|written| own.next().is_some_and(|own| matches_segment(own, written)))
    }

    fn depth(&self) -> usize {
        self.segments().count()
    }
}

/// What a written name stands for.
#[derive(Debug)]
pub(crate) enum Named {
    /// A key, with its full name in snake_case.
    Key(&'static Key, String),
    /// The front part of one or more keys.
    Group(String),
    Unknown,
}

/// Finds what a name in snake_case or camelCase stands for.
pub(crate) fn find(name: &str) -> Named {
    let segments: Vec<&str> = name.split('.').collect();
    let Some(key) = KEYS.iter().find(|key| key.starts_like(&segments)) else {
        return Named::Unknown;
    };
    let canonical: Vec<String> = key
        .segments()
        .zip(&segments)
        .map(|(own, written)| if own == "*" { (*written).to_owned() } else { own.to_owned() })
        .collect();
    let canonical = canonical.join(".");
    if key.depth() == segments.len() { Named::Key(key, canonical) } else { Named::Group(canonical) }
}

/// The key that an environment variable names, its prefix taken off: dots and underscores are both `_`.
pub(crate) fn find_variable(name: &str) -> Option<(&'static Key, String)> {
    let name = name.to_ascii_uppercase();
    KEYS.iter().find_map(|key| match key.name.split_once('*') {
        None => (variable(key.name) == name).then(|| (key, key.name.to_owned())),
        Some((front, back)) => {
            let base = name.strip_prefix(&variable(front))?.strip_suffix(&variable(back))?;
            let base = base.to_ascii_lowercase();
            is_base_name(&base).then(|| (key, format!("{front}{base}{back}")))
        },
    })
}

/// A key's name as the part of a variable's name after the prefix.
pub(crate) fn variable(key: &str) -> String {
    key.replace('.', "_").to_ascii_uppercase()
}

/// The known name that was probably meant.
pub(crate) fn suggest(name: &str) -> Option<String> {
    let written: Vec<String> = name.split('.').map(snake_case).collect();
    let last = written.last()?;
    let group: Vec<&str> = written[..written.len() - 1].iter().map(String::as_str).collect();
    let joined = |segment: &str| {
        let mut parts = group.clone();
        parts.push(segment);
        parts.join(".")
    };
    // A slip in the last part is likelier than the right word in the wrong place.
    let siblings = KEYS
        .iter()
        .filter(|key| key.starts_like(&group))
        .filter_map(|key| key.segments().nth(group.len()))
        .filter(|segment| *segment != "*");
    if let Some(segment) = nearest(last, siblings) {
        return Some(joined(segment));
    }
    let elsewhere = KEYS.iter().find(|key| key.name.rsplit('.').next() == Some(last));
    if let Some(key) = elsewhere {
        return Some(shown(key.name));
    }
    nearest(&written.join("."), KEYS.iter().map(|key| key.name)).map(shown)
}

/// The known variable that was probably meant, its prefix taken off.
pub(crate) fn suggest_variable(name: &str) -> Option<String> {
    let names: Vec<String> =
        KEYS.iter().map(|key| variable(key.name).to_ascii_lowercase()).collect();
    nearest(name, names.iter().map(String::as_str)).map(str::to_ascii_uppercase)
}

/// A name of the table as people read it.
pub(crate) fn shown(name: &str) -> String {
    name.replace('*', "<base>")
}

fn matches_segment(own: &str, written: &str) -> bool {
    if own == "*" { is_base_name(written) } else { own == written || own == snake_case(written) }
}

fn is_base_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// `maxFileBytes` as `max_file_bytes`; snake_case stays what it is.
fn snake_case(word: &str) -> String {
    let mut snake = String::with_capacity(word.len() + 4);
    let mut before_was_small = false;
    for c in word.chars() {
        if c.is_ascii_uppercase() {
            if before_was_small {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        } else {
            snake.push(c);
        }
        before_was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(name: &str) -> Option<String> {
        match find(name) {
            Named::Key(_, name) => Some(name),
            Named::Group(_) | Named::Unknown => None,
        }
    }

    #[test]
    fn both_casings_find_the_same_key() {
        let expected = Some("indexing.max_file_bytes".to_owned());
        assert_eq!(canonical("indexing.max_file_bytes"), expected);
        assert_eq!(canonical("indexing.maxFileBytes"), expected);
        assert_eq!(canonical("ask.topK").as_deref(), Some("ask.top_k"));
        assert_eq!(
            canonical("embeddings.bases.myNotes.modelID").as_deref(),
            Some("embeddings.bases.myNotes.model_id")
        );
    }

    #[test]
    fn front_parts_are_groups() {
        assert!(matches!(find("indexing"), Named::Group(_)));
        assert!(matches!(find("embeddings.bases.code"), Named::Group(_)));
        assert!(matches!(find("indexing.max_file_bytes.x"), Named::Unknown));
        assert!(matches!(find(""), Named::Unknown));
        assert!(matches!(find("embeddings.bases..provider"), Named::Unknown));
    }

    #[test]
    fn variables_use_underscores_for_dots() {
        let name = |variable: &str| find_variable(variable).map(|(_, name)| name);
        assert_eq!(name("INDEXING_MAX_FILE_BYTES").as_deref(), Some("indexing.max_file_bytes"));
        assert_eq!(name("SOURCES_URLS_MAX_BYTES").as_deref(), Some("sources.urls.max_bytes"));
        assert_eq!(
            name("EMBEDDINGS_BASES_CODE_MODEL_ID").as_deref(),
            Some("embeddings.bases.code.model_id")
        );
        assert_eq!(name("INDEXING"), None);
    }

    #[test]
    fn suggestions_look_beside_and_then_everywhere() {
        assert_eq!(suggest("indexing.thread").as_deref(), Some("indexing.threads"));
        assert_eq!(suggest("indexing.maxFileSize").as_deref(), Some("indexing.max_file_bytes"));
        assert_eq!(suggest("indxing").as_deref(), Some("indexing"));
        assert_eq!(suggest("max_file_bytes").as_deref(), Some("indexing.max_file_bytes"));
        assert_eq!(suggest("wholly.different"), None);
        assert_eq!(suggest_variable("INDEXING_THREAD").as_deref(), Some("INDEXING_THREADS"));
    }
}
