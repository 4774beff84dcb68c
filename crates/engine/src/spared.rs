//! What did an answer spare its reader? Its length, and that of what would have been read without it, are written down
//! for `gik savings`.
//!
//! An answer with texts stands for the whole files they are from. A list of places stands for the lines that `grep -n`
//! prints for these very places, and for nothing that a reader would have opened besides.

use std::collections::BTreeSet;

use gik_base::{clock, fs};
use gik_contract::{AnswerLogEntry, Extra};
use serde::Serialize;

use crate::Workspace;

/// An answer that shows texts of these files.
pub(crate) fn files<'a>(
    ws: &Workspace<'_>,
    tool: &str,
    answer: &impl Serialize,
    paths: impl Iterator<Item = &'a str>,
) {
    let lengths = lengths(ws, paths);
    note(ws, tool, answer, lengths.iter().sum(), lengths.len());
}

/// An answer that lists places: path, line and its text.
pub(crate) fn lines<'a>(
    ws: &Workspace<'_>,
    tool: &str,
    answer: &impl Serialize,
    places: impl Iterator<Item = (&'a str, u64, &'a str)>,
) {
    let (mut bytes, mut paths) = (0, BTreeSet::new());
    for (path, line, text) in places {
        bytes += format!("{path}:{line}:\n").len() as u64;
        bytes += text.lines().next().map_or(0, |first| first.len() as u64);
        paths.insert(path);
    }
    note(ws, tool, answer, bytes, paths.len());
}

/// The lengths of files, each once. What is no file of its own is not among them.
pub(crate) fn lengths<'a>(ws: &Workspace<'_>, paths: impl Iterator<Item = &'a str>) -> Vec<u64> {
    let paths: BTreeSet<&str> = paths.collect();
    paths
        .into_iter()
        .filter_map(|path| fs::metadata(&ws.root.join(path)).ok())
        .filter(|metadata| metadata.is_file())
        .map(|metadata| metadata.len())
        .collect()
}

/// The length of an answer as JSON.
pub(crate) fn length(answer: &impl Serialize) -> Option<u64> {
    serde_json::to_vec(answer).ok().map(|bytes| bytes.len() as u64)
}

fn note(ws: &Workspace<'_>, tool: &str, answer: &impl Serialize, instead: u64, files: usize) {
    if files == 0 || !ws.settings.ask.log || !ws.branch.is_initialized() {
        return;
    }
    let Some(answer_bytes) = length(answer) else { return };
    let entry = AnswerLogEntry {
        timestamp: clock::now(),
        tool: tool.to_owned(),
        answer_bytes,
        instead_bytes: instead,
        files: files as u64,
        extra: Extra::new(),
    };
    // Nobody asked for it: a read-only tree or a full disk is no concern of who wants an answer.
    drop(ws.knowledge.answer_log().append(&entry));
}
