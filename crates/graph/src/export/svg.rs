//! A picture that every browser shows.

use std::fmt::Write as _;

use super::layout::{BOX_HEIGHT, Place, layout};
use super::{Drawing, comment, xml};

const STYLE: &str = "  <style>\
    rect{fill:#fff;stroke:#555}\
    rect.file{fill:#f3f6fb}\
    rect.endpoint{fill:#fdf3e7}\
    text{font:12px monospace;fill:#222}\
    text.kind{font-size:9px;fill:#777}\
    path{fill:none;stroke:#888}\
    path.candidate{stroke-dasharray:4 3}\
    </style>\n";

/// The drawing as SVG: layers from left to right, candidates dashed.
pub fn svg(drawing: &Drawing) -> String {
    let layout = layout(drawing);
    let mut text = String::new();
    // Writing to a string cannot fail, so the results of `write!` are dropped here.
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">"#,
        layout.width, layout.height,
    );
    if !drawing.note.is_empty() {
        let _ = writeln!(text, "  <!-- {} -->", comment(&drawing.note));
    }
    text.push_str(STYLE);
    text.push_str(
        "  <defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8\"/></marker></defs>\n",
    );
    for edge in drawing.edges.iter().filter(|edge| edge.is_inside(drawing)) {
        let (from, to) = (layout.boxes[edge.from], layout.boxes[edge.to]);
        let class = if edge.is_candidate() { " class=\"candidate\"" } else { "" };
        let _ = writeln!(
            text,
            "  <path{class} marker-end=\"url(#end)\" d=\"{}\"><title>{}</title></path>",
            curve(from, to),
            xml(&format!("{}, {} %, {}", edge.kind, edge.confidence, edge.provenance)),
        );
    }
    for (node, place) in drawing.nodes.iter().zip(&layout.boxes) {
        let Place { x, y, width } = *place;
        let class = if matches!(node.kind.as_str(), "file" | "endpoint") { &node.kind } else { "" };
        let _ = writeln!(
            text,
            "  <g><title>{}</title><rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"3\"/><text x=\"{}\" y=\"{}\">{}</text><text class=\"kind\" x=\"{x}\" y=\"{}\">{}</text></g>",
            xml(&node.id),
            x + 8,
            y + 16,
            xml(&node.label),
            y - 3,
            xml(&node.kind),
        );
    }
    text.push_str("</svg>\n");
    text
}

/// From the right side of one box to the left side of another; backwards around both.
fn curve(from: Place, to: Place) -> String {
    let (x1, y1) = (from.x + from.width, from.y + BOX_HEIGHT / 2);
    let (x2, y2) = (to.x, to.y + BOX_HEIGHT / 2);
    let bend = if x2 > x1 { (x2 - x1) / 2 } else { 40 };
    format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + bend, i64::from(x2) - i64::from(bend))
}
