//! Reads the parts of a file that are in another language and puts what they define into the file's own outline.
//!
//! Scripts, style sheets and notebook cells define things of the project. Code in prose is an example: it stays
//! a segment and defines nothing.

use std::borrow::Cow;
use std::ops::Range;

use gik_base::FileKey;

use crate::language::{Language, LanguageClass};
use crate::line_table::LineTable;
use crate::notebook;
use crate::outline::{Item, Outline};
use crate::reference::RECEIVER_MAX;
use crate::segment::{Segment, SegmentKind};
use crate::symbol::SymbolIds;

/// Larger parts are data or generated code.
const PART_MAX: usize = 1024 * 1024;
/// Parts inside parts are read this deep.
pub(crate) const MAX_DEPTH: usize = 3;
/// Parts after these keep their text and lose their structure.
const MAX_PARTS: usize = 2000;
/// Items nested deeper are part of the item around them; no reader nests them as deep, but all items of a line count as
/// nested.
const MAX_NESTED: usize = 128;

/// Reads the segments that define things and merges what they hold.
pub(crate) fn merge(
    path: &FileKey,
    lines: &LineTable<'_>,
    language: &'static Language,
    depth: usize,
    outline: &mut Outline,
) {
    // Most files have none, and to note all symbols takes a while.
    if !outline.segments.iter().any(|segment| definer(segment).is_some()) {
        return;
    }
    let segments = std::mem::take(&mut outline.segments);
    let mut ids = SymbolIds::new(language.id, path);
    for symbol in &outline.symbols {
        ids.note(&symbol.symbol_id);
    }
    let mut woven = Vec::new();
    let mut n_parts = 0;
    for segment in &segments {
        let Some(inner_language) = definer(segment) else { continue };
        if n_parts == MAX_PARTS {
            break;
        }
        n_parts += 1;
        let part = Part::new(language, lines, segment);
        let inner_lines = LineTable::new(&part.text);
        let inner = crate::outline(path, &inner_lines, inner_language, depth + 1);
        let line = lines.line_at(segment.bytes.start);
        woven.push((line, part.adopt(inner, &inner_lines, &mut ids, outline)));
    }
    outline.segments.extend(segments);
    outline.items = weave(std::mem::take(&mut outline.items), woven);
    sort_symbols(outline);
    outline.references.sort_by_key(|reference| reference.name.start);
    keep_apart(&mut outline.comments);
    outline.segments.sort_by_key(|segment| segment.bytes.start);
    outline.unbroken.sort_by_key(|lines| lines.start);
    outline.unbroken.dedup_by(|next, last| last.end > next.start);
    outline.finish();
}

/// Brings the symbols into order; references keep the ones they are in.
fn sort_symbols(outline: &mut Outline) {
    let mut symbols: Vec<_> =
        std::mem::take(&mut outline.symbols).into_iter().enumerate().collect();
    symbols.sort_by_key(|(_, symbol)| symbol.bytes.start);
    let mut places = vec![0; symbols.len()];
    for (place, (before, symbol)) in symbols.into_iter().enumerate() {
        places[before] = number(place);
        outline.symbols.push(symbol);
    }
    for reference in &mut outline.references {
        reference.enclosing =
            reference.enclosing.and_then(|before| places.get(before as usize).copied());
    }
}

/// Brings comments into order, and drops those that begin inside another one.
fn keep_apart(comments: &mut Vec<Range<usize>>) {
    comments.sort_unstable_by_key(|comment| (comment.start, std::cmp::Reverse(comment.end)));
    let mut end = 0;
    comments.retain(|comment| {
        let is_apart = comment.start >= end && !comment.is_empty();
        end = end.max(comment.end);
        is_apart
    });
}

/// Sources are far smaller than 4 GiB.
fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The language of a part whose definitions are those of the file.
fn definer(segment: &Segment) -> Option<&'static Language> {
    let language = segment.language?;
    let defines = match segment.kind {
        SegmentKind::Script | SegmentKind::Style | SegmentKind::Cell => {
            language.class == LanguageClass::Code && language.has_structure()
        },
        SegmentKind::CodeFence | SegmentKind::Template => false,
    };
    (defines && segment.bytes.len() <= PART_MAX).then_some(language)
}

/// The text of a part and where each of its bytes is in the file.
struct Part<'a, 't> {
    /// The language of the file.
    language: &'static Language,
    outer: &'a LineTable<'t>,
    text: Cow<'t, str>,
    runs: Vec<Run>,
}

/// Bytes of a part and what stands for them in the file: the same bytes, or an escape.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) inner: Range<usize>,
    pub(crate) outer: Range<usize>,
}

impl<'a, 't> Part<'a, 't> {
    fn new(language: &'static Language, outer: &'a LineTable<'t>, segment: &Segment) -> Self {
        let bytes = segment.bytes.clone();
        if segment.kind == SegmentKind::Cell {
            let (text, runs) = notebook::cell_code(outer.text, bytes, segment.language);
            return Self { language, outer, text: Cow::Owned(text), runs };
        }
        let text = outer.text.get(bytes.clone()).unwrap_or_default();
        Self {
            language,
            outer,
            text: Cow::Borrowed(text),
            runs: vec![Run { inner: 0..text.len(), outer: bytes }],
        }
    }

    /// Where a byte of the part is in the file.
    fn start(&self, inner: usize) -> usize {
        let after = self.runs.partition_point(|run| run.inner.start <= inner);
        let Some(run) = self.runs.get(after.saturating_sub(1)) else { return 0 };
        let is_escape = run.inner.len() != run.outer.len();
        let within = if is_escape { 0 } else { inner.saturating_sub(run.inner.start) };
        run.outer.start + within.min(run.outer.len())
    }

