//! How JSON and JSONL files are read and written: UTF-8, one object a line, every failure with its line number.
//!
//! A last line without its line end that is no JSON is a torn write: readers pass over it, and the next writer sets
//! it aside (`tail.rs`). Anything else that does not fit is a failure; it is never skipped in silence.

use std::io::{self, Write};
use std::path::Path;

use gik_base::collections::HashMap;
use gik_base::{Context as _, ErrorCode, Failure, Result, fs};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Every record of a file; none where there is no file.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    match fs::read_if_present(path)? {
        Some(bytes) => parse_lines(path, &bytes),
        None => Ok(Vec::new()),
    }
}

/// Every record in `bytes`; `path` is for the messages.
pub fn parse_lines<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Vec<T>> {
    let mut records = Vec::new();
    for line in lines(bytes) {
        match line.parse() {
            Ok(record) => records.push(record),
            Err(_) if line.is_torn() => {},
            Err(problem) => return Err(invalid(path, Some(line.number), &problem)),
        }
    }
    Ok(records)
}

/// Writes every record as a line.
pub fn write_lines<'a, T: Serialize + 'a>(
    out: &mut dyn Write,
    records: impl IntoIterator<Item = &'a T>,
) -> io::Result<()> {
    for record in records {
        serde_json::to_writer(&mut *out, record)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// The bytes of a JSONL file.
pub fn to_lines<'a, T: Serialize + 'a>(
    records: impl IntoIterator<Item = &'a T>,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_lines(&mut bytes, records)
        .context(ErrorCode::Internal, || "cannot write a record as JSON".to_owned())?;
    Ok(bytes)
}

/// As [`to_lines`], but a record that one of the files holds already keeps the bytes it has there: numbers that this
/// version cannot hold exactly, in fields it does not know, stay as they were written.
pub(crate) fn to_lines_like<'a, T: Serialize + DeserializeOwned + 'a>(
    files: &[&Path],
    records: impl IntoIterator<Item = &'a T>,
) -> Result<Vec<u8>> {
    let cannot = || "cannot write a record as JSON".to_owned();
    let mut written: HashMap<Vec<u8>, Vec<u8>> = HashMap::default();
    for path in files {
        let bytes = fs::read_if_present(path)?.unwrap_or_default();
        for line in lines(&bytes) {
            let Ok(record) = line.parse::<T>() else { continue };
            let ours = serde_json::to_vec(&record).context(ErrorCode::Internal, cannot)?;
            if ours != line.bytes {
                written.insert(ours, line.bytes.trim_ascii().to_vec());
            }
        }
    }
    let mut all = Vec::new();
    for record in records {
        let ours = serde_json::to_vec(record).context(ErrorCode::Internal, cannot)?;
        all.extend_from_slice(written.get(&ours).unwrap_or(&ours));
        all.push(b'\n');
    }
    Ok(all)
}

/// The record of a JSON file; `None` where there is no file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let Some(bytes) = fs::read_if_present(path)? else { return Ok(None) };
    serde_json::from_slice(without_mark(&bytes))
        .map(Some)
        .map_err(|error| invalid(path, None, &error.to_string()))
}

/// The bytes of a JSON file, indented for people.
pub fn to_json<T: Serialize>(record: &T) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(record)
        .context(ErrorCode::Internal, || "cannot write a record as JSON".to_owned())?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// One line that is not blank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: u64,
    pub(crate) bytes: &'a [u8],
    /// Whether a line end follows.
    pub(crate) ended: bool,
}

impl Line<'_> {
    /// The record, or what is wrong with the line.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, String> {
        let text =
            std::str::from_utf8(self.bytes).map_err(|_| "the line is not UTF-8".to_owned())?;
        serde_json::from_str(text).map_err(|error| {
            if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| text.starts_with(mark)) {
                return "the line is a mark of an unresolved merge".to_owned();
            }
            // The parser counts lines within the record, which is one line; only the column tells something.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            format!("{message} (column {})", error.column())
        })
    }

    /// Whether a write was cut short here.
    pub(crate) fn is_torn(&self) -> bool {
        !self.ended && serde_json::from_slice::<IgnoredAny>(self.bytes).is_err()
    }
}

/// The lines that are not blank.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    without_mark(bytes)
        .split_inclusive(|&byte| byte == b'\n')
        .zip(1..)
        .map(|(line, number)| match line.strip_suffix(b"\n") {
            Some(line) => Line { number, bytes: line, ended: true },
            None => Line { number, bytes: line, ended: false },
        })
        .filter(|line| !line.ended || !line.bytes.trim_ascii().is_empty())
}

/// Some editors put a byte-order mark in front of UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn invalid(path: &Path, line: Option<u64>, problem: &str) -> Failure {
    let place = match line {
        Some(number) => format!("line {number} of `{}`", path.display()),
        None => format!("`{}`", path.display()),
    };
    Failure::new(ErrorCode::ContractInvalid, format!("cannot understand {place}: {problem}"))
        .hint("`gik verify` lists every problem of the knowledge repository")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parse(text: &str) -> Result<Vec<Value>> {
        parse_lines(Path::new("x.jsonl"), text.as_bytes())
    }

    #[test]
    fn records_that_are_kept_keep_their_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.jsonl");
        std::fs::write(&path, "{\"a\": 2.50}\n{\"b\":1}\n").unwrap();
        let records = [json!({"b": 1}), json!({"c": 3}), json!({"a": 2.5})];
        let bytes = to_lines_like(&[&path], &records).unwrap();
        assert_eq!(bytes, b"{\"b\":1}\n{\"c\":3}\n{\"a\": 2.50}\n");
    }

    #[test]
    fn blank_lines_carriage_returns_and_a_byte_order_mark_are_fine() {
        assert_eq!(
            parse("\u{feff}{\"a\":1}\r\n\n  \n{\"b\":2}\n").unwrap(),
            [json!({"a":1}), json!({"b":2})]
        );
        assert_eq!(parse("").unwrap(), Vec::<Value>::new());
    }

    #[test]
    fn a_torn_last_line_is_passed_over_and_a_whole_one_counts() {
        assert_eq!(parse("{\"a\":1}\n{\"b\":").unwrap(), [json!({"a":1})]);
        assert_eq!(parse("{\"a\":1}\n{\"b\":2}").unwrap(), [json!({"a":1}), json!({"b":2})]);
        assert_eq!(parse("{\"a\":1}\n\0\0\0").unwrap(), [json!({"a":1})]);
    }

    #[test]
    fn a_broken_line_is_named_by_file_and_number() {
        let failure = parse("{\"a\":1}\n\n{\"b\":\n{\"c\":3}\n").unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ContractInvalid);
        assert!(failure.message().contains("line 3 of `x.jsonl`"), "{failure}");
        let failure = parse("{}\n<<<<<<< HEAD\n{}\n").unwrap_err();
        assert!(failure.message().contains("unresolved merge"), "{failure}");
        let failure = parse_lines::<Value>(Path::new("x"), b"{\"a\":\"\xff\"}\n").unwrap_err();
        assert!(failure.message().contains("not UTF-8"), "{failure}");
    }

    #[test]
    fn written_lines_read_back() {
        let records = vec![json!({"a":"line\nbreak"}), json!({"z":1,"a":2})];
        let bytes = to_lines(&records).unwrap();
        assert_eq!(bytes, b"{\"a\":\"line\\nbreak\"}\n{\"z\":1,\"a\":2}\n");
        assert_eq!(parse(std::str::from_utf8(&bytes).unwrap()).unwrap(), records);
    }
}
