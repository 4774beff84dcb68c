//! What a revision did, in words for people; and whether a base has a part in it.

use gik_contract::{Revision, RevisionOperation};
use serde_json::Value;

use crate::bases;
use crate::view::count;

/// The name of the custom operation that starts a branch from another one.
pub(in crate::tools) const BRANCH: &str = "branch";
/// The name of the custom operation that takes memory entries out of the archive.
pub(in crate::tools) const MEMORY_RESTORE: &str = "memory-restore";

/// The first eight characters of an id, which people read and `gik show` understands.
pub(in crate::tools) fn short(id: &str) -> &str {
    id.char_indices().nth(8).map_or(id, |(end, _)| &id[..end])
}

/// The first line of a message.
pub(in crate::tools) fn subject(message: &str) -> &str {
    message.trim_start().lines().next().unwrap_or_default()
}

/// One operation as part of a sentence.
pub(in crate::tools) fn in_words(operation: &RevisionOperation) -> String {
    match operation {
        RevisionOperation::Init => "started the branch".to_owned(),
        RevisionOperation::Commit { bases, .. } if bases.is_empty() => "indexed nothing".to_owned(),
        RevisionOperation::Commit { bases, source_count } => {
            format!("indexed {} in {}", count(*source_count, "source", "sources"), bases.join(", "))
        },
        RevisionOperation::MemoryIngest { count: entries } => {
            format!("remembered {}", count(*entries, "entry", "entries"))
        },
        RevisionOperation::MemoryPrune { count: entries, archived_count, deleted_count } => {
            format!(
                "pruned {}: {archived_count} archived, {deleted_count} deleted",
                count(*entries, "memory entry", "memory entries")
            )
        },
        RevisionOperation::Reindex { base, from_model_id, to_model_id } => {
            format!("indexed {base} anew, from model {from_model_id} to {to_model_id}")
        },
        RevisionOperation::Release { tag: Some(tag) } => format!("released {tag}"),
        RevisionOperation::Release { tag: None } => "released".to_owned(),
        RevisionOperation::Custom { name, data } => custom_in_words(name, data.as_ref()),
        RevisionOperation::Unknown(_) => {
            format!("{}, which this version does not know", operation.kind())
        },
    }
}

fn custom_in_words(name: &str, data: Option<&Value>) -> String {
    let field = |key: &str| data.and_then(|data| data.get(key));
    let text = |key: &str| field(key).and_then(Value::as_str);
    match name {
        BRANCH => match (text("from"), text("revision")) {
            (Some(from), Some(revision)) => {
                format!("started the branch from {from} at {}", short(revision))
            },
            _ => "started the branch from another one".to_owned(),
        },
        MEMORY_RESTORE => {
            let entries = field("count").and_then(Value::as_u64).unwrap_or_default();
            format!("restored {}", count(entries, "memory entry", "memory entries"))
        },
        _ => match data {
            Some(data) => format!("{name} {data}"),
            None => name.to_owned(),
        },
    }
}

/// The operations of a revision by name, the custom ones by their own: `Commit, branch`.
pub(super) fn names(revision: &Revision) -> String {
    let mut names: Vec<&str> = revision.operations.iter().map(name).collect();
    // One operation per base of the same kind is one thing to a reader.
    names.dedup();
    names.join(", ")
}

/// The name an operation goes by.
pub(super) fn name(operation: &RevisionOperation) -> &str {
    match operation {
        RevisionOperation::Custom { name, .. } => name,
        RevisionOperation::Init
        | RevisionOperation::Commit { .. }
        | RevisionOperation::MemoryIngest { .. }
        | RevisionOperation::MemoryPrune { .. }
        | RevisionOperation::Reindex { .. }
        | RevisionOperation::Release { .. }
        | RevisionOperation::Unknown(_) => operation.kind(),
    }
}

/// Whether an operation changed a base.
pub(super) fn touches(operation: &RevisionOperation, base: &str) -> bool {
    match operation {
        RevisionOperation::Commit { bases, .. } => bases.iter().any(|name| name == base),
        RevisionOperation::Reindex { base: name, .. } => name == base,
        RevisionOperation::MemoryIngest { .. } | RevisionOperation::MemoryPrune { .. } => {
            base == bases::MEMORY
        },
        RevisionOperation::Custom { name, .. } => name == MEMORY_RESTORE && base == bases::MEMORY,
        RevisionOperation::Unknown(fields) => {
            let is_listed = |bases: &Vec<Value>| bases.iter().any(|name| name == base);
            fields.get("base").is_some_and(|name| name == base)
                || fields.get("bases").and_then(Value::as_array).is_some_and(is_listed)
        },
        RevisionOperation::Init | RevisionOperation::Release { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(json: &str) -> RevisionOperation {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn every_operation_has_words() {
        let cases = [
            (r#"{"type":"Init"}"#, "started the branch"),
            (
                r#"{"type":"Commit","bases":["code","docs"],"sourceCount":42}"#,
                "indexed 42 sources in code, docs",
            ),
            (r#"{"type":"MemoryIngest","count":1}"#, "remembered 1 entry"),
            (
                r#"{"type":"MemoryPrune","count":10,"archivedCount":7,"deletedCount":3}"#,
                "pruned 10 memory entries: 7 archived, 3 deleted",
            ),
            (
                r#"{"type":"Reindex","base":"code","fromModelId":"a","toModelId":"b"}"#,
                "indexed code anew, from model a to b",
            ),
            (r#"{"type":"Release","tag":"v0.1.0"}"#, "released v0.1.0"),
            (
                r#"{"type":"Custom","name":"branch","data":{"from":"main","revision":"0123456789"}}"#,
                "started the branch from main at 01234567",
            ),
            (
                r#"{"type":"Custom","name":"memory-restore","data":{"count":2,"ids":[]}}"#,
                "restored 2 memory entries",
            ),
            (r#"{"type":"Custom","name":"mine","data":{"key":1}}"#, r#"mine {"key":1}"#),
            (r#"{"type":"Later","x":1}"#, "Later, which this version does not know"),
        ];
        for (json, words) in cases {
            assert_eq!(in_words(&operation(json)), words);
        }
    }

    #[test]
    fn operations_of_later_versions_are_filtered_by_the_bases_they_name() {
        assert!(touches(&operation(r#"{"type":"Later","bases":["docs"]}"#), "docs"));
        assert!(touches(&operation(r#"{"type":"Later","base":"docs"}"#), "docs"));
        assert!(!touches(&operation(r#"{"type":"Later"}"#), "docs"));
        assert!(touches(&operation(r#"{"type":"MemoryIngest","count":1}"#), "memory"));
    }

    #[test]
    fn ids_are_cut_between_characters() {
        assert_eq!(short("0123456789"), "01234567");
        assert_eq!(short("äöüäöüäöü"), "äöüäöüäö");
        assert_eq!(short("a1b2"), "a1b2");
    }
}
