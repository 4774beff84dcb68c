//! What does the folder of a sentence transformer say about itself?
//!
//! `config.json` gives the sizes, `modules.json` and the folders it names give pooling and normalisation,
//! `sentence_bert_config.json` the longest text, `config_sentence_transformers.json` what is put before a text.
//! Whatever would change the vectors and is not supported is refused by name.

use std::path::Path;

use gik_base::{Context as _, ErrorCode, Failure, Result, fs};
use serde_json::Value;

/// How the vectors of tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    /// The first token alone.
    First,
}

/// All that is known of a model before its weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Config {
    pub(super) hidden: usize,
    pub(super) heads: usize,
    pub(super) layers: usize,
    pub(super) intermediate: usize,
    pub(super) positions: usize,
    pub(super) vocabulary: usize,
    pub(super) epsilon: f32,
    pub(super) longest: usize,
    pub(super) pooling: Pooling,
    pub(super) normalize: bool,
    pub(super) query_prefix: String,
    pub(super) passage_prefix: String,
}

impl Config {
    /// Reads the files of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let json = required(folder, "config.json")?;
        check_architecture(&json)?;
        let size = |name: &str| size(&json, name);
        let (pooling, normalize) = modules(folder)?;
        let prompts = optional(folder, "config_sentence_transformers.json")?["prompts"].take();
        let prompt = |names: &[&str]| {
            let text = names.iter().find_map(|name| prompts[*name].as_str());
            text.unwrap_or_default().to_owned()
        };
        let config = Self {
            hidden: size("hidden_size")?,
            heads: size("num_attention_heads")?,
            layers: size("num_hidden_layers")?,
            intermediate: size("intermediate_size")?,
            positions: size("max_position_embeddings")?,
            vocabulary: size("vocab_size")?,
            epsilon: epsilon(&json),
            longest: longest(folder)?.unwrap_or(usize::MAX).min(size("max_position_embeddings")?),
            pooling,
            normalize,
            query_prefix: prompt(&["query"]),
            passage_prefix: prompt(&["passage", "document"]),
        };
        // Integers are multiplied in pairs, heads share the hidden size.
        if !config.hidden.is_multiple_of(config.heads)
            || !config.hidden.is_multiple_of(2)
            || !config.intermediate.is_multiple_of(2)
        {
            return Err(unsupported("hidden_size", &config.hidden.to_string()));
        }
        Ok(config)
    }
}

