//! What goes with an answer beside the files: what is remembered, and what the workspace is made of.

use gik_base::{Result, hash};
use gik_contract::ask::{MemoryEvent, StackSummary};
use gik_contract::{StackStats, StackTechEntry};
use gik_index::{ChunkNo, Document, FileNo, Query, RankedDocument, Score, rank_documents};
use gik_ledger::jsonl;

use super::rounded;
use crate::Workspace;
use crate::conditions::Conditions;

/// Memory entries that match, best first. They are few, so they are ranked without an index: never stale.
pub(crate) fn memory_events(
    ws: &Workspace<'_>,
    query: &Query,
    conditions: &Conditions,
    limit: usize,
) -> Result<Vec<MemoryEvent>> {
    let global = ws.global_memory();
    let mut entries =
        gik_ledger::memory::visible_memory(&ws.knowledge, ws.branch.name(), global.as_ref())?;
    entries.retain(|located| conditions.take_memory(&located.entry));
    let texts: Vec<(String, String)> = entries
        .iter()
        .map(|located| {
            (located.entry.title.clone().unwrap_or_default(), located.entry.tags.join(" "))
        })
        .collect();
    let documents: Vec<Document<'_>> = entries
        .iter()
        .zip(&texts)
        .map(|(located, (title, tags))| Document {
            chunk: ChunkNo(0),
            file: FileNo(0),
            labels: 0,
            tie: hash::fast64(located.entry.id.as_bytes()),
            fields: [title, "", tags, "", &located.entry.text],
        })
        .collect();
    let ranked = if query.is_empty() && conditions.demand_something() {
        let all = documents.iter().enumerate().take(limit);
        all.map(|(index, _)| RankedDocument { index, score: Score(0), matched: 0, opening: 0 })
            .collect()
    } else {
        rank_documents(&documents, query, limit)
    };
    Ok(ranked
        .into_iter()
        .map(|ranked| {
            let entry = &entries[ranked.index].entry;
            MemoryEvent {
                id: entry.id.clone(),
                score: rounded(ranked.score.as_f64()),
                scope: entry.scope,
                source: entry.source,
                title: entry.title.clone(),
                text: entry.text.clone(),
                tags: entry.tags.clone(),
                created_at: entry.created_at,
            }
        })
        .collect())
}

/// What the workspace is made of, as the last commit or `add` saw it.
pub(crate) fn stack_summary(ws: &Workspace<'_>) -> StackSummary {
    let dir = ws.branch.stack_dir();
    // The inventory is derived: when it cannot be read the answer does without.
    let stats: Option<StackStats> = jsonl::read_json(&dir.join("stats.json")).unwrap_or(None);
    let tech: Vec<StackTechEntry> = jsonl::read_lines(&dir.join("tech.jsonl")).unwrap_or_default();
    let named = |kind: &str| -> Vec<String> {
        tech.iter().filter(|entry| entry.kind == kind).map(|entry| entry.name.clone()).collect()
    };
    let mut languages: Vec<(String, u64)> = stats
        .as_ref()
        .map(|stats| stats.languages.clone().into_iter().collect())
        .unwrap_or_default();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    StackSummary {
        languages: languages.into_iter().map(|(language, _)| language).collect(),
        frameworks: named("framework"),
        services: named("service"),
        managers: stats.map(|stats| stats.managers).unwrap_or_default(),
    }
}
