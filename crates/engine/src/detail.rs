//! How much of each piece of evidence is handed out, and what fits into a budget?
//!
//! There are three steps: the place, the declarations, the text. A budget is spent step by step, the best pieces first:
//! places for as many as fit, then declarations, then texts. Nothing is ever above it.

use gik_contract::RagChunk;
use gik_contract::ask::{BudgetUse, CommitEvent, LeftOut, MemoryEvent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// About so many bytes are a token.
const BYTES_PER_TOKEN: usize = 4;
/// Line numbers and what is around a piece, in bytes.
const FRAME_BYTES: usize = 16;
/// Memory and commits take no more than this part of a budget.
const ASIDES_PART: u64 = 3;

/// How much of a piece of evidence is handed out.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Deserialize,
    Serialize,
    JsonSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Detail {
    /// Path, lines and name
    Locations,
    /// Declarations of what begins there
    Signatures,
    /// The text
    #[default]
    Bodies,
}

impl Detail {
    const ALL: [Self; 3] = [Self::Locations, Self::Signatures, Self::Bodies];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Locations => "locations",
            Self::Signatures => "signatures",
            Self::Bodies => "bodies",
        }
    }
}

/// A piece of evidence in all its steps.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) chunk: RagChunk,
    /// The lines of the whole chunk.
    pub(crate) lines: (u64, u64),
    /// Its declarations, one a line.
    pub(crate) signature: String,
}

impl Piece {
    /// The piece in a step.
    pub(crate) fn at(&self, detail: Detail) -> RagChunk {
        let snippet = match detail {
            Detail::Bodies => return self.chunk.clone(),
            Detail::Signatures => self.signature.clone(),
            Detail::Locations => String::new(),
        };
        RagChunk {
            snippet,
            start_line: self.lines.0,
            end_line: self.lines.1,
            truncated: true,
            detail: Some(detail.as_str().to_owned()),
            ..self.chunk.clone()
        }
    }
}

/// About how many tokens a text of so many bytes has.
pub fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

fn tokens_of(chunk: &RagChunk) -> u64 {
    let name = chunk.name.as_deref().unwrap_or_default();
    tokens(chunk.path.len() + name.len() + chunk.snippet.len() + FRAME_BYTES)
}

/// What comes beside the evidence.
#[derive(Debug)]
pub(crate) struct Asides<'a> {
    pub(crate) memory: &'a mut Vec<MemoryEvent>,
    pub(crate) commits: &'a mut Vec<CommitEvent>,
}

/// As much of each piece as the budget allows, at most up to a step.
pub(crate) fn fitted(
    pieces: &[Piece],
    asides: &mut Asides<'_>,
    budget: u64,
    most: Detail,
) -> (Vec<RagChunk>, BudgetUse) {
    let for_asides = budget / ASIDES_PART;
    let mut left_for_asides = for_asides;
    let mut fits = |texts: [&str; 4]| {
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        let cost = tokens(bytes + FRAME_BYTES);
        let fits = cost <= left_for_asides;
        if fits {
            left_for_asides -= cost;
        }
        fits
    };
    let (n_memory, n_commits) = (asides.memory.len(), asides.commits.len());
    asides.memory.retain(|event| {
        fits([&event.id, event.title.as_deref().unwrap_or_default(), &event.text, ""])
    });
    asides.commits.retain(|event| {
        fits([&event.id, &event.author, &event.subject, event.body.as_deref().unwrap_or_default()])
    });
    let mut left = budget - (for_asides - left_for_asides);
    let mut chosen: Vec<Option<RagChunk>> = vec![None; pieces.len()];
    for detail in Detail::ALL.into_iter().filter(|detail| *detail <= most) {
        for (piece, chosen) in pieces.iter().zip(&mut chosen) {
            // What did not even fit as a place would come before better pieces.
            if detail > Detail::Locations && chosen.is_none() {
                continue;
            }
            let known = chosen.as_ref().map_or(0, tokens_of);
            let better = piece.at(detail);
            let cost = tokens_of(&better);
            if cost <= left + known {
                left = left + known - cost;
                *chosen = Some(better);
            }
        }
    }
    let left_out: Vec<LeftOut> = (pieces.iter().zip(&chosen))
        .filter(|(_, chosen)| chosen.is_none())
        .map(|(piece, _)| LeftOut {
            path: piece.chunk.path.clone(),
            start_line: piece.lines.0,
            end_line: piece.lines.1,
        })
        .collect();
    let chosen: Vec<RagChunk> = chosen.into_iter().flatten().collect();
    let is_shortened =
        |chunk: &&RagChunk| chunk.detail.as_deref().is_some_and(|it| it != most.as_str());
    let budget = BudgetUse {
        tokens: budget,
        used: budget - left,
        shortened: chosen.iter().filter(is_shortened).count() as u64,
        left_out,
        memory_left_out: (n_memory - asides.memory.len()) as u64,
        commits_left_out: (n_commits - asides.commits.len()) as u64,
    };
    (chosen, budget)
}

