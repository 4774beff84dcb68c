//! `gik changes …`: the changes of files that programs proposed, as a person sees, applies and discards them. Here is
//! what the commands share for showing them.

pub mod apply;
pub mod confirm;
pub mod discard;
pub mod list;
pub mod show;

use std::fmt::Write as _;

use gik_base::clock::Timestamp;
use gik_changes::{Change, Content, Counts, Operation, Proposal, counts, unified};
use schemars::JsonSchema;
use serde::Serialize;

use crate::View;
use crate::proposals::Desk;
use crate::view::{Style, count};

/// What a change does to one file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    /// Path from the root of the workspace.
    pub path: String,
    /// The path it had, where it is moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `modify`, `create`, `delete` or `rename`.
    pub operation: &'static str,
    /// New lines.
    pub added: u64,
    /// Lines that are gone.
    pub removed: u64,
    /// The sha256 of what must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_sha256: Option<String>,
    /// The sha256 of what shall be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_sha256: Option<String>,
}

/// The files of a proposal.
pub(crate) fn files_of(proposal: &Proposal) -> Vec<File> {
    let of = |(operation, change): (Operation, &Change)| {
        let before = proposal.before(change);
        let Counts { added, removed } = counts(before, change.after.as_ref());
        File {
            path: change.path.clone(),
            from: change.from.clone(),
            operation: operation.as_str(),
            added,
            removed,
            base_sha256: before.map(Content::sha256),
            new_sha256: change.after.as_ref().map(Content::sha256),
        }
    };
    proposal.shown().map(of).collect()
}

/// The state of a proposal, in a word.
fn state(desk: &Desk<'_>, proposal: &Proposal) -> &'static str {
    if gik_changes::is_current(&desk.site, proposal) { "ready" } else { "outdated" }
}

fn created_at(proposal: &Proposal) -> String {
    Timestamp::from_second(proposal.created_at).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

/// `2 files, +3 -1`.
fn summary(files: &[File]) -> String {
    let added: u64 = files.iter().map(|file| file.added).sum();
    let removed: u64 = files.iter().map(|file| file.removed).sum();
    format!("{}, +{added} -{removed}", count(files.len() as u64, "file", "files"))
}

/// Shows a diff of ours: what comes and goes in colours, and nothing hidden.
fn show_diff(view: &mut View, diff: &str) {
    let mut is_header = true;
    for line in diff.lines() {
        is_header = (is_header || line.starts_with("diff --git ")) && !line.starts_with("@@ ");
        let text = seen(line);
        let line = match line.as_bytes().first() {
            _ if is_header => view.paint(Style::Heading, text),
            Some(b'@') => view.paint(Style::Name, text),
            Some(b'+') => view.paint(Style::Good, text),
            Some(b'-') => view.paint(Style::Bad, text),
            Some(b'\\') => view.paint(Style::Faint, text),
            _ => view.plain(text),
        };
        view.line(line);
    }
}

/// A line with what is not seen made visible: signs that change the direction of text can hide what it does.
fn seen(line: &str) -> String {
    let (line, end) = match line.strip_suffix('\r') {
        Some(rest) if line.starts_with(['+', '-']) => (rest, "␍"),
        Some(rest) => (rest, ""),
        None => (line, ""),
    };
    let mut text = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            '\t' => text.push_str("    "),
            '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => {
                // Writing to a string cannot fail.
                let _ = write!(text, "<U+{:04X}>", u32::from(letter));
            },
            letter => text.push(letter),
        }
    }
    text + end
}

/// The diff of a proposal as a person reads it.
fn shown_diff(proposal: &Proposal, styled: bool) -> String {
    const UNLIMITED: usize = 1 << 20;
    let mut view = View::new(UNLIMITED, styled);
    show_diff(&mut view, &unified(proposal));
    view.finish()
}

/// A line for each file.
fn show_files(view: &mut View, files: &[File]) {
    for file in files {
        let path = match &file.from {
            Some(from) => view.paint(Style::Name, format!("{from} → {}", file.path)),
            None => view.paint(Style::Name, &file.path),
        };
        let counted = view.plain(format!("+{} -{}", file.added, file.removed));
        view.line(format!("  {} {path} {counted}", file.operation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_hide_in_a_line_is_shown() {
        assert_eq!(seen("+a\tb\u{202e}c\u{200b}\r"), "+a    b<U+202E>c<U+200B>␍");
        assert_eq!(seen(" same\r"), " same");
    }

    #[test]
    fn lines_that_look_like_headers_have_the_colour_of_their_sign() {
        let mut view = View::new(80, true);
        show_diff(&mut view, "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- y\n+++ z\n");
        let text = view.finish();
        assert!(text.contains("\u{1b}[31m--- y") && text.contains("\u{1b}[32m+++ z"), "{text:?}");
        assert!(text.contains("\u{1b}[1m--- a/x"), "{text:?}");
    }
}
