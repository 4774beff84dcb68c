//! Models of a few kilobytes with the layout of real ones: made from nothing, the same bytes each time.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

/// The words that a tiny model knows; each has a place of its own.
const WORDS: [&str; 12] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "greet", "hello", "world", "file", "read", "write", "name",
    "the",
];
const HIDDEN: usize = 4;
const POSITIONS: usize = 64;

/// Writes a table of tokens in the format of Model2Vec.
pub fn tiny_static_model(folder: &Path) {
    let rows = WORDS.len() * HIDDEN;
    write(
        folder,
        "config.json",
        &json!({ "model_type": "model2vec", "normalize": true }).to_string(),
    );
    write(folder, "tokenizer.json", &tokenizer());
    let tensors = [("embeddings".to_owned(), vec![WORDS.len(), HIDDEN], numbers(rows))];
    fs::write(folder.join("model.safetensors"), safetensors(&tensors)).expect("weights");
    write(folder, "README.md", "---\nlicense: mit\n---\n# Tiny\n");
}

/// Writes a transformer of the BERT family with one layer, pooled by the mean and normalised.
pub fn tiny_encoder(folder: &Path) {
    let config = json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN, "num_attention_heads": 2,
        "num_hidden_layers": 1, "intermediate_size": 8, "max_position_embeddings": POSITIONS,
        "vocab_size": WORDS.len(), "layer_norm_eps": 1e-12,
    });
    write(folder, "config.json", &config.to_string());
    write(folder, "tokenizer.json", &tokenizer());
    let modules = json!([
        { "type": "sentence_transformers.models.Transformer", "path": "" },
        { "type": "sentence_transformers.models.Pooling", "path": "1_Pooling" },
        { "type": "sentence_transformers.models.Normalize", "path": "2_Normalize" },
    ]);
    write(folder, "modules.json", &modules.to_string());
    write(
        folder,
        "1_Pooling/config.json",
        &json!({ "pooling_mode_mean_tokens": true }).to_string(),
    );
    let layer = "encoder.layer.0";
    let shapes: Vec<(String, Vec<usize>)> = [
        ("embeddings.word_embeddings.weight", vec![WORDS.len(), HIDDEN]),
        ("embeddings.position_embeddings.weight", vec![POSITIONS, HIDDEN]),
        ("embeddings.token_type_embeddings.weight", vec![2, HIDDEN]),
        ("embeddings.LayerNorm.weight", vec![HIDDEN]),
        ("embeddings.LayerNorm.bias", vec![HIDDEN]),
        ("attention.self.query.weight", vec![HIDDEN, HIDDEN]),
        ("attention.self.query.bias", vec![HIDDEN]),
        ("attention.self.key.weight", vec![HIDDEN, HIDDEN]),
        ("attention.self.key.bias", vec![HIDDEN]),
        ("attention.self.value.weight", vec![HIDDEN, HIDDEN]),
        ("attention.self.value.bias", vec![HIDDEN]),
        ("attention.output.dense.weight", vec![HIDDEN, HIDDEN]),
        ("attention.output.dense.bias", vec![HIDDEN]),
        ("attention.output.LayerNorm.weight", vec![HIDDEN]),
        ("attention.output.LayerNorm.bias", vec![HIDDEN]),
        ("intermediate.dense.weight", vec![8, HIDDEN]),
        ("intermediate.dense.bias", vec![8]),
        ("output.dense.weight", vec![HIDDEN, 8]),
        ("output.dense.bias", vec![HIDDEN]),
        ("output.LayerNorm.weight", vec![HIDDEN]),
        ("output.LayerNorm.bias", vec![HIDDEN]),
    ]
    .into_iter()
    .map(|(name, shape)| match name.starts_with("embeddings") {
        true => (name.to_owned(), shape),
        false => (format!("{layer}.{name}"), shape),
    })
    .collect();
    let tensors: Vec<(String, Vec<usize>, Vec<f32>)> = shapes
        .into_iter()
        .map(|(name, shape)| {
            let count = shape.iter().product();
            (name, shape, numbers(count))
        })
        .collect();
    fs::write(folder.join("model.safetensors"), safetensors(&tensors)).expect("weights");
}

/// Numbers that are neither equal nor all of one sign.
fn numbers(count: usize) -> Vec<f32> {
    (0..count)
        .map(|at| (f32::from(u16::try_from(at * 37 % 101).unwrap_or(0)) - 50.0) / 50.0)
        .collect()
}

fn tokenizer() -> String {
    let vocab: Map<String, Value> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), json!(id))).collect();
    let added: Vec<Value> = WORDS[..4]
        .iter()
        .enumerate()
        .map(
            |(id, word)| json!({ "id": id, "content": word, "normalized": false, "special": true }),
        )
        .collect();
    json!({
        "added_tokens": added,
        "normalizer": { "type": "BertNormalizer", "lowercase": true },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "vocab": vocab },
    })
    .to_string()
}

fn safetensors(tensors: &[(String, Vec<usize>, Vec<f32>)]) -> Vec<u8> {
    let (mut header, mut data) = (Map::new(), Vec::new());
    for (name, shape, values) in tensors {
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let entry = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
        header.insert(name.clone(), entry);
    }
    let header = Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend(data);
    file
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder)).expect("a folder for the model");
    fs::write(path, text).expect("a file of the model");
}
