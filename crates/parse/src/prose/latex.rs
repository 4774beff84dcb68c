//! LaTeX: sectioning commands are sections, listings segments; labels and commands of one's own are symbols.

use std::ops::Range;

use gik_base::FileKey;

use super::code_block;
use crate::language::Language;
use crate::line_table::LineTable;
use crate::outline::Outline;
use crate::sections::{self, Heading};
use crate::symbol::{Symbol, SymbolIds, SymbolKind};

/// Sectioning commands, from the outermost.
const SECTIONS: [&str; 7] =
    ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"];
/// Environments whose inside is not LaTeX.
const VERBATIM: [&str; 6] =
    ["verbatim", "verbatim*", "Verbatim", "lstlisting", "minted", "comment"];
/// Commands whose first argument is what they define.
const DEFINING: [&str; 14] = [
    "newcommand",
    "renewcommand",
    "providecommand",
    "DeclareRobustCommand",
    "DeclareMathOperator",
    "NewDocumentCommand",
    "RenewDocumentCommand",
    "newenvironment",
    "renewenvironment",
    "NewDocumentEnvironment",
    "newtheorem",
    "newcounter",
    "newlength",
    "def",
];
/// Longer titles and names are none.
const ARGUMENT_MAX: usize = 1000;

/// Reads the structure of a LaTeX text.
pub(crate) fn read(path: &FileKey, lines: &LineTable<'_>, language: &'static Language) -> Outline {
    let mut reader = Reader {
        lines,
        ids: SymbolIds::new(language.id, path),
        outline: Outline::default(),
        headings: Vec::new(),
    };
    let mut line = 0;
    while line < lines.count() {
        line = reader.line(line);
    }
    let Reader { mut outline, headings, .. } = reader;
    sections::nest(lines, headings, &mut outline);
    outline.finish();
    outline
}

struct Reader<'a, 't> {
    lines: &'a LineTable<'t>,
    ids: SymbolIds,
    outline: Outline,
    headings: Vec<Heading>,
}

impl Reader<'_, '_> {
    /// Reads a line and returns the next one to read.
    fn line(&mut self, line: usize) -> usize {
        let text = self.lines.line(line);
        let start = self.lines.start(line);
        let code = &text[..comment_start(text)];
        let indent = code.len() - code.trim_start().len();
        if let Some(next) = self.verbatim(line, code) {
            return next;
        }
        self.section(line, start + indent);
        let mut at = 0;
        while let Some(found) = code[at..].find('\\') {
            let command = at + found;
            at = command + 1;
            let name = command_name(&code[at..]);
            if name == "label" {
                self.label(start + command);
            } else if DEFINING.contains(&name) {
                self.definition(name, start + command);
            }
            at += name.len();
            // `\\` is a line break, not the start of a command.
            if name.is_empty() && code[at..].starts_with('\\') {
                at += 1;
            }
        }
        line + 1
    }

    fn section(&mut self, line: usize, at: usize) {
        let Some(rest) = self.lines.text[at..].strip_prefix('\\') else { return };
        let name = command_name(rest);
        let Some(level) = SECTIONS.iter().position(|section| *section == name) else { return };
        let after = at + 1 + name.len();
        let after = after + usize::from(self.lines.text[after..].starts_with('*'));
        if let Some(title) = self.argument(after) {
            let title = plain(&self.lines.text[title]);
            self.headings.push(Heading { level: level + 1, line, title });
        }
    }

    fn label(&mut self, at: usize) {
        if let Some(name) = self.argument(at + "\\label".len()) {
            let end = name.end + 1;
            let name = self.lines.text[name].trim();
            if !name.is_empty() {
                self.symbol(SymbolKind::Property, name, at..end);
            }
        }
    }

