//! Which entries a pruning policy lets go, and why. Pure.

use gik_contract::{MemoryEntry, MemoryPruningPolicy, Timestamp};

use crate::memory::estimated_tokens;

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// An entry to be pruned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PruneDecision {
    /// The entry.
    pub id: String,
    /// Every rule that applies, one sentence each, without a final period.
    pub reasons: Vec<String>,
}

/// What to prune, in the order of the file. Any rule is enough. Age and tags come first; the two limits count what
/// those leave, and let go the oldest.
pub fn plan_prune(
    entries: &[MemoryEntry],
    policy: &MemoryPruningPolicy,
    now: Timestamp,
) -> Vec<PruneDecision> {
    let mut reasons: Vec<Vec<String>> =
        entries.iter().map(|entry| own_reasons(entry, policy, now)).collect();

    let mut kept: Vec<usize> = (0..entries.len()).filter(|&at| reasons[at].is_empty()).collect();
    kept.sort_by_key(|&at| (entries[at].created_at, at));
    // From here on the newest are first, and the limits cut the end.
    kept.reverse();

    if let Some(limit) = policy.max_entries {
        while kept.len() as u64 > limit
            && let Some(at) = kept.pop()
        {
            let entries = if limit == 1 { "entry" } else { "entries" };
            reasons[at].push(format!("there are more than {limit} {entries} and it is the oldest"));
        }
    }
    if let Some(limit) = policy.max_estimated_tokens {
        let mut tokens: u64 = kept.iter().map(|&at| estimated_tokens(&entries[at].text)).sum();
        while tokens > limit
            && let Some(at) = kept.pop()
        {
            tokens -= estimated_tokens(&entries[at].text);
            reasons[at]
                .push(format!("there are more than {limit} estimated tokens and it is the oldest"));
        }
    }

    entries
        .iter()
        .zip(reasons)
        .filter(|(_, reasons)| !reasons.is_empty())
        .map(|(entry, reasons)| PruneDecision { id: entry.id.clone(), reasons })
        .collect()
}

fn own_reasons(entry: &MemoryEntry, policy: &MemoryPruningPolicy, now: Timestamp) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(days) = policy.max_age_days {
        let age = now.as_second().saturating_sub(entry.created_at.as_second());
        let limit = i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(SECONDS_PER_DAY);
        if age > limit {
            reasons.push(format!("it is {} days old, more than {days}", age / SECONDS_PER_DAY));
        }
    }
    for tag in policy.obsolete_tags.iter().flatten() {
        if entry.tags.contains(tag) {
            reasons.push(format!("it has the tag `{tag}`"));
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four entries: 10, 20, 30 and 40 days old at `NOW`, of 1, 2, 3 and 4 tokens.
    fn entries() -> Vec<MemoryEntry> {
        let entry = crate::tests::memory;
        vec![
            entry("d10", "2025-03-22T00:00:00Z", "xxxx", &["fresh"]),
            entry("d40", "2025-02-20T00:00:00Z", &"x".repeat(16), &["obsolete", "wrong"]),
            entry("d20", "2025-03-12T00:00:00Z", &"x".repeat(8), &[]),
            entry("d30", "2025-03-02T00:00:00Z", &"x".repeat(12), &["deprecated"]),
        ]
    }

    fn pruned(policy: &str) -> Vec<(String, usize)> {
        let policy: MemoryPruningPolicy = serde_json::from_str(policy).unwrap();
        plan_prune(&entries(), &policy, "2025-04-01T00:00:00Z".parse().unwrap())
            .into_iter()
            .map(|decision| (decision.id, decision.reasons.len()))
            .collect()
    }

    #[test]
    fn any_rule_is_enough_and_the_limits_count_what_is_left() {
        let table: [(&str, &[(&str, usize)]); 12] = [
            ("{}", &[]),
            (r#"{"maxAgeDays":30}"#, &[("d40", 1)]),
            (r#"{"maxAgeDays":29}"#, &[("d40", 1), ("d30", 1)]),
            (r#"{"obsoleteTags":["deprecated"]}"#, &[("d30", 1)]),
            (r#"{"obsoleteTags":["wrong","obsolete"],"maxAgeDays":35}"#, &[("d40", 3)]),
            (r#"{"maxEntries":4}"#, &[]),
            (r#"{"maxEntries":2}"#, &[("d40", 1), ("d30", 1)]),
            (r#"{"maxEntries":0}"#, &[("d10", 1), ("d40", 1), ("d20", 1), ("d30", 1)]),
            (r#"{"maxEstimatedTokens":10}"#, &[]),
            (r#"{"maxEstimatedTokens":5}"#, &[("d40", 1), ("d30", 1)]),
            (r#"{"maxEntries":3,"obsoleteTags":["deprecated"]}"#, &[("d30", 1)]),
            (r#"{"maxEntries":3,"maxEstimatedTokens":3}"#, &[("d40", 1), ("d30", 1)]),
        ];
        for (policy, expected) in table {
            let expected: Vec<(String, usize)> =
                expected.iter().map(|&(id, reasons)| (id.to_owned(), reasons)).collect();
            assert_eq!(pruned(policy), expected, "{policy}");
        }
    }

    #[test]
    fn of_entries_of_the_same_second_the_earlier_line_goes_first() {
        let entry = |id| crate::tests::memory(id, "2025-01-01T00:00:00Z", "x", &[]);
        let policy = MemoryPruningPolicy { max_entries: Some(1), ..MemoryPruningPolicy::default() };
        let now = "2025-01-02T00:00:00Z".parse().unwrap();
        let decisions = plan_prune(&[entry("a"), entry("b")], &policy, now);
        assert_eq!(decisions.len(), 1);
        assert_eq!(decisions[0].id, "a");
    }

    #[test]
    fn reasons_are_sentences() {
        let policy: MemoryPruningPolicy =
            serde_json::from_str(r#"{"maxAgeDays":35,"obsoleteTags":["wrong"]}"#).unwrap();
        let decisions = plan_prune(&entries(), &policy, "2025-04-01T00:00:00Z".parse().unwrap());
        assert_eq!(
            decisions[0].reasons,
            ["it is 40 days old, more than 35", "it has the tag `wrong`"]
        );
    }
}
