//! What does the header of a GGUF file say of its model? Magic, version, counts, then keys with typed values.
//!
//! Only what is listed is read: nothing here runs such a model.

use std::path::Path;

use gik_base::mmap::Bytes;
use gik_base::{ErrorCode, Failure, Result};

const MAGIC: &[u8; 4] = b"GGUF";
/// No honest header has more keys.
const MOST_KEYS: u64 = 1 << 16;
/// The longest text that is taken from a header.
const LONGEST_TEXT: usize = 4096;

/// The header of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) architecture: String,
    pub(super) name: Option<String>,
    pub(super) license: Option<String>,
    pub(super) quantization: Option<String>,
}

/// Reads the header of a file.
pub(super) fn read(path: &Path) -> Result<Header> {
    let bytes = Bytes::map(path)?;
    parse(&bytes).map_err(|what| {
        Failure::new(ErrorCode::ModelInvalid, format!("`{}` {what}", path.display()))
            .hint("get the file again")
    })
}

fn parse(bytes: &[u8]) -> Result<Header, String> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("is no GGUF file")?;
    let mut reader = Reader { rest };
    let version = reader.u32().ok_or("ends within its header")?;
    if !(2..=3).contains(&version) {
        return Err(format!("has version {version} of GGUF; 2 and 3 can be read"));
    }
    header(&mut reader).ok_or_else(|| "has a broken header".to_owned()).and_then(|header| {
        if header.architecture.is_empty() {
            return Err("does not name its architecture".to_owned());
        }
        Ok(header)
    })
}

fn header(reader: &mut Reader<'_>) -> Option<Header> {
    let (_tensors, keys) = (reader.u64()?, reader.u64()?);
    if keys > MOST_KEYS {
        return None;
    }
    let mut header = Header::default();
    for _ in 0..keys {
        let key = reader.text()?;
        let kind = reader.u32()?;
        match (key, kind) {
            (b"general.architecture", TEXT) => header.architecture = shown(reader.text()?),
            (b"general.name", TEXT) => header.name = Some(shown(reader.text()?)),
            (b"general.license", TEXT) => header.license = Some(shown(reader.text()?)),
            (b"general.file_type", U32) => header.quantization = quantization(reader.u32()?),
            _ => reader.skip(kind)?,
        }
    }
    Some(header)
}

const U32: u32 = 4;
const TEXT: u32 = 8;
const LIST: u32 = 9;

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(count).ok()?)?;
        self.rest = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.take(4)?.first_chunk()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(*self.take(8)?.first_chunk()?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.u64()?;
        self.take(length)
    }

    fn skip(&mut self, kind: u32) -> Option<()> {
        match kind {
            TEXT => self.text().map(drop),
            LIST => {
                let (kind, count) = (self.u32()?, self.u64()?);
                if kind == TEXT {
                    // Each text takes eight bytes at least, so a count that lies ends soon.
                    return (0..count).try_for_each(|_| self.text().map(drop));
                }
                self.take(count.checked_mul(width(kind)?)?).map(drop)
            },
            _ => self.take(width(kind)?).map(drop),
        }
    }
}

/// The bytes of a number; lists within lists are not used by anyone.
fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_TEXT)]).trim().to_owned()
}

/// The name of a `general.file_type`.
fn quantization(number: u32) -> Option<String> {
    let name = match number {
        0 => "F32",
        1 => "F16",
        2 => "Q4_0",
        3 => "Q4_1",
        7 => "Q8_0",
        8 => "Q5_0",
        9 => "Q5_1",
        10 => "Q2_K",
        11 => "Q3_K_S",
        12 => "Q3_K_M",
        13 => "Q3_K_L",
        14 => "Q4_K_S",
        15 => "Q4_K_M",
        16 => "Q5_K_S",
        17 => "Q5_K_M",
        18 => "Q6_K",
        25 => "IQ4_NL",
        30 => "IQ4_XS",
        32 => "BF16",
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat()
    }

    fn key(name: &str, kind: u32, value: &[u8]) -> Vec<u8> {
        [&text(name)[..], &kind.to_le_bytes(), value].concat()
    }

    /// A file with the keys that are listed and some that are passed over.
    pub(crate) fn file() -> Vec<u8> {
        let words = [&TEXT.to_le_bytes()[..], &2u64.to_le_bytes(), &text("a"), &text("b")].concat();
        let numbers = [&6u32.to_le_bytes()[..], &2u64.to_le_bytes(), &[0; 8]].concat();
        let keys = [
            key("general.architecture", TEXT, &text("granite")),
            key("tokenizer.ggml.tokens", LIST, &words),
            key("tokenizer.ggml.scores", LIST, &numbers),
            key("granite.context_length", 10, &[0; 8]),
            key("general.name", TEXT, &text("Granite 8B")),
            key("general.file_type", U32, &15u32.to_le_bytes()),
        ];
        let mut file = [&MAGIC[..], &3u32.to_le_bytes(), &7u64.to_le_bytes()].concat();
        file.extend((keys.len() as u64).to_le_bytes());
        file.extend(keys.concat());
        file
    }

    #[test]
    fn a_header_is_read() {
        let header = parse(&file()).unwrap();
        assert_eq!(header.architecture, "granite");
        assert_eq!(header.name.as_deref(), Some("Granite 8B"));
        assert_eq!(header.quantization.as_deref(), Some("Q4_K_M"));
        assert_eq!(header.license, None);
    }

    #[test]
    fn broken_headers_are_refused_and_never_panic() {
        let file = file();
        for length in 0..file.len() {
            assert!(parse(&file[..length]).is_err(), "{length}");
        }
        assert!(parse(b"GGUF\x01\0\0\0").unwrap_err().contains("version 1"));
        for at in 4..file.len() {
            let mut other = file.clone();
            other[at] ^= 0xff;
            drop(parse(&other));
        }
    }
}
