//! Lines of `kg/`: written with their times, found again by the file they belong to.

use std::collections::BTreeMap;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{KgEdge, KgEdgeKind, KgNode, KgNodeKind, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bodies::{EdgeBody, EdgeProps, NodeBody, NodeProps, extra};

/// A line as it is read: a record with an id and times, that belongs to a file or to none.
pub(super) trait Line: DeserializeOwned {
    fn id(&self) -> &str;
    /// The file it belongs to.
    fn owner(&self) -> Option<&str>;
    /// When it was made and when it changed.
    fn times(&self) -> (Timestamp, Timestamp);
}

impl Line for KgNode {
    fn id(&self) -> &str {
        &self.id
    }

    fn owner(&self) -> Option<&str> {
        let path = self.props.get("definedIn").and_then(|path| path.as_str());
        self.id.strip_prefix("file:").or(path)
    }

    fn times(&self) -> (Timestamp, Timestamp) {
        (self.created_at, self.updated_at)
    }
}

impl Line for KgEdge {
    fn id(&self) -> &str {
        &self.id
    }

    fn owner(&self) -> Option<&str> {
        self.props.get("evidence").and_then(|evidence| evidence.get("path"))?.as_str()
    }

    fn times(&self) -> (Timestamp, Timestamp) {
        (self.created_at, self.updated_at)
    }
}

/// What lines are made of.
pub(super) trait Body {
    /// What a line of it is read as.
    type Line: Line;

    fn id(&self) -> &str;
    /// Whether an older line says nothing else.
    fn is_said_by(&self, older: &Self::Line) -> bool;
    /// About as many bytes as its line has.
    fn room(&self) -> usize;
    fn line<'b>(&'b self, created_at: &'b str, updated_at: &'b str) -> impl Serialize;
}

/// [`KgNode`] as it is written, without a copy of what it says.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeLine<'b> {
    id: &'b str,
    kind: KgNodeKind,
    label: &'b str,
    props: &'b NodeProps<'b>,
    created_at: &'b str,
    updated_at: &'b str,
}

impl Body for NodeBody<'_> {
    type Line = KgNode;

    fn id(&self) -> &str {
        &self.id
    }

    fn is_said_by(&self, older: &KgNode) -> bool {
        self.kind == older.kind && self.label == older.label && extra(&self.props) == older.props
    }

    fn room(&self) -> usize {
        // Path and label are parts of most ids.
        2 * self.id.len() + 220
    }

    fn line<'b>(&'b self, created_at: &'b str, updated_at: &'b str) -> impl Serialize {
        let Self { id, kind, label, props } = self;
        NodeLine { id, kind: *kind, label, props, created_at, updated_at }
    }
}

/// [`KgEdge`] as it is written, without a copy of what it says.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeLine<'b> {
    id: &'b str,
    from: &'b str,
    to: &'b str,
    kind: KgEdgeKind,
    props: EdgeProps<'b>,
    created_at: &'b str,
    updated_at: &'b str,
}

impl Body for EdgeBody<'_> {
    type Line = KgEdge;

    fn id(&self) -> &str {
        &self.id
    }

    fn is_said_by(&self, older: &KgEdge) -> bool {
        extra(&self.props()) == older.props
    }

    fn room(&self) -> usize {
        self.from.len() + self.to.len() + self.path.len() + 280
    }

    fn line<'b>(&'b self, created_at: &'b str, updated_at: &'b str) -> impl Serialize {
        let (Self { id, from, to, kind, .. }, props) = (self, self.props());
        EdgeLine { id, from, to, kind: *kind, props, created_at, updated_at }
    }
}

/// What lines hold, by id; what cannot be read is as if it were not there.
pub(super) fn by_id<L: Line>(lines: &[u8]) -> BTreeMap<String, L> {
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let read = lines.filter_map(|line| serde_json::from_slice::<L>(line).ok());
    read.map(|line| (line.id().to_owned(), line)).collect()
}

/// Lines of bodies, with the times of those that are there already: what says the same was not updated.
pub(super) fn written<B: Body>(
    bodies: &[B],
    known: &BTreeMap<String, B::Line>,
    time: Timestamp,
) -> Result<String> {
    let mut text = Vec::with_capacity(bodies.iter().map(Body::room).sum());
    let now = time.to_string();
    for body in bodies {
        let times = known.get(body.id()).map(|older| {
            let (created, updated) = older.times();
            let updated = if body.is_said_by(older) { updated } else { time };
            (created.to_string(), updated.to_string())
        });
        let (created, updated) = times.as_ref().map_or((&now, &now), |(a, b)| (a, b));
        serde_json::to_writer(&mut text, &body.line(created, updated)).map_err(|error| {
            Failure::new(ErrorCode::Internal, "a line of the graph cannot be written")
                .caused_by(error)
        })?;
        text.push(b'\n');
    }
    String::from_utf8(text).map_err(|error| {
        Failure::new(ErrorCode::Internal, "a line of the graph is not a text").caused_by(error)
    })
}

/// Whether a line belongs behind all of a file; lines of no file are last.
pub(super) fn is_behind<L: Line>(line: &[u8], is_behind_path: impl Fn(&str) -> bool) -> bool {
    let line: Option<L> = serde_json::from_slice(line.trim_ascii_end()).ok();
    match line.as_ref().and_then(Line::owner) {
        Some(owner) => is_behind_path(owner),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use gik_contract::Extra;

    use super::super::bodies::{Defined, Known, Served};
    use super::super::gathered::{Gathered, Key};
    use super::*;

    /// Reads what is written of some bodies, and says what the contract makes of it.
    fn again<B: Body<Line: Serialize>>(bodies: &[B]) -> (String, String) {
        let text = written(bodies, &BTreeMap::new(), Timestamp::UNIX_EPOCH).unwrap();
        let read = text.lines().map(|line| serde_json::from_str::<B::Line>(line).unwrap());
        let again = read.map(|line| serde_json::to_string(&line).unwrap() + "\n").collect();
        (text, again)
    }

    #[test]
    fn lines_are_those_of_the_contract() {
        let defined = NodeProps::Defined(Defined {
            language: "rust",
            defined_in: "a \"b\".rs",
            symbol_kind: Some("struct".to_owned()),
            line: Some(3),
            visibility: Some("public".to_owned()),
            framework: None,
        });
        let other = NodeProps::Other(Extra::from_iter([("role".to_owned(), "owner".into())]));
        let nodes = [("x", defined), ("y", other)].map(|(id, props)| NodeBody {
            id: id.into(),
            kind: KgNodeKind::Struct,
            label: "X".to_owned(),
            props,
        });
        let (text, read) = again(&nodes);
        assert_eq!(text, read);

        let mut edges = Gathered::new("a.rs");
        let key =
            |to: &str| Key { from: "file:a.rs".into(), to: to.into(), kind: KgEdgeKind::Uses };
        edges.add(key("plain"), Known::of_text("syntax", 100, None));
        let full = edges.add(key("full"), Known::of_text("heuristic", 57, Some(1)).one_of(3));
        full.relations.extend(["tests", "exports"]);
        full.served = Some(Served { methods: "GET,PUT".to_owned(), framework: "axum" });
        let edges = edges.bodies();
        let (text, read) = again(&edges);
        assert_eq!(text, read);
        let told = edges.into_iter().map(|edge| edge.told(Timestamp::UNIX_EPOCH));
        let told = told.map(|edge| serde_json::to_string(&edge).unwrap() + "\n");
        assert_eq!(text, told.collect::<String>());
    }
}
