//! Which folder holds a branch, and which branch a folder holds.
//!
//! The folder name is the branch name with every byte that some file system cannot keep percent-encoded:
//! `feature/x` lives in `feature%2Fx`. Encoding and decoding are each other's inverse for every name whose folder
//! name is at most [`LONGEST`] bytes; a longer one is cut and ends in a hash, and its full name is in its timeline.

use gik_base::hash;

/// The longest folder name in bytes; leaves room for deep workspaces on systems with short paths.
const LONGEST: usize = 160;
/// The folder of the branch without a name. `%em` is no escape, so no other name gives it.
const EMPTY: &str = "%empty";
/// Stands between the cut name and the hash. `%~` is no escape, so no short name contains it.
const CUT: &str = "%~";
const HASH_DIGITS: usize = 32;
const KEPT: usize = LONGEST - CUT.len() - HASH_DIGITS;

/// Files beside the branch folders, which a branch must not take the place of.
const TAKEN: [&str; 3] = ["asks", "config.yaml", "history"];
/// Names that Windows gives to devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The folder name of a branch.
pub fn encode_branch(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    if is_cut(name) {
        return name.to_owned();
    }
    let shield_first = name.starts_with('.') || is_reserved(name);
    let last = name.len() - 1;
    let mut encoded = String::with_capacity(name.len() + 8);
    for (at, byte) in name.bytes().enumerate() {
        let shielded = (at == 0 && shield_first) || (at == last && byte == b'.');
        if is_safe(byte) && !shielded {
            encoded.push(char::from(byte));
        } else {
            push_escape(&mut encoded, byte);
        }
    }
    if encoded.len() > LONGEST { cut(&encoded, name) } else { encoded }
}

/// The branch a folder holds; for a cut name, the folder name itself.
pub fn decode_branch(dir: &str) -> String {
    if dir == EMPTY {
        return String::new();
    }
    if is_cut(dir) {
        return dir.to_owned();
    }
    let bytes = dir.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(decoded).unwrap_or_else(|_| dir.to_owned())
}

/// Whether a folder name was cut, so that the full name has to come from its timeline.
pub(crate) fn is_cut(dir: &str) -> bool {
    let Some((kept, hash)) = dir.rsplit_once(CUT) else { return false };
    (KEPT - 2..=KEPT).contains(&kept.len())
        && kept.bytes().all(|byte| is_safe(byte) || byte == b'%')
        && hash.len() == HASH_DIGITS
        && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn cut(encoded: &str, name: &str) -> String {
    // An escape is kept whole or not at all.
    let end = match encoded[KEPT - 2..KEPT].find('%') {
        Some(at) => KEPT - 2 + at,
        None => KEPT,
    };
    format!("{}{CUT}{}", &encoded[..end], hash::fast128_hex(&[name.as_bytes()]))
}

fn push_escape(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Bytes that every file system keeps. Letters beyond ASCII are not among them: some systems normalise them.
fn is_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'@' | b'=' | b',' | b'#')
}

fn is_reserved(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    let numbered = ["com", "lpt"].iter().any(|port| {
        stem.strip_prefix(port)
            .is_some_and(|digit| digit.len() == 1 && digit.bytes().all(|b| b.is_ascii_digit()))
    });
    numbered || DEVICES.contains(&stem) || TAKEN.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folder_names_are_as_written_down() {
        let table = [
            ("main", "main"),
            ("feature/x", "feature%2Fx"),
            ("Fix-1_2.3+a@b=c,#7", "Fix-1_2.3+a@b=c,#7"),
            ("100%", "100%25"),
            ("ü", "%C3%BC"),
            ("a b ", "a%20b%20"),
            ("v1.", "v1%2E"),
            ("", "%empty"),
            ("%empty", "%25empty"),
            (".", "%2E"),
            ("..", "%2E%2E"),
            (".lock", "%2Elock"),
            ("CON", "%43ON"),
            ("nul.txt", "%6Eul.txt"),
            ("com1", "%63om1"),
            ("com10", "com10"),
            ("console", "console"),
            ("asks", "%61sks"),
            ("Config.YAML", "%43onfig.YAML"),
            ("a\\b:c*?", "a%5Cb%3Ac%2A%3F"),
        ];
        for (name, dir) in table {
            assert_eq!(encode_branch(name), dir, "{name:?}");
            assert_eq!(decode_branch(dir), name, "{dir:?}");
        }
    }

    #[test]
    fn over_long_names_are_cut_apart_from_each_other() {
        let (one, two) = ("ä".repeat(300), format!("{}b", "ä".repeat(300)));
        let (dir_one, dir_two) = (encode_branch(&one), encode_branch(&two));
        assert_ne!(dir_one, dir_two);
        assert!(dir_one.len() <= LONGEST && is_cut(&dir_one));
        assert_eq!(encode_branch(&decode_branch(&dir_one)), dir_one);
    }

    #[test]
    fn folders_that_gik_did_not_name_decode_to_something() {
        for dir in ["%", "%4", "%zz", "a%ff", "%+1"] {
            assert_eq!(decode_branch(dir), dir);
        }
    }

    fn check_round_trip(name: &str) {
        let dir = encode_branch(name);
        assert!(!dir.is_empty() && dir.len() <= LONGEST);
        assert!(dir.bytes().all(|byte| is_safe(byte) || byte == b'%' || byte == b'~'), "{dir}");
        assert!(!dir.starts_with('.') && !dir.ends_with('.'), "{dir}");
        assert!(!is_reserved(&dir), "{dir}");
        assert_eq!(encode_branch(&decode_branch(&dir)), dir);
        if !is_cut(&dir) {
            assert_eq!(decode_branch(&dir), name);
        }
    }

    proptest! {
        #[test]
        fn every_name_round_trips(name in any::<String>()) {
            check_round_trip(&name);
        }

        #[test]
        fn names_made_of_special_parts_round_trip(
            parts in proptest::collection::vec("[.%~/ a]|con|asks|COM1|%2F|%~|%empty", 0..60)
        ) {
            check_round_trip(&parts.concat());
        }
    }
}
