//! `cargo xtask distil`: makes the table of the built-in embedder from all-MiniLM-L6-v2.
//!
//! Each piece of the vocabulary goes through the transformer alone. The mean and the first directions, which all pieces
//! share, are taken away, the next 256 are kept and brought to equal spread (`components`); each piece is weighted by how
//! rare it is in prose and in source code. Every step has a fixed order, so the same model gives the same bytes on any
//! machine. `frequencies` are how often pieces occur in real packages; `--count` counts them again.

mod components;
mod frequencies;

use gik_base::Cancel;
use gik_models::{Encoder, Options, Precision, WordPiece, static_model};

use crate::models;
use crate::stop::{Result, Stop};
use crate::workspace;

use components::Components;

/// Where the table is kept.
const TABLE: &str = "crates/models/assets/static.bin";
const DIMENSION: usize = 256;
/// Directions that say little about what a piece means.
const COMMON: usize = 2;
/// Above this share of all words a piece counts for less.
const COMMON_SHARE: f64 = 3e-4;
const UNKNOWN: &str = "[UNK]";

/// Writes the table, compares it with the one that is there (`--check`) or counts pieces again (`--count`).
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let root = workspace::root();
    match args {
        [] => {
            let table = table()?;
            let path = root.join(TABLE);
            std::fs::write(&path, &table).map_err(|error| Stop::on_path("write", &path, error))?;
            println!("{} bytes, sha256 {}", table.len(), gik_base::hash::sha256_hex(&table));
            Ok(())
        },
        ["--check"] => {
            let path = root.join(TABLE);
            let kept = std::fs::read(&path).map_err(|error| Stop::on_path("read", &path, error))?;
            if table()? == kept {
                return Ok(());
            }
            Err(Stop::Failed(format!("`{TABLE}` is not what `cargo xtask distil` makes")))
        },
        ["--count"] => frequencies::count(&root, &tokenizer()?),
        other => Err(Stop::Usage(format!(
            "unknown option `{}`\nhint: cargo xtask distil [--check | --count]",
            other.join(" ")
        ))),
    }
}

fn tokenizer() -> Result<WordPiece> {
    let path = models::minilm()?.join("tokenizer.json");
    let bytes = std::fs::read(&path).map_err(|error| Stop::on_path("read", &path, error))?;
    WordPiece::from_tokenizer_json(&bytes).map_err(failed)
}

fn failed(failure: gik_base::Failure) -> Stop {
    Stop::Failed(failure.to_string())
}

fn table() -> Result<Vec<u8>> {
    let options = Options { precision: Precision::F32, ..Options::default() };
    let encoder = Encoder::open(&models::minilm()?, models::MODEL, options).map_err(failed)?;
    let tokenizer = tokenizer()?;
    let count = u32::try_from(tokenizer.len()).unwrap_or(u32::MAX);
    let kept: Vec<u32> = (0..count).filter(|id| is_word(&tokenizer.piece(*id))).collect();
    let mark = |text: &str| tokenizer.encode(text, 2);
    let marks = mark("");
    let texts: Vec<Vec<u32>> = kept.iter().map(|id| vec![marks[0], *id, marks[1]]).collect();
    eprintln!("distil: {} pieces through {}", texts.len(), models::MODEL);
    let vectors = encoder.embed_tokens(&texts, &Cancel::default()).map_err(failed)?;
    let rows: Vec<&[f32]> = vectors.rows().collect();
    let components = Components::of(&rows, COMMON, DIMENSION);
    let weights = frequencies::weights(&tokenizer, COMMON_SHARE)?;

    let mut pieces = vec![UNKNOWN.to_owned()];
    let mut table = vec![vec![0.0; DIMENSION]];
    for (id, row) in kept.iter().zip(&rows) {
        pieces.push(tokenizer.piece(*id));
        let weight = weights[*id as usize];
        table.push(components.project(row).iter().map(|value| narrow(value * weight)).collect());
    }
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    static_model::table_file(&pieces, &table).map_err(failed)
}

/// Whether source code and prose can have a piece: no marks, no punctuation.
fn is_word(piece: &str) -> bool {
    let is_mark = piece.len() > 2 && piece.starts_with('[') && piece.ends_with(']');
    !is_mark && piece.chars().any(char::is_alphanumeric)
}

#[expect(clippy::cast_possible_truncation, reason = "the table has single precision")]
fn narrow(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_punctuation_are_left_out() {
        for piece in ["a", "##ing", "é", "漢", "1999", "##3"] {
            assert!(is_word(piece), "{piece}");
        }
        for piece in ["[CLS]", "[unused12]", "!", "##", "##?", "[", "–"] {
            assert!(!is_word(piece), "{piece}");
        }
    }
}
