//! One section of the changelog: which revisions belong to it, in which group, and its Markdown. Pure.

use std::fmt::Write as _;

use gik_contract::{Revision, RevisionOperation, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use super::conventional::{Conventional, one_line};
use crate::tools::log::{BRANCH, MEMORY_RESTORE, short, subject};

/// The heading of a section without a tag.
pub(super) const UNRELEASED: &str = "Unreleased";

/// The groups in the order they are printed, after the breaking changes, with the types that belong to each.
const GROUPS: [(&str, &[&str]); 11] = [
    ("Features", &["feat", "feature"]),
    ("Fixes", &["fix", "bugfix", "hotfix"]),
    ("Performance", &["perf"]),
    ("Refactoring", &["refactor"]),
    ("Documentation", &["docs", "doc"]),
    ("Tests", &["test", "tests"]),
    ("Build", &["build", "deps"]),
    ("CI", &["ci"]),
    ("Chores", &["chore", "style"]),
    ("Reverts", &["revert"]),
    (OTHER, &[]),
];
const BREAKING: &str = "Breaking changes";
const OTHER: &str = "Other";

/// Around the revision in the invisible line that tells the next release where this one ended.
const MARK_START: &str = "<!-- gik revision ";
const MARK_END: &str = " -->";

/// One section of the changelog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// `None` for what is not released yet.
    pub(super) tag: Option<String>,
    /// The newest revision of the section.
    pub(super) to: String,
    /// When that was made.
    pub(super) date: Timestamp,
    /// In printing order; none is empty.
    pub(super) groups: Vec<Group>,
}

/// Entries of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The heading.
    pub title: String,
    /// Newest first.
    pub entries: Vec<Entry>,
}

/// One line of the changelog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The revision it comes from.
    pub revision_id: String,
    /// The type: `feat`; missing where the message is no Conventional Commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The text of the line.
    pub text: String,
    /// Whether the revision breaks something.
    pub breaking: bool,
}

impl Section {
    /// The section for revisions given newest first, the first of them being `to`.
    pub(super) fn of(tag: Option<String>, to: &Revision, revisions: &[&Revision]) -> Self {
        let mut breaking: Vec<Entry> = Vec::new();
        let mut grouped: Vec<Vec<Entry>> = vec![Vec::new(); GROUPS.len()];
        for revision in revisions {
            let parsed = Conventional::parse(&revision.message);
            let group = group_of(&revision.message, parsed.as_ref());
            let is_other = GROUPS[group].0 == OTHER;
            let notes =
                parsed.as_ref().map(|parsed| parsed.breaking.as_slice()).unwrap_or_default();
            let is_breaking = !notes.is_empty();
            breaking.extend(notes.iter().map(|note| Entry {
                text: note.clone(),
                breaking: true,
                ..entry(revision, parsed.as_ref())
            }));
            if is_other && !is_breaking && is_housekeeping(revision) {
                continue;
            }
            // A type without a group stays readable: its whole first line is the text.
            let shown = parsed.as_ref().filter(|_| !is_other);
            let entry = Entry { breaking: is_breaking, ..entry(revision, shown) };
            if !entry.text.is_empty() {
                grouped[group].push(entry);
            }
        }
        let titles = std::iter::once(BREAKING).chain(GROUPS.iter().map(|(title, _)| *title));
        let groups = titles
            .zip(std::iter::once(breaking).chain(grouped))
            .filter(|(_, entries)| !entries.is_empty())
            .map(|(title, entries)| Group { title: title.to_owned(), entries })
            .collect();
        Self { tag, to: to.id.clone(), date: to.timestamp, groups }
    }

    /// How many revisions have a line of their own.
    pub(super) fn entry_count(&self) -> u64 {
        let own = self.groups.iter().filter(|group| group.title != BREAKING);
        own.map(|group| group.entries.len() as u64).sum()
    }

    /// The Markdown, ending with a line end.
    pub(super) fn markdown(&self) -> String {
        let mut text = match &self.tag {
            // The day of the newest revision: the same timeline gives the same text on any day.
            Some(tag) => {
                let date = self.date.strftime("%Y-%m-%d");
                format!("## [{tag}] - {date}\n{MARK_START}{}{MARK_END}\n", self.to)
            },
            None => format!("## [{UNRELEASED}]\n"),
        };
        for group in &self.groups {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n### {}\n\n", group.title);
            for entry in &group.entries {
                let scope = match &entry.scope {
                    Some(scope) => format!("**{scope}:** "),
                    None => String::new(),
                };
                let is_marked = entry.breaking && group.title != BREAKING;
                let breaking = if is_marked { "[**breaking**] " } else { "" };
                let id = short(&entry.revision_id);
                let _ = writeln!(text, "- {breaking}{scope}{} ({id})", entry.text);
            }
        }
        text
    }
}

