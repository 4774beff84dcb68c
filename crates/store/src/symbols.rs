//! Symbols as rows: what many symbols of a file stand in is kept once, and what the file says is not kept at all.

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_index::FileNo;
use rusqlite::{Connection, Row};

use crate::failure::sql;
use crate::packed::{
    Packed, SYMBOL_KINDS, VISIBILITIES, damaged, number, optional_word, ranges, start_and_length,
    sum, unless, word,
};
use crate::{Signature, SymbolRow};

/// Endings of the last part of a symbol id, by the low three bits of a descriptor that is a number.
const ENDINGS: [&str; 5] = ["().", ".", "#", "/", "!"];

macro_rules! symbol_query {
    ($rest:literal) => {
        concat!(
            "SELECT s.file_id, s.name, s.kind, s.visibility, c.container, c.descriptors, s.descriptor, s.signature,
                    s.start_line, s.start_col, s.n_lines, s.end_col, s.byte_start, s.n_bytes, s.utf16_start,
                    s.utf16_end, s.name_at, s.qualified ",
            $rest
        )
    };
}
pub(crate) use symbol_query;

/// Adds the symbols of a file, the first one with this row id.
pub(crate) fn insert(
    connection: &Connection,
    file: FileNo,
    first: i64,
    symbols: &[SymbolRow],
) -> Result<()> {
    let mut scopes: HashMap<(Option<&str>, &str), i64> = HashMap::default();
    for (id, symbol) in (first..).zip(symbols) {
        let (descriptors, descriptor) = split(&symbol.descriptors, &symbol.name);
        let scope = (symbol.container.as_deref(), descriptors);
        let distance = if scope == (None, "") {
            None
        } else if let Some(known) = scopes.get(&scope) {
            Some(id - known)
        } else {
            scopes.insert(scope, id);
            connection
                .prepare_cached(
                    "INSERT INTO symbol_scopes(id, container, descriptors) VALUES (?1, ?2, ?3)",
                )
                .and_then(|mut statement| statement.execute((id, scope.0, scope.1)))
                .map_err(sql)?;
            Some(0)
        };
        insert_one(connection, file, id, symbol, distance, descriptor).map_err(sql)?;
    }
    Ok(())
}

fn insert_one(
    connection: &Connection,
    file: FileNo,
    id: i64,
    symbol: &SymbolRow,
    scope: Option<i64>,
    descriptor: Packed<'_>,
) -> rusqlite::Result<usize> {
    let (byte_start, n_bytes) = start_and_length(&symbol.bytes);
    let n_lines = symbol.end.0.saturating_sub(symbol.start.0);
    let usual_end = i64::from(symbol.start.1) + n_bytes;
    let has_usual_end = n_lines == 0 && i64::from(symbol.end.1) == usual_end;
    let signature = match &symbol.signature {
        Signature::Cut(0) => None,
        Signature::Cut(length) => Some(Packed::Number(*length)),
        Signature::Text(line) => Some(Packed::Text(line)),
    };
    let visibility = symbol.visibility.as_deref().map(|word| Packed::word(word, &VISIBILITIES));
    connection
        .prepare_cached(
            "INSERT INTO symbol_rows(id, file_id, name, kind, visibility, scope, descriptor, signature, start_line,
                                     start_col, n_lines, end_col, byte_start, n_bytes, name_at, utf16_start,
                                     utf16_end, qualified)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        )?
        .execute(rusqlite::params![
            id,
            file.0,
            symbol.name,
            Packed::word(&symbol.kind, &SYMBOL_KINDS),
            visibility,
            scope,
            descriptor,
            signature,
            symbol.start.0,
            symbol.start.1,
            n_lines,
            (!has_usual_end).then_some(symbol.end.1),
            byte_start,
            n_bytes,
            number(symbol.name_start) - byte_start,
            unless(symbol.utf16.start, symbol.bytes.start),
            unless(symbol.utf16.end, symbol.bytes.end),
            symbol.qualified,
        ])
}

