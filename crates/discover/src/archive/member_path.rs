//! The name of a member as a path that stays inside its archive, or why it has none.

use std::fmt::Write as _;

/// The longest path most systems can hold.
const MAX_BYTES: usize = 4096;
/// Deeper trees are made by attackers, not by people.
const MAX_PARTS: usize = 128;
/// How much of an unusable name is shown.
const SHOWN_CHARS: usize = 200;

/// The path of a member: relative, `/` between its parts. The error says what is wrong with the name.
pub(super) fn normalise(name: &[u8]) -> Result<String, &'static str> {
    if name.len() > MAX_BYTES {
        return Err("has a name that is too long");
    }
    if name.iter().any(u8::is_ascii_control) {
        return Err("has control characters in its name");
    }
    // Some programs on Windows write backslashes, and what is a plain character here is a step there.
    let text = decode(name).replace('\\', "/");
    if text.starts_with('/') || has_drive(&text) {
        return Err("has an absolute path");
    }
    let mut parts = Vec::new();
    for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if is_escape(part) {
            return Err("has a path that leaves the archive");
        }
        parts.push(part);
    }
    if parts.is_empty() {
        return Err("has no name");
    }
    if parts.len() > MAX_PARTS {
        return Err("lies too deep");
    }
    Ok(parts.join("/"))
}

/// A name for people to read, whatever its bytes are.
pub(super) fn shown(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(&name[..name.len().min(MAX_BYTES)]);
    let safe = |character: char| if character.is_control() { '\u{fffd}' } else { character };
    let mut shown: String = text.chars().take(SHOWN_CHARS).map(safe).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() || name.len() > MAX_BYTES {
        shown.push('…');
    }
    shown
}

/// Bytes that are not UTF-8 are percent-encoded.
fn decode(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn has_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// Nothing here decodes percent signs, but a reader of `archive.zip!/%2e%2e/x` might.
fn is_escape(part: &str) -> bool {
    if part == ".." {
        return true;
    }
    if !part.contains('%') {
        return false;
    }
    let mut plain = Vec::with_capacity(part.len());
    let bytes = part.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 3;
            },
            (byte, _, _) => {
                plain.push(byte);
                at += 1;
            },
        }
    }
    plain == b".." || plain == b"." || plain.iter().any(|byte| matches!(byte, b'/' | b'\\' | 0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_made_relative_and_plain() {
        assert_eq!(normalise(b"a/b.txt").unwrap(), "a/b.txt");
        assert_eq!(normalise(b"./a//./b.txt").unwrap(), "a/b.txt");
        assert_eq!(normalise(b"a\\b.txt").unwrap(), "a/b.txt");
        assert_eq!(normalise(b"100%.txt").unwrap(), "100%.txt");
        assert_eq!(normalise(b"...").unwrap(), "...");
        assert_eq!(normalise("ä/日.md".as_bytes()).unwrap(), "ä/日.md");
        assert_eq!(normalise(b"caf\xe9").unwrap(), "caf%E9");
    }

    #[test]
    fn paths_that_leave_the_archive_have_no_name() {
        let leaves = "has a path that leaves the archive";
        for name in ["../x", "a/../../x", "a/..", "..\\x", "a\\..\\x", "%2e%2e/x", "a/.%2E/x"] {
            assert_eq!(normalise(name.as_bytes()), Err(leaves), "{name}");
        }
        for name in ["..%2fx", "a%5c..%5cx", "a%00b"] {
            assert_eq!(normalise(name.as_bytes()), Err(leaves), "{name}");
        }
        for name in ["/etc/passwd", "\\\\server\\x", "C:\\x", "c:x", "//x"] {
            assert_eq!(normalise(name.as_bytes()), Err("has an absolute path"), "{name}");
        }
        assert_eq!(normalise(b""), Err("has no name"));
        assert_eq!(normalise(b"./"), Err("has no name"));
        assert_eq!(normalise(b"a\0b"), Err("has control characters in its name"));
        assert_eq!(normalise(b"a\nb"), Err("has control characters in its name"));
        assert_eq!(normalise(&[b'a'; 5000]), Err("has a name that is too long"));
        assert_eq!(normalise("a/".repeat(200).as_bytes()), Err("lies too deep"));
    }

    #[test]
    fn a_shown_name_is_short_and_harmless() {
        assert_eq!(shown(b"a\x1b[31m\xff"), "a\u{fffd}[31m\u{fffd}");
        assert_eq!(shown(&[b'a'; 9000]).chars().count(), SHOWN_CHARS + 1);
    }

    proptest! {
        #[test]
        fn a_normalised_path_has_only_plain_parts(name in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(path) = normalise(&name) {
                prop_assert!(path.split('/').all(|part| !matches!(part, "" | "." | "..")));
                prop_assert!(!path.contains('\\') && !path.contains('\0'));
                prop_assert_eq!(normalise(path.as_bytes()), Ok(path));
            }
        }
    }
}
