//! The text of one file to chunks, symbols and segments.
//!
//! Start with [`parse`]: it takes any text and always returns a value; what is odd about a file is data in
//! [`Parsed::problems`]. It reads no files, knows no clock and gives the same answer on every machine.
//!
//! A language is a folder in `languages/`: `language.toml` says how to recognise it; one with a grammar names it in
//! `[syntax]`, adds the grammar to `Cargo.toml`, and says in three pattern files what a definition, its surroundings and
//! an import look like. Fixtures beside them are checked against their goldens. Everything after that is shared:
//! a structure reader (`syntax`, `markdown`, `markup`, `data` …) makes an `Outline`, `embedded` adds what its parts in
//! other languages hold, and `chunking` cuts the lines of the file along it.

mod builder;
mod check;
mod chunk;
mod chunking;
mod comment;
mod data;
mod detect;
mod diagnostics;
mod embedded;
mod facts;
mod frontmatter;
mod language;
mod line_table;
mod markdown;
mod markup;
mod notebook;
mod outline;
mod prose;
mod records;
mod reference;
mod scope_fact;
mod sections;
mod segment;
mod stylesheet;
mod symbol;
mod syntax;
mod utf16;

#[cfg(test)]
mod tests;

use std::ops::Range;

use gik_base::FileKey;

pub use check::check;
pub use chunk::{Chunk, ChunkKind, Lines};
pub use comment::text as comment_text;
pub use detect::{detect, detect_by_name};
pub use diagnostics::{Diagnostic, diagnostics};
pub use frontmatter::{Frontmatter, FrontmatterValue, frontmatter_of};
pub use language::{Language, LanguageClass, language_by_id, language_by_tag, languages};
pub use notebook::searchable;
pub use records::{RecordsKind, is_records, records_kind};
pub use reference::{Reference, ReferenceRole};
pub use scope_fact::{ScopeFact, ScopeFactKind};
pub use segment::{Segment, SegmentKind};
pub use symbol::{Position, Symbol, SymbolKind, Visibility, descriptors_of, symbol_id_of};

use language::Structure;
use line_table::LineTable;
use outline::Outline;
use utf16::Utf16Table;

/// Changes whenever the same text may give other chunks or symbols, so that stored ones are made again.
pub const PARSER_VERSION: u32 = 7;

/// All that one file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// Pieces to index: in order, without overlap, every non-blank line in exactly one of them.
    pub chunks: Vec<Chunk>,
    /// Definitions, in order of their start.
    pub symbols: Vec<Symbol>,
    /// Names that stand for something defined elsewhere, in order; local variables and definitions are none.
    pub references: Vec<Reference>,
    /// What the file says about names: imports, types, bases; by place of what says it.
    pub scope_facts: Vec<ScopeFact>,
    /// Comments and strings that document, in order, without overlap.
    pub comments: Vec<Range<usize>>,
    /// Parts in another language, in order.
    pub segments: Vec<Segment>,
    /// The data block at the top of a note.
    pub frontmatter: Option<Frontmatter>,
    /// What could not be read as the language asks.
    pub problems: Vec<Problem>,
}

/// Something odd about a file that did not stop it from being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of oddity.
    pub kind: ProblemKind,
    /// The 1-based line where it was first seen.
    pub line: u32,
    /// A sentence without a final period.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The grammar could not make sense of a part; the rest has its structure.
    Syntax,
    /// Reading the structure was given up; the file is chunked as plain text.
    TooComplex,
    /// The frontmatter is not valid YAML or TOML, or is larger than frontmatter ever is.
    Frontmatter,
}

/// Takes a file apart. Never fails and never panics, whatever the text.
pub fn parse(path: &FileKey, text: &str, language: Option<&'static Language>) -> Parsed {
    let lines = LineTable::new(text);
    let mut outline =
        language.map(|language| outline(path, &lines, language, 0)).unwrap_or_default();
    let utf16 = Utf16Table::new(text);
    for symbol in &mut outline.symbols {
        symbol.utf16 = utf16.range(&symbol.bytes);
        // A grammar may lose count of the lines where it mends a text.
        symbol.start = lines.position(symbol.bytes.start);
        symbol.end = lines.position(symbol.bytes.end);
    }
    let chunks = chunking::chunks(path, &lines, &utf16, language, &outline);
    Parsed {
        chunks,
        symbols: outline.symbols,
        references: outline.references,
        scope_facts: outline.scope_facts,
        comments: outline.comments,
        segments: outline.segments,
        frontmatter: outline.frontmatter,
        problems: outline.problems,
    }
}

/// The lines of a file in chunks as large as chunks may be, without looking at what they say.
pub fn runs_of_lines(path: &FileKey, text: &str) -> Vec<Chunk> {
    chunking::runs_of_lines(path, &LineTable::new(text), &Utf16Table::new(text))
}

/// Makes the syntax tree of a file and nothing else, for measuring what reading it costs at least. `false` where the
/// language has no grammar or the grammar gives up.
pub fn parse_bare(text: &str, language: &'static Language) -> bool {
    matches!(language.structure(), Structure::Syntax(description)
        if syntax::parse_bare(text, language, description))
}

/// What a file holds, or a part of one; `depth` says how many parts are around it.
fn outline(
    path: &FileKey,
    lines: &LineTable<'_>,
    language: &'static Language,
    depth: usize,
) -> Outline {
    let mut outline = match language.structure() {
        Structure::None => Outline::default(),
        Structure::Syntax(description) => syntax::read(path, lines, language, description),
        Structure::Markdown => markdown::read(lines),
        Structure::Restructuredtext => prose::restructuredtext::read(lines),
        Structure::Asciidoc => prose::asciidoc::read(lines),
        Structure::Latex => prose::latex::read(path, lines, language),
        Structure::Html => markup::html::read(path, lines, language),
        Structure::Xml => markup::xml::read(path, lines, language),
        Structure::Stylesheet => stylesheet::read(path, lines, language),
        Structure::Json => data::json::read(path, lines, language),
        Structure::Yaml => data::yaml::read(path, lines, language),
        Structure::Toml => data::toml::read(path, lines, language),
        Structure::Notebook => notebook::read(path, lines, language),
    };
    if !matches!(language.structure(), Structure::Syntax(_)) {
        outline.comments = comment::whole_lines(lines, language);
    }
    if depth < embedded::MAX_DEPTH {
        embedded::merge(path, lines, language, depth, &mut outline);
    }
    outline
}
