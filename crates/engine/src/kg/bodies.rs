//! What nodes and edges of `kg/` say, apart from their times.
//!
//! There are as many as there are names in a project, so what they say is kept as fields; [`Extra`] is for answers, for
//! comparing with what was written once, and for nodes that are few.

use std::collections::BTreeSet;
use std::rc::Rc;

use gik_contract::{Extra, KgEdge, KgEdgeKind, KgNodeKind, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// A node without its times.
#[derive(Debug)]
pub(crate) struct NodeBody<'a> {
    pub(crate) id: Rc<str>,
    pub(crate) kind: KgNodeKind,
    pub(crate) label: String,
    pub(crate) props: NodeProps<'a>,
}

/// What else is known of a node.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum NodeProps<'a> {
    Defined(Defined<'a>),
    Other(Extra),
}

/// What is known of something that a file defines.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Defined<'a> {
    pub(crate) language: &'a str,
    pub(crate) defined_in: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) symbol_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) visibility: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) framework: Option<&'static str>,
}

/// An edge without its times.
#[derive(Debug)]
pub(crate) struct EdgeBody<'a> {
    pub(crate) id: String,
    pub(crate) from: Rc<str>,
    pub(crate) to: Rc<str>,
    pub(crate) kind: KgEdgeKind,
    pub(crate) known: Known,
    /// The file that says it.
    pub(crate) path: &'a str,
}

impl EdgeBody<'_> {
    pub(crate) fn props(&self) -> EdgeProps<'_> {
        let Known { provenance, confidence, candidates, count, line, ref relations, ref served } =
            self.known;
        let relations = relations.iter().copied().collect::<Vec<_>>();
        EdgeProps {
            http_method: served.as_ref().map(|served| served.methods.as_str()),
            framework: served.as_ref().map(|served| served.framework),
            confidence: f64::from(confidence) / 100.0,
            provenance,
            candidates,
            count,
            relation: (!relations.is_empty()).then(|| relations.join(",")),
            evidence: Evidence { path: self.path, line },
        }
    }

    /// As answers have it.
    pub(crate) fn told(self, time: Timestamp) -> KgEdge {
        let props = extra(&self.props());
        KgEdge {
            id: self.id,
            from: (*self.from).to_owned(),
            to: (*self.to).to_owned(),
            kind: self.kind,
            props,
            branch: None,
            created_at: time,
            updated_at: time,
        }
    }
}

/// What else is known of an edge.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EdgeProps<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    http_method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    framework: Option<&'static str>,
    confidence: f64,
    provenance: &'static str,
    candidates: u32,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<String>,
    evidence: Evidence<'a>,
}

#[derive(Debug, Serialize)]
struct Evidence<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

/// What is known of all edges with the same ends and kind.
#[derive(Debug)]
pub(crate) struct Known {
    pub(super) provenance: &'static str,
    pub(super) confidence: u8,
    pub(super) candidates: u32,
    pub(super) count: u64,
    pub(super) line: Option<u32>,
    pub(super) relations: BTreeSet<&'static str>,
    pub(super) served: Option<Served>,
}

/// How a file serves an endpoint.
#[derive(Debug)]
pub(crate) struct Served {
    /// Those of HTTP, with commas.
    pub(super) methods: String,
    pub(super) framework: &'static str,
}

impl Known {
    /// A fact that a line of the text says.
    pub(crate) fn of_text(provenance: &'static str, confidence: u8, line: Option<u32>) -> Self {
        let relations = BTreeSet::new();
        Self { provenance, confidence, candidates: 1, count: 1, line, relations, served: None }
    }

    /// One of so many that a name may mean.
    pub(crate) fn one_of(mut self, candidates: usize) -> Self {
        self.candidates = u32::try_from(candidates).unwrap_or(u32::MAX).max(1);
        self
    }

    /// Adds what is known of one more edge: the surest says how it is known, the first line where.
    pub(super) fn add(&mut self, other: &Self) {
        self.count += 1;
        self.line = match (self.line, other.line) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if other.sureness() > self.sureness() {
            self.provenance = other.provenance;
            self.confidence = other.confidence;
            self.candidates = other.candidates;
        }
    }

    fn sureness(&self) -> (std::cmp::Reverse<u32>, u8) {
        (std::cmp::Reverse(self.candidates), self.confidence)
    }
}

/// Fields as a map.
pub(super) fn extra(props: &impl Serialize) -> Extra {
    match serde_json::to_value(props) {
        Ok(Value::Object(extra)) => extra,
        _ => Extra::new(),
    }
}
