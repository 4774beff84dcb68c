//! The name of an object of git: a hash of twenty or thirty-two bytes.

use std::fmt;

/// The name of an object. Its length tells which hash the repository uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// A name from its bytes; `None` where no hash has so many.
    pub fn from_bytes(raw: &[u8]) -> Option<Self> {
        let length = match raw.len() {
            20 => 20,
            32 => 32,
            _ => return None,
        };
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, length })
    }

    /// A name from its hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let pairs = text.as_bytes().chunks_exact(2);
        if !matches!(text.len(), 40 | 64) {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
            *byte = u8::try_from(high? << 4 | low?).ok()?;
        }
        Self::from_bytes(&bytes[..text.len() / 2])
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.n_bytes()]
    }

    /// How many bytes it has.
    pub fn n_bytes(&self) -> usize {
        usize::from(self.length)
    }

    /// Its first eight bytes as a number: enough to tell the commits of one repository apart.
    pub fn short(&self) -> u64 {
        self.bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_hashes_are_read_and_written() {
        for text in ["0123456789abcdef".repeat(4), "0123456789".repeat(4)] {
            let id = ObjectId::from_hex(&text).unwrap();
            assert_eq!((id.to_string(), id.n_bytes()), (text.clone(), text.len() / 2));
            assert_eq!(ObjectId::from_bytes(id.as_bytes()), Some(id));
        }
        assert_eq!(ObjectId::from_hex("12"), None);
        assert_eq!(ObjectId::from_hex(&"x".repeat(40)), None);
        let id = ObjectId::from_hex(&"00000000000000ff".repeat(4)).unwrap();
        assert_eq!(id.short(), 255);
    }
}
