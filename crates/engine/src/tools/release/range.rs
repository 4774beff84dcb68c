//! Which revisions a release covers. Pure.

use gik_base::collections::HashMap;
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::Revision;

use super::section::marked_revisions;

/// A revision and all before it, newest first.
pub(super) fn ancestry<'a>(timeline: &'a [Revision], newest: &str) -> Vec<&'a Revision> {
    // Later lines win, as everywhere.
    let by_id: HashMap<&str, &Revision> =
        timeline.iter().map(|revision| (revision.id.as_str(), revision)).collect();
    let mut history: Vec<&Revision> = Vec::new();
    let mut next = by_id.get(newest).copied();
    while let Some(revision) = next {
        history.push(revision);
        // No chain is longer than the timeline; a circle of parents is damage.
        next = revision
            .parent_id
            .as_deref()
            .filter(|_| history.len() < timeline.len())
            .and_then(|parent| by_id.get(parent).copied());
    }
    history
}

/// The place of `from` in the history of `to`.
pub(super) fn position_of(history: &[&Revision], from: &Revision, to: &Revision) -> Result<usize> {
    history.iter().position(|revision| revision.id == from.id).ok_or_else(|| {
        Failure::new(
            ErrorCode::ArgumentInvalid,
            format!("revision `{}` does not come before `{}`", from.id, to.id),
        )
        .hint("`--from` is the older one; `gik log` lists the revisions")
    })
}

/// The newest revision that a section of the file ends with.
pub(super) fn last_release(history: &[&Revision], changelog: &str) -> Option<usize> {
    marked_revisions(changelog)
        .filter_map(|id| history.iter().position(|revision| revision.id == id))
        .min()
}

#[cfg(test)]
mod tests {
    use gik_contract::Timestamp;

    use super::*;

    fn timeline(ids: &[(&str, Option<&str>)]) -> Vec<Revision> {
        ids.iter()
            .map(|(id, parent)| Revision {
                id: (*id).to_owned(),
                parent_id: parent.map(str::to_owned),
                branch: "main".to_owned(),
                git_commit: None,
                timestamp: Timestamp::UNIX_EPOCH,
                message: "feat: x".to_owned(),
                operations: Vec::new(),
                extra: gik_contract::Extra::new(),
            })
            .collect()
    }

    fn ids<'a>(history: &[&'a Revision]) -> Vec<&'a str> {
        history.iter().map(|revision| revision.id.as_str()).collect()
    }

    #[test]
    fn history_follows_parents_and_a_circle_ends() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        assert_eq!(ids(&ancestry(&line, "c")), ["c", "b", "a"]);
        assert_eq!(ids(&ancestry(&line, "b")), ["b", "a"]);
        assert!(ancestry(&line, "x").is_empty());
        let circle = timeline(&[("a", Some("b")), ("b", Some("a"))]);
        assert_eq!(ancestry(&circle, "a").len(), 2);
    }

    #[test]
    fn a_range_starts_after_from_and_from_must_be_older() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        let history = ancestry(&line, "c");
        assert_eq!(ids(&history[..position_of(&history, &line[0], &line[2]).unwrap()]), ["c", "b"]);
        assert_eq!(position_of(&history, &line[2], &line[2]).unwrap(), 0);
        let short = ancestry(&line, "b");
        assert!(position_of(&short, &line[2], &line[1]).is_err());
    }

    #[test]
    fn the_next_release_starts_where_the_newest_known_one_ended() {
        let line = timeline(&[("a", None), ("b", Some("a")), ("c", Some("b"))]);
        let history = ancestry(&line, "c");
        let changelog =
            "<!-- gik revision gone -->\n<!-- gik revision b -->\n<!-- gik revision a -->\n";
        assert_eq!(last_release(&history, changelog), Some(1));
        assert_eq!(last_release(&history, "# Changelog\n"), None);
    }
}
