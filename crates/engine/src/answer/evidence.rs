//! What do the files say at the places that were found?

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::ops::Range;

use gik_base::collections::HashMap;
use gik_base::{Result, parallel};
use gik_contract::ask::{RagChunk, SignalValue};
use gik_retrieve::{Found, snippet_of_items};
use gik_store::{FileOrigin, FileRow, Snapshot, SymbolRow};
use regex::Regex;

use crate::Workspace;
use crate::detail::Piece;
use crate::projection::{chunk_uid, text_of, text_of_evidence};

/// What the files say now at the places that were found. A file that changed since it was indexed gives no evidence:
/// rather one piece less than a wrong one.
pub(super) fn evidence(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    found: Vec<Found>,
    shown: &Shown<'_>,
    texts: &mut Texts,
) -> Result<Vec<Piece>> {
    texts.read_ahead(ws, found.iter().map(|hit| &hit.file));
    let mut pieces = Vec::with_capacity(found.len());
    for hit in found {
        let Some(text) = texts.whole(ws, snapshot, &hit.file)? else { continue };
        let Some(content) = text.get(hit.chunk.bytes.clone()) else { continue };
        let (first, last) = hit.chunk.lines;
        let is_cut = (last - first) as usize >= shown.max_lines;
        let items =
            if is_cut { snapshot.symbol_lines(hit.file.id, &hit.chunk.bytes)? } else { Vec::new() };
        let items: Vec<(u64, u64)> =
            items.into_iter().map(|(first, last)| (first.into(), last.into())).collect();
        let signature = if shown.with_signatures {
            let mut symbols = snapshot.symbols_of(hit.file.id)?;
            symbols.retain(|symbol| hit.chunk.bytes.contains(&symbol.bytes.start));
            signature_of(&symbols, text, content)
        } else {
            String::new()
        };
        pieces.push(Piece {
            chunk: rag_chunk(&hit, content, shown, &items),
            lines: (u64::from(first), u64::from(last)),
            signature,
        });
    }
    Ok(pieces)
}

/// The declarations of what begins in a chunk, one a line; of a text without any its first line.
fn signature_of(symbols: &[SymbolRow], text: &str, content: &str) -> String {
    const PARTS_OF_OTHERS: [&str; 4] = ["field", "variant", "property", "var"];
    let is_own = |symbol: &&SymbolRow| !PARTS_OF_OTHERS.contains(&symbol.kind.as_str());
    let own = symbols.iter().filter(is_own);
    let lines: Vec<String> = own.map(|it| it.signature.line(text, it.bytes.start)).collect();
    if !lines.is_empty() {
        return lines.join("\n");
    }
    content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// How much of a chunk is shown, and around which words.
pub(super) struct Shown<'a> {
    /// With the number of the term that each counts for.
    pub(super) words: HashMap<&'a str, usize>,
    pub(super) patterns: &'a [Regex],
    /// Whether the name of a chunk is what is looked at: where nothing else was asked for.
    pub(super) by_name: bool,
    pub(super) max_lines: usize,
    pub(super) with_signals: bool,
    pub(super) with_signatures: bool,
}

impl Shown<'_> {
    /// The words of the question in the form in which the text has them, in the order of the question. Words that
    /// only its name or place has are as they were asked. The words that a pattern matches follow.
    fn matched(&self, asked: &[String], text: &str) -> Vec<String> {
        let mut present: BTreeSet<(usize, &str)> = BTreeSet::new();
        gik_index::analyze(text, &mut |term, _| {
            if let Some((word, number)) = self.words.get_key_value(term) {
                present.insert((*number, word));
            }
        });
        for word in asked {
            let number = self.words.get(word.as_str()).copied().unwrap_or(usize::MAX);
            if present.range((number, "")..).next().is_none_or(|(found, _)| *found != number) {
                present.insert((number, word));
            }
        }
        let mut matched: Vec<String> =
            present.into_iter().map(|(_, word)| word.to_owned()).collect();
        for found in self.patterns.iter().filter_map(|pattern| pattern.find(text)) {
            gik_index::analyze(&text[whole_words(text, found.range())], &mut |term, _| {
                if !matched.iter().any(|known| known == term) {
                    matched.push(term.to_owned());
                }
            });
        }
        matched
    }
}

