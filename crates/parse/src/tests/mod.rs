//! What holds for every language: goldens of the fixtures, and properties of any text.

mod golden;
mod hostile;
mod parts;
mod properties;
mod records;
mod references;
mod scopes;
mod structure;

use std::fmt::Write as _;

use crate::line_table::LineTable;
use crate::{FrontmatterValue, Parsed};

/// What was found in a file, for people to read and for goldens to hold.
fn render(parsed: &Parsed, text: &str) -> String {
    let mut out = String::new();
    for chunk in &parsed.chunks {
        let crate::Lines { start, end } = chunk.lines;
        writeln!(
            out,
            "{start}-{end} {} `{}` ({} bytes)",
            chunk.kind.as_str(),
            chunk.qualified,
            chunk.bytes.len()
        )
        .unwrap();
        let imports = chunk.imports.join(" ");
        let fields = [
            ("names", &chunk.name),
            ("in", &chunk.container),
            ("signature", &chunk.signature),
            ("doc", &chunk.doc),
            ("imports", &imports),
        ];
        for (label, value) in fields {
            if !value.is_empty() {
                writeln!(out, "    {label}: {}", value.replace('\n', "\n        ")).unwrap();
            }
        }
    }
    if !parsed.symbols.is_empty() {
        out.push_str("\nsymbols\n");
    }
    for symbol in &parsed.symbols {
        writeln!(
            out,
            "{}:{}-{}:{} {}{} {}\n    {}\n    {}",
            symbol.start.line,
            symbol.start.col,
            symbol.end.line,
            symbol.end.col,
            symbol
                .visibility
                .map_or(String::new(), |visibility| visibility.as_str().to_owned() + " "),
            symbol.kind.as_str(),
            symbol.qualified,
            symbol.symbol_id,
            symbol.signature,
        )
        .unwrap();
    }
    render_facts(parsed, text, &mut out);
    for segment in &parsed.segments {
        let language = segment.language.map_or("?", |language| language.id);
        writeln!(out, "\nsegment {} {language} {:?}", segment.kind.as_str(), segment.bytes)
            .unwrap();
    }
    if let Some(frontmatter) = &parsed.frontmatter {
        writeln!(out, "\nfrontmatter {:?}", frontmatter.bytes).unwrap();
        for (key, value) in &frontmatter.pairs {
            match value {
                FrontmatterValue::Text(text) => writeln!(out, "    {key}: {text}").unwrap(),
                FrontmatterValue::List(list) => writeln!(out, "    {key}: {list:?}").unwrap(),
            }
        }
    }
    for problem in &parsed.problems {
        writeln!(out, "\nproblem {:?} line {}: {}", problem.kind, problem.line, problem.message)
            .unwrap();
    }
    out
}

/// The references of each line, and the lines of the comments.
fn render_facts(parsed: &Parsed, text: &str, out: &mut String) {
    if !parsed.references.is_empty() {
        out.push_str("\nreferences\n");
    }
    let lines = LineTable::new(text);
    for reference in &parsed.references {
        let start = reference.name.start as usize;
        let line = lines.line_at(start);
        let enclosing = reference.enclosing.map(|idx| &parsed.symbols[idx as usize].qualified);
        let receiver = reference.receiver_in(text).map(|receiver| format!(" of `{receiver}`"));
        writeln!(
            out,
            "{}:{} {} {}{}{}",
            line + 1,
            start - lines.start(line),
            reference.role.as_str(),
            reference.name_in(text),
            receiver.unwrap_or_default(),
            enclosing.map(|enclosing| format!(" in {enclosing}")).unwrap_or_default(),
        )
        .unwrap();
    }
    if !parsed.scope_facts.is_empty() {
        out.push_str("\nscopes\n");
    }
    for fact in &parsed.scope_facts {
        let places = [("", &fact.name), ("from ", &fact.from), ("as ", &fact.alias)];
        let start =
            places.iter().filter_map(|(_, place)| place.as_ref()).map(|place| place.start).min();
        let line = lines.line_at(start.unwrap_or(0) as usize);
        write!(out, "{} {}", line + 1, fact.kind.as_str()).unwrap();
        for (label, place) in places {
            if let Some(place) = place {
                let said = &text[place.start as usize..place.end as usize];
                write!(out, " {label}{}", said.replace('\n', " ")).unwrap();
            }
        }
        out.push('\n');
    }
    if !parsed.comments.is_empty() {
        let ranges = parsed.comments.iter().map(|comment| {
            let touched = lines.lines_of(comment);
            format!("{}-{}", touched.start + 1, touched.end)
        });
        writeln!(out, "\ncomments {}", ranges.collect::<Vec<_>>().join(" ")).unwrap();
    }
}
