//! Cutting an answer to a number of bytes, and saying what was cut.

use gik_base::{ErrorCode, Failure, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// About so many bytes are a token.
pub const BYTES_PER_TOKEN: usize = 4;
/// No answer is longer than this.
pub const MOST_BYTES: usize = 200_000;
/// The same in tokens.
pub const MOST_TOKENS: u64 = (MOST_BYTES / BYTES_PER_TOKEN) as u64;
/// Nobody can say anything in fewer.
pub const LEAST_TOKENS: u64 = 100;

/// Something that was cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Where it is in the answer.
    pub at: String,
    /// What is left: rows of a list, bytes of a text.
    pub kept: usize,
    /// What there was.
    pub of: usize,
}

/// Cuts the heaviest lists and texts from their ends until the answer fits.
pub fn fit(answer: &mut Value, most: usize) -> Result<Vec<Cut>> {
    let mut cuts: Vec<Cut> = Vec::new();
    loop {
        let size = size_of(answer);
        if size <= most {
            return Ok(cuts);
        }
        let mut at = String::new();
        let cut = shorten(answer, size - most, &mut at).ok_or_else(|| {
            Failure::new(ErrorCode::Internal, "the answer cannot be cut to what may be sent")
        })?;
        match cuts.iter_mut().find(|known| known.at == cut.at) {
            Some(known) => known.kept = cut.kept,
            None => cuts.push(cut),
        }
    }
}

fn size_of(value: &Value) -> usize {
    value.to_string().len()
}

/// Takes about so many bytes from the heaviest part.
fn shorten(value: &mut Value, excess: usize, at: &mut String) -> Option<Cut> {
    match value {
        Value::Object(object) => {
            let heaviest = object.iter_mut().max_by_key(|(_, inner)| size_of(inner))?;
            at.push('/');
            at.push_str(heaviest.0);
            shorten(heaviest.1, excess, at)
        },
        Value::Array(items) => {
            let sizes: Vec<usize> = items.iter().map(size_of).collect();
            let (heaviest, size) = sizes.iter().copied().enumerate().max_by_key(|it| it.1)?;
            if size > sizes.iter().sum::<usize>() / 2 && (items.len() == 1 || size > excess) {
                at.push('/');
                at.push_str(&heaviest.to_string());
                if let Some(cut) = shorten(&mut items[heaviest], excess, at) {
                    return Some(cut);
                }
            }
            let of = items.len();
            let mut gone = 0;
            while gone < excess
                && let Some(last) = items.pop()
            {
                gone += size_of(&last) + 1;
            }
            Some(Cut { at: at.clone(), kept: items.len(), of })
        },
        Value::String(text) if text.len() > 1 => {
            let of = text.len();
            let kept = text.floor_char_boundary(of.saturating_sub(excess + 4).min(of - 1));
            text.truncate(kept);
            if kept > 0 && excess < of {
                text.push('…');
            }
            Some(Cut { at: at.clone(), kept, of })
        },
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Cuts a text at the end of a line. Says whether it had to.
pub fn fit_text(text: &mut String, most: usize) -> bool {
    if text.len() <= most {
        return false;
    }
    let end = text.floor_char_boundary(most);
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    text.truncate(end);
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Cut, fit, fit_text, size_of};

    #[test]
    fn what_fits_is_left_as_it_is() {
        let mut answer = json!({"results": [1, 2, 3]});
        assert_eq!(fit(&mut answer, 100).unwrap(), []);
        assert_eq!(answer, json!({"results": [1, 2, 3]}));
    }

    #[test]
    fn lists_lose_their_last_rows() {
        let mut answer = json!({"results": vec!["0123456789"; 100], "revision": "r"});
        let cuts = fit(&mut answer, 500).unwrap();
        assert!(size_of(&answer) <= 500);
        let kept = answer["results"].as_array().unwrap().len();
        assert_eq!(cuts, [Cut { at: "/results".to_owned(), kept, of: 100 }]);
        assert!(kept > 30, "{kept}");
    }

    #[test]
    fn one_long_text_is_cut_inside() {
        let mut answer = json!({"results": [{"text": "é".repeat(5000), "line": 1}]});
        let cuts = fit(&mut answer, 1000).unwrap();
        assert!(size_of(&answer) <= 1000);
        assert_eq!(answer["results"][0]["line"], 1);
        assert_eq!(cuts[0].at, "/results/0/text");
    }

    #[test]
    fn any_answer_is_cut_to_any_size() {
        for most in [2, 3, 10, 50, 200, 1000] {
            let mut answer = json!({"a": {"b": [["x".repeat(300), "\u{1}".repeat(40)], [1, 2]], "c": {"d": "\"".repeat(99)}}, "e": vec![json!({"f": "g"}); 50]});
            match fit(&mut answer, most) {
                Ok(_) => assert!(size_of(&answer) <= most),
                Err(_) => assert!(most < 60, "{most}: {answer}"),
            }
        }
    }

    #[test]
    fn text_is_cut_between_lines() {
        let mut text = "one\ntwo\nthree\n".to_owned();
        assert!(fit_text(&mut text, 10));
        assert_eq!(text, "one\ntwo\n");
        assert!(!fit_text(&mut text, 10));
    }
}