fn check_architecture(json: &Value) -> Result<()> {
    for (name, supported, default) in [
        ("model_type", "bert", ""),
        ("hidden_act", "gelu", "gelu"),
        ("position_embedding_type", "absolute", "absolute"),
    ] {
        let value = json[name].as_str().unwrap_or(default);
        if value != supported {
            return Err(unsupported(name, value));
        }
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "the model computes in f32")]
fn epsilon(json: &Value) -> f32 {
    json["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32
}

fn size(json: &Value, name: &str) -> Result<usize> {
    let value = json[name].as_u64().and_then(|value| usize::try_from(value).ok());
    let missing =
        || Failure::new(ErrorCode::ModelInvalid, format!("`config.json` has no usable `{name}`"));
    value.filter(|value| (1..1 << 24).contains(value)).ok_or_else(missing)
}

/// Without `modules.json` a model is pooled by the mean and not normalised, as in the reference.
fn modules(folder: &Path) -> Result<(Pooling, bool)> {
    let json = optional(folder, "modules.json")?;
    let (mut pooling, mut normalize) = (Pooling::Mean, false);
    for module in json.as_array().map_or(&[][..], Vec::as_slice) {
        let kind = module["type"].as_str().unwrap_or_default();
        match kind.rsplit('.').next().unwrap_or_default() {
            "Transformer" => {},
            "Normalize" => normalize = true,
            "Pooling" => {
                let path = module["path"].as_str().unwrap_or_default();
                pooling = read_pooling(&required(&folder.join(path), "config.json")?)?;
            },
            _ => return Err(unsupported("module", kind)),
        }
    }
    Ok((pooling, normalize))
}

fn read_pooling(json: &Value) -> Result<Pooling> {
    let object = json.as_object();
    let modes: Vec<&str> = object
        .into_iter()
        .flatten()
        .filter(|(name, value)| name.starts_with("pooling_mode_") && **value == true)
        .map(|(name, _)| name.as_str())
        .collect();
    match modes[..] {
        ["pooling_mode_mean_tokens"] => Ok(Pooling::Mean),
        ["pooling_mode_cls_token"] => Ok(Pooling::First),
        _ => Err(unsupported("pooling", &modes.join(" and "))),
    }
}

fn longest(folder: &Path) -> Result<Option<usize>> {
    let number = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
    let own = optional(folder, "sentence_bert_config.json")?;
    let tokenizer = optional(folder, "tokenizer_config.json")?;
    Ok(number(&own["max_seq_length"]).or_else(|| number(&tokenizer["model_max_length"])))
}

fn unsupported(what: &str, value: &str) -> Failure {
    Failure::new(ErrorCode::ModelInvalid, format!("the model has a {what} that is not supported: `{value}`"))
        .hint("models of the BERT family such as all-MiniLM, bge-small, e5-small and gte-small can be used")
}

fn required(folder: &Path, name: &str) -> Result<Value> {
    parse(&folder.join(name), &fs::read(&folder.join(name))?)
}

fn optional(folder: &Path, name: &str) -> Result<Value> {
    let path = folder.join(name);
    fs::read_if_present(&path)?.map_or(Ok(Value::Null), |bytes| parse(&path, &bytes))
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Value> {
    let message = || format!("`{}` is no JSON", path.display());
    serde_json::from_slice(bytes).context(ErrorCode::ModelInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let bert = r#"{"model_type": "bert", "hidden_act": "gelu", "hidden_size": 384, "num_attention_heads": 12,
            "num_hidden_layers": 12, "intermediate_size": 1536, "max_position_embeddings": 512, "vocab_size": 30522}"#;
        for (name, text) in [("config.json", bert)].iter().chain(files) {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn the_real_model_is_mean_pooled_and_normalised() {
        let config = Config::read(&testing::model_folder()).unwrap();
        assert_eq!((config.hidden, config.heads, config.layers, config.longest), (384, 12, 6, 256));
        assert_eq!((config.pooling, config.normalize), (Pooling::Mean, true));
        assert_eq!(config.query_prefix, "");
    }

    #[test]
    fn pooling_prefixes_and_length_come_from_their_files() {
        let folder = folder(&[
            (
                "modules.json",
                r#"[{"type": "sentence_transformers.models.Transformer", "path": ""},
                {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}]"#,
            ),
            (
                "1_Pooling/config.json",
                r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
            ),
            ("tokenizer_config.json", r#"{"model_max_length": 128}"#),
            (
                "config_sentence_transformers.json",
                r#"{"prompts": {"query": "query: ", "document": "passage: "}}"#,
            ),
        ]);
        let config = Config::read(folder.path()).unwrap();
        assert_eq!(
            (config.pooling, config.normalize, config.longest),
            (Pooling::First, false, 128)
        );
        assert_eq!((&*config.query_prefix, &*config.passage_prefix), ("query: ", "passage: "));
    }

    #[test]
    fn what_is_not_supported_is_named() {
        let cases: [(&str, &str, &str); 5] = [
            ("config.json", r#"{"model_type": "roberta"}"#, "`roberta`"),
            ("config.json", r#"{"model_type": "bert", "hidden_act": "relu"}"#, "`relu`"),
            ("config.json", r#"{"model_type": "bert"}"#, "`hidden_size`"),
            ("modules.json", r#"[{"type": "sentence_transformers.models.Dense"}]"#, "Dense"),
            ("config.json", "{", "is no JSON"),
        ];
        for (name, text, expected) in cases {
            let folder = folder(&[(name, text)]);
            let failure = Config::read(folder.path()).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::ModelInvalid);
            assert!(failure.message().contains(expected), "{failure}");
        }
    }
}
