//! CSS, SCSS and Less to an outline: rules by their selectors; variables, mixins, functions and animations as symbols.
//!
//! A style sheet is statements and blocks, whatever the dialect; reading it so copes with all of them, and with the
//! parts that a template puts in.

use std::ops::Range;

use gik_base::FileKey;

use crate::builder::Builder;
use crate::chunk::ChunkKind;
use crate::comment;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::symbol::SymbolKind;

/// Larger style sheets are generated: they are chunked as text.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Between a rule and the rule around it.
const PATH_SEPARATOR: &str = " / ";

/// Reads the structure of a style sheet.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    if lines.text.len() > MAX_BYTES {
        return Outline::default();
    }
    let builder = Builder::new(path, lines, language, PATH_SEPARATOR);
    let mut sheet = Sheet { text: lines.text, language, builder, blocks: Vec::new() };
    sheet.read();
    sheet.builder.finish()
}

struct Sheet<'a, 't> {
    text: &'t str,
    language: &'static Language,
    builder: Builder<'a, 't>,
    blocks: Vec<Block>,
}

/// A block that is open.
struct Block {
    /// What it defines.
    symbol: Option<usize>,
    /// Whether variables inside are those of a call.
    is_body: bool,
}

/// Comments in front of a statement.
#[derive(Default)]
struct Leading {
    start: Option<usize>,
    end: usize,
}

