//! What every format holds, and that names cannot break out of it.

use gik_testkit::Rng;

use super::layout::layout;
use super::*;

fn node(id: &str, label: &str, kind: &str) -> DrawnNode {
    DrawnNode {
        id: id.to_owned(),
        label: label.to_owned(),
        kind: kind.to_owned(),
        path: "src/a.rs".to_owned(),
    }
}

fn edge(from: usize, to: usize, candidates: u32) -> DrawnEdge {
    DrawnEdge {
        from,
        to,
        kind: "calls".to_owned(),
        confidence: 90,
        provenance: "syntax".to_owned(),
        candidates,
    }
}

fn sample() -> Drawing {
    Drawing {
        note: "--> */ cut".to_owned(),
        nodes: vec![
            node("file:src/a.rs", "src/a.rs", "file"),
            node("sym:1", "open<\"T\">", "function"),
            node("endpoint:/api", "/api", "endpoint"),
        ],
        edges: vec![edge(0, 1, 1), edge(1, 2, 3), edge(2, 0, 1), edge(7, 0, 1)],
    }
}

#[test]
fn dot_quotes_names_and_dashes_candidates() {
    let text = dot(&sample());
    assert!(text.contains(r#""sym:1" [label="open<\"T\">""#), "{text}");
    assert!(text.contains(r#""file:src/a.rs" -> "sym:1" [label="calls"];"#), "{text}");
    assert!(text.contains(r#"[label="calls", style=dashed];"#), "{text}");
    assert_eq!(text.matches("\" -> \"").count(), 3, "an arrow to nowhere is left out");
}

#[test]
fn mermaid_writes_what_means_something_as_numbers() {
    let text = mermaid(&sample());
    assert!(text.contains("n1[\"open#60;#34;T#34;#62;\"]"), "{text}");
    assert!(text.contains("n1 -.->|calls| n2"), "{text}");
    assert!(text.contains("n0[/\"src/a.rs\"/]"), "{text}");
}

#[test]
fn graphml_and_svg_escape_names() {
    for text in [graphml(&sample()), svg(&sample())] {
        assert!(text.contains("open&lt;&quot;T&quot;&gt;"), "{text}");
        assert!(!text.contains("open<"), "{text}");
    }
    assert!(graphml(&sample()).contains("<data key=\"candidates\">3</data>"));
    assert!(svg(&sample()).contains("class=\"candidate\""));
    assert_eq!(xml("a\u{0}b\n<c>"), "a\u{fffd}b &lt;c&gt;");
}

#[test]
fn a_note_cannot_end_its_comment() {
    for text in [dot(&sample()), mermaid(&sample()), graphml(&sample()), svg(&sample())] {
        assert!(text.contains("- -> * / cut"), "{text}");
    }
}

#[test]
fn an_empty_drawing_is_a_whole_document() {
    let empty = Drawing::default();
    assert!(dot(&empty).ends_with("}\n"));
    assert!(svg(&empty).ends_with("</svg>\n"));
    assert!(graphml(&empty).ends_with("</graphml>\n"));
    assert_eq!(mermaid(&empty), "flowchart LR\n");
}

#[test]
fn no_two_boxes_overlap_in_any_drawing() {
    let mut rng = Rng::new(5);
    for _ in 0..100 {
        let n = rng.within(1..25);
        let nodes = (0..n).map(|at| node(&at.to_string(), &"x".repeat(at % 9), "function"));
        let mut drawing = Drawing { nodes: nodes.collect(), ..Drawing::default() };
        for _ in 0..rng.within(0..40) {
            drawing.edges.push(edge(rng.within(0..n), rng.within(0..n), 1));
        }
        let places = layout(&drawing).boxes;
        for (at, one) in places.iter().enumerate() {
            for other in &places[..at] {
                let apart = one.y != other.y
                    || one.x + one.width < other.x
                    || other.x + other.width < one.x;
                assert!(apart, "{one:?} {other:?}");
            }
        }
        assert_eq!(svg(&drawing), svg(&drawing.clone()));
    }
}
