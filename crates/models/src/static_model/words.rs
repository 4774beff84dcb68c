//! Which words does source code have, for the table that ships?
//!
//! WordPiece lowers letters before it looks, so `parseHTTPConfig` would become `parse`, `##ht`, `##tp`, `##con`, `##fi`,
//! `##g`. Here identifiers are cut where people see a border, as the lexical analyzer does, and punctuation, which says
//! nothing about what a text is about, is left out.

use crate::wordpiece::Normalizer;

/// Calls `word` with every word of the text in lower case and without accents, in order.
pub fn words(text: &str, mut word: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut buffer = String::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() {
            let end = part_end(bytes, at);
            buffer.clear();
            buffer.extend(text[at..end].chars().map(|letter| letter.to_ascii_lowercase()));
            word(&buffer);
            at = end;
        } else if byte.is_ascii() {
            at += 1;
        } else {
            let end = at + wide_length(&bytes[at..]);
            Normalizer::UNCASED.words(&text[at..end], |found| {
                if found.chars().any(char::is_alphanumeric) {
                    word(found);
                }
            });
            at = end;
        }
    }
}

/// Where a part of an identifier that starts at a letter or digit ends.
fn part_end(bytes: &[u8], start: usize) -> usize {
    let is = |at: usize, class: fn(&u8) -> bool| bytes.get(at).is_some_and(class);
    let mut at = start + 1;
    if is(start, u8::is_ascii_digit) {
        while is(at, u8::is_ascii_digit) {
            at += 1;
        }
        return at;
    }
    if is(start, u8::is_ascii_uppercase) && is(at, u8::is_ascii_uppercase) {
        while is(at, u8::is_ascii_uppercase) {
            at += 1;
        }
        // The last capital of `HTTPServer` starts the next part; the s of `URLs` belongs to its acronym.
        return match is(at, u8::is_ascii_lowercase) {
            true if is(at, |byte| *byte == b's') && !is(at + 1, u8::is_ascii_lowercase) => at + 1,
            true => at - 1,
            false => at,
        };
    }
    while is(at, u8::is_ascii_lowercase) {
        at += 1;
    }
    at
}

/// The length of the run up to the next ASCII character that is no letter; letters beside others are one word.
fn wide_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        let mut all = Vec::new();
        words(text, |word| all.push(word.to_owned()));
        all.join(" ")
    }

    #[test]
    fn identifiers_fall_into_the_words_people_say() {
        for (text, expected) in [
            ("parseHTTPConfig(x)", "parse http config x"),
            ("parse_http_config", "parse http config"),
            ("MAX_RSS = 10", "max rss 10"),
            ("userIDs URLs", "user ids urls"),
            ("HTTPServer2", "http server 2"),
            ("sha256sum", "sha 256 sum"),
            ("aB", "a b"),
            ("-- // {}", ""),
        ] {
            assert_eq!(joined(text), expected, "{text}");
        }
    }

    #[test]
    fn other_scripts_are_words_too() {
        assert_eq!(joined("Größe über-alles"), "gr oße uber alles");
        assert_eq!(joined("漢字 и Это"), "漢 字 и это");
        assert_eq!(joined("🦀 “x”"), "x");
    }
}
