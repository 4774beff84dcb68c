//! Character references: `&amp;`, `&#228;`, `&hellip;` and the other two thousand.

use std::borrow::Cow;
use std::sync::LazyLock;

/// The longest name, with room to spare.
const MAX_NAME: usize = 32;

/// One line per name: the name, `*` where old pages may leave out the semicolon, the code points in hexadecimal.
static TABLE: LazyLock<Vec<Entity>> =
    LazyLock::new(|| include_str!("entities.txt").lines().filter_map(Entity::parse).collect());

struct Entity {
    name: &'static str,
    may_lack_semicolon: bool,
    text: String,
}

impl Entity {
    fn parse(line: &'static str) -> Option<Self> {
        let (name, points) = line.split_once(' ')?;
        let text = points
            .split(' ')
            .filter_map(|point| u32::from_str_radix(point, 16).ok().and_then(char::from_u32))
            .collect();
        let plain = name.strip_suffix('*');
        Some(Self { name: plain.unwrap_or(name), may_lack_semicolon: plain.is_some(), text })
    }
}

/// The text with its character references replaced; what is none stays as it is.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else { return Cow::Borrowed(text) };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        let length = match after.strip_prefix('#') {
            Some(number) => numeric(number, &mut decoded).map(|length| length + 1),
            None => named(after, &mut decoded),
        };
        let length = length.unwrap_or_else(|| {
            decoded.push('&');
            0
        });
        rest = &after[length..];
        let next = rest.find('&').unwrap_or(rest.len());
        decoded.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(decoded)
}

/// The length of the reference behind `&`, once its text is written.
fn named(after: &str, decoded: &mut String) -> Option<usize> {
    let bytes = after.as_bytes();
    let length =
        bytes.iter().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(length) == Some(&b';')
        && let Some(entity) = find(&after[..length])
    {
        decoded.push_str(&entity.text);
        return Some(length + 1);
    }
    let shorter = (2..=length.min(6)).rev();
    let mut entities = shorter.filter_map(|length| find(&after[..length]));
    let entity = entities.find(|entity| entity.may_lack_semicolon)?;
    // In `?a=1&copy=2` the name is that of a parameter.
    if matches!(bytes.get(entity.name.len()), Some(b'=')) {
        return None;
    }
    decoded.push_str(&entity.text);
    Some(entity.name.len())
}

fn find(name: &str) -> Option<&'static Entity> {
    let at = TABLE.binary_search_by_key(&name, |entity| entity.name).ok()?;
    TABLE.get(at)
}

/// The length of the reference behind `&#`, once its character is written.
fn numeric(after: &str, decoded: &mut String) -> Option<usize> {
    let hexadecimal = after.strip_prefix(['x', 'X']);
    let (digits, radix, skipped) = match hexadecimal {
        Some(digits) => (digits, 16, 1),
        None => (after, 10, 0),
    };
    let length = digits.bytes().take_while(|&byte| char::from(byte).is_digit(radix)).count();
    if length == 0 {
        return None;
    }
    decoded.push(character(u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX)));
    let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    Some(skipped + length + semicolon)
}

/// Numbers from 128 to 159 mean the characters of Windows-1252, as in every browser.
fn character(number: u32) -> char {
    match u8::try_from(number) {
        Ok(byte @ 0x80..=0x9f) => {
            let bytes = [byte];
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
            text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
        },
        Ok(0) => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters() {
        assert_eq!(decode("a &lt; b &amp;&amp; c&hellip;"), "a < b && c…");
        assert_eq!(decode("&#228;&#xE4;&#XE4 &#150;"), "ää\u{e4} –");
        assert_eq!(decode("&CounterClockwiseContourIntegral;&fjlig;"), "∳fj");
        assert_eq!(decode("&copy 2024 &notit;"), "© 2024 ¬it;");
    }

    #[test]
    fn what_is_no_reference_stays() {
        for text in ["&", "a & b", "&;", "&#;", "&#x;", "&nosuchname;", "?a=1&copy=2", "&é;", "&&&"]
        {
            assert_eq!(decode(text), text);
        }
        assert_eq!(decode("&#0;&#xD800;&#99999999999;"), "\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert_eq!(TABLE.len(), 2125);
        assert!(TABLE.is_sorted_by_key(|entity| entity.name));
        assert!(TABLE.iter().all(|entity| !entity.text.is_empty() && entity.name.len() < MAX_NAME));
    }
}