impl<'t> Sheet<'_, 't> {
    fn read(&mut self) {
        let mut at = 0;
        loop {
            let (start, leading) = self.skip_blank(at);
            let end = self.statement_end(start);
            let head = start..end;
            match self.text.as_bytes().get(end) {
                None => {
                    self.statement(head);
                    break;
                },
                Some(b'{') => self.open(head, &leading),
                Some(b'}') => {
                    self.statement(head);
                    self.close(end + 1);
                },
                Some(_) => self.statement(head.start..end + 1),
            }
            at = end + 1;
        }
        while !self.blocks.is_empty() {
            self.close(self.text.len());
        }
    }

    /// A statement that ends with a semicolon: a declaration or a rule without a block.
    fn statement(&mut self, bytes: Range<usize>) {
        let Some((name, _)) = self.text[bytes.clone()].split_once(':') else { return };
        let name = name.trim();
        let is_top = self.blocks.is_empty();
        let kind = match (name.as_bytes(), self.language.id) {
            ([b'-', b'-', _, ..], _) if is_top => Some(SymbolKind::Var),
            ([b'-', b'-', _, ..], _) => Some(SymbolKind::Property),
            ([b'$', _, ..], "scss") | ([b'@', _, ..], "less") => Some(SymbolKind::Var),
            _ => None,
        };
        let Some(kind) = kind.filter(|_| is_name(&name[1..])) else { return };
        let is_local = kind == SymbolKind::Var && self.blocks.iter().any(|block| block.is_body);
        if !is_local {
            let end = bytes.start + self.text[bytes.clone()].trim_end_matches(';').trim_end().len();
            self.builder.symbol(kind, name, bytes.start, bytes.start..end);
        }
    }

    fn open(&mut self, head: Range<usize>, leading: &Leading) {
        let prelude = self.text[head.clone()].trim();
        let start = head.end - self.text[head.clone()].trim_start().len();
        let definition = self.definition(prelude);
        let name = definition.map_or_else(|| rule_name(prelude), |(_, name)| name);
        let symbol = definition.map(|(kind, name)| {
            let has_keyword = prelude.starts_with('@') && !name.starts_with('@');
            let keyword = prelude.find(char::is_whitespace).filter(|_| has_keyword);
            let named = start + keyword.unwrap_or_default();
            self.builder.symbol(kind, name, named, start..start + prelude.len())
        });
        let lines = self.builder.lines;
        let is_close = |start: &usize| {
            lines.is_line_start(*start)
                && self.text[leading.end..head.start].bytes().filter(|b| *b == b'\n').count() <= 1
        };
        let documented = leading.start.filter(is_close);
        let doc =
            documented.map(|start| comment::text(&self.text[start..leading.end], self.language));
        if let (Some(symbol), Some(doc)) = (symbol, &doc) {
            self.builder.document(symbol, doc);
        }
        let kind = match definition {
            Some((SymbolKind::Function | SymbolKind::Macro, _)) => ChunkKind::Function,
            _ => ChunkKind::Block,
        };
        let line = lines.line_at(documented.unwrap_or(head.start));
        self.builder.open_documented(line, kind, name, doc.unwrap_or_default());
        self.blocks.push(Block { symbol, is_body: kind == ChunkKind::Function });
    }

    fn close(&mut self, end: usize) {
        let Some(block) = self.blocks.pop() else { return };
        if let Some(symbol) = block.symbol {
            self.builder.end_symbol(symbol, end);
        }
        self.builder.close(self.builder.lines.line_at(end.saturating_sub(1)) + 1);
    }

    /// What a block defines, by what stands before it.
    fn definition(&self, prelude: &'t str) -> Option<(SymbolKind, &'t str)> {
        if let Some(name) = prelude.strip_prefix('%') {
            return is_name(name).then_some((SymbolKind::Class, prelude));
        }
        if let Some(name) = prelude.strip_suffix(':').map(str::trim_end) {
            let is_rules =
                self.language.id == "less" && name.starts_with('@') && is_name(&name[1..]);
            return is_rules.then_some((SymbolKind::Var, name));
        }
        if self.language.id == "less" && prelude.ends_with(')') {
            let (name, _) = prelude.split_once('(')?;
            let is_mixin = name.starts_with(['.', '#']) && is_name(&name[1..]);
            return is_mixin.then_some((SymbolKind::Macro, name));
        }
        let (keyword, rest) = prelude.strip_prefix('@')?.split_once(char::is_whitespace)?;
        let kind = match keyword {
            "mixin" => SymbolKind::Macro,
            "function" => SymbolKind::Function,
            _ if keyword.ends_with("keyframes") => SymbolKind::Const,
            _ => return None,
        };
        let rest = rest.trim_start();
        let name =
            &rest[..rest.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(rest.len())];
        let unquoted = name.trim_matches(['"', '\'']);
        is_name(unquoted).then_some((kind, unquoted))
    }

    /// The next statement, and the comments in front of it.
    fn skip_blank(&self, at: usize) -> (usize, Leading) {
        let mut at = at;
        let mut leading = Leading::default();
        loop {
            let rest = &self.text[at..];
            let blank = rest.len()
                - rest.trim_start_matches([' ', '\t', '\r', '\n', ';', '\u{feff}']).len();
            let breaks = rest[..blank].bytes().filter(|byte| *byte == b'\n').count();
            at += blank;
            let Some(end) = self.comment_end(at) else { return (at, leading) };
            if breaks > 1 || leading.start.is_none() {
                leading.start = Some(at);
            }
            leading.end = end;
            at = end;
        }
    }

    /// Where the comment that starts at a byte ends.
    fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        if let Some(inside) = rest.strip_prefix("/*") {
            return Some(inside.find("*/").map_or(self.text.len(), |end| at + end + 4));
        }
        let has_line_comments = !self.language.line_comments.is_empty();
        (has_line_comments && rest.starts_with("//"))
            .then(|| at + rest.find('\n').unwrap_or(rest.len()))
    }

    /// The `;`, `{` or `}` that ends what starts at a byte, or the end of the text.
    fn statement_end(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = at;
        let mut depth = 0_usize;
        let mut holes = 0_usize;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' | b'\'' => at = string_end(bytes, at),
                b'\\' => at += 1,
                b'/' => {
                    // An address in parentheses is no comment.
                    let is_address = depth > 0 && bytes.get(at + 1) == Some(&b'/');
                    if let Some(end) = self.comment_end(at).filter(|_| !is_address) {
                        at = end;
                        continue;
                    }
                },
                b'(' if self.text[..at].ends_with("url") => at = self.address_end(at),
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                // `#{$name}` and `@{name}` stand for a part of a name.
                b'{' if at > 0 && matches!(bytes[at - 1], b'#' | b'@') => holes += 1,
                b'}' if holes > 0 => holes -= 1,
                b'{' | b'}' => return at,
                b';' if depth == 0 && holes == 0 => return at,
                _ => {},
            }
            at += 1;
        }
        self.text.len()
    }

    /// The parenthesis that ends an address without quotes; the opening one where the address has quotes.
    fn address_end(&self, at: usize) -> usize {
        let rest = &self.text[at + 1..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let is_quoted = line.trim_start().starts_with(['"', '\'', '#', '$']);
        if is_quoted { at } else { line.find(')').map_or(at, |end| at + 1 + end) }
    }
}

/// The closing quote of a string; the end of its line where there is none.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if *byte == quote => return at,
            _ => {},
        }
        at += 1;
    }
    at
}

/// What a block is called: its selectors or its condition. Steps, loops and branches have no name.
fn rule_name(prelude: &str) -> &str {
    const NAMELESS: [&str; 8] =
        ["if", "else", "each", "for", "while", "include", "at-root", "nest"];
    let is_step = |step: &str| {
        let step = step.trim();
        matches!(step, "from" | "to") || step.ends_with('%')
    };
    let keyword = prelude.strip_prefix('@').map(|rest| {
        &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len())]
    });
    let is_nameless = keyword.is_some_and(|keyword| NAMELESS.contains(&keyword))
        || prelude.ends_with(':')
        || prelude.split(',').all(is_step);
    if is_nameless { "" } else { prelude }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}
