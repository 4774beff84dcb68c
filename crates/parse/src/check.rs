//! What holds for every [`Parsed`], whatever the text: the promises of its fields, looked at one by one.
//!
//! For tests and for fuzzing; nothing that reads files needs it.

use std::ops::Range;

use gik_base::collections::HashSet;

use crate::reference::RECEIVER_MAX;
use crate::symbol::{DOC_MAX, Position, Symbol};
use crate::{Parsed, Reference, chunking};

/// Whether what was found in a text keeps every promise; otherwise the first one that is broken.
pub fn check(text: &str, parsed: &Parsed) -> Result<(), String> {
    let places = Places::new(text);
    check_chunks(text, &places, parsed)?;
    check_symbols(text, &places, parsed)?;
    check_references(text, parsed)?;
    check_comments(text, parsed)?;
    let mut start = 0;
    for segment in &parsed.segments {
        let is_inside = text.get(segment.bytes.clone()).is_some();
        ensure(is_inside && segment.bytes.start >= start, || format!("misplaced {segment:?}"))?;
        start = segment.bytes.start;
    }
    let last = places.of(text.len()).position.line;
    for problem in &parsed.problems {
        ensure((1..=last).contains(&problem.line), || format!("misplaced {problem:?}"))?;
    }
    Ok(())
}

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// Where the bytes of a text are, counted the slow and obvious way.
struct Places(Vec<Place>);

#[derive(Clone, Copy)]
struct Place {
    position: Position,
    utf16: usize,
}

impl Places {
    fn new(text: &str) -> Self {
        let mut place = Place { position: Position { line: 1, col: 0 }, utf16: 0 };
        let mut places = Vec::with_capacity(text.len() + 1);
        for c in text.chars() {
            // The bytes inside a character are never asked for.
            places.resize(places.len() + c.len_utf8(), place);
            place.utf16 += c.len_utf16();
            place.position.col += u32::try_from(c.len_utf8()).unwrap_or(u32::MAX);
            if c == '\n' {
                place.position = Position { line: place.position.line + 1, col: 0 };
            }
        }
        places.push(place);
        Self(places)
    }

    fn of(&self, byte: usize) -> Place {
        self.0[byte]
    }

    fn utf16(&self, bytes: &Range<usize>) -> Range<usize> {
        self.of(bytes.start).utf16..self.of(bytes.end).utf16
    }
}

/// Chunks are in order and within the limits, and every line that is not blank is in one.
fn check_chunks(text: &str, places: &Places, parsed: &Parsed) -> Result<(), String> {
    let mut end = 0;
    let mut last_line = 0;
    let mut covered = HashSet::default();
    let mut uids = HashSet::default();
    for chunk in &parsed.chunks {
        let bytes = &chunk.bytes;
        let content = text.get(bytes.clone());
        let has_content = content.is_some_and(|content| !content.trim().is_empty());
        ensure(has_content, || format!("a chunk of nothing at {bytes:?}"))?;
        ensure(bytes.start >= end, || format!("chunks overlap at {end}"))?;
        let is_small = bytes.len() <= chunking::HARD_MAX;
        ensure(is_small, || format!("a chunk of {} bytes at {bytes:?}", bytes.len()))?;
        ensure(uids.insert(&chunk.uid), || format!("the chunk id {} twice", chunk.uid))?;
        let lines = &chunk.lines;
        let is_same_long_line = lines.start == last_line && lines.end == last_line;
        let is_next = lines.start > last_line || is_same_long_line;
        ensure(is_next, || format!("line {} is in two chunks", lines.start))?;
        let first = places.of(bytes.start).position.line;
        let last = places.of(bytes.end).position.line;
        ensure((lines.start, lines.end) == (first, last), || {
            format!("the chunk at {bytes:?} is in lines {first} to {last}, not {lines:?}")
        })?;
        let utf16 = places.utf16(bytes);
        ensure(chunk.utf16 == utf16, || {
            format!("the chunk at {bytes:?} is at {utf16:?} in UTF-16, not {:?}", chunk.utf16)
        })?;
        covered.extend(lines.start..=lines.end);
        end = bytes.end;
        last_line = lines.end;
    }
    for (number, line) in (1_u32..).zip(text.split('\n')) {
        let is_kept = covered.contains(&number) || line.trim().is_empty();
        ensure(is_kept, || format!("line {number} is in no chunk"))?;
    }
    Ok(())
}

