//! What a pack was asked for, in normal form: every default filled in, every cap applied.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a pack was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackRequest {
    /// The repository: the address it is fetched from, without its scheme, or `workspace`.
    pub repo_id: String,
    /// The folder of the index, from the workspace on. It is no part of the key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub index_root: String,
    /// What the index is made of.
    pub index_signature: String,
    /// The question; empty where only a focus was named.
    pub query: String,
    /// Which texts are asked.
    pub seed_mode: SeedMode,
    /// What finds the seeds.
    pub seed_provider: SeedProvider,
    /// What the pack is for.
    pub intent: Intent,
    /// What it is about.
    pub focus: Focus,
    /// How far the graph is followed.
    pub expansion: Expansion,
    /// How large it may be.
    pub budgets: Budgets,
    /// What comes first.
    pub ordering: Ordering,
    /// What happens where evidence is missing.
    pub strictness: Strictness,
    /// Whether the pack says why.
    pub include_explain: bool,
}

/// Which texts are asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeedMode {
    /// Code.
    Code,
    /// Documents.
    Prose,
    /// Both.
    #[default]
    Mixed,
}

/// What finds the seeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SeedProvider {
    /// Words.
    Sparse,
    /// The full-text table of SQLite.
    Fts,
    /// Vectors.
    Ann,
    /// Words and vectors.
    #[default]
    Hybrid,
}

/// What a pack is for.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Intent {
    /// Answering a question.
    #[default]
    Answer,
    /// Telling what something is.
    Summarize,
    /// Changing how something is built.
    Refactor,
    /// Finding out what goes wrong.
    Debug,
    /// Finding out what a change touches: the graph comes before what was found by words.
    Impact,
    /// Finding out what others rely on.
    Contract,
}

/// What a pack is about; at most one of the ids, and where the reader is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Focus {
    /// A symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    /// A chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<String>,
    /// A file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<String>,
    /// Where the reader is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<Here>,
}

/// Where the reader is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Here {
    /// The file.
    pub file_rel_path: String,
    /// The line, from 1.
    pub line: u32,
}

/// How far the graph is followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Expansion {
    /// So many edges away at most.
    pub max_hops: u32,
    /// Along these.
    pub edge_types: Vec<EdgeType>,
    /// To what a seed names, to what names a seed, or both.
    pub direction: Direction,
    /// Whether what stands beside a seed in its file is related.
    pub include_same_file_neighbors: bool,
    /// Whether imports are followed.
    pub include_imports: bool,
    /// Whether exports are followed.
    pub include_exports: bool,
    /// Whether the flow of values is followed.
    pub include_dataflow: bool,
    /// Whether `strict` leaves out what has no evidence.
    pub require_evidence: bool,
    /// What counts as evidence.
    pub evidence_kinds: Vec<EvidenceKind>,
}

/// A kind of edge.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum EdgeType {
    /// A function calls another one.
    Call,
    /// A symbol is named.
    Usage,
    /// A file imports.
    Import,
    /// A file hands on.
    Export,
    /// A value flows.
    Dataflow,
    /// A test looks at its subject.
    Test,
    /// A document names code.
    Mention,
    /// One holds the other, or both stand in one file.
    Contain,
}

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// To what is named: callees.
    Out,
    /// To what names: callers.
    In,
    /// Both.
    #[default]
    Both,
}

/// What shows that an edge is there.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceKind {
    /// A call in the text.
    Callsite,
    /// A name in the text.
    Identifier,
    /// An import in the text.
    ImportStmt,
    /// Another place in the text.
    Span,
    /// A compiler or language server said so.
    Tooling,
}

/// How large a pack may be. Tokens and characters are those of the pack as Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Budgets {
    /// UTF-16 code units.
    pub max_total_chars: u64,
    /// Tokens of the named tokenizer.
    pub max_total_tokens: u64,
    /// Items in all sections.
    pub max_items: u64,
    /// Items in each section.
    pub max_items_per_section: u64,
    /// Bytes of the excerpt of an item.
    pub max_bytes_per_item: u64,
}

/// What comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ordering {
    /// What decides before anything else.
    pub primary: OrderBy,
    /// What decides between equals.
    pub stable_tie_breakers: Vec<TieBreaker>,
}

/// What decides before anything else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum OrderBy {
    /// What retrieval says.
    SeedScore,
    /// The nearest first.
    GraphDistance,
    /// The surest first.
    GraphEvidence,
    /// All of them together.
    #[default]
    HybridScore,
}

/// What decides between equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TieBreaker {
    /// The id of the symbol; what has none comes last.
    SymbolId,
    /// The id of the chunk.
    ChunkUid,
    /// The path.
    FileRelPath,
    /// The first line.
    StartLine,
}

/// What happens where evidence is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Strictness {
    /// What lacks required evidence is left out; a budget above its cap is refused.
    Strict,
    /// It is kept and told.
    #[default]
    Warn,
    /// It is kept.
    Loose,
}
