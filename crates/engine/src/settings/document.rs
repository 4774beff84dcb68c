//! One config file: which keys it sets on which lines, and everything that is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};

use super::check::describe;
use super::key::{Key, Named, find, suggest};
use super::problem::{Problem, Severity};
use super::value::Value;
use super::yaml::{Data, Node, parse};
use super::{Origin, check};

/// No config file is longer by honest means.
const MAX_BYTES: u64 = 256 * 1024;

/// Which of the two files is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Global,
    Project,
}

impl Layer {
    /// A place in a file of this layer.
    pub(crate) fn at(self, file: &Path, line: usize) -> Origin {
        let file = file.to_owned();
        match self {
            Self::Global => Origin::Global { file, line },
            Self::Project => Origin::Project { file, line },
        }
    }
}

/// A value that a file sets.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) key: &'static Key,
    /// The full name in snake_case.
    pub(crate) name: String,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) problems: Vec<Problem>,
}

/// The bytes of a config file; `None` where there is none.
pub(crate) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>> {
    // One look settles the usual case; it also keeps pipes and devices from being opened.
    if fs::symlink_metadata_if_present(path)?.is_none() {
        return Ok(None);
    }
    let metadata = fs::metadata(path)?;
    let refused =
        |what: &str| Failure::new(ErrorCode::ConfigInvalid, format!("`{}` {what}", path.display()));
    if !metadata.is_file() {
        return Err(refused("is not a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(refused("is too long for a config file")
            .hint(format!("at most {} KiB are read", MAX_BYTES / 1024)));
    }
    fs::read_if_present(path)
}

/// The text of a config file without the byte order mark that some editors put in front.
pub(crate) fn text_of(bytes: &[u8]) -> std::result::Result<&str, usize> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        before.split(|byte| *byte == b'\n').count()
    })
}

/// Reads the bytes of a config file.
pub(crate) fn read_document(bytes: &[u8], path: &Path, layer: Layer) -> Document {
    let mut reader = Reader {
        path: path.to_owned(),
        layer,
        seen: BTreeMap::new(),
        document: Document::default(),
    };
    match text_of(bytes).map(parse) {
        Err(line) => reader.report(
            Severity::Error,
            line,
            None,
            "not valid UTF-8".to_owned(),
            Some("save the file as UTF-8".to_owned()),
        ),
        Ok(Err(error)) => {
            reader.report(Severity::Error, error.line, None, error.message, error.hint);
        },
        Ok(Ok(None)) => {},
        Ok(Ok(Some(root))) => reader.group("", &root),
    }
    reader.document
}

struct Reader {
    path: PathBuf,
    layer: Layer,
    /// The line on which each key and group was set.
    seen: BTreeMap<String, usize>,
    document: Document,
}

impl Reader {
    fn group(&mut self, name: &str, node: &Node) {
        let Data::Mapping { pairs, .. } = &node.data else {
            let what = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
            let found = describe(node);
            let message = format!("{what} is {found}, but must be keys with values");
            let hint = Some("write `key: value` lines".to_owned());
            let key = (!name.is_empty()).then(|| name.to_owned());
            return self.report(Severity::Error, node.line, key, message, hint);
        };
        for pair in pairs {
            let line = pair.key.line;
            let written = if name.is_empty() {
                pair.key.text.clone()
            } else {
                format!("{name}.{}", pair.key.text)
            };
            match find(&written) {
                Named::Unknown => self.unknown(&written, line),
                Named::Group(group) => {
                    if self.first_time(&group, line) && !pair.value.is_null() {
                        self.group(&group, &pair.value);
                    }
                },
                Named::Key(key, name) => {
                    if self.first_time(&name, line) {
                        self.value(key, name, &pair.value);
                    }
                },
            }
        }
    }

    fn value(&mut self, key: &'static Key, name: String, node: &Node) {
        if node.is_null() {
            let message = format!("`{name}` has no value and is left out");
            let hint = Some("give it a value or remove the line".to_owned());
            return self.report(Severity::Warning, node.line, Some(name), message, hint);
        }
        match key.kind.read(node) {
            Ok(value) => {
                let origin = self.layer.at(&self.path, node.line);
                self.document.assignments.push(Assignment { key, name, value, origin });
            },
            Err(complaint) => {
                let message = wrong_value(&name, &complaint);
                self.report(Severity::Error, node.line, Some(name), message, complaint.hint);
            },
        }
    }

    fn unknown(&mut self, written: &str, line: usize) {
        let (message, hint) = unknown_key(written);
        self.report(Severity::Warning, line, Some(check::excerpt(written)), message, hint);
    }

    /// Whether a name has not been seen yet; a repeated one is an error.
    fn first_time(&mut self, name: &str, line: usize) -> bool {
        let Some(first) = self.seen.get(name).copied() else {
            self.seen.insert(name.to_owned(), line);
            return true;
        };
        let message = format!("`{name}` stands here again; line {first} has it already");
        let hint = Some("keep one of the two".to_owned());
        self.report(Severity::Error, line, Some(name.to_owned()), message, hint);
        false
    }

    fn report(
        &mut self,
        severity: Severity,
        line: usize,
        key: Option<String>,
        message: String,
        hint: Option<String>,
    ) {
        let at = self.layer.at(&self.path, line);
        self.document.problems.push(Problem { severity, at, key, message, hint });
    }
}

/// What to say about a value that its key may not hold.
pub(crate) fn wrong_value(name: &str, complaint: &check::Complaint) -> String {
    format!("`{name}` is {}, but must be {}", complaint.found, complaint.allowed)
}

/// What to say about a key that is in no table.
pub(crate) fn unknown_key(written: &str) -> (String, Option<String>) {
    let message = format!("`{}` is not a known key", check::excerpt(written));
    (message, suggest(written).map(|name| format!("did you mean `{name}`?")))
}
