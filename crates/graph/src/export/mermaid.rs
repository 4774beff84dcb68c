//! For Mermaid, as Markdown pages show it.

use std::fmt::Write as _;

use super::{Drawing, comment};

/// The drawing as a Mermaid flowchart. Candidates are dotted.
pub fn mermaid(drawing: &Drawing) -> String {
    let mut text = String::from("flowchart LR\n");
    // Writing to a string cannot fail, so the results of `write!` are dropped here.
    if !drawing.note.is_empty() {
        let _ = writeln!(text, "  %% {}", comment(&drawing.note));
    }
    for (place, node) in drawing.nodes.iter().enumerate() {
        let label = label(&node.label);
        let _ = match node.kind.as_str() {
            "file" => writeln!(text, "  n{place}[/\"{label}\"/]"),
            "endpoint" => writeln!(text, "  n{place}([\"{label}\"])"),
            _ => writeln!(text, "  n{place}[\"{label}\"]"),
        };
    }
    for edge in drawing.edges.iter().filter(|edge| edge.is_inside(drawing)) {
        let arrow = if edge.is_candidate() { "-.->" } else { "-->" };
        let _ = writeln!(text, "  n{} {arrow}|{}| n{}", edge.from, label(&edge.kind), edge.to);
    }
    text
}

/// Letters that mean something in Mermaid as their numbers.
fn label(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | '`' | ';' | '|' | '\\' => {
                let _ = write!(escaped, "#{};", u32::from(c));
            },
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
