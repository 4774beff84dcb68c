//! The real model against vectors of another implementation.

use serde_json::Value;

use super::*;
use crate::testing;

fn open(precision: Precision, threads: usize) -> Encoder {
    Encoder::open(
        &testing::model_folder(),
        "all-MiniLM-L6-v2",
        Options { precision, threads, ..Options::default() },
    )
    .unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// Texts and their vectors by ONNX Runtime.
fn reference() -> (Vec<String>, Vec<Vec<f32>>) {
    let samples: Value = serde_json::from_str(include_str!("../../fixtures/minilm.json")).unwrap();
    let samples = samples.as_array().unwrap();
    let text = |sample: &Value| sample["text"].as_str().unwrap().to_owned();
    let vector = |sample: &Value| serde_json::from_value(sample["vector"].clone()).unwrap();
    (samples.iter().map(text).collect(), samples.iter().map(vector).collect())
}

fn embed(encoder: &Encoder, texts: &[String]) -> Vectors {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    encoder.embed(&texts, TextKind::Passage, &Cancel::default()).unwrap()
}

#[test]
fn vectors_equal_those_of_the_reference() {
    let (texts, expected) = reference();
    assert!(texts.len() >= 20);
    for (precision, least) in [(Precision::F32, 0.999_999), (Precision::Int8, 0.995)] {
        let vectors = embed(&open(precision, 2), &texts);
        for ((vector, expected), text) in vectors.rows().zip(&expected).zip(&texts) {
            let cosine = cosine(vector, expected);
            assert!(cosine >= least, "{cosine} with {precision:?} for {text}");
        }
    }
}

#[test]
fn similar_sentences_come_in_order() {
    let texts = ["a cat sits on the mat", "a kitten rests on a rug", "stock prices fell sharply"]
        .map(str::to_owned);
    for precision in [Precision::F32, Precision::Int8] {
        let vectors = embed(&open(precision, 1), &texts);
        let near = cosine(vectors.row(0), vectors.row(1));
        let far = cosine(vectors.row(0), vectors.row(2));
        assert!(near > 0.5 && far < 0.2, "{near} {far}");
    }
}

#[test]
fn a_vector_depends_on_its_text_alone() {
    let (texts, _) = reference();
    for precision in [Precision::F32, Precision::Int8] {
        let (one, many) = (open(precision, 1), open(precision, 3));
        let texts = &texts[..8];
        let together = embed(&one, texts);
        assert_eq!(together, embed(&many, texts));
        for at in [0, texts.len() - 1] {
            let alone = embed(&many, &texts[at..=at]);
            assert_eq!(alone.row(0), together.row(at));
        }
    }
}

#[test]
fn the_processor_does_not_change_the_bits() {
    let (texts, _) = reference();
    for precision in [Precision::F32, Precision::Int8] {
        let mut encoder = open(precision, 1);
        let fast = embed(&encoder, &texts[..2]);
        encoder.kernels = Kernels::Plain;
        assert_eq!(fast, embed(&encoder, &texts[..2]));
    }
}

#[test]
fn batches_are_full_and_hold_every_text_once() {
    let texts: Vec<Vec<u32>> = [3, 200, 60, 300, 1].map(|length| vec![0; length]).to_vec();
    assert_eq!(batches(&texts), [vec![3], vec![1], vec![2, 0, 4]]);
    assert!(batches(&[]).is_empty());
}

#[test]
fn nothing_and_empty_texts_have_vectors() {
    let encoder = open(Precision::Int8, 2);
    assert!(embed(&encoder, &[]).is_empty());
    let vectors = embed(&encoder, &[String::new()]);
    assert_eq!((vectors.len(), vectors.dimension()), (1, 384));
    assert!(vectors.row(0).iter().all(|value| value.is_finite()));
}

#[test]
fn a_stopped_run_says_so() {
    let cancel = Cancel::default();
    cancel.cancel();
    let encoder = open(Precision::Int8, 1);
    let failure = encoder.embed(&["a"], TextKind::Query, &cancel).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::Interrupted);
}
