//! What retrieval finds for a pack: the best are seeds, the rest may be related.

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::pack::{SeedMode, SeedProvider};
use gik_index::Searcher;
use gik_pack::{Points, Rule, Seed};
use gik_retrieve::signals::Weights;
use gik_retrieve::{Current, Found};

use super::shelf::Shelf;
use crate::answer::{Question, Texts};
use crate::bases;
use crate::conditions::Flags;
use crate::finding::Reading;
use crate::likeness::Example;

/// So many of the best are seeds.
const SEEDS: usize = 10;
/// So many are looked at in all.
const FOUND: usize = 50;

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    question: Question,
    provider: SeedProvider,
}

/// The weights that count for packs: no clock and no history beside the files may move anything.
pub(crate) fn weights(settings: Weights, provider: SeedProvider) -> Weights {
    let meaning = if provider == SeedProvider::Sparse { 0.0 } else { settings.meaning };
    Weights { meaning, reranker: 0.0, recent: 0.0, together: 0.0, ..settings }
}

impl Asked {
    /// The question of a request. Fails where it cannot be asked.
    pub(crate) fn new(
        text: &str,
        mode: SeedMode,
        provider: SeedProvider,
        weights: Weights,
    ) -> Result<Self> {
        if provider == SeedProvider::Fts {
            let message = "packs are not made from the full-text table of SQLite";
            return Err(Failure::new(ErrorCode::NotSupported, message).hint(
                "use `--provider sparse` for words alone, or `hybrid` for words and vectors",
            ));
        }
        let allowed: &[&str] = match mode {
            SeedMode::Code => &[bases::CODE],
            SeedMode::Prose => &[bases::DOCS, bases::NOTES],
            SeedMode::Mixed => bases::FILE_BASES,
        };
        let named: Vec<String> = allowed.iter().map(|base| (*base).to_owned()).collect();
        let flags = Flags { bases: &named, ..Flags::default() };
        let question = Question {
            limit: FOUND,
            may_soften: true,
            weights,
            ..Question::new(text.to_owned(), &flags, bases::FILE_BASES)?
        };
        if question.conditions.change_with_time() {
            let message = "a pack is the same tomorrow: `changed:` and `author:` are not asked for";
            return Err(Failure::new(ErrorCode::NotSupported, message)
                .hint("`gik ask` takes these conditions"));
        }
        Ok(Self { question, provider })
    }

    /// The same for a reader who is somewhere.
    pub(crate) fn near(mut self, current: Option<Current>) -> Self {
        self.question.current = current;
        self
    }
}

/// What a pack starts from.
#[derive(Debug, Default)]
pub(crate) struct Start {
    pub(crate) seeds: Vec<Seed>,
    pub(crate) more: Vec<Seed>,
}

/// Takes the best as seeds. Where nothing was asked, what was found is only related to what was named.
pub(crate) fn start(shelf: &mut Shelf<'_>, found: Vec<Found>, are_seeds: bool) -> Result<Start> {
    let mut start = Start::default();
    let best = found.first().map_or(0.0, |hit| hit.score);
    for hit in found {
        let Some(number) = shelf.number(hit.file.key.as_str()) else { continue };
        let Some(place) = shelf.place_of_chunk(number, &hit.chunk)? else { continue };
        let is_seed = are_seeds && start.seeds.len() < SEEDS;
        let seed = Seed {
            place,
            nodes: if is_seed { shelf.nodes_of(number, &hit.chunk)? } else { Vec::new() },
            rule: Rule::Query,
            score: Points::of(if best > 0.0 { hit.score / best } else { 1.0 }),
            lexical: Some(hit.lexical),
            dense: hit.dense,
        };
        if is_seed { start.seeds.push(seed) } else { start.more.push(seed) }
    }
    Ok(start)
}

/// The chunks that answer best, by the provider of the request.
pub(crate) fn ask(
    reading: &Reading<'_>,
    asked: &Asked,
    texts: &mut Texts,
    notes: &mut Vec<String>,
) -> Result<Vec<Found>> {
    let finding = reading.find(&asked.question, texts, &mut |_| {})?;
    for (base, coverage) in &finding.meaning.partly {
        notes.push(format!(
            "{} of {} chunks of base `{base}` have vectors so far",
            coverage.vectors, coverage.chunks
        ));
    }
    let mut found = finding.results.found;
    if asked.provider == SeedProvider::Ann {
        found.retain(|hit| hit.dense.is_some());
        if found.is_empty() {
            let message = "no vector was compared with this question";
            return Err(Failure::new(ErrorCode::NotSupported, message)
                .hint("a single name is found by its letters: use `--provider hybrid`"));
        }
        for hit in &mut found {
            hit.score = hit.dense.unwrap_or(0.0);
        }
        found.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| {
                (one.file.key.as_str(), one.chunk.bytes.start)
                    .cmp(&(other.file.key.as_str(), other.chunk.bytes.start))
            })
        });
    }
    Ok(found)
}

/// The most telling words at a place, where nothing was asked.
pub(crate) fn telling_words(reading: &Reading<'_>, place: &str) -> Result<String> {
    let example = Example::at(reading.ws, reading.snapshot, place)?;
    let segments = reading.snapshot.segments().iter().map(|row| (&row.segment, &row.tombstones));
    Ok(example.telling_words(&Searcher::new(segments))?.join(" "))
}
