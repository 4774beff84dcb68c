//! What does a `tokenizer.json` of Hugging Face say? Only WordPiece with BERT's normaliser is understood; anything else is
//! refused by name rather than read wrongly.

use gik_base::{Context as _, ErrorCode, Failure, Result};
use serde_json::Value;

use super::{Normalizer, Parts, WordPiece, vocab::Vocab};

/// The parts of a tokenizer.
pub(super) fn read(bytes: &[u8]) -> Result<Parts> {
    let json: Value = serde_json::from_slice(bytes)
        .context(ErrorCode::ModelInvalid, || "`tokenizer.json` is no JSON".to_owned())?;
    let model = &json["model"];
    // Files of older versions do not name the type of WordPiece.
    let kind = model["type"].as_str().unwrap_or("WordPiece");
    if kind != "WordPiece" || !model["vocab"].is_object() {
        return Err(unsupported("model", kind));
    }
    let mark = model["continuing_subword_prefix"].as_str().unwrap_or(super::vocab::CONTINUED);
    if mark != super::vocab::CONTINUED {
        return Err(unsupported("mark of continued pieces", mark));
    }
    let before = json["pre_tokenizer"]["type"].as_str().unwrap_or("none");
    if before != "BertPreTokenizer" {
        return Err(unsupported("pre-tokenizer", before));
    }
    let longest_word = model["max_input_chars_per_word"].as_u64().map(usize::try_from);
    Ok(Parts {
        vocab: Vocab::build(pieces(&model["vocab"])?)?,
        normalizer: normalizer(&json["normalizer"])?,
        added: added(&json["added_tokens"])?,
        longest_word: longest_word
            .and_then(std::result::Result::ok)
            .unwrap_or(WordPiece::LONGEST_WORD),
        unknown: model["unk_token"].as_str().unwrap_or("[UNK]").to_owned(),
    })
}

/// The pieces in the order of their ids, which have no gaps.
fn pieces(vocab: &Value) -> Result<Vec<&str>> {
    let invalid = |what: &str| {
        Failure::new(ErrorCode::ModelInvalid, format!("the vocabulary of `tokenizer.json` {what}"))
    };
    let object = vocab.as_object().ok_or_else(|| invalid("is no object"))?;
    let mut pieces = vec![None; object.len()];
    for (piece, id) in object {
        let id = id.as_u64().and_then(|id| usize::try_from(id).ok());
        let slot = id.and_then(|id| pieces.get_mut(id)).ok_or_else(|| invalid("has gaps"))?;
        *slot = Some(piece.as_str());
    }
    pieces.into_iter().collect::<Option<_>>().ok_or_else(|| invalid("names an id twice"))
}

fn normalizer(json: &Value) -> Result<Normalizer> {
    let kind = json["type"].as_str().unwrap_or("none");
    if kind != "BertNormalizer" {
        return Err(unsupported("normalizer", kind));
    }
    let flag = |name: &str| json[name].as_bool();
    let lowercase = flag("lowercase").unwrap_or(true);
    Ok(Normalizer {
        clean: flag("clean_text").unwrap_or(true),
        space_ideographs: flag("handle_chinese_chars").unwrap_or(true),
        strip_accents: flag("strip_accents").unwrap_or(lowercase),
        lowercase,
    })
}

fn added(json: &Value) -> Result<Vec<(String, u32)>> {
    let tokens = json.as_array().map_or(&[][..], Vec::as_slice);
    tokens
        .iter()
        .map(|token| {
            let text = token["content"].as_str().unwrap_or_default();
            if token["single_word"] == true || token["normalized"] == true {
                return Err(unsupported("added token", text));
            }
            let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
            Ok((text.to_owned(), id.ok_or_else(|| unsupported("added token", text))?))
        })
        .collect()
}

fn unsupported(what: &str, name: &str) -> Failure {
    Failure::new(
        ErrorCode::ModelInvalid,
        format!("`tokenizer.json` has a {what} that is not supported: `{name}`"),
    )
    .hint("models with a WordPiece tokenizer of the BERT family can be used")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokenizer(change: impl Fn(&mut Value)) -> Result<Parts> {
        let mut json = serde_json::json!({
            "added_tokens": [{"id": 0, "content": "[UNK]", "normalized": false}],
            "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"vocab": {"[UNK]": 0, "b": 2, "a": 1}},
        });
        change(&mut json);
        read(json.to_string().as_bytes())
    }

    #[test]
    fn a_small_file_is_read() {
        let parts = tokenizer(|_| {}).unwrap();
        assert_eq!(parts.vocab.id("b"), Some(2));
        assert_eq!(parts.normalizer, Normalizer::UNCASED);
        assert_eq!(parts.added, [("[UNK]".to_owned(), 0)]);
    }

    type Change = fn(&mut Value);

    #[test]
    fn what_is_not_understood_is_named() {
        let cases: [(&str, Change); 5] = [
            ("`Unigram`", |json| json["model"]["type"] = "Unigram".into()),
            ("`Metaspace`", |json| json["pre_tokenizer"]["type"] = "Metaspace".into()),
            ("`NFKC`", |json| json["normalizer"]["type"] = "NFKC".into()),
            ("has gaps", |json| json["model"]["vocab"]["b"] = 7.into()),
            ("twice", |json| json["model"]["vocab"]["b"] = 1.into()),
        ];
        for (expected, change) in cases {
            let failure = tokenizer(change).unwrap_err();
            assert!(failure.message().contains(expected), "{failure}");
        }
        assert!(read(b"{").is_err());
    }
}
