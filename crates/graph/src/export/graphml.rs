//! For programs that read GraphML: yEd, Gephi, NetworkX.

use std::fmt::Write as _;

use super::{Drawing, comment, xml};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="kind" for="all" attr.name="kind" attr.type="string"/>
  <key id="path" for="node" attr.name="path" attr.type="string"/>
  <key id="confidence" for="edge" attr.name="confidence" attr.type="int"/>
  <key id="provenance" for="edge" attr.name="provenance" attr.type="string"/>
  <key id="candidates" for="edge" attr.name="candidates" attr.type="int"/>
  <graph edgedefault="directed">
"#;

/// The drawing as GraphML.
pub fn graphml(drawing: &Drawing) -> String {
    let mut text = HEAD.to_owned();
    // Writing to a string cannot fail, so the results of `write!` are dropped here.
    if !drawing.note.is_empty() {
        let _ = writeln!(text, "    <!-- {} -->", comment(&drawing.note));
    }
    for node in &drawing.nodes {
        let _ = write!(
            text,
            "    <node id=\"{}\"><data key=\"label\">{}</data><data key=\"kind\">{}</data>",
            xml(&node.id),
            xml(&node.label),
            xml(&node.kind),
        );
        if !node.path.is_empty() {
            let _ = write!(text, "<data key=\"path\">{}</data>", xml(&node.path));
        }
        text.push_str("</node>\n");
    }
    for edge in drawing.edges.iter().filter(|edge| edge.is_inside(drawing)) {
        let _ = writeln!(
            text,
            "    <edge source=\"{}\" target=\"{}\"><data key=\"kind\">{}</data><data key=\"confidence\">{}</data><data key=\"provenance\">{}</data><data key=\"candidates\">{}</data></edge>",
            xml(&drawing.nodes[edge.from].id),
            xml(&drawing.nodes[edge.to].id),
            xml(&edge.kind),
            edge.confidence,
            xml(&edge.provenance),
            edge.candidates,
        );
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}
