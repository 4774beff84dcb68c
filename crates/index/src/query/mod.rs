//! What does a query ask for? Soft words that score, hard ones that decide.
//!
//! | written | means |
//! |---|---|
//! | `word` | soft: counts where it or, for less, another form of it occurs; an identifier counts as a whole and by its parts |
//! | `"some words"`, `+"…"` | hard: these words stand next to each other in one field |
//! | `+word` | hard: this whole word occurs; a word with punctuation inside (`+fs::read`) is taken as a phrase |
//! | `-word`, `-"…"` | hard: none of this |
//! | `path:src`, `-lang:go`, `re:/…/i` | a condition: see [`mod@conditions`] |
//!
//! A sign counts only at the start of a word and before a letter, `_` or a quote: `--offline`, `->` and `-1` are
//! ordinary text. Common words of questions are left out of the soft ones unless nothing else is left.

mod conditions;
mod parse;

pub use conditions::{Condition, ConditionName};
use gik_base::Result;
use gik_base::collections::HashMap;

use crate::fields::FieldSet;
use crate::forms::{SAME_STEM, forms};

/// The most terms that can score; `matched` of a hit has a bit for each.
pub(crate) const MAX_SCORED: usize = 64;

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// All distinct terms: first those that score, then those that only exclude.
    pub(crate) terms: Vec<String>,
    pub(crate) n_scored: usize,
    /// Which scored terms must occur, a bit each.
    pub(crate) must: u64,
    /// Whether any of that was written with a `+`.
    has_plus: bool,
    /// Terms that must not occur.
    pub(crate) excluded: Vec<usize>,
    pub(crate) phrases: Vec<Phrase>,
    /// Other forms of the soft terms, by term and then by word.
    pub(crate) forms: Vec<FormOf>,
    /// Where the words count.
    pub(crate) fields: FieldSet,
    conditions: Vec<Condition>,
    /// What was typed, without the conditions.
    text: String,
}

/// A word that counts as an occurrence of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormOf {
    /// Which scored term it is a form of.
    pub(crate) of: usize,
    pub(crate) term: String,
    /// What an occurrence counts, in quarters of one of the term itself.
    pub(crate) quarters: u32,
}

/// Terms that stand (or must not stand) at successive positions of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    pub(crate) terms: Vec<usize>,
    pub(crate) wanted: bool,
}

impl Query {
    /// Understands what was typed; an unclosed quote is `query-invalid`.
    pub fn parse(text: &str) -> Result<Self> {
        parse::parse(text)
    }

    /// Takes a text as words alone: what was pasted has quotes and signs of its own.
    pub fn of_text(text: &str) -> Self {
        parse::words_of(text)
    }

    /// The same question with its quotes taken as words: what must not occur still must not. `None` where nothing was
    /// quoted, or where `+` leaves no doubt.
    pub fn softened(&self) -> Option<Self> {
        let mut soft = Self { must: 0, ..self.clone() };
        soft.phrases.retain(|phrase| !phrase.wanted);
        (soft != *self && !self.has_plus).then(|| soft.with_forms())
    }

    /// What must be true of what is found, in the order in which it was typed.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// What was typed, without the conditions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same question, put to some fields only.
    #[must_use]
    pub fn within(self, fields: FieldSet) -> Self {
        Self { fields, ..self }
    }

    /// Adds the other forms of the terms that need not occur. A word that is asked for itself is no form of another.
    fn with_forms(mut self) -> Self {
        self.forms = self
            .soft_terms()
            .flat_map(|of| forms(&self.terms[of]).into_iter().map(move |form| (of, form)))
            .filter(|(_, form)| !self.terms.contains(&form.term))
            .map(|(of, form)| FormOf { of, term: form.term, quarters: form.quarters })
            .collect();
        self
    }

    /// The numbers of the terms that score and need not occur.
    pub(crate) fn soft_terms(&self) -> impl Iterator<Item = usize> + use<'_> {
        (0..self.n_scored).filter(|term| self.must & (1 << term) == 0)
    }

    /// Takes words for a term that may be meant by it.
    pub(crate) fn add_meant(&mut self, of: usize, words: &[String]) {
        let meant = words.iter().filter(|word| !self.terms.contains(word));
        let meant: Vec<FormOf> =
            meant.map(|word| FormOf { of, term: word.clone(), quarters: SAME_STEM }).collect();
        self.forms.extend(meant);
        self.forms.sort_by(|a, b| a.of.cmp(&b.of).then_with(|| a.term.cmp(&b.term)));
    }

    /// The words that score, other forms included, each with the number of the term it counts for.
    pub fn words(&self) -> HashMap<&str, usize> {
        let forms = self.forms.iter().rev().map(|form| (form.term.as_str(), form.of));
        forms.chain(self.terms().iter().map(String::as_str).zip(0..)).collect()
    }

    /// Whether nothing can match: no words, or exclusions only.
    pub fn is_empty(&self) -> bool {
        self.n_scored == 0
    }

    /// The terms that score, for highlighting; bit `n` of [`crate::Hit::matched`] stands for the `n`th.
    pub fn terms(&self) -> &[String] {
        &self.terms[..self.n_scored]
    }

    /// Whether anything in the query is hard.
    pub fn has_hard_parts(&self) -> bool {
        self.must != 0 || !self.excluded.is_empty() || !self.phrases.is_empty()
    }

    /// The terms whose positions are needed.
    pub(crate) fn phrase_terms(&self) -> impl Iterator<Item = usize> + '_ {
        self.phrases.iter().flat_map(|phrase| phrase.terms.iter().copied())
    }

    /// Whether all phrases are as wanted, given the rising keys of each term in the document.
    pub(crate) fn phrases_hold<'k>(&self, mut keys: impl FnMut(usize) -> &'k [u32]) -> bool {
        self.phrases.iter().all(|phrase| {
            let lists: Vec<&[u32]> = phrase.terms.iter().map(|&term| keys(term)).collect();
            has_run(&lists) == phrase.wanted
        })
    }
}

/// Whether some key of the first list is followed by its successor in the second, and so on.
fn has_run(lists: &[&[u32]]) -> bool {
    let Some((first, rest)) = lists.split_first() else { return true };
    first.iter().any(|&key| {
        (key + 1..).zip(rest).all(|(expected, list)| list.binary_search(&expected).is_ok())
    })
}

#[cfg(test)]
mod tests;
