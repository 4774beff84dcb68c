//! Nodes, edges and limits as they leave the process.

use gik_base::Result;
use gik_graph::walk::Cut;
use gik_graph::{Edge, Node};
use schemars::JsonSchema;
use serde::Serialize;

use crate::View;
use crate::kg::{Catalog, Place};
use crate::view::{Style, count};

/// A file or symbol.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// As in `kg/nodes.jsonl`.
    pub id: String,
    /// The path of a file, the qualified name of a symbol.
    pub name: String,
    /// `file`, `function`, `struct`, …
    pub kind: String,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// The first line of a symbol, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The id that `gik def` and `gik refs` take as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
}

impl NodeView {
    pub(crate) fn of(catalog: &mut Catalog<'_>, node: Node) -> Result<Self> {
        let Place { id, name, kind, path, line, symbol_id } = catalog.place(node)?;
        Ok(Self { id, name, kind, path, line, symbol_id })
    }

    /// `src/store.rs:12 Store::open`, or the path of a file.
    pub(crate) fn told(&self, view: &View) -> String {
        let path = view.paint(Style::Name, &self.path);
        match self.line {
            Some(line) => {
                let line = view.paint(Style::Number, line);
                format!("{path}:{line} {}", view.plain(&self.name))
            },
            None => path,
        }
    }
}

/// What connects two nodes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EdgeView {
    /// Id of who names the other.
    pub from: String,
    /// Id of who is named.
    pub to: String,
    /// `calls`, `imports`, …
    pub kind: String,
    /// How it is known: `syntax`, `import`, `type`, `scip`, `lsp` or `heuristic`.
    pub provenance: String,
    /// 0 to 1.
    pub confidence: f64,
    /// How many nodes the name may stand for: 1 for a fact, more where this is one of several candidates.
    pub candidates: u32,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceView>,
}

/// A place in a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceView {
    /// The file.
    pub path: String,
    /// The line, from 1; absent where the file changed meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl EdgeView {
    pub(crate) fn of(catalog: &mut Catalog<'_>, edge: &Edge) -> Result<Self> {
        let evidence = match &edge.evidence {
            Some(evidence) => {
                let (path, line) = catalog.evidence(evidence)?;
                Some(EvidenceView { path, line })
            },
            None => None,
        };
        Ok(Self {
            from: catalog.place(edge.from)?.id,
            to: catalog.place(edge.to)?.id,
            kind: edge.kind.as_str().to_owned(),
            provenance: edge.provenance.as_str().to_owned(),
            confidence: f64::from(edge.confidence) / 100.0,
            candidates: edge.candidates.max(1),
            evidence,
        })
    }

    /// Whether it is told as a fact.
    pub(crate) fn is_fact(&self) -> bool {
        self.candidates <= 1
    }

    /// `calls, by import, 90 %` or `may call (1 of 3), by heuristic`.
    pub(crate) fn told(&self) -> String {
        let sure = if self.confidence < 1.0 {
            format!(", {:.0} %", self.confidence * 100.0)
        } else {
            String::new()
        };
        let unsure = if self.is_fact() {
            String::new()
        } else {
            format!(", one of {} candidates", self.candidates)
        };
        let at = self.evidence.as_ref().map_or_else(String::new, EvidenceView::told);
        format!("{}{at} ({}{sure}{unsure})", self.kind, self.provenance)
    }
}

impl EvidenceView {
    fn told(&self) -> String {
        self.line.map_or_else(String::new, |line| format!(" at {}:{line}", self.path))
    }
}

/// The limits that cut an answer short, as sentences; empty where it is whole.
pub(crate) fn cuts(cut: Cut, depth: u32, nodes: u32) -> Vec<String> {
    let mut told = Vec::new();
    if cut.depth {
        told.push(format!("there is more beyond {}", count(u64::from(depth), "step", "steps")));
    }
    if cut.fan_out > 0 {
        let nodes = count(u64::from(cut.fan_out), "node has", "nodes have");
        told.push(format!("{nodes} more neighbours than were followed"));
    }
    if cut.nodes {
        told.push(format!("there are more than {}", count(u64::from(nodes), "node", "nodes")));
    }
    if cut.time {
        told.push("time ran out".to_owned());
    }
    told
}

/// Tells a person what was left out.
pub(crate) fn render_cuts(cuts: &[String], view: &mut View) {
    for cut in cuts {
        let note = view.paint(Style::Warning, format!("not all: {cut}"));
        view.line(note);
    }
}