#[cfg(test)]
mod tests {
    use gik_testkit::Rng;

    use super::*;

    fn piece(path: &str, signature: &str, snippet: &str) -> Piece {
        let chunk = serde_json::json!({
            "base": "code", "score": 1.0, "path": path, "startLine": 3, "endLine": 5, "snippet": snippet,
        });
        let chunk = serde_json::from_value(chunk).unwrap();
        Piece { chunk, lines: (1, 9), signature: signature.to_owned() }
    }

    fn fitted(pieces: &[Piece], budget: u64, most: Detail) -> (Vec<RagChunk>, BudgetUse) {
        let mut asides = Asides { memory: &mut Vec::new(), commits: &mut Vec::new() };
        super::fitted(pieces, &mut asides, budget, most)
    }

    fn details(chunks: &[RagChunk]) -> Vec<&str> {
        chunks.iter().map(|chunk| chunk.detail.as_deref().unwrap_or("bodies")).collect()
    }

    #[test]
    fn detail_grows_with_the_budget_and_the_best_grow_first() {
        let pieces =
            [piece("a.rs", "fn a()", &"x".repeat(400)), piece("b.rs", "fn b()", &"y".repeat(400))];
        for (budget, expected) in [
            (4, &[][..]),
            (5, &["locations"]),
            (10, &["locations", "locations"]),
            (12, &["signatures", "locations"]),
            (14, &["signatures", "signatures"]),
            (120, &["bodies", "signatures"]),
            (300, &["bodies", "bodies"]),
        ] {
            let (chunks, used) = fitted(&pieces, budget, Detail::Bodies);
            assert_eq!(details(&chunks), expected, "{budget}");
            assert!(used.used <= budget, "{used:?}");
            assert_eq!(used.left_out.len() + chunks.len(), 2, "{budget}");
        }
        let (chunks, used) = fitted(&pieces, 1000, Detail::Signatures);
        assert_eq!((details(&chunks), used.shortened), (vec!["signatures"; 2], 0));
        assert_eq!(chunks[0].snippet, "fn a()");
    }

    #[test]
    fn no_budget_is_ever_exceeded() {
        let mut rng = Rng::new(7);
        for _ in 0..500 {
            let pieces: Vec<Piece> = (0..rng.within(0..12))
                .map(|n| {
                    let text = |rng: &mut Rng| "é".repeat(rng.within(0..200));
                    piece(&format!("{n}.rs"), &text(&mut rng), &text(&mut rng))
                })
                .collect();
            let budget = rng.below(600);
            let (chunks, used) = fitted(&pieces, budget, Detail::Bodies);
            let sum: u64 = chunks.iter().map(tokens_of).sum();
            assert_eq!(sum, used.used);
            assert!(sum <= budget);
            let order: Vec<&str> = chunks.iter().map(|chunk| chunk.path.as_str()).collect();
            let mut expected: Vec<&str> = pieces.iter().map(|it| it.chunk.path.as_str()).collect();
            expected.retain(|path| order.contains(path));
            assert_eq!(order, expected);
        }
    }
}
