//! Edits by place: lines are counted from 1, columns from 0 in UTF-16 units, as language servers and packs do.
//!
//! All places are those of the file as it is. Edits may touch and must not overlap; a place that is not in the file is
//! refused and never moved to the nearest one that is.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result};

use crate::lines::{Line, common_end, lines, without_mark};

/// A text in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The line of the first place, from 1.
    pub start_line: u32,
    /// Its column, from 0, in UTF-16 units.
    pub start_col: u32,
    /// The line of the place after the last.
    pub end_line: u32,
    /// Its column.
    pub end_col: u32,
    /// What is put there.
    pub replacement: String,
}

/// The new text of a file.
pub(crate) fn put(path: &str, text: &str, edits: &[TextEdit]) -> Result<String> {
    let (mark, text) = without_mark(text);
    let lines = lines(text);
    let mut placed: Vec<(Range<usize>, usize)> = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        let wrong = |why: String| {
            let message = format!("edit {} of `{path}` {why}", at + 1);
            Failure::new(ErrorCode::ArgumentInvalid, message)
        };
        let start = offset(&lines, edit.start_line, edit.start_col).map_err(&wrong)?;
        let end = offset(&lines, edit.end_line, edit.end_col).map_err(&wrong)?;
        if end < start {
            return Err(wrong("ends before it begins".to_owned()));
        }
        placed.push((start..end, at));
    }
    // A stable sort: what is inserted at one place stays in its order.
    placed.sort_by_key(|(range, _)| (range.start, range.end));
    let converts = common_end(&lines) == Some("\r\n");
    let mut new = mark.to_owned();
    let mut done = 0;
    for (range, at) in placed {
        if range.start < done {
            let message = format!("edit {} of `{path}` overlaps another", at + 1);
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message));
        }
        new.push_str(&text[done..range.start]);
        if converts {
            new.push_str(&edits[at].replacement.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            new.push_str(&edits[at].replacement);
        }
        done = range.end;
    }
    new.push_str(&text[done..]);
    Ok(new)
}

/// The bytes before a place.
fn offset(lines: &[Line<'_>], line: u32, column: u32) -> Result<usize, String> {
    let at = line as usize;
    let before = |n: usize| lines[..n].iter().map(|it| it.body.len() + it.end.len()).sum::<usize>();
    let is_after_all = at == lines.len() + 1 && lines.last().is_none_or(|it| !it.end.is_empty());
    if is_after_all && column == 0 {
        return Ok(before(lines.len()));
    }
    let Some(own) = at.checked_sub(1).and_then(|at| lines.get(at)) else {
        return Err(format!("names line {line}; the file has {}", lines.len()));
    };
    let mut units = 0;
    for (byte, letter) in own.body.char_indices() {
        if units == column as usize {
            return Ok(before(at - 1) + byte);
        }
        units += letter.len_utf16();
        if units > column as usize {
            return Err(format!("names column {column} of line {line}, inside a character"));
        }
    }
    if units == column as usize {
        return Ok(before(at - 1) + own.body.len());
    }
    Err(format!("names column {column} of line {line}, which has {units}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(place: [u32; 4], replacement: &str) -> TextEdit {
        let [start_line, start_col, end_line, end_col] = place;
        TextEdit { start_line, start_col, end_line, end_col, replacement: replacement.to_owned() }
    }

    #[test]
    fn columns_are_utf16_units_and_the_mark_is_none() {
        let text = "\u{feff}é🎈x\r\nzwei\r\n";
        let new = put("f", text, &[edit([1, 3, 1, 4], "y"), edit([1, 1, 1, 3], "")]).unwrap();
        assert_eq!(new, "\u{feff}éy\r\nzwei\r\n");
        let inside = put("f", text, &[edit([1, 2, 1, 3], "")]).unwrap_err();
        assert!(inside.to_string().contains("inside a character"), "{inside}");
    }

    #[test]
    fn new_lines_end_as_the_file_does() {
        let new = put("f", "a\r\nb\r\n", &[edit([2, 0, 2, 0], "x\ny\r\n")]).unwrap();
        assert_eq!(new, "a\r\nx\r\ny\r\nb\r\n");
        let new = put("f", "a\n", &[edit([2, 0, 2, 0], "b\n")]).unwrap();
        assert_eq!(new, "a\nb\n");
        assert_eq!(put("f", "", &[edit([1, 0, 1, 0], "a")]).unwrap(), "a");
    }

    #[test]
    fn insertions_at_one_place_keep_their_order_and_overlaps_are_refused() {
        let edits = [edit([1, 1, 1, 1], "1"), edit([1, 1, 1, 1], "2"), edit([1, 1, 1, 2], "3")];
        assert_eq!(put("f", "abc", &edits).unwrap(), "a123c");
        let edits = [edit([1, 0, 1, 2], "x"), edit([1, 1, 1, 3], "y")];
        assert!(put("f", "abc", &edits).unwrap_err().to_string().contains("overlaps"));
    }

    #[test]
    fn places_that_are_not_there_are_refused() {
        for place in [[0, 0, 1, 0], [3, 0, 3, 0], [1, 4, 1, 4], [1, 2, 1, 1], [1, 0, 2, 1]] {
            assert!(put("f", "abc\n", &[edit(place, "x")]).is_err(), "{place:?}");
        }
    }
}
