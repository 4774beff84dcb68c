//! Makes blobs shorter, unless they are too short for it to be worth while or too long to be made from few bytes again.
//!
//! ```text
//! 0 · bytes as they are
//! number of bytes · stream of deflate
//! the number is a varint
//! ```

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::facts::reader::Input;
use crate::facts::writer::number;

/// Most blobs are shorter, but most bytes are in those that are not. A stream has to be set up, which takes longer than
/// to read the bytes that it would save here.
const WORTH_WHILE: usize = 256;
/// The index may have come with the workspace: so much memory a few bytes of it may take, and no more.
const MOST: usize = 16 << 20;
/// More effort makes next to nothing shorter.
const EFFORT: Compression = Compression::new(2);

thread_local! {
    // To make one of these takes longer than to use it for the blob of a file.
    static DEFLATE: RefCell<DeflateEncoder<Vec<u8>>> =
        RefCell::new(DeflateEncoder::new(Vec::new(), EFFORT));
    static INFLATE: RefCell<Decompress> = RefCell::new(Decompress::new(false));
}

pub(crate) fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if !(WORTH_WHILE..=MOST).contains(&plain.len()) {
        out.push(0);
        out.extend(plain);
        return out;
    }
    number(&mut out, plain.len() as u64);
    // Nothing fails: a vector takes every byte.
    let stream = DEFLATE.with_borrow_mut(|encoder| {
        encoder.write_all(plain).and_then(|()| encoder.reset(Vec::new()))
    });
    out.extend(stream.unwrap_or_default());
    out
}

/// What [`deflate`] was given; `None` where it is damaged.
pub(crate) fn inflate(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut input = Input(bytes);
    let size = usize::try_from(input.number()?).ok()?;
    if size == 0 {
        return Some(input.0.into());
    }
    if size > MOST {
        return None;
    }
    // One byte more, so that a stream that is too long is seen to be.
    let mut plain = Vec::with_capacity(size + 1);
    INFLATE.with_borrow_mut(|stream| {
        stream.reset(false);
        let status = stream.decompress_vec(input.0, &mut plain, FlushDecompress::Finish);
        let is_all = plain.len() == size && stream.total_in() == input.0.len() as u64;
        (matches!(status, Ok(Status::StreamEnd)) && is_all).then(|| plain.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_shorter_comes_back() {
        let noise: Vec<u8> =
            (0..70_000_u64).map(|at| (((at * at * 40_503) >> 11) & 0xff) as u8).collect();
        let lengths = [0, 1, WORTH_WHILE - 1, WORTH_WHILE, 70_000];
        let samples = lengths.iter().map(|length| noise[..*length].to_vec());
        for plain in samples.chain([vec![7; MOST], vec![7; MOST + 1]]) {
            assert!(inflate(&deflate(&plain)).as_deref() == Some(&plain), "{}", plain.len());
        }
        assert!(deflate(&[7; 70_000]).len() < 700);
    }

    #[test]
    fn damage_is_told_and_never_panics() {
        let plain = b"abcabc".repeat(99);
        let good = deflate(&plain);
        for at in 0..good.len() {
            assert_eq!(inflate(&good[..at]), None, "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            drop(inflate(&bad));
        }
        assert_eq!(inflate(&[&good[..], b"a"].concat()), None);
        // After damage the next one is read as ever.
        assert_eq!(inflate(&good).as_deref(), Some(&*plain));
    }

    #[test]
    fn a_size_that_is_never_written_takes_no_memory() {
        for size in [MOST as u64 + 1, u64::MAX] {
            let mut bytes = Vec::new();
            number(&mut bytes, size);
            assert_eq!(inflate(&bytes), None);
        }
    }
}
