//! Which revisions were asked for: by operation and by time. Pure.

use std::collections::BTreeSet;

use gik_base::clock::Timestamp;
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::{Revision, RevisionOperation};

use super::{Args, words};
use crate::moment::{self, Edge};

/// The operations of this version.
const OPERATIONS: [&str; 7] =
    ["Init", "Commit", "MemoryIngest", "MemoryPrune", "Reindex", "Release", "Custom"];

/// The asked operations in the form they are compared in. A name is known when this version or the timeline has it.
pub(super) fn operations(typed: &[String], timeline: &[Revision]) -> Result<BTreeSet<String>> {
    let mut wanted = BTreeSet::new();
    let names = typed.iter().flat_map(|list| list.split(',')).map(str::trim);
    for asked in names.filter(|asked| !asked.is_empty()) {
        let folded = fold(asked);
        let found = timeline.iter().flat_map(|revision| &revision.operations).map(words::name);
        let known: BTreeSet<&str> = OPERATIONS.into_iter().chain(found).collect();
        if !known.iter().any(|name| fold(name) == folded) {
            let listed: Vec<&str> = known.into_iter().collect();
            return Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("there is no operation `{asked}`"),
            )
            .hint(format!("use one of: {}", listed.join(", "))));
        }
        wanted.insert(folded);
    }
    Ok(wanted)
}

/// Whether an operation was asked for by its type or its own name.
pub(super) fn is_wanted(operation: &RevisionOperation, wanted: &BTreeSet<String>) -> bool {
    wanted.contains(&fold(operation.kind())) || wanted.contains(&fold(words::name(operation)))
}

/// `MemoryIngest`, `memory-ingest` and `memoryingest` are one name.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

/// The time span that was asked for; both ends belong to it.
#[derive(Debug)]
pub(super) struct Period {
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl Period {
    /// The span of `--since` and `--until`.
    pub(super) fn of(args: &Args, now: Timestamp) -> Result<Self> {
        let moment = |name: &str, typed: Option<&String>, edge: Edge| {
            typed.map(|typed| moment::parse(name, typed, edge, now)).transpose()
        };
        let since = moment("since", args.since.as_ref(), Edge::Start)?;
        let until = moment("until", args.until.as_ref(), Edge::End)?;
        if let (Some(since), Some(until)) = (since, until)
            && since > until
        {
            return Err(Failure::new(
                ErrorCode::ArgumentInvalid,
                format!("`--since` ({since}) is later than `--until` ({until})"),
            )
            .hint("swap the two"));
        }
        Ok(Self { since, until })
    }

    /// Whether a moment belongs to it.
    pub(super) fn holds(&self, time: Timestamp) -> bool {
        self.since.is_none_or(|since| since <= time) && self.until.is_none_or(|until| time <= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(operation: &str) -> Revision {
        serde_json::from_str(&format!(
            r#"{{"id":"r","parentId":null,"branch":"main","timestamp":"2025-11-27T00:00:00Z",
                "message":"m","operations":[{operation}]}}"#
        ))
        .unwrap()
    }

    #[test]
    fn operations_are_known_by_any_case_and_by_the_timeline() {
        let timeline = [
            revision(r#"{"type":"Later"}"#),
            revision(r#"{"type":"Custom","name":"memory-restore"}"#),
        ];
        let typed = |text: &str| operations(&[text.to_owned()], &timeline);
        let wanted = typed("commit, memory-INGEST,Later,memory-restore").unwrap();
        assert_eq!(wanted.len(), 4);
        assert!(is_wanted(&timeline[0].operations[0], &wanted));
        assert!(is_wanted(&timeline[1].operations[0], &typed("custom").unwrap()));

        let failure = typed("comit").unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
        assert!(failure.hints()[0].contains("Commit, Custom, Init, Later, MemoryIngest"));
    }

    #[test]
    fn a_period_holds_both_its_ends() {
        let args = Args {
            since: Some("2025-11-27".to_owned()),
            until: Some("2025-11-27".to_owned()),
            ..Args::default()
        };
        let period = Period::of(&args, Timestamp::UNIX_EPOCH).unwrap();
        let holds = |time: &str| period.holds(time.parse().unwrap());
        assert!(holds("2025-11-27T00:00:00Z") && holds("2025-11-27T23:59:59Z"));
        assert!(!holds("2025-11-26T23:59:59Z") && !holds("2025-11-28T00:00:00Z"));

        let swapped = Args { until: Some("2025-11-26".to_owned()), ..args };
        assert!(Period::of(&swapped, Timestamp::UNIX_EPOCH).is_err());
    }
}
