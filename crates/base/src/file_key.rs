//! The name of a file inside a workspace, the same on every machine.

use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// A workspace-relative path with `/` between its parts, exactly as on disk.
///
/// Names that are not valid UTF-8 are percent-encoded byte by byte and start with [`FileKey::ENCODED`], so that
/// every file has a key and [`FileKey::to_path`] finds it again. The root itself is the empty key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileKey(String);

impl FileKey {
    /// Marks a key whose bytes were percent-encoded because they are not UTF-8.
    pub const ENCODED: &'static str = "%raw%/";

    /// A key from its text, which must be one that [`FileKey::as_str`] gave.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key of a relative path; `None` when the path is absolute or leaves its root.
    pub fn from_relative(path: &Path) -> Option<Self> {
        let mut parts: Vec<&std::ffi::OsStr> = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(part) => parts.push(part),
                Component::CurDir => {},
                Component::ParentDir => {
                    parts.pop()?;
                },
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        let texts: Option<Vec<&str>> = parts.iter().map(|part| part.to_str()).collect();
        Some(match texts {
            // A folder that is really called like the mark is encoded as well, so that the mark stays unambiguous.
            Some(texts) if texts.first() != Some(&Self::ENCODED.trim_end_matches('/')) => {
                Self(texts.join("/"))
            },
            _ => Self(encode(&parts)),
        })
    }

    /// The text of the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of the file below the workspace root.
    pub fn to_path(&self, root: &Path) -> PathBuf {
        match self.0.strip_prefix(Self::ENCODED) {
            Some(encoded) => root.join(decode(encoded)),
            None => root.join(&self.0),
        }
    }

    /// The last part.
    pub fn file_name(&self) -> &str {
        // Names are short: looking at one byte after the other beats the search for a character.
        let slash = self.0.bytes().rposition(|byte| byte == b'/');
        slash.map_or(&self.0, |at| &self.0[at + 1..])
    }

    /// The text after the last dot of the last part, lower-case; empty when there is none.
    pub fn extension(&self) -> Cow<'_, str> {
        match self.file_name().rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => {
                if extension.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    Cow::Owned(extension.to_ascii_lowercase())
                } else {
                    Cow::Borrowed(extension)
                }
            },
            _ => Cow::Borrowed(""),
        }
    }

    /// Whether this key is `ancestor` itself or lies below it. The root covers everything.
    pub fn is_within(&self, ancestor: &Self) -> bool {
        ancestor.0.is_empty()
            || self.0 == ancestor.0
            || self.0.strip_prefix(&ancestor.0).is_some_and(|rest| rest.starts_with('/'))
    }
}

impl fmt::Display for FileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How many bytes the start of a key has in common with another, in whole letters. No more than a byte tells, so that a
/// few bytes of a list of keys never become many in memory.
pub fn shared_start(one: &str, other: &str) -> u8 {
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other);
    let same = same.take(usize::from(u8::MAX)).count();
    u8::try_from(one.floor_char_boundary(same)).unwrap_or_default()
}

#[cfg(unix)]
fn encode(parts: &[&std::ffi::OsStr]) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;

    let mut text = FileKey::ENCODED.to_owned();
    for (idx, part) in parts.iter().enumerate() {
        if idx > 0 {
            text.push('/');
        }
        for &byte in part.as_bytes() {
            if byte.is_ascii_graphic() && byte != b'%' {
                text.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(not(unix))]
fn encode(parts: &[&std::ffi::OsStr]) -> String {
    parts.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(unix)]
fn decode(encoded: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;

    let bytes = encoded.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| encoded.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match escaped {
            Some(byte) => {
                out.push(byte);
                at += 3;
            },
            None => {
                out.push(bytes[at]);
                at += 1;
            },
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(out))
}

#[cfg(not(unix))]
fn decode(encoded: &str) -> PathBuf {
    PathBuf::from(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_in_common_ends_between_letters_and_within_a_byte() {
        assert_eq!(shared_start("src/a.rs", "src/b.rs"), 4);
        assert_eq!(shared_start("ä", "å"), 0);
        assert_eq!(shared_start("", "a"), 0);
        assert_eq!(shared_start(&"a".repeat(400), &"a".repeat(300)), 255);
        assert_eq!(shared_start(&"ä".repeat(200), &"ä".repeat(200)), 254);
    }

    #[test]
    fn keys_are_normalised_and_cannot_escape() {
        let key = |path: &str| FileKey::from_relative(Path::new(path)).map(|key| key.0);
        assert_eq!(key("./src//a b/ü.rs").as_deref(), Some("src/a b/ü.rs"));
        assert_eq!(key("src/../lib.rs").as_deref(), Some("lib.rs"));
        assert_eq!(key("../x"), None);
        assert_eq!(key("/etc/passwd"), None);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_round_trip() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = Path::new(std::ffi::OsStr::from_bytes(b"dir/\xff%\n.txt"));
        let key = FileKey::from_relative(name).unwrap();
        assert_eq!(key.as_str(), "%raw%/dir/%FF%25%0A.txt");
        assert_eq!(key.to_path(Path::new("/w")), Path::new("/w").join(name));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_named_like_the_mark_is_found_again() {
        let name = Path::new("%raw%/a.txt");
        let key = FileKey::from_relative(name).unwrap();
        assert_eq!(key.to_path(Path::new("/w")), Path::new("/w").join(name));
    }

    #[test]
    fn within_is_by_whole_parts() {
        let key = |text: &str| FileKey::from_text(text);
        assert!(key("src/a.rs").is_within(&key("src")));
        assert!(!key("src2/a.rs").is_within(&key("src")));
        assert!(key("anything").is_within(&key("")));
    }

    #[test]
    fn extensions_are_lower_case_and_dot_files_have_none() {
        assert_eq!(FileKey::from_text("a/B.RS").extension(), "rs");
        assert_eq!(FileKey::from_text(".gitignore").extension(), "");
    }
}
