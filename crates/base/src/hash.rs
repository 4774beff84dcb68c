//! Hashes: sha256 where a contract names it, xxh3 where only speed counts.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Lower-case hexadecimal sha256, as `files.sha256` and `content_sha256` hold it.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
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

impl std::fmt::Debug for Fast64 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Fast64").field(&self.finish()).finish()
    }
}

/// A fast 128-bit hash over length-prefixed parts, so that ("ab","c") and ("a","bc") differ.
pub fn fast128_hex(parts: &[&[u8]]) -> String {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.digest128().to_be_bytes())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
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
        assert_eq!(fast64(b""), 0x2d06_8005_38d3_94c2);
        let mut pieces = Fast64::default();
        pieces.update(b"a longer text that comes ");
        pieces.update(b"in two pieces");
        assert_eq!(pieces.finish(), fast64(b"a longer text that comes in two pieces"));
        assert_ne!(fast128_hex(&[b"ab", b"c"]), fast128_hex(&[b"a", b"bc"]));
    }
}
