//! Real chunks of source code to embed: windows of lines from packages of many languages, 60 to 256 tokens long.

use std::path::Path;

use gik_models::{Encoder, TextKind};

use crate::corpus;
use crate::stop::Result;
use crate::workspace;

const LINES: usize = 16;
const SHORTEST: usize = 60;

/// So many chunks, evenly from all languages.
pub(super) fn choose(root: &Path, encoder: &Encoder, count: usize) -> Result<Vec<String>> {
    let corpora = corpus::table(root)?;
    let mut groups = Vec::new();
    for corpus in &corpora {
        let mut packages = Vec::new();
        for package in corpus.fetch(root)? {
            let files = workspace::all_files(&package.folder)?;
            packages.push(files.iter().map(|file| package.folder.join(file)).collect::<Vec<_>>());
        }
        let files = corpus::spread(&packages, count);
        let chunks = files.iter().filter_map(|path| chunk(path)).filter(|text| fits(encoder, text));
        groups.push(chunks.take(count).collect::<Vec<_>>());
    }
    Ok(corpus::spread(&groups, count))
}

/// Some lines from the middle of a file.
fn chunk(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let start = (lines.len() / 2).checked_sub(LINES / 2)?;
    Some(lines.get(start..start + LINES)?.join("\n"))
}

fn fits(encoder: &Encoder, text: &str) -> bool {
    // The longest text has more tokens than are looked at.
    text.len() < 2_000
        && (SHORTEST..encoder.longest()).contains(&encoder.tokens(text, TextKind::Passage).len())
}
