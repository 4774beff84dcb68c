//! What a structure reader knows of a file, in lines: the one thing that chunking looks at.

use std::ops::Range;

use crate::chunk::ChunkKind;
use crate::frontmatter::Frontmatter;
use crate::reference::Reference;
use crate::scope_fact::ScopeFact;
use crate::segment::Segment;
use crate::symbol::Symbol;
use crate::{Problem, chunking};

/// The structure of one file. The default one says nothing, and the file is chunked as plain text.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// Items in order, each followed by the items inside it.
    pub(crate) items: Vec<Item>,
    /// Sorted lines at which something too long for one chunk is best cut.
    pub(crate) cuts: Vec<usize>,
    /// Sorted lines that stay together as long as they fit into one chunk.
    pub(crate) unbroken: Vec<Range<usize>>,
    /// Names that imports bring in, sorted.
    pub(crate) imported: Vec<String>,
    /// Where the imports are, sorted.
    pub(crate) import_bytes: Vec<Range<usize>>,
    /// Where else the name of a symbol stands in its definition: the further equations of a function.
    pub(crate) more_names: Vec<usize>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) references: Vec<Reference>,
    pub(crate) scope_facts: Vec<ScopeFact>,
    pub(crate) comments: Vec<Range<usize>>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) frontmatter: Option<Frontmatter>,
    pub(crate) problems: Vec<Problem>,
}

/// Something with a name and lines of its own: a definition, an implementation block, a section.
#[derive(Debug)]
pub(crate) struct Item {
    /// Whole lines, with the comments and attributes that belong to it. Never overlaps a sibling.
    pub(crate) lines: Range<usize>,
    /// The place in [`Outline::items`] after the last item inside this one.
    pub(crate) end: usize,
    pub(crate) kind: ChunkKind,
    /// Empty for items that are kept together but define nothing.
    pub(crate) name: String,
    pub(crate) qualified: String,
    pub(crate) container: String,
    pub(crate) signature: String,
    pub(crate) doc: String,
    pub(crate) zone: Zone,
}

/// Parts of different zones never share a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    Product,
    Test,
    /// What a program wrote into the file: the results of notebook cells.
    Output,
}

impl Outline {
    /// Brings the lists into the order that chunking relies on.
    pub(crate) fn finish(&mut self) {
        self.cuts.sort_unstable();
        self.cuts.dedup();
        self.imported.sort_unstable();
        self.imported.dedup();
        self.import_bytes.sort_unstable_by_key(|bytes| bytes.start);
    }

    /// Sorts the symbols; references keep the one they are in.
    pub(crate) fn sort_symbols(&mut self) {
        let symbols = std::mem::take(&mut self.symbols);
        let mut order: Vec<usize> = (0..symbols.len()).collect();
        order.sort_by_key(|at| symbols[*at].order());
        let mut places = vec![0; symbols.len()];
        for (place, at) in (0_u32..).zip(&order) {
            places[*at] = place;
        }
        for reference in &mut self.references {
            reference.enclosing = reference.enclosing.map(|at| places[at as usize]);
        }
        let mut symbols: Vec<(u32, Symbol)> = places.into_iter().zip(symbols).collect();
        symbols.sort_unstable_by_key(|(place, _)| *place);
        self.symbols = symbols.into_iter().map(|(_, symbol)| symbol).collect();
    }

    /// Keeps lines together unless they could never fit into one chunk.
    pub(crate) fn keep_unbroken(&mut self, lines: Range<usize>, size: usize) {
        let overlaps = self.unbroken.last().is_some_and(|last| last.end > lines.start);
        if size <= chunking::HARD_MAX && lines.len() > 1 && !overlaps {
            self.unbroken.push(lines);
        }
    }
}
