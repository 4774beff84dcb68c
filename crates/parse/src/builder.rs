//! Makes an outline from parts that a reader comes across in the order of the text, one inside another.

use std::ops::Range;

use gik_base::FileKey;

use crate::chunk::ChunkKind;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::{Item, Outline, Zone};
use crate::symbol::{Symbol, SymbolIds, SymbolKind, identifier};

/// Items nested deeper are part of the item around them.
const MAX_DEPTH: usize = 32;
/// Longer names and signatures are cut.
const NAME_MAX: usize = 120;
/// Items that share one line give it their names, up to this many bytes.
const SHARED_NAMES_MAX: usize = 400;

/// An outline in the making.
#[derive(Debug)]
pub(crate) struct Builder<'a, 't> {
    pub(crate) lines: &'a LineTable<'t>,
    pub(crate) outline: Outline,
    separator: &'static str,
    ids: SymbolIds,
    open: Vec<Open>,
    /// How many items are open that were too deep to be noted.
    n_too_deep: usize,
    /// The first line that no closed item covers.
    line: usize,
}

#[derive(Debug)]
struct Open {
    item: usize,
    /// What the qualified names of items inside start with.
    path: String,
    /// The item and all around it as SCIP descriptors.
    descriptors: String,
}

impl<'a, 't> Builder<'a, 't> {
    pub(crate) fn new(
        path: &FileKey,
        lines: &'a LineTable<'t>,
        language: &Language,
        separator: &'static str,
    ) -> Self {
        Self {
            lines,
            outline: Outline::default(),
            separator,
            ids: SymbolIds::new(language.id, path),
            open: Vec::new(),
            n_too_deep: 0,
            line: 0,
        }
    }

    /// Starts an item at a line; everything until its `close` is inside it.
    ///
    /// The first lines may belong to the item before already: no line is in two of them.
    pub(crate) fn open(&mut self, line: usize, kind: ChunkKind, name: &str) {
        self.open_documented(line, kind, name, String::new());
    }

    /// Like `open`, for an item with documentation.
    pub(crate) fn open_documented(
        &mut self,
        line: usize,
        kind: ChunkKind,
        name: &str,
        doc: String,
    ) {
        if self.open.len() >= MAX_DEPTH || self.n_too_deep > 0 {
            self.n_too_deep += 1;
            return;
        }
        let name = one_line(name);
        let container = self.path().to_owned();
        let qualified = match (container.as_str(), name.as_str()) {
            (container, "") => container.to_owned(),
            ("", name) => name.to_owned(),
            (container, name) => [container, self.separator, name].concat(),
        };
        let mut descriptors = self.descriptors().to_owned();
        if !name.is_empty() {
            descriptors.push_str(&identifier(&name));
            descriptors.push('#');
        }
        let start = line.max(self.line);
        self.line = start;
        let (item, path) = (self.outline.items.len(), qualified.clone());
        self.open.push(Open { item, path, descriptors });
        self.outline.items.push(Item {
            lines: start..start,
            end: 0,
            kind,
            name,
            qualified,
            container,
            signature: String::new(),
            doc,
            zone: Zone::Product,
        });
    }

    /// Starts an item whose name is known by itself, wherever it is; what is inside is not named after it.
    pub(crate) fn open_apart(&mut self, line: usize, kind: ChunkKind, name: &str) {
        let path = self.path().to_owned();
        let descriptors = self.descriptors().to_owned();
        let is_too_deep = self.n_too_deep;
        self.open(line, kind, name);
        if let (Some(open), true) = (self.open.last_mut(), is_too_deep == self.n_too_deep) {
            let item = &mut self.outline.items[open.item];
            item.qualified.clone_from(&item.name);
            open.path = path;
            open.descriptors = descriptors;
        }
    }

