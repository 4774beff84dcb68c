//! Ranking a few texts without any index: for small collections, and as the oracle of the index.

use gik_base::collections::HashMap;

use crate::document::{Document, field_of};
use crate::fields::{Field, Frequencies, weighted};
use crate::query::Query;
use crate::score::{Collection, Score, TermScorer};

/// A document that answers a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedDocument {
    /// Its place among the documents given.
    pub index: usize,
    /// The sum of what the matched terms contribute.
    pub score: Score,
    /// Bit `n` is set when the `n`th of [`Query::terms`] occurs.
    pub matched: u64,
}

/// What one document has of the terms of the query.
struct Counted {
    length: u32,
    /// By term: how often in each field, and at which keys of the fields that count.
    terms: Vec<(Frequencies, Vec<u32>)>,
}

/// The best `limit` documents: highest score first, ties by `tie`, then by place.
pub fn rank_documents(
    documents: &[Document<'_>],
    query: &Query,
    limit: usize,
) -> Vec<RankedDocument> {
    let numbers: HashMap<&str, usize> =
        query.terms.iter().enumerate().map(|(number, term)| (term.as_str(), number)).collect();
    let counted: Vec<Counted> =
        documents.iter().map(|document| count(document, &numbers, query)).collect();

    let mut collection = Collection::default();
    for document in &counted {
        collection.add(document.length);
    }
    let has_anywhere =
        |document: &Counted, term: usize| document.terms[term].0 != [0; Field::COUNT];
    let has = |document: &Counted, term: usize| !document.terms[term].1.is_empty();
    let scorers: Vec<TermScorer> = (0..query.n_scored)
        .map(|term| counted.iter().filter(|document| has_anywhere(document, term)).count() as u64)
        .map(|df| TermScorer::new(collection, df))
        .collect();

    let mut ranked: Vec<RankedDocument> = Vec::new();
    for (index, document) in counted.iter().enumerate() {
        let (mut score, mut matched) = (0, 0u64);
        for (term, scorer) in scorers.iter().enumerate().filter(|&(term, _)| has(document, term)) {
            let frequencies = query.fields.of(document.terms[term].0);
            score += scorer.contribution(weighted(&frequencies), document.length);
            matched |= 1 << term;
        }
        let holds = matched != 0
            && matched & query.must == query.must
            && !query.excluded.iter().any(|&term| has(document, term))
            && query.phrases_hold(|term| &document.terms[term].1);
        if holds {
            ranked.push(RankedDocument { index, score: Score(score), matched });
        }
    }
    ranked.sort_by(|left, right| {
        let tie = |document: &RankedDocument| (documents[document.index].tie, document.index);
        right.score.cmp(&left.score).then_with(|| tie(left).cmp(&tie(right)))
    });
    ranked.truncate(limit);
    ranked
}

fn count(document: &Document<'_>, numbers: &HashMap<&str, usize>, query: &Query) -> Counted {
    let mut counted =
        Counted { length: 0, terms: vec![([0; Field::COUNT], Vec::new()); query.terms.len()] };
    document.for_each_occurrence(|term, key| {
        counted.length += 1;
        if let Some(&number) = numbers.get(term) {
            let (frequencies, keys) = &mut counted.terms[number];
            frequencies[field_of(key)] += 1;
            if query.fields.has_index(field_of(key)) {
                keys.push(key);
            }
        }
    });
    counted
}
