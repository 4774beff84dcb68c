//! Macros that no container was read for: in the bodies of functions and in branches that were left out.

use std::ops::Range;

use gik_base::collections::HashSet;

use super::reader::Reader;
use super::{code, wording};
use crate::symbol::{Symbol, SymbolKind};

/// How the names of include guards end.
const GUARD_ENDS: [&str; 5] = ["_H", "_HH", "_HPP", "_HXX", "_H_INCLUDED"];

/// One `#define`.
struct Define {
    /// From the sign to the end of its last line.
    bytes: Range<usize>,
    name: Range<usize>,
    /// Where its value starts.
    value: usize,
}

impl Reader<'_, '_, '_> {
    /// Notes the macros that are not known yet.
    pub(super) fn defines(&mut self) {
        let text = self.lines.text;
        let symbols = self.outline.symbols.iter();
        let known: HashSet<usize> = symbols.map(|symbol| symbol.name_bytes.start).collect();
        let mut others = defines(text);
        others.retain(|define| !known.contains(&define.name.start) && !define.is_guard(text));
        if others.is_empty() {
            return;
        }
        let code = code::code_only(text);
        for define in others {
            // Not in a comment or a string.
            if code.get(define.bytes.start) == Some(&b'#') {
                self.define(&define, &code);
            }
        }
    }

    fn define(&mut self, define: &Define, code: &[u8]) {
        let name = self.text(define.name.clone());
        let is_comment =
            |at: &usize| self.lines.text.as_bytes()[*at] != code[*at] && code[*at] == b' ';
        let value = self.text(define.value..define.bytes.end);
        let has_parameters = self.text(define.name.end..define.value).contains('(');
        let end = if has_parameters && !value.trim().is_empty() {
            define.value
        } else {
            define.bytes.end
        };
        let end = (define.name.end..end).find(is_comment).unwrap_or(end);
        let rules = self.description.facts.visibility.as_ref();
        self.outline.symbols.push(Symbol {
            name: name.to_owned(),
            qualified: name.to_owned(),
            kind: SymbolKind::Macro,
            container: None,
            signature: wording::signature(self.text(define.bytes.start..end)),
            symbol_id: self.ids.make("", name, SymbolKind::Macro),
            bytes: define.bytes.clone(),
            start: self.lines.position(define.bytes.start),
            end: self.lines.position(define.bytes.end),
            utf16: 0..0,
            name_bytes: define.name.clone(),
            visibility: rules.map(|rules| rules.default),
            doc: String::new(),
        });
    }
}

impl Define {
    /// Whether it only says that the file was read: `#ifndef NOTES_H`, `#define NOTES_H`.
    fn is_guard(&self, text: &str) -> bool {
        let name = &text[self.name.clone()];
        let is_named_so = GUARD_ENDS.iter().any(|end| name.trim_end_matches('_').ends_with(end));
        let has_value = !text[self.name.end..self.bytes.end].trim().is_empty();
        let mut above =
            text[..self.bytes.start].lines().rev().filter(|line| !line.trim().is_empty());
        let asks = |line: &str| line.contains("ifndef") && line.trim_end().ends_with(name);
        is_named_so && !has_value && above.next().is_some_and(asks)
    }
}

/// Every line that starts with `#define`, comments or not.
fn defines(text: &str) -> Vec<Define> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices('#') {
        let before = text[..at].trim_end_matches([' ', '\t']);
        if (before.is_empty() || before.ends_with('\n'))
            && let Some(define) = define_at(text, at)
        {
            all.push(define);
        }
    }
    all
}

fn define_at(text: &str, at: usize) -> Option<Define> {
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    let rest = text[at + 1..].trim_start_matches(is_blank).strip_prefix("define")?;
    let rest = rest.strip_prefix(is_blank)?.trim_start_matches(is_blank);
    let start = text.len() - rest.len();
    let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if len == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let name = start..start + len;
    let mut end = name.end;
    for line in text[name.end..].split_inclusive('\n') {
        end += line.len();
        if !line.strip_suffix('\n').is_some_and(|line| code::ends_continued(line.as_bytes())) {
            break;
        }
    }
    let parameters = text[name.end..end].starts_with('(').then(|| text[name.end..end].find(')'));
    let value = parameters.flatten().map_or(name.end, |close| name.end + close + 1);
    Some(Define { bytes: at..end, name, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_define_has_a_name_parameters_and_all_its_lines() {
        let text = "x\n  # define MAX(a, b) \\\r\n  a\nint y;\n#define N\n";
        let all = defines(text);
        let parts: Vec<_> = all
            .iter()
            .map(|one| {
                (&text[one.bytes.clone()], &text[one.name.clone()], &text[one.value..one.bytes.end])
            })
            .collect();
        assert_eq!(
            parts,
            [("# define MAX(a, b) \\\r\n  a\n", "MAX", " \\\r\n  a\n"), ("#define N\n", "N", "\n")]
        );
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        assert!(defines("a #define B\n#defined C\n#define\n#define (D)\n#define 1\n#").is_empty());
    }

    #[test]
    fn a_guard_is_known_by_the_line_above() {
        let is_guard = |text: &str| defines(text)[0].is_guard(text);
        assert!(is_guard("#ifndef A_H\n#define A_H\n"));
        assert!(!is_guard("#ifndef A_H\n#define A_H 1\n"));
        assert!(!is_guard("#ifndef FAST\n#define FAST\n"));
        assert!(!is_guard("#define A_H"));
    }
}
