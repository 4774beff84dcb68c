//! What a pack says about itself: what came in by which rule, what did not and why, and what is not known.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SectionType;

/// What came in, what did not, and what is not known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExplainEnvelope {
    /// How many items each rule brought.
    pub included: Vec<RuleCount>,
    /// What was found and left out, the best first; at most a hundred.
    pub dropped: Vec<DroppedItem>,
    /// How many more were left out than are listed.
    pub dropped_more: u64,
    /// Where an edge that is told has no evidence, or is one of several that are possible.
    pub gaps: Vec<EvidenceGap>,
    /// How many more gaps there are than are listed.
    pub gaps_more: u64,
    /// Sections without items, and why.
    pub empty_sections: Vec<EmptySection>,
    /// What else the reader should know: budgets above their caps, limits that were hit, texts that changed.
    pub notes: Vec<String>,
}

/// How many items a rule brought into a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// The section.
    pub section: SectionType,
    /// How many.
    pub items: u64,
}

/// What was found and left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DroppedItem {
    /// The section it was for.
    pub section: SectionType,
    /// The rule that brought it.
    pub rule: String,
    /// The symbol, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    /// The chunk.
    pub chunk_uid: String,
    /// Its file.
    pub file_rel_path: String,
    /// Its first line.
    pub line: u32,
    /// Why.
    pub reason: DropReason,
    /// Which budget, or which edge.
    pub detail: String,
}

/// Why something was left out.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum DropReason {
    /// It did not fit.
    Budget,
    /// Required evidence is missing.
    NoEvidence,
    /// Its text is in the pack already.
    Duplicate,
    /// It has no text that can be shown: it changed since, or is not indexed.
    Unsupported,
}

/// An edge that is told without being sure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceGap {
    /// The section of the item that it brought.
    pub section: SectionType,
    /// The item's chunk.
    pub chunk_uid: String,
    /// Who calls, imports, names.
    pub from: String,
    /// Who is called, imported, named.
    pub to: String,
    /// What is missing.
    pub missing: String,
}

/// A section without items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmptySection {
    /// The section.
    pub section: SectionType,
    /// Why it is empty.
    pub reason: String,
}

/// Numbers about a pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextPackStats {
    /// Items in all sections.
    pub items: u64,
    /// Items per section.
    pub sections: BTreeMap<SectionType, u64>,
    /// Left out, per reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Whether a budget left something out.
    pub is_cut: bool,
    /// So many edges from a seed at most.
    pub max_hop: u32,
    /// Tokens of the pack as Markdown.
    pub tokens: u64,
    /// UTF-16 code units of the pack as Markdown.
    pub chars: u64,
    /// Bytes of all excerpts.
    pub excerpt_bytes: u64,
    /// Nodes of the graph that were looked at.
    pub nodes_visited: u64,
    /// Edges of the graph that were looked at.
    pub edges_visited: u64,
}
