//! File names as diffs write them: plain, or in quotes with escapes.

/// The name of a `---` or `+++` line; `None` where it cannot be read. What follows a tab is a date.
pub(crate) fn name(written: &str) -> Option<String> {
    if let Some(rest) = written.strip_prefix('"') {
        return unquoted(rest);
    }
    let name = written.split('\t').next().unwrap_or_default();
    Some(name.trim_end().to_owned()).filter(|name| !name.is_empty())
}

/// What stands in C quotes, up to the closing one.
fn unquoted(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    loop {
        match rest.next()? {
            b'"' => return String::from_utf8(bytes).ok(),
            b'\\' => bytes.push(match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                same @ (b'"' | b'\\') => same,
                high @ b'0'..=b'3' => {
                    let [middle, low] = [rest.next()?, rest.next()?];
                    let digit = |byte: u8| (b'0'..=b'7').contains(&byte).then_some(byte - b'0');
                    digit(high)? << 6 | digit(middle)? << 3 | digit(low)?
                },
                _ => return None,
            }),
            byte => bytes.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_read_as_git_writes_them() {
        assert_eq!(name("a/src/x.rs").as_deref(), Some("a/src/x.rs"));
        assert_eq!(name("a/with space.rs\t2026-01-01").as_deref(), Some("a/with space.rs"));
        assert_eq!(name(r#""a/\303\274\t\"q\\""#).as_deref(), Some("a/ü\t\"q\\"));
        assert_eq!(name(r#""a/\377""#), None);
        assert_eq!(name(r#""open"#), None);
        assert_eq!(name(" "), None);
    }
}