/// Reads a row of [`symbol_query`].
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<SymbolRow> {
    let (bytes, utf16) = ranges(row, 12, 14)?;
    let name: String = row.get(1)?;
    let start: (u32, u32) = (row.get(8)?, row.get(9)?);
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let end_col = row.get::<_, Option<u32>>(11)?.unwrap_or(start.1.saturating_add(length));
    let descriptor = Packed::read(row, 6)?.ok_or_else(|| damaged(6))?;
    let own = joined(&name, descriptor).ok_or_else(|| damaged(6))?;
    let signature = match Packed::read(row, 7)? {
        None => Signature::Cut(0),
        Some(Packed::Number(length)) => Signature::Cut(length),
        Some(Packed::Text(line)) => Signature::Text(line.to_owned()),
    };
    let name_start = number(bytes.start).checked_add(row.get(16)?).ok_or_else(|| damaged(16))?;
    Ok(SymbolRow {
        file: FileNo(row.get(0)?),
        kind: word(row, 2, &SYMBOL_KINDS)?,
        visibility: optional_word(row, 3, &VISIBILITIES)?,
        container: row.get(4)?,
        descriptors: row.get::<_, Option<String>>(5)?.unwrap_or_default() + &own,
        signature,
        start,
        end: (sum(row, 8, 10)?, end_col),
        bytes,
        utf16,
        name_start: usize::try_from(name_start).map_err(|_| damaged(16))?,
        qualified: row.get(17)?,
        name,
    })
}

/// A symbol without most of what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolPlace {
    /// Its row, which [`crate::Snapshot::nth_symbol`] takes.
    pub row: i64,
    /// The file.
    pub file: FileNo,
    /// As in [`SymbolRow::kind`].
    pub kind: String,
    /// As in [`SymbolRow::container`].
    pub container: Option<String>,
}

pub(crate) fn read_place(row: &Row<'_>) -> rusqlite::Result<SymbolPlace> {
    Ok(SymbolPlace {
        row: row.get(0)?,
        file: FileNo(row.get(1)?),
        kind: word(row, 2, &SYMBOL_KINDS)?,
        container: row.get(3)?,
    })
}

/// The descriptors of what a symbol stands in, and its own: a number where it is the name and one of the endings, which
/// may have the number of a namesake before them.
fn split<'d>(descriptors: &'d str, name: &str) -> (&'d str, Packed<'d>) {
    for (number, ending) in (0..).zip(ENDINGS) {
        let named = descriptors.strip_suffix(ending);
        if let Some(around) = named.and_then(|named| named.strip_suffix(name)) {
            return (around, Packed::Number(number));
        }
    }
    let at = descriptors.rfind(name).unwrap_or(0);
    let at = if descriptors[..at].ends_with('`') { at - 1 } else { at };
    let (around, own) = descriptors.split_at(at);
    let packed = own.strip_prefix(name).and_then(|rest| {
        let (nth, ending) = rest.strip_prefix("(+")?.split_once(')')?;
        let nth = nth.parse::<u32>().ok()?;
        let ending = ENDINGS.iter().position(|known| *known == ending)?;
        let number = nth.checked_mul(8)?.checked_add(u32::try_from(ending).ok()?)?;
        Some(Packed::Number(number))
    });
    match packed {
        // What is written in another way than it would be read is kept as it is.
        Some(packed) if joined(name, packed).as_deref() == Some(own) => (around, packed),
        Some(_) | None => (around, Packed::Text(own)),
    }
}

/// The own descriptor of a symbol; `None` is damage.
fn joined(name: &str, descriptor: Packed<'_>) -> Option<String> {
    let number = match descriptor {
        Packed::Text(own) => return Some(own.to_owned()),
        Packed::Number(number) => number,
    };
    let ending = ENDINGS.get(number as usize & 7)?;
    Some(match number >> 3 {
        0 => [name, ending].concat(),
        nth => format!("{name}(+{nth}){ending}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_put_together_as_they_were() {
        let text = Packed::Text;
        for (descriptors, name, expected) in [
            ("Store#open().", "open", ("Store#", Packed::Number(0))),
            ("Store#open(+9).", "open", ("Store#", Packed::Number(73))),
            ("a/a/", "a", ("a/", Packed::Number(3))),
            ("open!", "open", ("", Packed::Number(4))),
            ("open(+0).", "open", ("", text("open(+0)."))),
            ("open(+07).", "open", ("", text("open(+07)."))),
            ("Store#`größe`().", "größe", ("Store#", text("`größe`()."))),
            ("Store#`a``b`.", "a`b", ("", text("Store#`a``b`."))),
            ("other", "name", ("", text("other"))),
            ("", "", ("", text(""))),
        ] {
            assert_eq!(split(descriptors, name), expected, "{descriptors}");
            let (around, own) = split(descriptors, name);
            assert_eq!(format!("{around}{}", joined(name, own).unwrap()), descriptors);
        }
    }
}
