//! Which revision a person means: `HEAD`, `@~2`, `HEAD^`, or the start of an id.

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::Revision;

use crate::Branch;

/// The shortest start of an id that is looked up; shorter ones are typing errors more often than names.
const SHORTEST_PREFIX: usize = 4;
/// How many candidates a failure lists.
const LISTED: usize = 8;

impl Branch {
    /// The revision that `spec` names: `HEAD` or `@`, an id or at least four characters of its start; each followed by
    /// any number of `~N`, `~` and `^`, which step to parents.
    pub fn resolve(&self, spec: &str) -> Result<Revision> {
        self.require_initialized()?;
        let head = self.head()?;
        let mut timeline = self.timeline()?;
        let at = find(&timeline, head.as_deref(), spec.trim())?;
        Ok(timeline.swap_remove(at))
    }
}

/// The position of the revision that `spec` names.
fn find(timeline: &[Revision], head: Option<&str>, spec: &str) -> Result<usize> {
    let (name, steps) = match spec.find(['~', '^']) {
        Some(at) => (&spec[..at], parse_steps(spec, &spec[at..])?),
        None => (spec, 0),
    };
    let mut at = match name {
        "HEAD" | "@" => {
            // A HEAD that names no revision is repaired by the next writer, to the newest one there is.
            position(timeline, head.unwrap_or_default())
                .or_else(|| timeline.len().checked_sub(1))
                .ok_or_else(|| missing(spec, "HEAD names no revision"))?
        },
        _ => by_id(timeline, name)?,
    };
    for done in 0..steps {
        at = timeline[at]
            .parent_id
            .as_deref()
            // No chain is longer than the timeline; a circle of parents is damage.
            .filter(|_| done < timeline.len() as u64)
            .and_then(|parent| position(timeline, parent))
            .ok_or_else(|| missing(spec, &match done {
                    0 => "it is the first one".to_owned(),
                    1 => "there is only one revision before it".to_owned(),
                    _ => format!("there are only {done} revisions before it"),
                }))?;
    }
    Ok(at)
}

fn parse_steps(spec: &str, mut suffix: &str) -> Result<u64> {
    let mut steps: u64 = 0;
    while let Some(sign) = suffix.chars().next() {
        suffix = &suffix[1..];
        let digits = suffix.bytes().take_while(u8::is_ascii_digit).count();
        let count = match (sign, &suffix[..digits]) {
            ('~' | '^', "") => 1,
            ('~', number) => number.parse().unwrap_or(u64::MAX),
            // There are no merges, so the first parent is the only one.
            ('^', "1") => 1,
            ('^', "0") => 0,
            _ => return Err(missing(spec, "what follows the name is neither `~N` nor `^`")),
        };
        suffix = &suffix[digits..];
        steps = steps.saturating_add(count);
    }
    Ok(steps)
}

fn by_id(timeline: &[Revision], name: &str) -> Result<usize> {
    if let Some(at) = position(timeline, name) {
        return Ok(at);
    }
    if name.chars().count() < SHORTEST_PREFIX {
        let reason = format!("give at least {SHORTEST_PREFIX} characters of its id");
        return Err(missing(name, &reason));
    }
    let matching: Vec<usize> = (0..timeline.len())
        .filter(|&at| {
            let id = timeline[at].id.as_bytes();
            id.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        })
        .collect();
    match matching.as_slice() {
        [at] => Ok(*at),
        [] => Err(missing(name, "no id starts with it")),
        several => Err(ambiguous(timeline, name, several)),
    }
}

/// Later lines win: an id that occurs twice is damage, and the newest is what HEAD means.
fn position(timeline: &[Revision], id: &str) -> Option<usize> {
    timeline.iter().rposition(|revision| revision.id == id)
}

fn missing(spec: &str, reason: &str) -> Failure {
    Failure::new(ErrorCode::RevisionMissing, format!("no revision `{spec}`: {reason}"))
        .hint("`gik log` lists the revisions")
}

