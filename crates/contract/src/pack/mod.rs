//! `packs/context_packs.jsonl` and `gik pack --json`: a bundle of context that fits a budget and says why.

mod explain;
mod item;
mod request;
mod summary;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Timestamp;

pub use explain::{
    ContextPackStats, DropReason, DroppedItem, EmptySection, EvidenceGap, ExplainEnvelope,
    RuleCount,
};
pub use item::{
    ContextItem, CutBy, EvidenceNote, Excerpt, ItemKind, Lines, PathStep, Scores, Truncation,
    Utf16Range, Why,
};
pub use request::{
    Budgets, Direction, EdgeType, EvidenceKind, Expansion, Focus, Here, Intent, OrderBy, Ordering,
    PackRequest, SeedMode, SeedProvider, Strictness, TieBreaker,
};
pub use summary::{PackSummary, SummaryLevel};

/// A bundle of context. The same index and request give the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextPack {
    /// [`ContextPack::FORMAT_VERSION`].
    pub format_version: u32,
    /// [`ContextPack::SCHEMA`].
    pub schema: String,
    /// [`ContextPack::SCHEMA_VERSION`].
    pub schema_version: String,
    /// What the index is made of.
    pub index_signature: String,
    /// From the index and the request.
    pub pack_id: String,
    /// When the indexed revision was made.
    pub created_at: Timestamp,
    /// What was asked for, in normal form.
    pub request: PackRequest,
    /// How large it may be, and what counts tokens.
    pub budgets: BudgetsResolved,
    /// What the graph was followed from.
    pub seeds: Vec<SeedEntry>,
    /// All ten, in the order of [`SectionType::ALL`].
    pub sections: Vec<ContextSection>,
    /// The items in the order in which the budgets were spent on them. A larger budget adds to its end.
    pub reading_order: Vec<ItemPlace>,
    /// What a pack for an editor does not show of the reader's file, folder and project, told in outlines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<PackSummary>,
    /// Why, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<ExplainEnvelope>,
    /// Numbers.
    pub stats: ContextPackStats,
}

impl ContextPack {
    /// The version of the record.
    pub const FORMAT_VERSION: u32 = 1;
    /// The name of the record.
    pub const SCHEMA: &'static str = "ContextPack";
    /// The version of its fields.
    pub const SCHEMA_VERSION: &'static str = "1.0.0";
}

/// The budgets that held, and what counts tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetsResolved {
    /// The limits.
    #[serde(flatten)]
    pub limits: Budgets,
    /// The tokenizer.
    pub tokenizer: String,
}

/// What the graph was followed from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeedEntry {
    /// The rule that brought it.
    pub rule: String,
    /// The symbol, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    /// The chunk.
    pub chunk_uid: String,
    /// Its file.
    pub file_rel_path: String,
    /// Where it stands, in UTF-16 code units.
    pub range: Utf16Range,
    /// Its lines.
    pub lines: Lines,
    /// What retrieval says.
    pub scores: SeedScores,
}

/// What retrieval says of a seed; four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeedScores {
    /// Compared with the best one, which has 1.
    pub seed_score: f64,
    /// Of its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lexical: Option<f64>,
    /// Of its meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dense: Option<f64>,
}

/// Items of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextSection {
    /// What they are.
    #[serde(rename = "type")]
    pub section: SectionType,
    /// The best first.
    pub items: Vec<ContextItem>,
}

/// An item by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemPlace {
    /// Its section.
    pub section: SectionType,
    /// Its place in the section, from 0.
    pub item: u32,
}

/// What the items of a section are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SectionType {
    /// What was found or named.
    Seeds,
    /// Who calls it.
    Callers,
    /// What it calls.
    Callees,
    /// What its files import.
    Imports,
    /// What its files hand on, and to whom.
    Exports,
    /// Who names it.
    Usages,
    /// Where its values come from and go.
    Dataflow,
    /// Which tests look at it.
    Tests,
    /// Which documents speak of it.
    Docs,
    /// What is near it otherwise.
    Related,
}

impl SectionType {
    /// Every section, in the order of a pack.
    pub const ALL: [Self; 10] = [
        Self::Seeds,
        Self::Callers,
        Self::Callees,
        Self::Imports,
        Self::Exports,
        Self::Usages,
        Self::Dataflow,
        Self::Tests,
        Self::Docs,
        Self::Related,
    ];

    /// The name in the record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seeds => "seeds",
            Self::Callers => "callers",
            Self::Callees => "callees",
            Self::Imports => "imports",
            Self::Exports => "exports",
            Self::Usages => "usages",
            Self::Dataflow => "dataflow",
            Self::Tests => "tests",
            Self::Docs => "docs",
            Self::Related => "related",
        }
    }
}

/// `packs/context_packs.meta.json`: where the records are, and which index they belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextPacksMeta {
    /// [`ContextPack::FORMAT_VERSION`].
    pub format_version: u32,
    /// The index that all records belong to.
    pub index_signature: String,
    /// A shard ends when it would be larger.
    pub max_shard_bytes: u64,
    /// Records in all shards.
    pub records: u64,
    /// The files, in order.
    pub shards: Vec<ContextPackShard>,
}

/// One file of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextPackShard {
    /// The name of the file in its folder.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// Its records.
    pub records: u64,
}
