//! Small numbers in few bytes: LEB128 for bytes, and a reader that answers zero past the end.

/// Appends a number, seven bits per byte, lowest first.
#[inline]
pub(crate) fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads numbers from bytes that may be damaged: past the end every read is zero, nothing panics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Where the next read happens.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether everything was read.
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> u64 {
        let first = self.u8();
        if first < 0x80 { u64::from(first) } else { self.long_varint(first) }
    }

    fn long_varint(&mut self, first: u8) -> u64 {
        let mut value = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.u8();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    /// A number that must fit 32 bits; larger ones are damage and become the largest value.
    #[inline]
    pub(crate) fn varint32(&mut self) -> u32 {
        u32::try_from(self.varint()).unwrap_or(u32::MAX)
    }

    /// The next bytes; fewer where the input ends.
    pub(crate) fn take(&mut self, count: usize) -> &'a [u8] {
        let start = self.at.min(self.bytes.len());
        let end = start.saturating_add(count).min(self.bytes.len());
        self.at = end;
        &self.bytes[start..end]
    }
}

/// The little-endian `u32` at a byte offset; zero where the bytes end.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => u32::from_le_bytes(*chunk),
        None => 0,
    }
}

/// The little-endian `u64` at a byte offset; zero where the bytes end.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_round_trip(values in proptest::collection::vec(any::<u64>(), 0..50), shift in 0u32..64) {
            let values: Vec<u64> = values.into_iter().map(|value| value >> shift).collect();
            let mut bytes = Vec::new();
            for &value in &values {
                write_varint(&mut bytes, value);
            }
            let mut reader = ByteReader::new(&bytes);
            for &value in &values {
                prop_assert_eq!(reader.varint(), value);
            }
            prop_assert!(reader.is_done());
            prop_assert_eq!(reader.varint(), 0);
        }
    }
}
