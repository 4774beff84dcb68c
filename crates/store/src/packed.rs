//! How rows are kept in few bytes: words that come again and again as numbers, the end as a distance from the start.
//! The views of the schema say the same in SQL.

use std::ops::Range;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};

/// Kinds of symbols. SQLite keeps the first two numbers in no bytes at all.
pub(crate) const SYMBOL_KINDS: [&str; 18] = [
    "method",
    "function",
    "field",
    "property",
    "const",
    "var",
    "class",
    "struct",
    "enum",
    "variant",
    "interface",
    "trait",
    "typealias",
    "module",
    "macro",
    "constructor",
    "union",
    "protocol",
];

/// Who may use a symbol.
pub(crate) const VISIBILITIES: [&str; 4] = ["public", "private", "protected", "internal"];

/// Kinds of chunks.
pub(crate) const CHUNK_KINDS: [&str; 6] = ["function", "block", "class", "struct", "doc", "other"];

/// A number where there is one for it, otherwise the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed<'a> {
    Number(u32),
    Text(&'a str),
}

impl<'a> Packed<'a> {
    /// The number of a word, where it has one.
    pub(crate) fn word(word: &'a str, words: &[&str]) -> Self {
        words
            .iter()
            .position(|known| *known == word)
            .and_then(|at| u32::try_from(at).ok())
            .map_or(Self::Text(word), Self::Number)
    }

    /// What [`Packed::word`] was made from; an unknown number is damage.
    pub(crate) fn to_word(self, words: &[&str]) -> Option<String> {
        match self {
            Self::Number(number) => words.get(number as usize).map(|word| (*word).to_owned()),
            Self::Text(word) => Some(word.to_owned()),
        }
    }

    /// Reads a column; `None` where it is null.
    pub(crate) fn read(row: &'a Row<'_>, column: usize) -> rusqlite::Result<Option<Self>> {
        match row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(number) => u32::try_from(number)
                .map(|number| Some(Self::Number(number)))
                .map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number)),
            text @ (ValueRef::Text(_) | ValueRef::Real(_) | ValueRef::Blob(_)) => {
                Ok(Some(Self::Text(text.as_str()?)))
            },
        }
    }
}

impl ToSql for Packed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match *self {
            Self::Number(number) => number.into(),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// Reads a word that must be there.
pub(crate) fn word(row: &Row<'_>, column: usize, words: &[&str]) -> rusqlite::Result<String> {
    optional_word(row, column, words)?.ok_or_else(|| damaged(column))
}

/// Reads a word that may be null.
pub(crate) fn optional_word(
    row: &Row<'_>,
    column: usize,
    words: &[&str],
) -> rusqlite::Result<Option<String>> {
    let Some(packed) = Packed::read(row, column)? else { return Ok(None) };
    packed.to_word(words).map(Some).ok_or_else(|| damaged(column))
}

/// A value that this program does not write.
pub(crate) fn damaged(column: usize) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, "word".to_owned(), rusqlite::types::Type::Integer)
}

/// The qualified name of a chunk as it is kept. Most end in the first of the chunk's names, which is not kept again: what
/// stands before it is a blob then.
pub(crate) fn before_name<'a>(qualified: &'a str, names: &str) -> ToSqlOutput<'a> {
    let before = qualified.strip_suffix(first_of(names)).filter(|_| !names.is_empty());
    ToSqlOutput::Borrowed(match before {
        Some(before) => ValueRef::Blob(before.as_bytes()),
        None => ValueRef::Text(qualified.as_bytes()),
    })
}

/// Reads what [`before_name`] was made from.
pub(crate) fn with_name(row: &Row<'_>, column: usize, names: &str) -> rusqlite::Result<String> {
    if let ValueRef::Blob(before) = row.get_ref(column)? {
        let before = std::str::from_utf8(before).map_err(|_| damaged(column))?;
        return Ok([before, first_of(names)].concat());
    }
    row.get(column)
}

/// The first of names with spaces between them.
fn first_of(names: &str) -> &str {
    names.split(' ').next().unwrap_or_default()
}

/// Start and length of a range, each as SQLite has numbers.
pub(crate) fn start_and_length(range: &Range<usize>) -> (i64, i64) {
    (number(range.start), number(range.end.saturating_sub(range.start)))
}

/// A place as SQLite has numbers.
pub(crate) fn number(place: usize) -> i64 {
    (place as u64).cast_signed()
}

/// A place in UTF-16, unless it is the same in bytes.
pub(crate) fn unless(utf16: usize, bytes: usize) -> Option<i64> {
    (utf16 != bytes).then(|| number(utf16))
}

/// The last line or the end of a range, from two columns.
pub(crate) fn sum(row: &Row<'_>, start: usize, length: usize) -> rusqlite::Result<u32> {
    let (start, more): (u32, u32) = (row.get(start)?, row.get(length)?);
    start.checked_add(more).ok_or_else(|| damaged(length))
}

/// A range of bytes and the same in UTF-16, which is there only where it differs. Each has two columns.
pub(crate) fn ranges(
    row: &Row<'_>,
    bytes: usize,
    utf16: usize,
) -> rusqlite::Result<(Range<usize>, Range<usize>)> {
    let bytes = row.get::<_, u32>(bytes)? as usize..sum(row, bytes, bytes + 1)? as usize;
    let unless = |at: usize, same: usize| -> rusqlite::Result<usize> {
        Ok(row.get::<_, Option<u32>>(at)?.map_or(same, |place| place as usize))
    };
    let utf16 = unless(utf16, bytes.start)?..unless(utf16 + 1, bytes.end)?;
    Ok((bytes, utf16))
}
