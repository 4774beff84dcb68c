//! What the list of sources says: how many are pending, and whether one is there already. Pure.

use std::collections::BTreeMap;

use gik_contract::{PendingSource, SourceStatus, StagingSummary, Timestamp};

/// Counts the sources, as `summary.json` holds it. Pending and processing sources both wait for a commit.
pub fn summarize(pending: &[PendingSource], now: Timestamp) -> StagingSummary {
    let mut summary = StagingSummary {
        pending_count: 0,
        indexed_count: 0,
        failed_count: 0,
        by_base: BTreeMap::new(),
        last_updated_at: now,
    };
    for source in pending {
        match source.status {
            SourceStatus::Pending | SourceStatus::Processing => {
                summary.pending_count += 1;
                *summary.by_base.entry(source.base.clone()).or_default() += 1;
            },
            SourceStatus::Indexed => summary.indexed_count += 1,
            SourceStatus::Failed => summary.failed_count += 1,
        }
    }
    summary
}

/// Whether a source waits for a commit.
pub fn is_waiting(source: &PendingSource) -> bool {
    matches!(source.status, SourceStatus::Pending | SourceStatus::Processing)
}

/// Whether adding the source would change nothing: the last word about it that waits for a commit adds it.
pub fn is_duplicate(pending: &[PendingSource], branch: &str, base: &str, uri: &str) -> bool {
    last_waiting(pending, |source| {
        source.branch == branch && source.uri == uri && (source.base == base || source.is_removal())
    })
    .is_some_and(|source| !source.is_removal())
}

/// Whether removing the source would change nothing: the last word about it that waits for a commit removes it.
pub fn is_duplicate_removal(pending: &[PendingSource], branch: &str, uri: &str) -> bool {
    last_waiting(pending, |source| source.branch == branch && source.uri == uri)
        .is_some_and(PendingSource::is_removal)
}

fn last_waiting(
    pending: &[PendingSource],
    matches: impl Fn(&PendingSource) -> bool,
) -> Option<&PendingSource> {
    pending.iter().rev().find(|source| is_waiting(source) && matches(source))
}

#[cfg(test)]
mod tests {
    use gik_contract::SourceKind;

    use super::*;

    fn source(base: &str, uri: &str, status: SourceStatus) -> PendingSource {
        crate::tests::source(SourceKind::FilePath, base, uri, status)
    }

    #[test]
    fn sources_are_counted_per_status_and_the_waiting_ones_per_base() {
        let pending = [
            source("code", "a", SourceStatus::Pending),
            source("code", "b", SourceStatus::Processing),
            source("docs", "c", SourceStatus::Pending),
            source("docs", "d", SourceStatus::Indexed),
            source("notes", "e", SourceStatus::Failed),
        ];
        let now: Timestamp = "2025-11-27T18:05:00Z".parse().unwrap();
        assert_eq!(
            serde_json::to_value(summarize(&pending, now)).unwrap(),
            serde_json::json!({
                "pendingCount": 3,
                "indexedCount": 1,
                "failedCount": 1,
                "byBase": {"code": 2, "docs": 1},
                "lastUpdatedAt": "2025-11-27T18:05:00Z"
            })
        );
    }

    #[test]
    fn only_a_source_that_waits_is_a_duplicate() {
        let mut pending = vec![
            source("code", "a", SourceStatus::Indexed),
            source("code", "b", SourceStatus::Failed),
            source("code", "c", SourceStatus::Pending),
        ];
        assert!(!is_duplicate(&pending, "main", "code", "a"));
        assert!(!is_duplicate(&pending, "main", "code", "b"));
        assert!(is_duplicate(&pending, "main", "code", "c"));
        assert!(!is_duplicate(&pending, "main", "docs", "c"));
        assert!(!is_duplicate(&pending, "other", "code", "c"));

        assert!(!is_duplicate_removal(&pending, "main", "c"));
        let mut removal = source("auto", "c", SourceStatus::Pending);
        removal.metadata = Some(PendingSource::removal_metadata());
        pending.push(removal);
        assert!(is_duplicate_removal(&pending, "main", "c"));
        assert!(!is_duplicate(&pending, "main", "code", "c"), "adding it again undoes the removal");
    }
}
