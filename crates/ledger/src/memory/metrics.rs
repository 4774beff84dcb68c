//! How much there is in a memory folder. Pure.

use std::collections::BTreeMap;

use gik_contract::{MemoryEntry, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A memory folder in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryMetrics {
    /// Entries.
    pub entry_count: u64,
    /// Archived entries.
    pub archived_count: u64,
    /// Estimated tokens of all texts.
    pub estimated_tokens: u64,
    /// Characters of all texts.
    pub characters: u64,
    /// Entries per scope.
    pub by_scope: BTreeMap<String, u64>,
    /// Entries per source.
    pub by_source: BTreeMap<String, u64>,
    /// Entries per tag.
    pub by_tag: BTreeMap<String, u64>,
    /// When the oldest entry was written.
    pub oldest: Option<Timestamp>,
    /// When the newest entry was written.
    pub newest: Option<Timestamp>,
}

impl MemoryMetrics {
    /// Measures entries.
    pub fn of(entries: &[MemoryEntry], archived_count: u64) -> Self {
        let mut metrics =
            Self { entry_count: entries.len() as u64, archived_count, ..Self::default() };
        for entry in entries {
            metrics.estimated_tokens += estimated_tokens(&entry.text);
            metrics.characters += entry.text.chars().count() as u64;
            count(&mut metrics.by_scope, entry.scope.as_str());
            count(&mut metrics.by_source, entry.source.as_str());
            for tag in &entry.tags {
                count(&mut metrics.by_tag, tag);
            }
        }
        metrics.oldest = entries.iter().map(|entry| entry.created_at).min();
        metrics.newest = entries.iter().map(|entry| entry.created_at).max();
        metrics
    }
}

/// Tokens of a text as the pruning policy counts them: a quarter of its characters, rounded up.
pub fn estimated_tokens(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(4)
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    *counts.entry(name.to_owned()).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_quarters_of_characters_rounded_up() {
        let table = [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("äöüß", 1)];
        for (text, tokens) in table {
            assert_eq!(estimated_tokens(text), tokens, "{text}");
        }
    }

    #[test]
    fn metrics_count_by_scope_source_and_tag() {
        let entries = [
            crate::tests::memory("mem-1", "2025-01-02T00:00:00Z", "12345", &["a", "b"]),
            crate::tests::memory("mem-2", "2025-01-01T00:00:00Z", "äöü", &["a"]),
        ];
        assert_eq!(
            serde_json::to_value(MemoryMetrics::of(&entries, 7)).unwrap(),
            serde_json::json!({
                "entryCount": 2,
                "archivedCount": 7,
                "estimatedTokens": 3,
                "characters": 8,
                "byScope": {"project": 2},
                "bySource": {"manualNote": 2},
                "byTag": {"a": 2, "b": 1},
                "oldest": "2025-01-01T00:00:00Z",
                "newest": "2025-01-02T00:00:00Z"
            })
        );
    }
}
