//! Hashes: sha256 where a contract names it, xxh3 where only speed counts.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A sha256. Shown in lower-case hexadecimal, as `files.sha256` and `content_sha256` hold it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// Reads what [`fmt::Display`] writes.
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 2 * bytes.len() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let [high, low] = [pair[0], pair[1]].map(|digit| char::from(digit).to_digit(16));
            *byte = u8::try_from(high? << 4 | low?).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The sha256 of bytes.
pub fn sha256(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// The same as [`sha256`], for bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub struct Sha256Stream(Sha256);

impl Sha256Stream {
    /// More bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes so far.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// Lower-case hexadecimal sha256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    sha256(bytes).to_string()
}

/// A fast 64-bit hash for gates and tie breaks; equal on every machine.
pub fn fast64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// The same as [`fast64`], for bytes that come piece by piece.
#[derive(Default)]
pub struct Fast64(xxhash_rust::xxh3::Xxh3Default);

impl Fast64 {
    /// More bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes so far.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}

impl fmt::Debug for Fast64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fast64").field(&self.finish()).finish()
    }
}

/// A fast 128-bit hash over length-prefixed parts, so that ("ab","c") and ("a","bc") differ.
pub fn fast128(parts: &[&[u8]]) -> u128 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.digest128()
}

/// The same as [`fast128`], to be read.
pub fn fast128_hex(parts: &[&[u8]]) -> String {
    hex(&fast128(parts).to_be_bytes())
}

/// Two digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(Digest::from_hex(&sha256_hex(b"abc")), Some(sha256(b"abc")));
        assert_eq!(Digest::from_hex("zz"), None);
        assert_eq!(fast64(b""), 0x2d06_8005_38d3_94c2);
        let mut pieces = Fast64::default();
        pieces.update(b"a longer text that comes ");
        pieces.update(b"in two pieces");
        assert_eq!(pieces.finish(), fast64(b"a longer text that comes in two pieces"));
        let mut pieces = Sha256Stream::default();
        pieces.update(b"a");
        pieces.update(b"bc");
        assert_eq!(pieces.finish(), sha256(b"abc"));
        assert_ne!(fast128_hex(&[b"ab", b"c"]), fast128_hex(&[b"a", b"bc"]));
    }
}