    /// Where what ends before a byte of the part ends in the file.
    fn end(&self, inner: usize) -> usize {
        let after = self.runs.partition_point(|run| run.inner.start < inner);
        let Some(run) = self.runs.get(after.saturating_sub(1)) else { return 0 };
        let is_escape = run.inner.len() != run.outer.len();
        if is_escape {
            run.outer.end
        } else {
            run.outer.start + inner.saturating_sub(run.inner.start).min(run.outer.len())
        }
    }

    fn bytes(&self, inner: &Range<usize>) -> Range<usize> {
        let start = self.start(inner.start);
        start..self.end(inner.end).max(start)
    }

    fn short(&self, inner: &Range<u32>) -> Range<u32> {
        let bytes = self.bytes(&(inner.start as usize..inner.end as usize));
        number(bytes.start)..number(bytes.end)
    }

    fn lines(&self, inner_lines: &LineTable<'_>, range: &Range<usize>) -> Range<usize> {
        self.outer.lines_of(&self.bytes(&inner_lines.bytes(range)))
    }

    /// Moves everything but the items into the outline of the file; returns the items, in lines of the file.
    fn adopt(
        &self,
        inner: Outline,
        inner_lines: &LineTable<'_>,
        ids: &mut SymbolIds,
        outline: &mut Outline,
    ) -> Vec<Item> {
        let first_symbol = outline.symbols.len();
        for mut symbol in inner.symbols {
            symbol.bytes = self.bytes(&symbol.bytes);
            symbol.name_bytes = self.bytes(&symbol.name_bytes);
            symbol.start = self.outer.position(symbol.bytes.start);
            symbol.end = self.outer.position(symbol.bytes.end);
            symbol.symbol_id = ids.adopt(&symbol.symbol_id);
            symbol.qualified = self.language.qualify(symbol.container.as_deref(), &symbol.name);
            outline.symbols.push(symbol);
        }
        for mut reference in inner.references {
            reference.name = self.short(&reference.name);
            // A notebook may need more bytes for the same text.
            let receiver = reference.receiver.map(|receiver| self.short(&receiver));
            reference.receiver = receiver.filter(|it| it.end - it.start <= RECEIVER_MAX);
            reference.enclosing = reference.enclosing.map(|idx| idx + number(first_symbol));
            outline.references.push(reference);
        }
        for mut fact in inner.scope_facts {
            for place in [&mut fact.name, &mut fact.from, &mut fact.alias] {
                *place = place.as_ref().map(|place| self.short(place));
            }
            outline.scope_facts.push(fact);
        }
        outline.comments.extend(inner.comments.iter().map(|comment| self.bytes(comment)));
        for segment in inner.segments {
            let bytes = self.bytes(&segment.bytes);
            outline.segments.push(Segment { bytes, ..segment });
        }
        for mut problem in inner.problems {
            let line = problem.line.saturating_sub(1) as usize;
            let byte = self.start(inner_lines.start(line));
            problem.line = self.outer.position(byte).line;
            outline.problems.push(problem);
        }
        let line = |inner: usize| self.outer.line_at(self.start(inner_lines.start(inner)));
        outline.cuts.extend(inner.cuts.into_iter().map(line));
        outline.imported.extend(inner.imported);
        outline.import_bytes.extend(inner.import_bytes.iter().map(|bytes| self.bytes(bytes)));
        let unbroken = inner.unbroken.iter().map(|range| self.lines(inner_lines, range));
        outline.unbroken.extend(unbroken.filter(|range| range.len() > 1));
        let mut items = inner.items;
        for item in &mut items {
            item.lines = self.lines(inner_lines, &item.lines);
        }
        items
    }
}

/// Puts the items of parts, each with its first line, between and into the items of the file.
///
/// What lies in what is told by lines alone: siblings never share one.
fn weave(outer: Vec<Item>, parts: Vec<(usize, Vec<Item>)>) -> Vec<Item> {
    let mut weaver = Weaver { items: Vec::with_capacity(outer.len()), open: Vec::new(), line: 0 };
    let mut parts = parts.into_iter().peekable();
    for item in outer {
        while let Some((_, inner)) = parts.next_if(|(line, _)| *line < item.lines.start) {
            weaver.add_all(inner, item.lines.start);
        }
        weaver.add(item, usize::MAX);
    }
    for (_, inner) in parts {
        weaver.add_all(inner, usize::MAX);
    }
    weaver.close_before(usize::MAX);
    weaver.items
}

struct Weaver {
    items: Vec<Item>,
    open: Vec<usize>,
    /// The first line that no closed item covers.
    line: usize,
}

impl Weaver {
    fn add_all(&mut self, items: Vec<Item>, limit: usize) {
        for item in items {
            self.add(item, limit);
        }
    }

    fn add(&mut self, mut item: Item, limit: usize) {
        self.close_before(item.lines.start);
        let around = self.open.last().map_or(usize::MAX, |idx| self.items[*idx].lines.end);
        let start = item.lines.start.max(self.line);
        let end = item.lines.end.min(around).min(limit);
        if start < end && self.open.len() < MAX_NESTED {
            item.lines = start..end;
            self.open.push(self.items.len());
            self.items.push(item);
        }
    }

    /// Ends the open items that do not reach a line.
    fn close_before(&mut self, line: usize) {
        let items = &mut self.items;
        while let Some(idx) = self.open.pop_if(|idx| items[*idx].lines.end <= line) {
            let end = items.len();
            self.line = self.line.max(items[idx].lines.end);
            items[idx].end = end;
        }
    }
}
