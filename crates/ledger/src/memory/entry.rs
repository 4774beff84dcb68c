//! What makes a memory entry valid, and how a new one gets its id. Pure.

use gik_base::collections::HashSet;
use gik_base::{ErrorCode, Failure, Result, hash};
use gik_contract::{Extra, MemoryEntry, MemoryScope, MemorySource, Timestamp};

/// What a new entry is made from.
#[derive(Debug, Clone)]
pub struct MemoryDraft {
    /// Where it is visible.
    pub scope: MemoryScope,
    /// What it is.
    pub source: MemorySource,
    /// A short summary.
    pub title: Option<String>,
    /// The content.
    pub text: String,
    /// Free words.
    pub tags: Vec<String>,
    /// The current branch; kept when the scope is `branch`.
    pub branch: Option<String>,
    /// The revision that is HEAD.
    pub origin_revision: Option<String>,
    /// 0 to 1.
    pub importance: Option<f64>,
}

/// A valid entry with an id that is not among `existing_ids`; fails with `MemoryInvalid` and says why.
pub fn new_entry(
    draft: MemoryDraft,
    existing_ids: &HashSet<String>,
    now: Timestamp,
) -> Result<MemoryEntry> {
    let title = draft.title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut tags: Vec<String> =
        draft.tags.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    tags.sort();
    tags.dedup();
    let mut entry = MemoryEntry {
        id: String::new(),
        created_at: now,
        updated_at: now,
        scope: draft.scope,
        source: draft.source,
        title: title.filter(|title| !title.is_empty()),
        text: draft.text.trim_start_matches(['\n', '\r']).trim_end().to_owned(),
        tags,
        branch: draft.branch.filter(|_| draft.scope == MemoryScope::Branch),
        origin_revision: draft.origin_revision,
        importance: draft.importance,
        extra: Extra::new(),
    };
    if let Some(problem) = problems(&entry).into_iter().next() {
        return Err(Failure::new(ErrorCode::MemoryInvalid, problem));
    }
    entry.id = fresh_id(&entry, existing_ids);
    Ok(entry)
}

/// What is wrong with an entry, apart from its id; sentences without a final period.
pub fn problems(entry: &MemoryEntry) -> Vec<String> {
    let mut problems = Vec::new();
    let title_chars = entry.title.as_deref().unwrap_or_default().chars().count();
    if title_chars > MemoryEntry::MAX_TITLE_CHARS {
        problems.push(format!(
            "the title has {title_chars} characters, at most {} are allowed",
            MemoryEntry::MAX_TITLE_CHARS
        ));
    }
    if entry.text.trim().is_empty() {
        problems.push("the text is empty".to_owned());
    }
    if let Some(importance) = entry.importance
        && !(0.0..=1.0).contains(&importance)
    {
        problems.push(format!("the importance is {importance}, not between 0 and 1"));
    }
    match (entry.scope, &entry.branch) {
        (MemoryScope::Branch, None) => {
            problems.push("the scope is `branch` but no branch is named".to_owned());
        },
        (MemoryScope::Project | MemoryScope::Global, Some(branch)) => problems.push(format!(
            "the scope is `{}` but branch `{branch}` is named",
            entry.scope.as_str()
        )),
        (MemoryScope::Branch, Some(_)) | (MemoryScope::Project | MemoryScope::Global, None) => {},
    }
    problems
}

fn fresh_id(entry: &MemoryEntry, existing_ids: &HashSet<String>) -> String {
    let created = entry.created_at.to_string();
    let mut attempt: u64 = 0;
    loop {
        let digest = hash::fast128_hex(&[
            entry.text.as_bytes(),
            entry.title.as_deref().unwrap_or_default().as_bytes(),
            created.as_bytes(),
            entry.scope.as_str().as_bytes(),
            entry.source.as_str().as_bytes(),
            entry.branch.as_deref().unwrap_or_default().as_bytes(),
            &attempt.to_le_bytes(),
        ]);
        let id = format!("mem-{}", &digest[..12]);
        if !existing_ids.contains(&id) {
            return id;
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2025-01-15T10:30:00Z".parse().unwrap()
    }

    fn draft() -> MemoryDraft {
        MemoryDraft {
            scope: MemoryScope::Project,
            source: MemorySource::Decision,
            title: Some("  Use\nGIK ".to_owned()),
            text: "\nWe do.\n".to_owned(),
            tags: ["tooling", " architecture ", "tooling", ""].map(str::to_owned).to_vec(),
            branch: Some("main".to_owned()),
            origin_revision: Some("r1".to_owned()),
            importance: Some(0.5),
        }
    }

    fn refused(change: impl FnOnce(&mut MemoryDraft)) -> String {
        let mut draft = draft();
        change(&mut draft);
        let failure = new_entry(draft, &HashSet::default(), now()).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::MemoryInvalid);
        failure.to_string()
    }

    #[test]
    fn an_entry_has_the_fields_of_the_contract() {
        let entry = new_entry(draft(), &HashSet::default(), now()).unwrap();
        assert!(entry.id.starts_with("mem-") && entry.id.len() == 16, "{}", entry.id);
        assert_eq!(
            serde_json::to_value(&entry).unwrap(),
            serde_json::json!({
                "id": entry.id,
                "createdAt": "2025-01-15T10:30:00Z",
                "updatedAt": "2025-01-15T10:30:00Z",
                "scope": "project",
                "source": "decision",
                "title": "Use GIK",
                "text": "We do.",
                "tags": ["architecture", "tooling"],
                "branch": null,
                "originRevision": "r1",
                "importance": 0.5
            })
        );
    }

    #[test]
    fn ids_are_made_of_the_content_and_never_taken_twice() {
        let first = new_entry(draft(), &HashSet::default(), now()).unwrap();
        let again = new_entry(draft(), &HashSet::default(), now()).unwrap();
        assert_eq!(first.id, again.id);
        let taken = HashSet::from_iter([first.id.clone()]);
        let second = new_entry(draft(), &taken, now()).unwrap();
        assert_ne!(first.id, second.id);
    }

    #[test]
    fn what_breaks_the_contract_is_refused_with_its_reason() {
        assert!(refused(|draft| draft.title = Some("ä".repeat(101))).contains("101 characters"));
        assert!(refused(|draft| " \n ".clone_into(&mut draft.text)).contains("empty"));
        assert!(refused(|draft| draft.importance = Some(1.1)).contains("importance"));
        assert!(refused(|draft| draft.importance = Some(f64::NAN)).contains("importance"));
        assert!(
            refused(|draft| {
                draft.scope = MemoryScope::Branch;
                draft.branch = None;
            })
            .contains("no branch")
        );
        let mut longest = draft();
        longest.title = Some("ä".repeat(100));
        new_entry(longest, &HashSet::default(), now()).unwrap();
    }

    #[test]
    fn the_branch_is_kept_for_the_scope_branch_only() {
        let mut draft = draft();
        draft.scope = MemoryScope::Branch;
        let entry = new_entry(draft, &HashSet::default(), now()).unwrap();
        assert_eq!(entry.branch.as_deref(), Some("main"));
    }
}
