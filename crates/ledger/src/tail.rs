//! What the end of a JSONL file looks like after a write was cut short, and how it is made whole.
//!
//! Only for damage without a journal: while there is one, it knows what the end should be.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use gik_base::fs::Durability;
use gik_base::{Result, fs};

use crate::{disk, jsonl};

/// The end of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// There is no file, or it ends with a line end.
    Whole,
    /// The last line is a record that lacks its line end.
    Unfinished,
    /// The last line, which starts here, is no record.
    Torn { start: u64 },
}

/// Looks at the end of a file; reads one byte when it is whole.
pub(crate) fn inspect(path: &Path) -> Result<Tail> {
    let Some((length, last)) = read_from(path, Offset::BeforeEnd(1))? else {
        return Ok(Tail::Whole);
    };
    if length == 0 || last == b"\n" {
        return Ok(Tail::Whole);
    }
    let bytes = fs::read(path)?;
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let torn = jsonl::lines(&bytes[start..]).any(|line| line.is_torn());
    Ok(if torn { Tail::Torn { start: start as u64 } } else { Tail::Unfinished })
}

/// Completes a record that lacks its line end; moves what is no record to `<file>.torn`. Says what was done.
pub(crate) fn repair(path: &Path, name: &str) -> Result<Option<String>> {
    match inspect(path)? {
        Tail::Whole => Ok(None),
        Tail::Unfinished => {
            disk::append(path, b"\n", Durability::Synced)?;
            Ok(Some(format!("completed the last line of `{name}`")))
        },
        Tail::Torn { start } => {
            let mut torn = match read_from(path, Offset::Start(start))? {
                Some((_, bytes)) => bytes,
                None => Vec::new(),
            };
            torn.push(b'\n');
            // Kept first, cut second: a kill between the two keeps the bytes twice and loses nothing.
            disk::append(&aside(path), &torn, Durability::Synced)?;
            disk::truncate(path, start)?;
            Ok(Some(format!("moved the torn last line of `{name}` to `{name}.torn`")))
        },
    }
}

/// Where bytes go that are no record.
pub(crate) fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    PathBuf::from(name)
}

/// Where to start reading.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Offset {
    Start(u64),
    BeforeEnd(u64),
}

/// The length of a file and its bytes from an offset on; `None` where there is no file.
pub(crate) fn read_from(path: &Path, offset: Offset) -> Result<Option<(u64, Vec<u8>)>> {
    if !fs::exists(path) {
        return Ok(None);
    }
    let mut file = fs::open(path)?;
    let mut read = || {
        let length = file.seek(SeekFrom::End(0))?;
        let start = match offset {
            Offset::Start(start) => start.min(length),
            Offset::BeforeEnd(count) => length.saturating_sub(count),
        };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((length, bytes))
    };
    read().map(Some).map_err(|error| fs::failure("read", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_cut_at_every_byte_leaves_the_lines_before_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        let (first, last) = ("{\"id\":\"a\"}\n", "{\"id\":\"bä\",\"n\":[1,{}]}\n");
        for cut in 0..=last.len() {
            let kept = &last.as_bytes()[..cut];
            std::fs::write(&path, [first.as_bytes(), kept].concat()).unwrap();
            drop(std::fs::remove_file(aside(&path)));
            let said = repair(&path, "x.jsonl").unwrap();
            let after = std::fs::read_to_string(&path).unwrap();
            if cut == 0 {
                assert_eq!((said, after.as_str()), (None, first));
            } else if cut >= last.len() - 1 {
                assert_eq!(said.is_some(), cut == last.len() - 1);
                assert_eq!(after, format!("{first}{last}"));
            } else {
                assert_eq!(after, first, "cut at {cut}");
                let torn = std::fs::read(aside(&path)).unwrap();
                assert_eq!(torn, [kept, b"\n"].concat());
            }
            assert_eq!(repair(&path, "x.jsonl").unwrap(), None);
        }
    }

    #[test]
    fn a_missing_and_an_empty_file_are_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        assert_eq!(inspect(&path).unwrap(), Tail::Whole);
        std::fs::write(&path, "").unwrap();
        assert_eq!(inspect(&path).unwrap(), Tail::Whole);
    }
}
