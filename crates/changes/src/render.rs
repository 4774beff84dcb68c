//! A proposal as a unified diff, made from the very texts that are kept, so that what is shown is what is done.

use std::fmt::Write as _;
use std::ops::Range;

use gik_base::collections::HashMap;
use gik_discover::history::lines::{Hunk, hunks};

use crate::content::{Change, Content, Operation, Proposal};

/// Lines around a difference.
const AROUND: usize = 3;

/// How many lines come and go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// New lines.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
}

/// How many lines of a file come and go.
pub fn counts(before: Option<&Content>, after: Option<&Content>) -> Counts {
    let (old, new) = (lines_of(before), lines_of(after));
    let mut counts = Counts::default();
    for hunk in differences(&old, &new) {
        counts.added += hunk.new.len() as u64;
        counts.removed += hunk.old.len() as u64;
    }
    counts
}

/// All files of a proposal as one diff.
pub fn unified(proposal: &Proposal) -> String {
    let mut text = String::new();
    for (operation, change) in proposal.shown() {
        file(&mut text, operation, change, proposal.before(change));
    }
    text
}

// Writing to a string cannot fail, so the results of `write!` are dropped here.

fn file(text: &mut String, operation: Operation, change: &Change, before: Option<&Content>) {
    let after = change.after.as_ref();
    let (old, new) = (change.from.as_deref().unwrap_or(&change.path), &change.path);
    let _ = writeln!(text, "diff --git {} {}", name("a/", old), name("b/", new));
    let mode = |content: &Content| if content.executable { "100755" } else { "100644" };
    match operation {
        Operation::Create => {
            let _ = writeln!(text, "new file mode {}", after.map_or("100644", mode));
        },
        Operation::Delete => {
            let _ = writeln!(text, "deleted file mode {}", before.map_or("100644", mode));
        },
        Operation::Modify | Operation::Rename => {
            if let (Some(before), Some(after)) = (before, after)
                && before.executable != after.executable
            {
                let _ = writeln!(text, "old mode {}\nnew mode {}", mode(before), mode(after));
            }
            if operation == Operation::Rename {
                let _ =
                    writeln!(text, "rename from {}\nrename to {}", name("", old), name("", new));
            }
        },
    }
    let (old_lines, new_lines) = (lines_of(before), lines_of(after));
    let differences = differences(&old_lines, &new_lines);
    if differences.is_empty() {
        return;
    }
    let nothing = || "/dev/null".to_owned();
    let old = if operation == Operation::Create { nothing() } else { name("a/", old) };
    let new = if operation == Operation::Delete { nothing() } else { name("b/", new) };
    let _ = writeln!(text, "--- {old}\n+++ {new}");
    for group in grouped(differences) {
        write_group(text, &group, &old_lines, &new_lines);
    }
}

/// Names with signs that could be taken for something else are quoted, as git does.
fn name(prefix: &str, path: &str) -> String {
    if path.chars().all(|c| !c.is_control() && c != '"' && c != '\\') {
        return format!("{prefix}{path}");
    }
    let escaped = path.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{prefix}{escaped}\"")
}

/// The lines of a text with their ends, so that a change of an end is one.
fn lines_of(content: Option<&Content>) -> Vec<&str> {
    content.map(|content| content.text.split_inclusive('\n').collect()).unwrap_or_default()
}

fn differences(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut known: HashMap<&str, u32> = HashMap::default();
    let mut number = |line| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(|line| number(*line)).collect();
    let new: Vec<u32> = new.iter().map(|line| number(*line)).collect();
    hunks(&old, &new)
}

/// Differences whose surroundings meet are shown together.
fn grouped(differences: Vec<Hunk>) -> Vec<Vec<Hunk>> {
    let mut groups: Vec<Vec<Hunk>> = Vec::new();
    for hunk in differences {
        match groups.last_mut() {
            Some(group)
                if group.last().is_some_and(|last| hunk.old.start - last.old.end <= 2 * AROUND) =>
            {
                group.push(hunk);
            },
            _ => groups.push(vec![hunk]),
        }
    }
    groups
}

fn write_group(text: &mut String, group: &[Hunk], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    let before = first.old.start.min(AROUND);
    let after = (old.len() - last.old.end).min(AROUND);
    let old_range = first.old.start - before..last.old.end + after;
    let new_range = first.new.start - before..last.new.end + after;
    let _ = writeln!(text, "@@ -{} +{} @@", shown(&old_range), shown(&new_range));
    let mut done = old_range.start;
    for hunk in group {
        old[done..hunk.old.start].iter().for_each(|line| write_line(text, ' ', line));
        old[hunk.old.clone()].iter().for_each(|line| write_line(text, '-', line));
        new[hunk.new.clone()].iter().for_each(|line| write_line(text, '+', line));
        done = hunk.old.end;
    }
    old[done..old_range.end].iter().for_each(|line| write_line(text, ' ', line));
}

fn shown(range: &Range<usize>) -> String {
    let start = if range.is_empty() { range.start } else { range.start + 1 };
    if range.len() == 1 { start.to_string() } else { format!("{start},{}", range.len()) }
}

fn write_line(text: &mut String, sign: char, line: &str) {
    text.push(sign);
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diff, hunks as putting};

    fn proposal(before: &str, after: &str) -> Proposal {
        let content = |text: &str| Some(Content { text: text.to_owned(), executable: false });
        let change = Change {
            path: "f".to_owned(),
            from: None,
            before: content(before),
            after: content(after),
        };
        Proposal::new("/w", "t", vec![change], 0)
    }

    #[test]
    fn a_diff_looks_as_git_writes_it() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n3\n", "\ndrei\n").replace("\n19\n20\n", "\n19\nzwanzig");
        assert_eq!(
            unified(&proposal(&old, &new)),
            "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+drei\n 4\n 5\n 6\n\
             @@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+zwanzig\n\\ No newline at end of file\n"
        );
    }

    proptest::proptest! {
        #[test]
        fn what_is_shown_leads_from_one_text_to_the_other(
            old in "([ab]\r?\n){0,12}[ab]{0,1}",
            new in "([abc]\r?\n){0,12}[ab]{0,1}",
        ) {
            let shown = unified(&proposal(&old, &new));
            if old != new && !(old.contains('\r') || new.contains('\r')) {
                let patches = diff::parse(&shown).unwrap();
                let (made, notes) = putting::put("f", &old, &patches[0].hunks).unwrap();
                proptest::prop_assert_eq!(made, new);
                proptest::prop_assert!(notes.is_empty());
            }
        }
    }
}