fn check_symbols(text: &str, places: &Places, parsed: &Parsed) -> Result<(), String> {
    let mut start = 0;
    let mut ids = HashSet::default();
    for symbol in &parsed.symbols {
        let Symbol { bytes, name, name_bytes, .. } = symbol;
        ensure(text.get(bytes.clone()).is_some(), || format!("`{name}` is at {bytes:?}"))?;
        ensure(bytes.start >= start, || format!("`{name}` at {bytes:?} is out of order"))?;
        start = bytes.start;
        let positions = (places.of(bytes.start).position, places.of(bytes.end).position);
        ensure((symbol.start, symbol.end) == positions, || {
            format!("`{name}` is at {positions:?}, not {:?} to {:?}", symbol.start, symbol.end)
        })?;
        let utf16 = places.utf16(bytes);
        ensure(symbol.utf16 == utf16, || {
            format!("`{name}` is at {utf16:?} in UTF-16, not {:?}", symbol.utf16)
        })?;
        let written = text.get(name_bytes.clone()).unwrap_or_default();
        // In a notebook a letter may be an escape, and a name may begin in one string and end in the next.
        let says_name = name.starts_with(written) || written.contains(['\\', '"']);
        let is_named = says_name && written.is_empty() == name.is_empty();
        ensure(is_named, || format!("the name `{name}` is not at {name_bytes:?}"))?;
        ensure(symbol.doc.len() <= DOC_MAX, || format!("the comment on `{name}` is too long"))?;
        ensure(ids.insert(&symbol.symbol_id), || format!("`{}` twice", symbol.symbol_id))?;
    }
    Ok(())
}

fn check_references(text: &str, parsed: &Parsed) -> Result<(), String> {
    let mut start = 0;
    for reference in &parsed.references {
        let name = reference.name.start as usize..reference.name.end as usize;
        let is_named = text.get(name.clone()).is_some_and(|name| !name.is_empty());
        ensure(is_named && name.start >= start, || format!("misplaced {reference:?}"))?;
        start = name.start;
        let is_short = receiver_is_short(text, reference);
        ensure(is_short, || format!("the receiver is missing or too long: {reference:?}"))?;
        if let Some(enclosing) = reference.enclosing {
            let symbol = parsed.symbols.get(enclosing as usize);
            let encloses =
                |around: &Range<usize>| around.start <= name.start && name.end <= around.end;
            let is_inside = symbol.is_some_and(|symbol| encloses(&symbol.bytes));
            ensure(is_inside, || format!("not inside its symbol: {reference:?}"))?;
        }
    }
    Ok(())
}

fn receiver_is_short(text: &str, reference: &Reference) -> bool {
    let Some(receiver) = &reference.receiver else { return true };
    let receiver = text.get(receiver.start as usize..receiver.end as usize);
    receiver.is_some_and(|receiver| (1..=RECEIVER_MAX as usize).contains(&receiver.len()))
}

fn check_comments(text: &str, parsed: &Parsed) -> Result<(), String> {
    let mut end = 0;
    for comment in &parsed.comments {
        let is_apart = comment.start >= end && !comment.is_empty();
        let is_inside = text.get(comment.clone()).is_some();
        ensure(is_apart && is_inside, || format!("a misplaced comment at {comment:?}"))?;
        end = comment.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use gik_base::FileKey;

    use super::*;
    use crate::{language_by_id, parse};

    const TEXT: &str = "// 🎈 balloon\nfn fly() {\n    wind.blow();\n}\n";

    fn parsed() -> Parsed {
        parse(&FileKey::from_text("a.rs"), TEXT, language_by_id("rust"))
    }

    #[track_caller]
    fn breaks(expected: &str, change: impl FnOnce(&mut Parsed)) {
        let mut broken = parsed();
        change(&mut broken);
        let message = check(TEXT, &broken).unwrap_err();
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn every_broken_promise_is_told() {
        assert_eq!(check(TEXT, &parsed()), Ok(()));
        breaks("line 1 is in no chunk", |parsed| parsed.chunks.clear());
        breaks("twice", |parsed| parsed.symbols.push(parsed.symbols[0].clone()));
        breaks("in UTF-16", |parsed| parsed.symbols[0].utf16 = 0..1);
        breaks("in UTF-16", |parsed| parsed.chunks[0].utf16.end += 1);
        breaks("in lines", |parsed| parsed.chunks[0].lines.end = 2);
        breaks("`fly` is at", |parsed| parsed.symbols[0].bytes = 4..6);
        breaks("not inside its symbol", |parsed| parsed.references[0].enclosing = Some(7));
        breaks("misplaced", |parsed| parsed.references.reverse());
        breaks("misplaced comment", |parsed| parsed.comments.push(0..1));
    }
}
