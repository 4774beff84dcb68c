//! Is it text, and in which encoding? And if it is text, did a person write it? By content, never by extension alone.

use encoding_rs::{Encoding as Codec, UTF_16BE, UTF_16LE, WINDOWS_1252};
use gik_base::FileKey;

use crate::skip::SkipReason;

mod generated;
mod minified;

/// How the bytes of a file spell its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, also plain ASCII.
    Utf8,
    /// UTF-8 after a byte order mark, which is not part of the text.
    Utf8Bom,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Latin-1, read as its superset Windows-1252.
    Latin1,
}

impl Encoding {
    /// The usual name, in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf8Bom => "utf-8-bom",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Latin1 => "latin-1",
        }
    }
}

/// The content of a file: text worth indexing, or the reason why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Text, with its line ends as they are.
    Text {
        /// The text without a byte order mark.
        text: String,
        /// How the file spells it.
        encoding: Encoding,
    },
    /// Nothing to index.
    Skip(SkipReason),
}

/// [`decode`] and [`classify`] in one step.
pub fn content(key: &FileKey, bytes: Vec<u8>) -> Content {
    match decode(bytes) {
        Err(reason) => Content::Skip(reason),
        Ok((text, encoding)) => match classify(key, &text) {
            Some(reason) => Content::Skip(reason),
            None => Content::Text { text, encoding },
        },
    }
}

/// The text that the bytes spell, or [`SkipReason::Binary`]. UTF-8 keeps the buffer.
///
/// A byte order mark decides; without one, NUL bytes mean UTF-16 if they stand where its ASCII would have them and
/// binary otherwise; then UTF-8 where it is valid, and Windows-1252 for the rest.
pub fn decode(mut bytes: Vec<u8>) -> Result<(String, Encoding), SkipReason> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
        return decode_bytes(bytes, Encoding::Utf8Bom);
    }
    if let Some(units) = bytes.strip_prefix(b"\xff\xfe") {
        return decode_utf16(units, UTF_16LE, Encoding::Utf16Le);
    }
    if let Some(units) = bytes.strip_prefix(b"\xfe\xff") {
        return decode_utf16(units, UTF_16BE, Encoding::Utf16Be);
    }
    match utf16_without_mark(&bytes) {
        Some(Encoding::Utf16Le) => decode_utf16(&bytes, UTF_16LE, Encoding::Utf16Le),
        Some(Encoding::Utf16Be) => decode_utf16(&bytes, UTF_16BE, Encoding::Utf16Be),
        _ => decode_bytes(bytes, Encoding::Utf8),
    }
}

/// The same of bytes that are known to be text, because the very same were decoded before: whether they are is not looked at
/// again where they are UTF-8.
pub fn decode_again(bytes: Vec<u8>) -> Option<String> {
    // A mark is left to the other way, and so is what NUL bytes may mean.
    if bytes.starts_with(b"\xef\xbb\xbf") || bytes.contains(&0) {
        return decode(bytes).ok().map(|(text, _)| text);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => decode(error.into_bytes()).ok().map(|(text, _)| text),
    }
}

/// Why text is not worth indexing: a program wrote it, or squeezed it. Cautious: in doubt a file is kept.
pub fn classify(key: &FileKey, text: &str) -> Option<SkipReason> {
    if let Some(marker) = generated::marker(key, text) {
        return Some(SkipReason::Generated { marker });
    }
    minified::is_minified(key, text).then_some(SkipReason::Minified)
}

/// A format that may be free of NUL bytes and yet is not text.
const PDF_START: &[u8] = b"%PDF-";
/// As many bytes as it takes to tell text from noise.
const SAMPLE_BYTES: usize = 64 << 10;

fn decode_bytes(bytes: Vec<u8>, encoding: Encoding) -> Result<(String, Encoding), SkipReason> {
    if bytes.contains(&0) || bytes.starts_with(PDF_START) {
        return Err(SkipReason::Binary);
    }
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    // Counted in single bytes, many at once: as many in each part, or the compiler takes them one by one.
    let (parts, rest) = sample.as_chunks::<128>();
    let controls: usize =
        parts.iter().map(|part| odd_controls(part)).chain([odd_controls(rest)]).sum();
    match String::from_utf8(bytes) {
        // Terminal recordings and the like have a few; a tenth is no text any more.
        Ok(text) if controls * 10 <= text.len().min(SAMPLE_BYTES) => Ok((text, encoding)),
        Ok(_) => Err(SkipReason::Binary),
        Err(error) => {
            let bytes = error.into_bytes();
            // Noise has one in ten; text in an old encoding has none, give or take a form feed.
            if controls * 100 > bytes.len().min(SAMPLE_BYTES) {
                return Err(SkipReason::Binary);
            }
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
            Ok((text.into_owned(), Encoding::Latin1))
        },
    }
}

fn decode_utf16(
    units: &[u8],
    codec: &'static Codec,
    encoding: Encoding,
) -> Result<(String, Encoding), SkipReason> {
    let (text, had_errors) = codec.decode_without_bom_handling(units);
    if had_errors || text.contains('\0') {
        return Err(SkipReason::Binary);
    }
    Ok((text.into_owned(), encoding))
}

/// UTF-16 text of mostly ASCII has a NUL in nearly every other byte, and always on the same side.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    if bytes.len() < 4 || !bytes.len().is_multiple_of(2) || !sample.contains(&0) {
        return None;
    }
    let (mut first, mut second) = (0, 0);
    for pair in sample.chunks_exact(2) {
        first += usize::from(pair[0] == 0);
        second += usize::from(pair[1] == 0);
    }
    let enough = sample.len() / 2 * 7 / 10;
    match (first, second) {
        (0, _) if second > enough => Some(Encoding::Utf16Le),
        (_, 0) if first > enough => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// How many odd control bytes there are among no more than 255.
#[inline]
fn odd_controls(part: &[u8]) -> usize {
    part.iter().map(|byte| u8::from(is_odd_control(*byte))).sum::<u8>().into()
}

/// Control characters other than white space, backspace and escape.
fn is_odd_control(byte: u8) -> bool {
    let is_control = (byte < 32) | (byte == 127);
    let is_usual = (8..14).contains(&byte) | (byte == 27);
    is_control & !is_usual
}

#[cfg(test)]
mod tests;