/// A part of a text with the whole words at its ends.
fn whole_words(text: &str, part: Range<usize>) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..part.start].trim_end_matches(is_word).len();
    let after = text[part.end..].trim_start_matches(is_word).len();
    before..text.len() - after
}

/// Fewer files are read before a thread has started.
const WORTH_A_THREAD: usize = 3;

/// What files say now, each read once.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<u32, Option<String>>);

impl Texts {
    /// Reads files on as many threads as there are, so that nobody waits for them one by one.
    fn read_ahead<'f>(&mut self, ws: &Workspace<'_>, files: impl Iterator<Item = &'f FileRow>) {
        let is_new =
            |file: &&FileRow| file.origin == FileOrigin::File && !self.0.contains_key(&file.id.0);
        let mut unread: Vec<&FileRow> = files.filter(is_new).collect();
        unread.sort_unstable_by_key(|file| file.id);
        unread.dedup_by_key(|file| file.id);
        let threads = ws.threads().min(unread.len() / WORTH_A_THREAD);
        let read = parallel::in_parts(&unread, threads, |part| {
            part.iter().map(|file| (file.id.0, text_of_evidence(&ws.root, file))).collect()
        });
        self.0.extend(read);
    }

    /// The text of a chunk; `None` where the file is not the one that was indexed.
    pub(crate) fn of(
        &mut self,
        ws: &Workspace<'_>,
        snapshot: &Snapshot<'_>,
        found: &Found,
    ) -> Result<Option<&str>> {
        let text = self.whole(ws, snapshot, &found.file)?;
        Ok(text.and_then(|text| text.get(found.chunk.bytes.clone())))
    }

    /// The text of the whole file.
    pub(crate) fn whole(
        &mut self,
        ws: &Workspace<'_>,
        snapshot: &Snapshot<'_>,
        file: &FileRow,
    ) -> Result<Option<&str>> {
        let text = match self.0.entry(file.id.0) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(text_of(ws, snapshot, file)?),
        };
        Ok(text.as_deref())
    }
}

fn rag_chunk(hit: &Found, content: &str, shown: &Shown<'_>, items: &[(u64, u64)]) -> RagChunk {
    let file = &hit.file;
    let mut matched = shown.matched(&hit.matched, content);
    if shown.by_name {
        let name = hit.chunk.name.split(' ').next().unwrap_or_default();
        gik_index::analyze(name, &mut |term, _| matched.push(term.to_owned()));
    }
    let signals = if shown.with_signals { named_signals(hit) } else { Vec::new() };
    let first_line = u64::from(hit.chunk.lines.0);
    let shown = snippet_of_items(content, first_line, &matched, shown.max_lines, items);
    RagChunk {
        base: file.base.to_string(),
        score: rounded(hit.score),
        path: file.key.as_str().to_owned(),
        start_line: shown.start_line,
        end_line: shown.end_line,
        snippet: shown.text,
        dense_score: hit.dense.map(rounded),
        reranker_score: hit.reranker.map(rounded),
        chunk_uid: Some(chunk_uid(&hit.chunk, &hit.file.key)),
        name: Some(hit.chunk.qualified.clone()).filter(|name| !name.is_empty()),
        kind: Some(hit.chunk.kind.clone()),
        language: Some(file.language.to_string()).filter(|language| !language.is_empty()),
        matched,
        truncated: shown.truncated,
        detail: None,
        signals,
    }
}

/// What made the score of a chunk.
pub(crate) fn named_signals(hit: &Found) -> Vec<SignalValue> {
    let signals = hit.signals.iter();
    signals
        .map(|&(name, value)| SignalValue { name: name.to_owned(), value: rounded(value) })
        .collect()
}

/// Four decimals: more is noise for a reader.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}
