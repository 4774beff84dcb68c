//! The built-in model and tables of others.

use super::*;
use crate::safetensors::tests::file as safetensors;

fn embed(model: &StaticModel, texts: &[&str]) -> Vectors {
    model.embed(texts, TextKind::Passage, &Cancel::default()).unwrap()
}

fn cosine(vectors: &Vectors, one: usize, other: usize) -> f32 {
    vectors.row(one).iter().zip(vectors.row(other)).map(|(a, b)| a * b).sum()
}

#[test]
fn the_builtin_model_knows_what_belongs_together() {
    let model = StaticModel::builtin().unwrap();
    assert_eq!(model.dimension(), BUILTIN_DIMENSION);
    assert_eq!(model.id().to_string(), "static:gik-static-256-v1");
    let texts = [
        "delete a file from disk",
        "fn removeFile(path: &Path) -> io::Result<()>",
        "render the html template",
        "",
    ];
    let vectors = embed(&model, &texts);
    let (near, far) = (cosine(&vectors, 0, 1), cosine(&vectors, 0, 2));
    assert!(near > far + 0.2, "{near} {far}");
    assert!((cosine(&vectors, 0, 0) - 1.0).abs() < 1e-5);
    assert_eq!(vectors.row(3), [0.0; 256]);
}

#[test]
fn writing_of_identifiers_does_not_matter() {
    let model = StaticModel::builtin().unwrap();
    let vectors = embed(&model, &["parseHTTPConfig", "parse_http_config", "parse http config"]);
    assert_eq!(vectors.row(0), vectors.row(1));
    assert_eq!(vectors.row(0), vectors.row(2));
}

#[test]
fn the_builtin_table_is_small_enough_and_has_no_broken_row() {
    assert!(BUILTIN.len() <= 10_000_000);
    let model = StaticModel::builtin().unwrap();
    let Rows::Bytes { values, steps } = &model.rows else { panic!("bytes expected") };
    assert_eq!(values.len(), steps.len() * 256);
    assert!(steps.iter().all(|step| step.is_finite() && *step >= 0.0));
}

#[test]
fn any_text_gives_finite_numbers() {
    let model = StaticModel::builtin().unwrap();
    let long = "word ".repeat(100_000);
    let texts = ["\u{0}\u{ffff}", "🦀", "漢字", "ÄÖÜß", &long, "a\u{301}\u{301}"];
    assert!(embed(&model, &texts).rows().flatten().all(|value| value.is_finite()));
}

fn model2vec(config: &str, extra: &[(&str, &str, &[usize], Vec<u8>)]) -> Result<StaticModel> {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let rows: Vec<u8> = floats(&[9.0, 9.0, 3.0, 0.0, 0.0, 4.0]);
    let mut tensors = vec![("embeddings", "F32", &[3, 2][..], rows)];
    tensors.extend(extra.iter().cloned());
    let tokenizer = serde_json::json!({
        "normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "b": 2}},
    });
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("config.json", config.as_bytes());
    write("tokenizer.json", tokenizer.to_string().as_bytes());
    write("model.safetensors", &safetensors(&tensors));
    StaticModel::open(folder.path(), "tiny")
}

#[test]
fn a_folder_of_model2vec_is_the_mean_of_known_pieces() {
    let model = model2vec(r#"{"normalize": false}"#, &[]).unwrap();
    assert_eq!(embed(&model, &["A b unknown"]).row(0), [1.5, 2.0]);
    let model = model2vec(r#"{"normalize": true}"#, &[]).unwrap();
    assert_eq!(embed(&model, &["a b"]).row(0), [0.6, 0.8]);
    let weights = [1.0f32, 2.0, 0.5].map(f32::to_le_bytes).concat();
    let weights = ("weights", "F32", &[3][..], weights);
    let model = model2vec(r#"{"normalize": false}"#, &[weights]).unwrap();
    assert_eq!(embed(&model, &["a b"]).row(0), [3.0, 1.0]);
}

#[test]
fn shared_rows_are_refused() {
    let mapping = ("mapping", "I64", &[3][..], vec![0; 24]);
    let failure = model2vec("{}", &[mapping]).unwrap_err();
    assert!(failure.message().contains("shares rows"), "{failure}");
}
