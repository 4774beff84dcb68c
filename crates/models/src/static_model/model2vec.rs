//! Which vectors does a folder of Model2Vec have? `model.safetensors` with the tensor `embeddings`, `tokenizer.json`, and
//! `config.json` that says whether vectors are scaled to length one.

use std::path::Path;

use gik_base::{Context as _, ErrorCode, Failure, Result, fs};
use serde_json::Value;

use super::{Cut, Rows, StaticModel};
use crate::embedder::{ModelId, Provider};
use crate::safetensors::Tensors;
use crate::wordpiece::WordPiece;

/// Pieces of a text that the reference looks at.
const LONGEST: usize = 512;

pub(super) fn open(folder: &Path, name: &str) -> Result<StaticModel> {
    let config: Value = serde_json::from_slice(&fs::read(&folder.join("config.json"))?)
        .context(ErrorCode::ModelInvalid, || "`config.json` is no JSON".to_owned())?;
    let tokenizer = WordPiece::from_tokenizer_json(&fs::read(&folder.join("tokenizer.json"))?)?;
    let tensors = Tensors::open(&folder.join("model.safetensors"))?;
    let table = tensors.table("embeddings")?;
    if tensors.declares("mapping") {
        return Err(invalid("the table shares rows between pieces, which is not supported"));
    }
    if table.rows < tokenizer.len() {
        return Err(invalid("the table has fewer rows than the tokenizer pieces"));
    }
    let mut values = tensors.values("embeddings", &[table.rows, table.columns])?;
    if tensors.declares("weights") {
        let weights = tensors.values("weights", &[table.rows])?;
        for (row, weight) in values.chunks_exact_mut(table.columns.max(1)).zip(weights) {
            row.iter_mut().for_each(|value| *value *= weight);
        }
    }
    Ok(StaticModel {
        id: ModelId { provider: Provider::Static, name: name.to_owned() },
        tokenizer,
        dimension: table.columns,
        rows: Rows::Floats(values),
        cut: Cut::Tokenizer,
        longest: LONGEST,
        normalize: config["normalize"].as_bool().unwrap_or(true),
    })
}

fn invalid(message: &str) -> Failure {
    Failure::new(ErrorCode::ModelInvalid, message)
}