    /// Ends the last open item before a line.
    pub(crate) fn close(&mut self, line: usize) {
        if self.n_too_deep > 0 {
            self.n_too_deep -= 1;
            return;
        }
        let Some(Open { item: idx, .. }) = self.open.pop() else { return };
        let end = line.min(self.lines.count()).max(self.line);
        self.line = end;
        let items = &mut self.outline.items;
        let after = items.len();
        let item = &mut items[idx];
        item.lines.end = end.max(item.lines.start);
        item.end = after;
        // What has no line of its own is found by the name of what it shares the line with.
        if item.lines.is_empty() && idx > 0 {
            let name = std::mem::take(&mut items[idx].name);
            let before = &mut items[idx - 1].name;
            if before.len() + name.len() < SHARED_NAMES_MAX {
                *before = [before.as_str(), &name].join(" ").trim().to_owned();
            }
        }
    }

    /// An item of whole lines with nothing inside.
    pub(crate) fn leaf(&mut self, lines: Range<usize>, kind: ChunkKind, name: &str) {
        self.open(lines.start, kind, name);
        self.close(lines.end);
    }

    /// An item whose text no person wrote.
    pub(crate) fn output(&mut self, lines: Range<usize>) {
        self.open(lines.start, ChunkKind::Other, "");
        if let Some(item) = self.outline.items.last_mut() {
            item.zone = Zone::Output;
        }
        self.close(lines.end);
    }

    /// Notes a definition inside the open items and returns its place among the symbols.
    ///
    /// The name is the first such word from byte `named` on.
    pub(crate) fn symbol(
        &mut self,
        kind: SymbolKind,
        name: &str,
        named: usize,
        bytes: Range<usize>,
    ) -> usize {
        let container = self.path();
        let qualified = match container {
            "" => name.to_owned(),
            container => [container, self.separator, name].concat(),
        };
        let container = (!container.is_empty()).then(|| container.to_owned());
        let descriptors = self.descriptors().to_owned();
        let text = self.lines.text.get(bytes.clone()).unwrap_or_default();
        self.outline.symbols.push(Symbol {
            name: name.to_owned(),
            qualified,
            kind,
            container,
            signature: one_line(text.lines().next().unwrap_or_default()),
            symbol_id: self.ids.make(&descriptors, name, kind),
            name_bytes: self.lines.find(name, named..bytes.end),
            utf16: 0..0,
            visibility: None,
            doc: String::new(),
            start: self.lines.position(bytes.start),
            end: self.lines.position(bytes.end),
            bytes,
        });
        self.outline.symbols.len() - 1
    }

    /// Adds documentation to a definition.
    pub(crate) fn document(&mut self, idx: usize, doc: &str) {
        if let Some(symbol) = self.outline.symbols.get_mut(idx) {
            symbol.add_doc(doc);
        }
    }

    /// Says where a definition ends whose end was not known when it was noted.
    pub(crate) fn end_symbol(&mut self, idx: usize, end: usize) {
        if let Some(symbol) = self.outline.symbols.get_mut(idx) {
            symbol.bytes.end = end.max(symbol.bytes.start);
            symbol.end = self.lines.position(symbol.bytes.end);
        }
    }

    pub(crate) fn n_symbols(&self) -> usize {
        self.outline.symbols.len()
    }

    /// Closes what is open and brings everything into order.
    pub(crate) fn finish(mut self) -> Outline {
        self.n_too_deep = 0;
        while !self.open.is_empty() {
            self.close(self.lines.count());
        }
        self.outline.symbols.sort_by_key(|symbol| symbol.bytes.start);
        self.outline.segments.sort_by_key(|segment| segment.bytes.start);
        self.outline.finish();
        self.outline
    }

    fn path(&self) -> &str {
        self.open.last().map_or("", |open| open.path.as_str())
    }

    fn descriptors(&self) -> &str {
        self.open.last().map_or("", |open| open.descriptors.as_str())
    }
}

/// A name or a declaration on one line, without what opens its body.
fn one_line(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        if out.len() + word.len() + 1 > NAME_MAX {
            if out.is_empty() {
                out.push_str(&word[..word.floor_char_boundary(NAME_MAX)]);
            }
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    let end = out.trim_end_matches(['{', '[', '(', ',', ';', ':', '=', '|', ' ']).len();
    // A name may be made of nothing but such signs.
    if end > 0 {
        out.truncate(end);
    }
    out
}