    fn definition(&mut self, command: &str, at: usize) {
        let text = self.lines.text;
        let mut after = at + 1 + command.len();
        after += usize::from(text[after..].starts_with('*'));
        let name = if text[after..].starts_with('\\') {
            let name = command_name(&text[after + 1..]);
            after..after + 1 + name.len()
        } else if command == "def" {
            return;
        } else {
            let Some(argument) = self.argument(after) else { return };
            argument
        };
        let end = name.end + usize::from(text[name.end..].starts_with('}'));
        let name = text[name].trim();
        let is_command = name.starts_with('\\');
        let bare = name.trim_start_matches('\\');
        let is_name = !bare.is_empty()
            && bare
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '@' | '*' | '_' | ':' | '-'));
        if is_name {
            let kind = if is_command { SymbolKind::Macro } else { SymbolKind::Const };
            self.symbol(kind, bare, at..end);
        }
    }

    fn symbol(&mut self, kind: SymbolKind, name: &str, bytes: Range<usize>) {
        let text = self.lines.text.get(bytes.clone()).unwrap_or_default();
        self.outline.symbols.push(Symbol {
            name: name.to_owned(),
            qualified: name.to_owned(),
            kind,
            container: None,
            signature: text.split_whitespace().collect::<Vec<_>>().join(" "),
            symbol_id: self.ids.make("", name, kind),
            name_bytes: self.lines.find(name, bytes.start + 4..bytes.end),
            utf16: 0..0,
            visibility: None,
            doc: String::new(),
            start: self.lines.position(bytes.start),
            end: self.lines.position(bytes.end),
            bytes,
        });
    }

    /// A verbatim environment that starts on a line: returns the line after it.
    fn verbatim(&mut self, line: usize, code: &str) -> Option<usize> {
        let (_, rest) = code.split_once("\\begin{")?;
        let (name, rest) = rest.split_once('}')?;
        if !VERBATIM.contains(&name) {
            return None;
        }
        let closing = format!("\\end{{{name}}}");
        let ends = |line: &usize| self.lines.line(*line).contains(&closing);
        let end = (line + 1..self.lines.count()).find(ends).unwrap_or(self.lines.count());
        let language = if name == "minted" {
            rest.rsplit_once('{').map(|(_, language)| language.trim_end_matches('}'))
        } else {
            rest.split_once("language=").map(|(_, named)| {
                named.trim_start_matches('{').split([',', ']', '}']).next().unwrap_or_default()
            })
        };
        code_block(self.lines, line + 1..end, language.unwrap_or_default(), &mut self.outline);
        Some(end + 1)
    }

    /// The inside of the braces that follow, after an optional argument in brackets.
    fn argument(&self, at: usize) -> Option<Range<usize>> {
        let text = self.lines.text;
        let limit = text.floor_char_boundary(at + ARGUMENT_MAX);
        let mut at = at;
        let mut rest = text.get(at..limit)?;
        if let Some(inside) = rest.trim_start().strip_prefix('[') {
            rest = &inside[inside.find(']')? + 1..];
            at = limit - rest.len();
        }
        let blank = rest.len() - rest.trim_start().len();
        let start = at + blank + 1;
        rest.trim_start().strip_prefix('{')?;
        let mut depth = 0_usize;
        let mut is_escaped = false;
        for (offset, byte) in text[start..limit].bytes().enumerate() {
            match byte {
                b'{' if !is_escaped => depth += 1,
                b'}' if !is_escaped && depth == 0 => return Some(start..start + offset),
                b'}' if !is_escaped => depth -= 1,
                _ => {},
            }
            is_escaped = byte == b'\\' && !is_escaped;
        }
        None
    }
}

/// Where the comment of a line starts.
fn comment_start(line: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        if byte == b'%' && !is_escaped {
            return at;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    line.len()
}

fn command_name(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_alphabetic() && c != '@').unwrap_or(text.len())]
}

/// A title without the commands inside it.
fn plain(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let name = command_name(after);
        rest = &after[name.len()..];
        if name == "label" {
            rest = rest.split_once('}').map_or("", |(_, rest)| rest);
        } else if !name.is_empty() && !rest.starts_with('{') {
            out.push(' ');
        }
    }
    out.push_str(rest);
    out.replace(['{', '}', '$'], "").replace('~', " ")
}
