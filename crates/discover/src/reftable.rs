//! Refs in git's reftable format: the one lookup we need, by a plain scan over the ref blocks. Logs are not read.

use std::path::Path;

use gik_base::Result;

use crate::git::{Head, read_bounded};

/// A longer list of tables is not read.
const MOST_LIST_BYTES: u64 = 1 << 20;
/// A larger table is not read.
const MOST_TABLE_BYTES: u64 = 64 << 20;

/// What HEAD points to, by the stack of tables in a folder.
pub(crate) fn head(stack: &Path) -> Result<Option<Head>> {
    Ok(match lookup(stack, "HEAD")? {
        Some(Value::Commit(id)) => Some(Head::Commit(id)),
        Some(Value::Symbolic(target)) => Some(Head::Ref(target)),
        Some(Value::Deleted) | None => None,
    })
}

/// The commit that a ref points to.
pub(crate) fn commit_of(stack: &Path, name: &str) -> Result<Option<String>> {
    let mut name = name.to_owned();
    for _ in 0..5 {
        match lookup(stack, &name)? {
            Some(Value::Commit(id)) => return Ok(Some(id)),
            Some(Value::Symbolic(target)) => name = target,
            Some(Value::Deleted) | None => return Ok(None),
        }
    }
    Ok(None)
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Deleted,
    Commit(String),
    Symbolic(String),
}

/// The newest table that mentions the name decides.
fn lookup(stack: &Path, name: &str) -> Result<Option<Value>> {
    let list = read_bounded(&stack.join("tables.list"), MOST_LIST_BYTES)?.unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    for table in list.lines().rev() {
        let bytes = read_bounded(&stack.join(table), MOST_TABLE_BYTES)?.unwrap_or_default();
        if let Some(value) = find(&bytes, name) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Looks for a name in one table; anything that is not as the format says ends the search.
fn find(table: &[u8], name: &str) -> Option<Value> {
    if table.get(..4)? != b"REFT" {
        return None;
    }
    let (header, id_length) = match *table.get(4)? {
        1 => (24, 20),
        2 if table.get(24..28)? == b"s256" => (28, 32),
        2 => (28, 20),
        _ => return None,
    };
    let block_size = number(table.get(5..8)?);
    let mut start = 0;
    // The length of the first block counts the header of the file as well.
    let mut at = header;
    while *table.get(at)? == b'r' {
        let end = start + number(table.get(at + 1..at + 4)?);
        let restarts = number(table.get(end.checked_sub(2)?..end)?);
        let records_end = end.checked_sub(2 + 3 * restarts)?;
        if let Some(value) = find_in_block(table.get(at + 4..records_end)?, name, id_length) {
            return Some(value);
        }
        start = if block_size == 0 { end } else { end.next_multiple_of(block_size) };
        at = start;
    }
    None
}

fn find_in_block(mut rest: &[u8], wanted: &str, id_length: usize) -> Option<Value> {
    let mut name: Vec<u8> = Vec::new();
    while !rest.is_empty() {
        let shared = varint(&mut rest)?;
        let length_and_kind = varint(&mut rest)?;
        name.truncate(shared);
        name.extend(take(&mut rest, length_and_kind >> 3)?);
        let _update_index = varint(&mut rest)?;
        let value = match length_and_kind & 7 {
            0 => Value::Deleted,
            1 => Value::Commit(hex(take(&mut rest, id_length)?)),
            2 => {
                let id = hex(take(&mut rest, id_length)?);
                take(&mut rest, id_length)?;
                Value::Commit(id)
            },
            3 => {
                let length = varint(&mut rest)?;
                let target = take(&mut rest, length)?;
                Value::Symbolic(String::from_utf8_lossy(target).into_owned())
            },
            _ => return None,
        };
        if name == wanted.as_bytes() {
            return Some(value);
        }
    }
    None
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(taken)
}

/// Git's offset varint: every continuation adds one, so that each number has one form only.
fn varint(rest: &mut &[u8]) -> Option<usize> {
    let mut byte = *take(rest, 1)?.first()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *take(rest, 1)?.first()?;
        value = value.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
    }
    Some(value)
}

/// A big-endian number of up to three bytes.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |value, &byte| value << 8 | usize::from(byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_table_are_searched_without_harm() {
        assert_eq!(find(b"", "HEAD"), None);
        assert_eq!(find(b"REFT\x01\0\0\0", "HEAD"), None);
        let mut table = b"REFT\x01\0\x10\0".to_vec();
        table.extend([0; 16]);
        table.extend(b"r\xff\xff\xff");
        assert_eq!(find(&table, "HEAD"), None);
        table[25..28].copy_from_slice(&[0, 0, 30]);
        table.extend([0xff; 2]);
        assert_eq!(find(&table, "HEAD"), None);
    }
}
