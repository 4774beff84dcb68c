//! What would the index say? Every text is looked at for every question: slow, obvious, and never out of date.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{ChunkNo, Document, FileNo};
use crate::fields::Field;
use crate::query::Query;
use crate::rank::rank_documents;
use crate::score::{Collection, TermScorer};
use crate::search::Hit;
use crate::segment::DocNo;
use crate::spelling::{Meant, is_correctable};

/// A text to look at: a [`Document`] that owns its fields.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// Which chunk it is.
    pub chunk: ChunkNo,
    /// The file of the chunk.
    pub file: FileNo,
    /// The caller's bits.
    pub labels: u32,
    /// The content-derived tie break.
    pub tie: u64,
    /// The text of each field.
    pub fields: [String; Field::COUNT],
}

/// Texts that answer questions without an index.
#[derive(Debug, Default)]
pub struct Scan {
    /// By the number of their chunk.
    documents: Vec<Scanned>,
    /// In how many documents each word occurs.
    words: BTreeMap<String, u64>,
}

impl Scan {
    /// Takes the texts, in any order.
    pub fn new(mut documents: Vec<Scanned>) -> Self {
        documents.sort_by_key(|document| document.chunk);
        let mut words = BTreeMap::new();
        for document in &documents {
            let mut own = BTreeSet::new();
            document.borrowed().for_each_occurrence(|term, _| {
                own.insert(term.to_owned());
            });
            for word in own {
                *words.entry(word).or_default() += 1;
            }
        }
        Self { documents, words }
    }

    /// The texts, by the number of their chunk.
    pub fn documents(&self) -> &[Scanned] {
        &self.documents
    }

    /// Everything that answers, best first: what [`crate::Searcher::search`] finds without a limit.
    pub fn hits(&self, query: &Query) -> Vec<Hit> {
        let borrowed: Vec<Document<'_>> = self.documents.iter().map(Scanned::borrowed).collect();
        let ranked = rank_documents(&borrowed, query, usize::MAX);
        ranked
            .into_iter()
            .map(|ranked| {
                let Scanned { chunk, file, labels, tie, .. } = self.documents[ranked.index];
                Hit {
                    doc: (0, DocNo(ranked.index as u32)),
                    chunk,
                    file,
                    labels,
                    tie,
                    score: ranked.score,
                    matched: ranked.matched,
                    opening: ranked.opening,
                }
            })
            .collect()
    }

    /// What [`crate::Prepared::rarities`] gives.
    pub fn rarities(&self, query: &Query) -> Vec<u32> {
        let collection = Collection { n_docs: self.documents.len() as u64, total_length: 0 };
        let df = |word: &str| self.words.get(word).copied().unwrap_or_default();
        let of_term = |(at, term): (usize, &String)| match df(term) {
            0 => query.forms.iter().filter(|form| form.of == at).map(|form| df(&form.term)).sum(),
            df => df,
        };
        let frequencies = query.terms().iter().enumerate().map(of_term);
        frequencies.map(|df| TermScorer::new(collection, df).most()).collect()
    }

    /// What [`crate::Searcher::corrected`] gives.
    pub fn corrected(&self, mut query: Query) -> (Query, Vec<(String, Vec<String>)>) {
        let is_known = |word: &str| self.words.contains_key(word);
        let is_nowhere = |term: &usize| {
            let mut forms = query.forms.iter().filter(|form| form.of == *term);
            is_correctable(&query.terms[*term])
                && !is_known(&query.terms[*term])
                && !forms.any(|form| is_known(&form.term))
        };
        let unknown: Vec<usize> = query.soft_terms().filter(is_nowhere).collect();
        let mut put_in = Vec::new();
        for term in unknown {
            let word = query.terms[term].clone();
            let mut meant = Meant::new(&word);
            let first = meant.first();
            for (known, frequency) in &self.words {
                if known.as_bytes().first() == Some(&first) {
                    meant.offer(known.as_bytes(), || *frequency);
                }
            }
            let words = meant.words();
            if !words.is_empty() {
                query.add_meant(term, &words);
                put_in.push((word, words));
            }
        }
        (query, put_in)
    }
}

impl Scanned {
    fn borrowed(&self) -> Document<'_> {
        let [name, signature, place, doc, body] = &self.fields;
        Document {
            chunk: self.chunk,
            file: self.file,
            labels: self.labels,
            tie: self.tie,
            fields: [name, signature, place, doc, body],
        }
    }
}
