//! Who looked at what to find edges: the files by key, in few bytes, so that a change reads the rows of its keys alone.
//!
//! Keys are hashes of 32 bits. Those that begin with the same bits share a row:
//!
//! ```text
//! n × (step · m · m × step)      a key from the one before, and one more than m files from the one before, rising
//! all numbers are varints
//! ```
//!
//! Nothing is taken out: a file that looked at something once may be told to look at it still, and is found anew for
//! nothing then.

use std::collections::BTreeSet;

use gik_base::{ErrorCode, Failure, Result};
use gik_index::FileNo;
use rusqlite::{Connection, OptionalExtension as _};

use crate::Writer;
use crate::facts::reader::Input;
use crate::facts::writer::number;
use crate::failure::sql;

/// How many bits of a key are told by its place in a row; the others are the number of the row.
const LOW_BITS: u32 = 20;

/// Beyond this, what was collected is put into the rows: it takes 32 MB.
const MOST: usize = 4 << 20;

/// Who looked at what, on its way to the index. Many files look at the same things, so rows are written once for many.
#[derive(Debug, Default)]
pub struct Looked {
    /// The key in the upper half, the file in the lower one.
    pairs: Vec<u64>,
}

impl Looked {
    /// Notes what was looked at to find the edges of a file.
    pub fn add(&mut self, file: FileNo, keys: &[u32]) {
        self.pairs.extend(keys.iter().map(|key| pair(*key, file.0)));
    }

    /// Whether it is time to put it in.
    pub fn is_full(&self) -> bool {
        self.pairs.len() > MOST
    }
}

fn pair(key: u32, file: u32) -> u64 {
    u64::from(key) << 32 | u64::from(file)
}

fn row_of(pair: u64) -> u64 {
    pair >> (32 + LOW_BITS)
}

impl Writer<'_> {
    /// Puts in who looked at what, and leaves nothing to be put in.
    pub fn put_looked(&self, looked: &mut Looked) -> Result<()> {
        let mut pairs = std::mem::take(&mut looked.pairs);
        pairs.sort_unstable();
        pairs.dedup();
        for new in pairs.chunk_by(|a, b| row_of(*a) == row_of(*b)) {
            let row = row_of(new[0]);
            let known = read(self.connection, row)?;
            if new.iter().all(|pair| known.binary_search(pair).is_ok()) {
                continue;
            }
            let mut all = known;
            all.extend(new);
            all.sort_unstable();
            all.dedup();
            self.run(
                "INSERT OR REPLACE INTO graph_looked(keys, files) VALUES (?1, ?2)",
                (row.cast_signed(), to_bytes(&all)),
            )?;
        }
        Ok(())
    }
}

/// The files that looked at one of these, by row.
pub(crate) fn at(connection: &Connection, keys: &BTreeSet<u32>) -> Result<Vec<FileNo>> {
    let keys: Vec<u32> = keys.iter().copied().collect();
    let mut files = BTreeSet::new();
    for keys in keys.chunk_by(|a, b| row_of(pair(*a, 0)) == row_of(pair(*b, 0))) {
        let known = read(connection, row_of(pair(keys[0], 0)))?;
        for key in keys {
            let first = known.partition_point(|known| *known < pair(*key, 0));
            let of_key = known[first..].iter().take_while(|known| *known >> 32 == u64::from(*key));
            let file_of = |known: &u64| u32::try_from(known & u64::from(u32::MAX)).ok();
            files.extend(of_key.filter_map(file_of).map(FileNo));
        }
    }
    Ok(files.into_iter().collect())
}

/// What a row says, sorted.
fn read(connection: &Connection, row: u64) -> Result<Vec<u64>> {
    let bytes: Option<Vec<u8>> = connection
        .prepare_cached("SELECT files FROM graph_looked WHERE keys = ?1")
        .and_then(|mut statement| {
            statement.query_row([row.cast_signed()], |row| row.get(0)).optional()
        })
        .map_err(sql)?;
    from_bytes(&bytes.unwrap_or_default(), row).ok_or_else(|| {
        Failure::new(ErrorCode::StoreBroken, format!("who looked at what is damaged at {row}"))
    })
}

/// A row, from what it says in order.
fn to_bytes(pairs: &[u64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pairs.len() * 3);
    let mut last = 0;
    for of_key in pairs.chunk_by(|a, b| a >> 32 == b >> 32) {
        let key = of_key[0] >> 32 & ((1 << LOW_BITS) - 1);
        number(&mut out, key - last);
        last = key;
        number(&mut out, of_key.len() as u64 - 1);
        let mut file = 0;
        for pair in of_key {
            let next = pair & u64::from(u32::MAX);
            number(&mut out, next - file);
            file = next;
        }
    }
    out
}

/// What a row says; `None` where it is damaged.
fn from_bytes(bytes: &[u8], row: u64) -> Option<Vec<u64>> {
    let mut input = Input(bytes);
    let mut pairs = Vec::with_capacity(bytes.len() / 2);
    let mut key = 0_u64;
    while !input.0.is_empty() {
        key = key.checked_add(input.number()?).filter(|key| *key < 1 << LOW_BITS)?;
        let upper = u32::try_from(row << LOW_BITS | key).ok()?;
        let mut file = 0_u32;
        for _ in 0..=input.number()? {
            file = file.checked_add(u32::try_from(input.number()?).ok()?)?;
            pairs.push(pair(upper, file));
        }
    }
    pairs.is_sorted().then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u64> {
        let row = 5 << LOW_BITS;
        [(row, 1), (row, 900), (row, u32::MAX), (row | 7, 3), (row | ((1 << LOW_BITS) - 1), 0)]
            .map(|(key, file)| pair(key, file))
            .to_vec()
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        assert_eq!(from_bytes(&to_bytes(&sample()), 5), Some(sample()));
        assert_eq!(from_bytes(&[], 5), Some(Vec::new()));
    }

    #[test]
    fn damaged_rows_never_panic() {
        let good = to_bytes(&sample());
        for at in 0..good.len() {
            let cut = from_bytes(&good[..at], 5);
            assert!(cut.is_none_or(|pairs| sample().starts_with(&pairs)), "cut at {at}");
            let mut bad = good.clone();
            bad[at] ^= 0xff;
            drop(from_bytes(&bad, 5));
        }
    }
}
