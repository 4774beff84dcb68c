//! How is the table that ships laid out? One file that is used where it lies: nothing is decoded when it is opened.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `gikstat1` |
//! | 8 | 4 | number of pieces, n; all numbers are little-endian |
//! | 12 | 4 | dimension, d |
//! | 16 | 4 | bytes of the text of all pieces, t |
//! | 20 | 4 | slots of the hash table, s |
//! | 24 | t | the pieces, one after the other |
//! | … | 4n | where each piece ends |
//! | … | 4s | the hash table of [`crate::wordpiece::vocab`] |
//! | … | 4n | the weight of each piece: what one step of its row stands for, an `f32` |
//! | … | nd | rows of signed bytes |

use gik_base::{ErrorCode, Failure, Result};

use crate::wordpiece::vocab::Vocab;
use crate::wordpiece::{Normalizer, Parts, WordPiece};

const MAGIC: &[u8; 8] = b"gikstat1";
const HEADER: usize = 24;

/// The piece that stands for every word that has none; its row is zero.
pub(crate) const UNKNOWN: &str = "[UNK]";

/// The parts of a file.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) tokenizer: WordPiece,
    pub(super) dimension: usize,
    pub(super) steps: Vec<f32>,
    pub(super) rows: &'static [u8],
}

/// Takes a file apart.
pub(super) fn read(bytes: &'static [u8]) -> Result<Contents> {
    parts(bytes).ok_or_else(|| {
        Failure::new(ErrorCode::ModelInvalid, "the table of the built-in model is broken")
    })?
}

fn parts(bytes: &'static [u8]) -> Option<Result<Contents>> {
    let number = |at: usize| {
        let four = bytes.get(8 + at * 4..12 + at * 4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(four)).ok()
    };
    let [pieces, dimension, text, slots] = [number(0)?, number(1)?, number(2)?, number(3)?];
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    let mut rest = &bytes[HEADER..];
    let mut take = |length: usize| {
        let (part, after) = rest.split_at_checked(length)?;
        rest = after;
        Some(part)
    };
    let (text, ends, slots) = (take(text)?, take(4 * pieces)?, take(4 * slots)?);
    let (steps, rows) = (take(4 * pieces)?, take(pieces.checked_mul(dimension)?)?);
    if !rest.is_empty() {
        return None;
    }
    let tokenizer = Vocab::from_parts(text, ends, slots).and_then(|vocab| {
        WordPiece::new(Parts {
            vocab,
            normalizer: Normalizer::UNCASED,
            added: Vec::new(),
            longest_word: WordPiece::LONGEST_WORD,
            unknown: UNKNOWN.to_owned(),
        })
    });
    let steps = steps.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    Some(tokenizer.map(|tokenizer| Contents { tokenizer, dimension, steps, rows }))
}

/// A file of pieces with their vectors, weights included.
pub(super) fn write(pieces: &[&str], vectors: &[Vec<f32>]) -> Result<Vec<u8>> {
    let vocab = Vocab::build(pieces.iter().copied())?;
    let dimension = vectors.first().map_or(0, Vec::len);
    let [text, ends, slots] = vocab.parts();
    let mut file = MAGIC.to_vec();
    for number in [pieces.len(), dimension, text.len(), slots.len() / 4] {
        let number = u32::try_from(number)
            .map_err(|_| Failure::new(ErrorCode::ModelInvalid, "the table is too large"))?;
        file.extend_from_slice(&number.to_le_bytes());
    }
    for part in [text, ends, slots] {
        file.extend_from_slice(part);
    }
    let steps = vectors.iter().map(|vector| step(vector));
    file.extend(steps.flat_map(f32::to_le_bytes));
    for vector in vectors {
        let step = step(vector);
        file.extend(vector.iter().map(|value| level(*value, step).cast_unsigned()));
    }
    Ok(file)
}

fn step(vector: &[f32]) -> f32 {
    vector.iter().fold(0.0f32, |most, value| most.max(value.abs())) / 127.0
}

#[expect(clippy::cast_possible_truncation, reason = "a level is between −127 and 127")]
fn level(value: f32, step: f32) -> i8 {
    if step > 0.0 { (value / step).round_ties_even() as i8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let vectors = [vec![0.0, 0.0], vec![2.0, -1.0], vec![0.5, 0.25]];
        let file = write(&[UNKNOWN, "a", "##b"], &vectors).unwrap();
        let contents = read(file.leak()).unwrap();
        assert_eq!((contents.dimension, contents.tokenizer.len()), (2, 3));
        let value = |at: usize| {
            f32::from(contents.rows[at].cast_signed()) * contents.steps[at / contents.dimension]
        };
        for (at, expected) in vectors.concat().into_iter().enumerate() {
            assert!((value(at) - expected).abs() < 0.01);
        }
    }

    #[test]
    fn broken_files_are_refused() {
        let file = write(&[UNKNOWN, "a"], &[vec![0.0], vec![1.0]]).unwrap();
        let longer = [&file[..], &[0]].concat();
        let other = [b"x", &file[1..]].concat();
        for bytes in [Vec::new(), file[..file.len() - 1].to_vec(), longer, other] {
            assert_eq!(read(bytes.leak()).unwrap_err().code(), ErrorCode::ModelInvalid);
        }
        assert!(read(write(&["a"], &[vec![1.0]]).unwrap().leak()).is_err());
    }
}