fn ambiguous(timeline: &[Revision], name: &str, several: &[usize]) -> Failure {
    let mut failure = Failure::new(
        ErrorCode::RevisionAmbiguous,
        format!("`{name}` is the start of {} revision ids", several.len()),
    );
    for &at in several.iter().take(LISTED) {
        let Revision { id, timestamp, message, .. } = &timeline[at];
        let summary = message.lines().next().unwrap_or_default();
        failure = failure.hint(format!("{id} {timestamp} {summary}"));
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    fn revision(id: &str, parent: Option<&str>) -> Revision {
        Revision {
            id: id.to_owned(),
            parent_id: parent.map(str::to_owned),
            branch: "main".to_owned(),
            git_commit: None,
            timestamp: gik_base::clock::now(),
            message: format!("makes {id}\nand more"),
            operations: Vec::new(),
            extra: gik_contract::Extra::new(),
        }
    }

    #[test]
    fn names_resolve_as_people_know_them_from_git() {
        let timeline = [
            revision("aaaa1111", None),
            revision("aaaa2222", Some("aaaa1111")),
            revision("r3", Some("aaaa2222")),
            revision("Bcde-ümlaut", Some("r3")),
        ];
        let resolve = |spec: &str| {
            find(&timeline, Some("Bcde-ümlaut"), spec)
                .map(|at| timeline[at].id.as_str())
                .map_err(|failure| failure.code())
        };
        let missing = Err(ErrorCode::RevisionMissing);
        let table = [
            ("HEAD", Ok("Bcde-ümlaut")),
            ("@", Ok("Bcde-ümlaut")),
            ("HEAD~0", Ok("Bcde-ümlaut")),
            ("HEAD~", Ok("r3")),
            ("HEAD^", Ok("r3")),
            ("HEAD~1", Ok("r3")),
            ("@~2", Ok("aaaa2222")),
            ("HEAD^^^", Ok("aaaa1111")),
            ("HEAD~2^", Ok("aaaa1111")),
            ("@^1~2", Ok("aaaa1111")),
            ("HEAD~4", missing),
            ("HEAD~99999999999999999999999", missing),
            ("HEAD^2", missing),
            ("HEAD~x", missing),
            ("r3", Ok("r3")),
            ("r3~1", Ok("aaaa2222")),
            ("aaaa1", Ok("aaaa1111")),
            ("AAAA1", Ok("aaaa1111")),
            ("aaaa", Err(ErrorCode::RevisionAmbiguous)),
            ("bcde", Ok("Bcde-ümlaut")),
            ("aaa", missing),
            ("ffff", missing),
            ("", missing),
        ];
        for (spec, expected) in table {
            assert_eq!(resolve(spec), expected, "{spec}");
        }
    }

    #[test]
    fn a_head_whose_revision_was_cut_off_is_the_newest_one_left() {
        let timeline = [revision("aaaa1111", None), revision("bbbb1111", Some("aaaa1111"))];
        assert_eq!(find(&timeline, Some("cut off"), "HEAD").unwrap(), 1);
        assert_eq!(find(&timeline, None, "HEAD~1").unwrap(), 0);
        assert!(find(&[], Some("cut off"), "HEAD").is_err());
    }

    #[test]
    fn an_ambiguous_name_lists_its_candidates() {
        let timeline = [revision("aaaa1111", None), revision("aaaa2222", Some("aaaa1111"))];
        let failure = find(&timeline, None, "aaaa").unwrap_err();
        assert_eq!(failure.hints().len(), 2);
        assert!(failure.hints()[1].starts_with("aaaa2222 "));
        assert!(failure.hints()[1].ends_with(" makes aaaa2222"));
    }

    #[test]
    fn a_circle_of_parents_ends() {
        let timeline = [revision("aaaa", Some("bbbb")), revision("bbbb", Some("aaaa"))];
        let failure = find(&timeline, None, "aaaa~99999999999999999").unwrap_err();
        assert_eq!(failure.code(), ErrorCode::RevisionMissing);
    }
}
