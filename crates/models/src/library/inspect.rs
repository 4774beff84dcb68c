//! Which files of a folder make up a model, and what is it?
//!
//! A model is opened before it is made ready: what cannot be used never takes the place of what can.

use std::path::Path;

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::ModelKind;

use super::gguf;
use crate::embedder::{Embedder as _, Model};
use crate::encoder::{self, CrossEncoder, Options};
use crate::safetensors::Tensors;

/// The file with the weights of an embedder.
pub(super) const WEIGHTS: &str = "model.safetensors";
/// The files beside the weights that change what a model does, or say what it is.
const BESIDE: [&str; 9] = [
    "1_Pooling/config.json",
    "README.md",
    "config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
];

/// What a folder holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inspected {
    pub(super) kind: ModelKind,
    pub(super) dimension: Option<u64>,
    pub(super) quantization: Option<String>,
    pub(super) license: Option<String>,
}

/// Whether a file of that path is a part of an embedder.
pub fn is_part(path: &str) -> bool {
    path == WEIGHTS || BESIDE.contains(&path)
}

/// Whether a path names a GGUF file.
pub fn is_gguf(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"))
}

/// The parts of a model that a folder has, by path.
pub(super) fn parts_of(folder: &Path) -> Vec<&'static str> {
    let all = BESIDE.iter().chain([&WEIGHTS]).copied();
    let mut parts: Vec<&str> = all.filter(|path| folder.join(path).is_file()).collect();
    parts.sort_unstable();
    parts
}

/// Refuses a model that cannot be used by its small files alone, before its weights are fetched.
pub(super) fn check_config(folder: &Path) -> Result<()> {
    if Model::is_static(folder)? {
        return Ok(());
    }
    encoder::check_config(folder)
}

/// Opens what a folder holds. `name` is for messages.
pub(super) fn inspect(folder: &Path, name: &str, files: &[String]) -> Result<Inspected> {
    let license = license_of_card(folder)?;
    if let Some(file) = files.iter().find(|file| is_gguf(file)) {
        let header = gguf::read(&folder.join(file))?;
        let license = license.or(header.license);
        return Ok(Inspected {
            kind: ModelKind::Gguf,
            dimension: None,
            quantization: header.quantization,
            license,
        });
    }
    for needed in ["config.json", WEIGHTS] {
        if !files.iter().any(|file| file == needed) {
            let message = format!("`{name}` has no `{needed}`");
            return Err(Failure::new(ErrorCode::ModelInvalid, message)
                .hint("an embedder has `config.json`, `tokenizer.json` or `vocab.txt`, and `model.safetensors`"));
        }
    }
    let quantization = Tensors::open(&folder.join(WEIGHTS))?.commonest_kind().map(str::to_owned);
    if !Model::is_static(folder)? && CrossEncoder::is_one(&folder.join(WEIGHTS))? {
        CrossEncoder::open(folder, name, Options::default())?;
        let kind = ModelKind::Reranker;
        return Ok(Inspected { kind, dimension: None, quantization, license });
    }
    let model = Model::open(folder, name, Options::default())?;
    let kind = match model {
        Model::Static(_) => ModelKind::Static,
        Model::Encoder(_) | Model::Remote(_) => ModelKind::Encoder,
    };
    Ok(Inspected { kind, dimension: u64::try_from(model.dimension()).ok(), quantization, license })
}

/// The `license:` in the front matter of the model's card.
fn license_of_card(folder: &Path) -> Result<Option<String>> {
    let Some(bytes) = fs::read_if_present(&folder.join("README.md"))? else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Ok(None);
    }
    let license = lines
        .take_while(|line| line.trim_end() != "---")
        .find_map(|line| line.strip_prefix("license:"))
        .map(|value| value.trim().trim_matches(['"', '\'']).to_owned());
    Ok(license.filter(|license| !license.is_empty() && license.len() <= 100))
}
