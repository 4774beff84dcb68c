//! Classes, ids, variables and Tailwind's directives in a style sheet.

use super::{Part, PartKind, is_name, once};

/// Directives that Tailwind adds to CSS.
const DIRECTIVES: [&str; 9] =
    ["tailwind", "apply", "config", "theme", "utility", "variant", "plugin", "source", "screen"];

/// The names that a style sheet defines, each once.
pub fn style_names(text: &str) -> Vec<Part> {
    let text = without_comments(text);
    let mut parts = Vec::new();
    let mut start = 0;
    // A statement ends with its block, its semicolon or the block around it.
    for (at, mark) in text.match_indices(['{', '}', ';']) {
        let statement = &text[start..at];
        if mark == "{" && !statement.trim_start().starts_with('@') {
            selectors(statement, start, &mut parts);
        } else {
            declaration(statement, start, &mut parts);
        }
        start = at + 1;
    }
    declaration(&text[start..], start, &mut parts);
    once(parts)
}

/// Comments and strings as spaces, so that places stay.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if let Some(inside) = rest.strip_prefix("/*") {
            inside.find("*/").map_or(rest.len(), |end| end + 4)
        } else if c == '"' || c == '\'' {
            let end = rest[1..].find([c, '\n']);
            end.map_or(rest.len(), |end| end + 2)
        } else {
            kept.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        kept.extend(std::iter::repeat_n(' ', skipped));
        rest = &rest[skipped..];
    }
    kept
}

fn selectors(prelude: &str, offset: usize, parts: &mut Vec<Part>) {
    for (at, mark) in prelude.match_indices(['.', '#']) {
        let rest = &prelude[at + 1..];
        let is_start = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '-'));
        // `#{…}` of SCSS and numbers in keyframes are no names.
        if !is_start {
            continue;
        }
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        let kind = if mark == "." { PartKind::StyleClass } else { PartKind::StyleId };
        parts.push(Part { kind, name: name.to_owned(), at: offset + at });
    }
}

fn declaration(statement: &str, offset: usize, parts: &mut Vec<Part>) {
    let trimmed = statement.trim_start();
    let at = offset + statement.len() - trimmed.len();
    if trimmed.starts_with("--")
        && let Some((name, _)) = trimmed.split_once(':')
    {
        let name = name.trim_end();
        if name.chars().all(is_name) {
            parts.push(Part { kind: PartKind::CssVariable, name: name.to_owned(), at });
        }
    }
    let Some(directive) = trimmed.strip_prefix('@') else { return };
    let word = &directive[..directive.find(|c| !is_name(c)).unwrap_or(directive.len())];
    if DIRECTIVES.contains(&word) {
        // `@tailwind base` is told apart by its argument, `@apply` is one thing with many.
        let first = directive[word.len()..].split_whitespace().next();
        let name = match first.filter(|_| word == "tailwind") {
            Some(argument) => format!("@{word} {argument}"),
            None => format!("@{word}"),
        };
        parts.push(Part { kind: PartKind::TailwindDirective, name, at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_style_sheet_are_told_once() {
        let text = "@tailwind base;\n/* .no */ :root { --accent: #0a7; }\n\
            .card, #main > .card:hover { color: #abc; @apply p-4 m-2; width: 1.5em }\n\
            @media (x) { .grid::before { content: '.no' } }";
        let told: Vec<(PartKind, String)> =
            style_names(text).into_iter().map(|part| (part.kind, part.name)).collect();
        let named = |kind, name: &str| (kind, name.to_owned());
        assert_eq!(
            told,
            [
                named(PartKind::StyleClass, "card"),
                named(PartKind::StyleClass, "grid"),
                named(PartKind::StyleId, "main"),
                named(PartKind::CssVariable, "--accent"),
                named(PartKind::TailwindDirective, "@apply"),
                named(PartKind::TailwindDirective, "@tailwind base"),
            ]
        );
    }

    #[test]
    fn any_text_ends() {
        for text in ["", "/*", "'", "a{", ".", "#", "@", "--", "é{.ü}", "/*é", "'é\n.x{"] {
            drop(style_names(text));
        }
    }
}
