//! Evidence as a document for people (Markdown) and in few tokens for models (compact).

mod lines;

use std::fmt::Write as _;

use gik_contract::RagChunk;
use gik_contract::ask::{AskContextBundle, BudgetUse};

use crate::view::count;

pub use lines::in_few_words;

/// How an answer is written, apart from text for a terminal and data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// With headings and fences.
    Markdown,
    /// No more than what is needed to understand it.
    Compact,
}

/// An answer of `gik ask`.
pub(crate) fn bundle(bundle: &AskContextBundle, written: Written) -> String {
    match written {
        Written::Markdown => markdown(bundle),
        Written::Compact => compact(bundle),
    }
}

// Writing to a string cannot fail, so the results of `write!` are dropped here.

fn markdown(bundle: &AskContextBundle) -> String {
    let mut text = format!("# {}\n", one_line(&bundle.question));
    for event in &bundle.memory_events {
        let title = event.title.as_deref().unwrap_or(&event.id);
        let _ = write!(text, "\n## Memory: {}\n\n{}\n", one_line(title), event.text.trim_end());
    }
    for event in &bundle.commit_events {
        let day = event.time.strftime("%Y-%m-%d");
        let (author, subject) = (one_line(&event.author), one_line(&event.subject));
        let _ = write!(text, "\n## Commit {}: {subject}\n\n{day} {author}\n", short(&event.id));
        if let Some(body) = &event.body {
            let _ = write!(text, "\n{}\n", body.trim_end());
        }
    }
    for chunk in &bundle.rag_chunks {
        let _ = write!(text, "\n## {}\n", place(chunk));
        if let Some(name) = &chunk.name {
            let _ = write!(text, "\n{}\n", one_line(name));
        }
        if !chunk.snippet.is_empty() {
            let fence = fence_for(&chunk.snippet);
            let language = chunk.language.as_deref().unwrap_or_default();
            let _ = write!(text, "\n{fence}{language}\n{}\n{fence}\n", chunk.snippet);
        }
    }
    if let Some(note) = bundle.budget.as_ref().and_then(left_out) {
        let _ = write!(text, "\nLeft out: {note}\n");
    }
    text
}

fn compact(bundle: &AskContextBundle) -> String {
    let mut text = String::new();
    for event in &bundle.memory_events {
        let title = event.title.as_deref().unwrap_or_default();
        let _ =
            writeln!(text, "memory {} {}\n{}", event.id, one_line(title), event.text.trim_end());
    }
    for event in &bundle.commit_events {
        let (id, subject) = (short(&event.id), one_line(&event.subject));
        let _ = writeln!(text, "commit {id} {subject}");
        for line in event.body.iter().flat_map(|body| unindented(body)) {
            let _ = writeln!(text, "{line}");
        }
    }
    for chunk in &bundle.rag_chunks {
        let name = chunk.name.as_deref().map(one_line).unwrap_or_default();
        let _ = writeln!(text, "{}", format!("{} {name}", place(chunk)).trim_end());
        for line in unindented(&chunk.snippet) {
            let _ = writeln!(text, "{line}");
        }
    }
    if let Some(note) = bundle.budget.as_ref().and_then(left_out) {
        let _ = writeln!(text, "left out: {note}");
    }
    text
}

/// `src/lock.rs:10-20`.
pub(crate) fn place(chunk: &RagChunk) -> String {
    format!("{}:{}-{}", one_line(&chunk.path), chunk.start_line, chunk.end_line)
}

/// The places that a budget left out; `None` where there are none.
pub(crate) fn left_out(budget: &BudgetUse) -> Option<String> {
    let mut places: Vec<String> = (budget.left_out.iter())
        .map(|it| format!("{}:{}-{}", one_line(&it.path), it.start_line, it.end_line))
        .collect();
    if budget.memory_left_out > 0 {
        places.push(count(budget.memory_left_out, "memory entry", "memory entries"));
    }
    if budget.commits_left_out > 0 {
        places.push(count(budget.commits_left_out, "commit", "commits"));
    }
    Some(places.join(", ")).filter(|places| !places.is_empty())
}

/// The lines that are not blank, without the indentation that all of them share.
fn unindented(text: &str) -> impl Iterator<Item = &str> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines().map(indentation).min().unwrap_or(0);
    lines().map(move |line| line[shared..].trim_end())
}

/// A fence that no line of the text closes.
fn fence_for(text: &str) -> String {
    let longest = text.lines().map(|line| {
        let line = line.trim_start();
        line.len() - line.trim_start_matches('`').len()
    });
    "`".repeat(longest.max().unwrap_or(0).max(2) + 1)
}

/// The first digits of the id of a commit.
fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        assert_eq!(fence_for("plain"), "```");
        assert_eq!(fence_for("a\n  ````rust\n````"), "`````");
    }

    #[test]
    fn only_shared_indentation_is_left_out() {
        let lines: Vec<&str> = unindented("    a\n\n      b  \n    c\n").collect();
        assert_eq!(lines, ["a", "  b", "c"]);
        assert_eq!(unindented("").count(), 0);
    }
}
