//! For Graphviz.

use std::fmt::Write as _;

use super::{Drawing, comment};

/// The drawing in the DOT language. Candidates are dashed.
pub fn dot(drawing: &Drawing) -> String {
    let mut text = String::from(
        "digraph gik {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=8];\n",
    );
    // Writing to a string cannot fail, so the results of `write!` are dropped here.
    if !drawing.note.is_empty() {
        let _ = writeln!(text, "  // {}", comment(&drawing.note));
    }
    for node in &drawing.nodes {
        let _ = writeln!(
            text,
            "  {} [label={}, tooltip={}{}];",
            quoted(&node.id),
            quoted(&node.label),
            quoted(&format!("{} {}", node.kind, node.path)),
            if node.kind == "file" { ", shape=note" } else { "" },
        );
    }
    for edge in drawing.edges.iter().filter(|edge| edge.is_inside(drawing)) {
        let _ = writeln!(
            text,
            "  {} -> {} [label={}{}];",
            quoted(&drawing.nodes[edge.from].id),
            quoted(&drawing.nodes[edge.to].id),
            quoted(&edge.kind),
            if edge.is_candidate() { ", style=dashed" } else { "" },
        );
    }
    text.push_str("}\n");
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push('\u{fffd}'),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
