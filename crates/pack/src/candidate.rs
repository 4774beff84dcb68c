//! What may go into a pack: a place, how it was found and how good it is.

use gik_contract::pack::{EdgeType, EvidenceKind, Expansion, SectionType};
use gik_graph::{Edge, EdgeKind, Node, Provenance};

use crate::library::Place;
use crate::points::Points;

/// What retrieval found or somebody named.
#[derive(Debug, Clone)]
pub struct Seed {
    /// Where it stands.
    pub place: Place,
    /// What the graph is followed from; files where no symbol begins there.
    pub nodes: Vec<Node>,
    /// Why it is there.
    pub rule: Rule,
    /// Compared with the best.
    pub score: Points,
    /// The score of its words.
    pub lexical: Option<f64>,
    /// How near it is in meaning.
    pub dense: Option<f64>,
}

/// Why something is in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// It was named.
    Focus,
    /// The reader is there.
    Here,
    /// The question found it.
    Query,
    /// It calls or is called.
    CallNeighbor,
    /// It names or is named.
    UsageNeighbor,
    /// It is imported.
    ImportNeighbor,
    /// It imports, or hands on.
    ExportNeighbor,
    /// Values flow between them.
    DataflowNeighbor,
    /// It is a test.
    TestNeighbor,
    /// It is a document.
    DocMention,
    /// Several kinds of edges lead to it.
    GraphNeighbor,
    /// It stands in the same file.
    SameFile,
}

impl Rule {
    /// The name in a pack.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Focus => "focus",
            Self::Here => "here",
            Self::Query => "query",
            Self::CallNeighbor => "call-neighbor",
            Self::UsageNeighbor => "usage-neighbor",
            Self::ImportNeighbor => "import-neighbor",
            Self::ExportNeighbor => "export-neighbor",
            Self::DataflowNeighbor => "dataflow-neighbor",
            Self::TestNeighbor => "test-neighbor",
            Self::DocMention => "doc-mention",
            Self::GraphNeighbor => "graph-neighbor",
            Self::SameFile => "same-file",
        }
    }

    /// Whether somebody asked for exactly this.
    pub(crate) fn is_named(self) -> bool {
        matches!(self, Self::Focus | Self::Here)
    }
}

/// How something hangs together with a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hop {
    /// An edge of the graph.
    Edge(Edge),
    /// Both stand in this file.
    Beside(String),
}

/// What may go into a pack.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) place: Place,
    pub(crate) section: SectionType,
    pub(crate) rule: Rule,
    pub(crate) seed: Points,
    pub(crate) distance: u32,
    pub(crate) evidence: Points,
    pub(crate) path: Vec<Hop>,
}

impl Candidate {
    /// All that is known, as one number.
    pub(crate) fn hybrid(&self) -> Points {
        Points::hybrid(self.seed, self.distance, self.evidence)
    }

    /// What it stands for: its symbol, or else its chunk.
    pub(crate) fn identity(&self) -> &str {
        self.place.symbol_id.as_deref().unwrap_or(&self.place.chunk_uid)
    }
}

/// The type of an edge in a pack.
pub(crate) fn edge_type(kind: EdgeKind) -> EdgeType {
    match kind {
        EdgeKind::Calls => EdgeType::Call,
        // Packs do not follow what changes together: the history is no part of what decides over them.
        EdgeKind::Uses | EdgeKind::Extends | EdgeKind::Implements | EdgeKind::Together => {
            EdgeType::Usage
        },
        EdgeKind::Imports => EdgeType::Import,
        EdgeKind::Exports => EdgeType::Export,
        EdgeKind::Dataflow => EdgeType::Dataflow,
        EdgeKind::Tests => EdgeType::Test,
        EdgeKind::Mentions => EdgeType::Mention,
        EdgeKind::Contains => EdgeType::Contain,
    }
}

/// What kind of evidence an edge has, where it has any.
pub(crate) fn evidence_kind(edge: &Edge) -> Option<EvidenceKind> {
    if matches!(edge.provenance, Provenance::Scip | Provenance::Lsp) {
        return Some(EvidenceKind::Tooling);
    }
    edge.evidence.as_ref()?;
    Some(match edge.kind {
        EdgeKind::Calls => EvidenceKind::Callsite,
        EdgeKind::Uses | EdgeKind::Extends | EdgeKind::Implements | EdgeKind::Mentions => {
            EvidenceKind::Identifier
        },
        EdgeKind::Imports | EdgeKind::Exports => EvidenceKind::ImportStmt,
        EdgeKind::Contains | EdgeKind::Dataflow | EdgeKind::Tests | EdgeKind::Together => {
            EvidenceKind::Span
        },
    })
}

/// What an edge lacks to be told as a fact; none where it is one.
pub(crate) fn lacks(edge: &Edge, expansion: &Expansion) -> Option<String> {
    let has_evidence =
        evidence_kind(edge).is_some_and(|kind| expansion.evidence_kinds.contains(&kind));
    if !has_evidence {
        return Some("no evidence of a kind that counts".to_owned());
    }
    (edge.candidates > 1).then(|| format!("one of {} that the name may mean", edge.candidates))
}

/// How sure an edge is: less where it is one of several, half where nothing shows it.
pub(crate) fn strength(edge: &Edge, expansion: &Expansion) -> Points {
    let sure = Points::new(u32::from(edge.confidence) * 100).divided(edge.candidates);
    let shown = evidence_kind(edge).is_some_and(|kind| expansion.evidence_kinds.contains(&kind));
    if shown { sure } else { sure.divided(2) }
}