/// The revisions that the released sections of a changelog end with, in the order of the file.
pub(super) fn marked_revisions(changelog: &str) -> impl Iterator<Item = &str> {
    changelog
        .lines()
        .filter_map(|line| line.trim_end().strip_prefix(MARK_START)?.strip_suffix(MARK_END))
}

fn group_of(message: &str, parsed: Option<&Conventional>) -> usize {
    let is_git_revert = message.trim_start().starts_with("Revert \"");
    let kind = match parsed {
        Some(parsed) => parsed.kind.as_str(),
        None if is_git_revert => "revert",
        None => "",
    };
    GROUPS.iter().position(|(_, kinds)| kinds.contains(&kind)).unwrap_or(GROUPS.len() - 1)
}

fn entry(revision: &Revision, parsed: Option<&Conventional>) -> Entry {
    Entry {
        revision_id: revision.id.clone(),
        kind: parsed.map(|parsed| parsed.kind.clone()),
        scope: parsed.and_then(|parsed| parsed.scope.clone()),
        text: parsed
            .map_or_else(|| one_line(subject(&revision.message)), |parsed| parsed.subject.clone()),
        breaking: false,
    }
}

/// Whether a revision only keeps the house: starts a branch, or adds, prunes or restores memory.
fn is_housekeeping(revision: &Revision) -> bool {
    revision.operations.iter().all(|operation| match operation {
        RevisionOperation::Init
        | RevisionOperation::MemoryIngest { .. }
        | RevisionOperation::MemoryPrune { .. } => true,
        RevisionOperation::Custom { name, .. } => name == BRANCH || name == MEMORY_RESTORE,
        RevisionOperation::Commit { .. }
        | RevisionOperation::Reindex { .. }
        | RevisionOperation::Release { .. }
        | RevisionOperation::Unknown(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(id: &str, message: &str, operation: &str) -> Revision {
        let json = serde_json::json!({
            "id": id, "parentId": null, "branch": "main", "timestamp": "2025-11-27T23:00:00Z",
            "message": message, "operations": [serde_json::from_str::<serde_json::Value>(operation).unwrap()],
        });
        serde_json::from_value(json).unwrap()
    }

    fn section(tag: Option<&str>, oldest_first: &[(&str, &str)]) -> Section {
        let revisions: Vec<Revision> = oldest_first
            .iter()
            .enumerate()
            .map(|(at, (message, operation))| {
                revision(&format!("{at:08}-0000"), message, operation)
            })
            .collect();
        let newest_first: Vec<&Revision> = revisions.iter().rev().collect();
        Section::of(tag.map(str::to_owned), newest_first[0], &newest_first)
    }

    const COMMIT: &str = r#"{"type":"Commit","bases":["code"],"sourceCount":1}"#;
    const MEMORY: &str = r#"{"type":"MemoryIngest","count":1}"#;

    #[test]
    fn groups_have_a_fixed_order_and_the_newest_is_first() {
        let section = section(
            Some("v1.2.0"),
            &[
                ("Init GIK", r#"{"type":"Init"}"#),
                ("Index src", COMMIT),
                ("chore: tidy", COMMIT),
                ("fix(api): first", COMMIT),
                ("feat(cli)!: shorter flags\n\nBREAKING CHANGE: `--long` is gone", COMMIT),
                ("Remember x", MEMORY),
                ("docs: note a decision", MEMORY),
                ("fix: second", COMMIT),
                ("wip: not yet", COMMIT),
                ("Revert \"feat: x\"", COMMIT),
            ],
        );
        assert_eq!(
            section.markdown(),
            "## [v1.2.0] - 2025-11-27\n\
             <!-- gik revision 00000009-0000 -->\n\
             \n### Breaking changes\n\n\
             - **cli:** `--long` is gone (00000004)\n\
             \n### Features\n\n\
             - [**breaking**] **cli:** shorter flags (00000004)\n\
             \n### Fixes\n\n\
             - second (00000007)\n\
             - **api:** first (00000003)\n\
             \n### Documentation\n\n\
             - note a decision (00000006)\n\
             \n### Chores\n\n\
             - tidy (00000002)\n\
             \n### Reverts\n\n\
             - Revert \"feat: x\" (00000009)\n\
             \n### Other\n\n\
             - wip: not yet (00000008)\n\
             - Index src (00000001)\n"
        );
        assert_eq!(section.entry_count(), 8);
    }

    #[test]
    fn without_a_tag_it_is_unreleased_and_housekeeping_alone_is_nothing() {
        let section = section(None, &[("Init GIK", r#"{"type":"Init"}"#), ("Remember x", MEMORY)]);
        assert_eq!(section.groups, []);
        assert_eq!(section.entry_count(), 0);
        assert_eq!(section.markdown(), "## [Unreleased]\n");
    }

    #[test]
    fn marks_are_found_again() {
        let text =
            "# Changelog\n\n## [v2]\n<!-- gik revision abc -->\r\n\n- <!-- gik revision no -->\n";
        assert_eq!(marked_revisions(text).collect::<Vec<_>>(), ["abc"]);
    }
}
