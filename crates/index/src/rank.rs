//! Ranking a few texts without any index: for small collections, and as the oracle of the index.

use gik_base::collections::HashMap;

use crate::analyzer::has_positions;
use crate::document::{Document, field_of, is_in_opening};
use crate::fields::{Field, Frequencies, weighted};
use crate::forms::WHOLE;
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
    /// The same for those that stand in the opening of its comments.
    pub opening: u64,
}

/// What one document has of the terms of the query.
struct Counted {
    length: u32,
    /// By term, then by form: how often in each field, and at which keys of the fields that count.
    terms: Vec<(Frequencies, Vec<u32>)>,
}

/// The best `limit` documents: highest score first, ties by `tie`, then by place.
pub fn rank_documents(
    documents: &[Document<'_>],
    query: &Query,
    limit: usize,
) -> Vec<RankedDocument> {
    let forms = query.forms.iter().map(|form| &form.term);
    let mut numbers: HashMap<&str, Vec<usize>> = HashMap::default();
    for (number, term) in query.terms.iter().chain(forms).enumerate() {
        numbers.entry(term).or_default().push(number);
    }
    let counted: Vec<Counted> =
        documents.iter().map(|document| count(document, &numbers, query)).collect();
    let forms_of = |term: usize| {
        let forms = query.forms.iter().enumerate().filter(move |(_, form)| form.of == term);
        forms.map(|(at, form)| (query.terms.len() + at, form.quarters))
    };

    let words: Vec<&String> =
        query.terms.iter().chain(query.forms.iter().map(|form| &form.term)).collect();
    let has_positions = |word: &usize| has_positions(words[*word].as_bytes());

    let mut collection = Collection::default();
    for document in &counted {
        collection.add(document.length);
    }
    let has_anywhere =
        |document: &Counted, term: usize| document.terms[term].0 != [0; Field::COUNT];
    let has = |document: &Counted, term: usize| !document.terms[term].1.is_empty();
    let df =
        |term: usize| counted.iter().filter(|document| has_anywhere(document, term)).count() as u64;
    let scorers: Vec<TermScorer> = (0..query.n_scored)
        .map(|term| match df(term) {
            0 => forms_of(term).map(|(form, _)| df(form)).sum(),
            df => df,
        })
        .map(|df| TermScorer::new(collection, df))
        .collect();

    let mut ranked: Vec<RankedDocument> = Vec::new();
    for (index, document) in counted.iter().enumerate() {
        let (mut score, mut matched, mut opening) = (0, 0u64, 0u64);
        for (term, scorer) in scorers.iter().enumerate() {
            let quarters = [(term, WHOLE)].into_iter().chain(forms_of(term)).map(|(form, each)| {
                weighted(&query.fields.of(document.terms[form].0)).saturating_mul(each)
            });
            let quarters = quarters.fold(0, u32::saturating_add);
            if quarters > 0 {
                score += scorer.contribution_of_quarters(quarters, document.length);
                matched |= 1 << term;
                let forms = [term].into_iter().chain(forms_of(term).map(|(form, _)| form));
                let mut keys = forms.filter(has_positions).flat_map(|form| &document.terms[form].1);
                opening |= u64::from(keys.any(|key| is_in_opening(*key))) << term;
            }
        }
        let holds = matched != 0
            && matched & query.must == query.must
            && !query.excluded.iter().any(|&term| has(document, term))
            && query.phrases_hold(|term| &document.terms[term].1);
        if holds {
            ranked.push(RankedDocument { index, score: Score(score), matched, opening });
        }
    }
    ranked.sort_by(|left, right| {
        let tie = |document: &RankedDocument| (documents[document.index].tie, document.index);
        right.score.cmp(&left.score).then_with(|| tie(left).cmp(&tie(right)))
    });
    ranked.truncate(limit);
    ranked
}

fn count(document: &Document<'_>, numbers: &HashMap<&str, Vec<usize>>, query: &Query) -> Counted {
    let n_terms = query.terms.len() + query.forms.len();
    let mut counted = Counted { length: 0, terms: vec![([0; Field::COUNT], Vec::new()); n_terms] };
    document.for_each_occurrence(|term, key| {
        counted.length += 1;
        for &number in numbers.get(term).into_iter().flatten() {
            let (frequencies, keys) = &mut counted.terms[number];
            frequencies[field_of(key)] += 1;
            if query.fields.has_index(field_of(key)) {
                keys.push(key);
            }
        }
    });
    counted
}
