//! The answer to a question (`gik ask --json`), the log of questions (`asks/ask.log.jsonl`) and how long answers of other
//! tools were (`asks/answers.jsonl`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AskKgResult, Extra, MemoryScope, MemorySource, Timestamp};

/// Everything an answer stands on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskContextBundle {
    /// `HEAD` of the branch when the question was asked.
    pub revision_id: String,
    /// The question as typed.
    pub question: String,
    /// The bases that were asked for.
    pub bases: Vec<String>,
    /// The evidence, best first.
    pub rag_chunks: Vec<RagChunk>,
    /// Parts of the knowledge graph around the evidence; empty where there is none.
    pub kg_results: Vec<AskKgResult>,
    /// Memory entries that match, best first.
    pub memory_events: Vec<MemoryEvent>,
    /// Commits that answer a question for reasons, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commit_events: Vec<CommitEvent>,
    /// What the workspace is made of.
    pub stack_summary: StackSummary,
    /// How current the answer is.
    pub freshness: Freshness,
    /// How much of the workspace the answer could see.
    pub coverage: Coverage,
    /// How it was made.
    pub debug: AskDebug,
    /// Why a file is not among the evidence, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<WhyNot>,
    /// What a budget was spent on, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetUse>,
}

/// What a budget was spent on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetUse {
    /// The budget, in tokens of about four bytes.
    pub tokens: u64,
    /// What the answer takes of it; never more.
    pub used: u64,
    /// Pieces of evidence that are there with less than was asked for.
    pub shortened: u64,
    /// Pieces of evidence that did not fit at all, best first.
    pub left_out: Vec<LeftOut>,
    /// Memory entries that did not fit.
    pub memory_left_out: u64,
    /// Commits that did not fit.
    pub commits_left_out: u64,
}

/// A piece of evidence that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Its file.
    pub path: String,
    /// First line of the chunk.
    pub start_line: u64,
    /// Last line of the chunk.
    pub end_line: u64,
}

/// Why a file is not among what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyNot {
    /// The file.
    pub path: String,
    /// What became of it.
    pub verdict: WhyNotVerdict,
    /// The same in a sentence.
    pub reason: String,
    /// Its place among all that was found, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    /// The score of its best chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What made that score.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<SignalValue>,
}

/// What became of a file that was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WhyNotVerdict {
    /// It is among what was found.
    Found,
    /// It is not in the index.
    NotIndexed,
    /// A condition of the question leaves it out.
    Filtered,
    /// It has no word of the question.
    NoWord,
    /// It has words of the question, but not what must occur, or what must not.
    HardParts,
    /// Others are better.
    Lower,
}

/// One piece of evidence: lines of a file as they are now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RagChunk {
    /// The base it comes from.
    pub base: String,
    /// Combined relevance; comparable within one answer.
    pub score: f64,
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// First line of the snippet, counted from 1.
    pub start_line: u64,
    /// Last line of the snippet.
    pub end_line: u64,
    /// The lines.
    pub snippet: String,
    /// Vector similarity, where vectors were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dense_score: Option<f64>,
    /// Score of the re-ranking model, where one was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker_score: Option<f64>,
    /// The chunk's id, the same on every machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<String>,
    /// Qualified name or heading path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `function`, `struct`, `doc`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Language id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Words of the question that occur in it, in the form in which it has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<String>,
    /// Whether lines of the chunk were left out of the snippet.
    #[serde(default)]
    pub truncated: bool,
    /// `locations` or `signatures` where the snippet is not the text: nothing, or declarations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What made the score, where that was asked for: the values add up to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<SignalValue>,
}

/// What one signal adds to a score or takes from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignalValue {
    /// `words`, `filter`, `meaning`, `reranker`, `path`, `named`, `locality`, `definition`, `noise`, `docs`, `recent`, `together`,
    /// `file`, `again`.
    pub name: String,
    /// In the unit of the score.
    pub value: f64,
}

/// A memory entry that matches the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryEvent {
    /// The entry's id.
    pub id: String,
    /// Relevance; comparable among memory entries only.
    pub score: f64,
    /// Where it is visible.
    pub scope: MemoryScope,
    /// What it is.
    pub source: MemorySource,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its content.
    pub text: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// When it was written.
    pub created_at: Timestamp,
}

/// A commit of the repository that answers the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommitEvent {
    /// The full id of the commit.
    pub id: String,
    /// Relevance; comparable among commits only.
    pub score: f64,
    /// Who wrote it.
    pub author: String,
    /// When it was written.
    pub time: Timestamp,
    /// The first line of its message.
    pub subject: String,
    /// The rest of its message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Files that it changed, under the names that they have today; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// What the workspace is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StackSummary {
    /// Language ids, most files first.
    pub languages: Vec<String>,
    /// Frameworks by name.
    pub frameworks: Vec<String>,
    /// Services by name.
    pub services: Vec<String>,
    /// Package managers.
    pub managers: Vec<String>,
}

/// How current an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// Whether every tracked file was looked at and brought up to date for this answer.
    pub state: FreshnessState,
    /// Files indexed again for this answer.
    pub refreshed_files: u64,
    /// Whether the working tree has changes that no revision names yet.
    pub ahead_of_revision: bool,
}

/// Whether the index was brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FreshnessState {
    /// It was.
    Current,
    /// It could not be (another process was writing, or the tree is read-only); snippets are current all the same.
    Stale,
}

/// How much of the workspace an answer could see.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Files indexed.
    pub files: u64,
    /// Chunks indexed.
    pub chunks: u64,
    /// Files left out, per reason.
    pub skipped: BTreeMap<String, u64>,
}

/// How an answer was made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskDebug {
    /// The embedding model; null where only words were compared.
    pub embedding_model_id: Option<String>,
    /// The model that re-ranked the best candidates; absent where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker_model_id: Option<String>,
    /// The bases that had something to search.
    pub used_bases: Vec<String>,
    /// Bases of which some chunks have vectors and others have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub vector_coverage: BTreeMap<String, VectorCoverage>,
    /// Milliseconds per step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub timings: BTreeMap<String, f64>,
}

/// How many chunks of a base have a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorCoverage {
    /// Chunks of the base.
    pub chunks: u64,
    /// Those with a vector.
    pub vectors: u64,
}

/// One line of `asks/ask.log.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskLogEntry {
    /// When.
    pub timestamp: Timestamp,
    /// On which branch.
    pub branch: String,
    /// The question as typed.
    pub question: String,
    /// The bases that were queried.
    pub bases: Vec<String>,
    /// Chunks returned.
    pub total_hits: u64,
    /// Where the whole answer was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_path: Option<String>,
    /// Length of the answer as JSON, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_bytes: Option<u64>,
    /// Length of all files that the evidence comes from, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_bytes: Option<u64>,
    /// How many files that are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One line of `asks/answers.jsonl`: the length of one answer, and what it is compared with. What was asked is not told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerLogEntry {
    /// When.
    pub timestamp: Timestamp,
    /// The tool that answered.
    pub tool: String,
    /// Length of the answer as JSON, in bytes.
    pub answer_bytes: u64,
    /// Length of what would have been read without it, in bytes.
    pub instead_bytes: u64,
    /// How many files the answer tells of.
    pub files: u64,
    /// Fields of later versions.
    #[serde(flatten)]
    pub extra: Extra,
}
