//! How often does a piece occur? In prose by its rank in the vocabulary, in source code by count.
//!
//! `frequencies.txt` has a count and a piece a line, most frequent first; it was counted in the packages of
//! `xtask/corpora.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use gik_models::{WordPiece, static_model};

use crate::corpus;
use crate::stop::{Result, Stop};
use crate::workspace;

const FILE: &str = "xtask/src/distil/frequencies.txt";
const COUNTED: &str = include_str!("frequencies.txt");
/// Files of each language that are counted.
const FILES: usize = 600;
/// Larger files are data.
const LARGEST: usize = 200_000;
/// Pieces that are seen less often are left out of the file.
const LEAST: u64 = 3;

/// A weight for each piece: 1 for rare ones, less for those with more than `share` of all words.
pub(super) fn weights(tokenizer: &WordPiece, share: f64) -> Result<Vec<f64>> {
    let counted = parse(COUNTED)?;
    let total: f64 = counted.values().map(|count| *count as f64).sum();
    let ranks: f64 = (0..tokenizer.len()).map(|rank| 1.0 / (rank as f64 + 2.0)).sum();
    let ids = (0..tokenizer.len()).zip(0u32..);
    Ok(ids
        .map(|(rank, id)| {
            let in_prose = 1.0 / ((rank as f64 + 2.0) * ranks);
            let in_code = *counted.get(&tokenizer.piece(id)).unwrap_or(&1) as f64 / total;
            share / (share + f64::midpoint(in_prose, in_code))
        })
        .collect())
}

fn parse(text: &str) -> Result<BTreeMap<String, u64>> {
    let line = |line: &str| {
        let (count, piece) = line.split_once(' ')?;
        Some((piece.to_owned(), count.parse().ok()?))
    };
    let lines = text.lines().map(line).collect::<Option<_>>();
    lines.ok_or_else(|| Stop::Failed(format!("{FILE}: a line is not a count and a piece")))
}

/// Counts the pieces of real packages and writes the file.
pub(super) fn count(root: &Path, tokenizer: &WordPiece) -> Result<()> {
    let mut counts = BTreeMap::<u32, u64>::new();
    let mut ids = Vec::new();
    for corpus in corpus::table(root)? {
        let mut groups = Vec::new();
        for package in corpus.fetch(root)? {
            let files = workspace::all_files(&package.folder)?;
            groups.push(files.iter().map(|file| package.folder.join(file)).collect::<Vec<_>>());
        }
        for path in corpus::spread(&groups, FILES) {
            let bytes =
                std::fs::read(&path).map_err(|error| Stop::on_path("read", &path, error))?;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if text.len() > LARGEST {
                continue;
            }
            ids.clear();
            static_model::words(&text, |word| tokenizer.word(word, &mut ids));
            for id in &ids {
                *counts.entry(*id).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<(u64, u32)> = counts
        .into_iter()
        .map(|(id, count)| (count, id))
        .filter(|(count, id)| *count >= LEAST && *id != tokenizer.unknown())
        .collect();
    counts.sort_by_key(|(count, id)| (std::cmp::Reverse(*count), *id));
    let mut text = String::new();
    for (count, id) in counts {
        writeln!(text, "{count} {}", tokenizer.piece(id))
            .map_err(|error| Stop::Failed(error.to_string()))?;
    }
    workspace::write(&root.join(FILE), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_pieces_count_for_less() {
        let vocab = format!("[UNK]\nself\nzebra\n{}", "x\n".repeat(1_000));
        let weights = weights(&WordPiece::from_vocab(&vocab, true).unwrap(), 3e-4).unwrap();
        assert!(weights[1] < weights[2] && weights[2] < weights[900]);
        assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)));
    }

    #[test]
    fn the_file_of_the_checkout_can_be_read() {
        assert!(parse(COUNTED).unwrap().len() > 10_000);
        assert!(parse("nonsense").is_err());
    }
}
