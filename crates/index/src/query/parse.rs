//! From typed text to a query.

use gik_base::{ErrorCode, Failure, Result};

use crate::analyzer::{Token, tokens};
use crate::fields::FieldSet;
use crate::stopwords::is_stopword;

use super::conditions::{self, Condition};
use super::{MAX_SCORED, Phrase, Query};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    None,
    Plus,
    Minus,
}

/// One item of the text: a word or a quoted stretch, with its sign.
struct Item<'a> {
    sign: Sign,
    quoted: bool,
    text: &'a str,
}

pub(super) fn parse(text: &str) -> Result<Query> {
    let (items, conditions) = split(text)?;
    let mut builder = Builder::default();
    for item in &items {
        match (item.sign, item.quoted) {
            (Sign::None, false) => {},
            (Sign::None | Sign::Plus, true) => builder.phrase(item.text, true),
            (Sign::Minus, true) => builder.phrase(item.text, false),
            (Sign::Plus, false) => builder.hard_word(item.text, true),
            (Sign::Minus, false) => builder.hard_word(item.text, false),
        }
    }
    if builder.scored.len() > MAX_SCORED {
        return Err(Failure::new(
            ErrorCode::QueryInvalid,
            format!("the query demands more than {MAX_SCORED} different words"),
        )
        .hint("quote less, or drop some of the `+`"));
    }
    if builder.unscored.len() > MAX_SCORED {
        return Err(Failure::new(
            ErrorCode::QueryInvalid,
            format!("the query leaves out more than {MAX_SCORED} different words"),
        )
        .hint("leave out fewer words, or name folders with `-path:DIR`"));
    }
    let soft = || items.iter().filter(|item| item.sign == Sign::None && !item.quoted);
    builder.soft_words(soft().map(|item| item.text), Stopwords::Dropped);
    if builder.scored.is_empty() {
        builder.soft_words(soft().map(|item| item.text), Stopwords::Kept);
    }
    let has_plus = items.iter().any(|item| item.sign == Sign::Plus);
    let text = without(text, &conditions);
    Ok(Query { has_plus, conditions, text, ..builder.finish() })
}

/// What stands between the conditions; all of it, as it was typed, where there are none.
fn without(text: &str, conditions: &[Condition]) -> String {
    if conditions.is_empty() {
        return text.to_owned();
    }
    let starts = std::iter::once(0).chain(conditions.iter().map(|it| it.place.end));
    let ends = conditions.iter().map(|it| it.place.start).chain([text.len()]);
    let pieces = starts.zip(ends).map(|(start, end)| text[start..end].trim());
    pieces.filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ")
}

pub(super) fn words_of(text: &str) -> Query {
    // What failed stands in the first line of some traces and in the last of others; what is between can be left out.
    let lines: Vec<&str> = text.lines().collect();
    let from_ends = || {
        let (first, last) = lines.split_at(lines.len().div_ceil(2));
        let last = last.iter().rev().map(Some).chain(std::iter::repeat(None));
        first.iter().zip(last).flat_map(|(first, last)| std::iter::once(first).chain(last)).copied()
    };
    let mut builder = Builder::default();
    builder.soft_words(from_ends(), Stopwords::Dropped);
    if builder.scored.is_empty() {
        builder.soft_words(from_ends(), Stopwords::Kept);
    }
    Query { text: text.to_owned(), ..builder.finish() }
}

/// The words and quotes of a text, and its conditions.
fn split(text: &str) -> Result<(Vec<Item<'_>>, Vec<Condition>)> {
    let (mut items, mut conditions) = (Vec::new(), Vec::new());
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok((items, conditions)) };
        let sign = match (first, rest.chars().nth(1)) {
            ('+', Some(next)) if takes_sign(next) => Sign::Plus,
            ('-', Some(next)) if takes_sign(next) => Sign::Minus,
            _ => Sign::None,
        };
        let body = if sign == Sign::None { rest } else { &rest[1..] };
        let start = text.len() - rest.len();
        if let Some((condition, after)) = conditions::read(text, body, start, sign != Sign::Minus)?
        {
            conditions.push(condition);
            rest = after;
        } else if let Some(quoted) = body.strip_prefix('"') {
            let Some(end) = quoted.find('"') else {
                return Err(unclosed(text, text.len() - body.len()));
            };
            items.push(Item { sign, quoted: true, text: &quoted[..end] });
            rest = &quoted[end + 1..];
        } else {
            let end = body.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(body.len());
            items.push(Item { sign, quoted: false, text: &body[..end] });
            rest = &body[end..];
        }
    }
}

/// A quote that does not end, at that byte.
pub(super) fn unclosed(text: &str, at: usize) -> Failure {
    let column = text[..at].chars().count() + 1;
    Failure::new(ErrorCode::QueryInvalid, format!("the quote at column {column} is not closed"))
        .hint("close it with another `\"`, or leave it out")
        .pointing(text, at..at + 1)
}

fn takes_sign(next: char) -> bool {
    next.is_alphabetic() || next == '_' || next == '"'
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stopwords {
    Dropped,
    Kept,
}

#[derive(Default)]
struct Builder {
    scored: Vec<String>,
    unscored: Vec<String>,
    must: u64,
    excluded: Vec<Place>,
    phrases: Vec<(Vec<Place>, bool)>,
}

/// A term before the lists of terms are put together.
#[derive(Debug, Clone, Copy)]
enum Place {
    Scored(usize),
    Unscored(usize),
}

impl Builder {
    /// Takes a term that must occur, or one that an exclusion needs.
    fn take(&mut self, term: String, wanted: bool) -> Place {
        if wanted {
            let at = position_or_push(&mut self.scored, term);
            if at < MAX_SCORED {
                self.must |= 1 << at;
            }
            Place::Scored(at)
        } else {
            Place::Unscored(position_or_push(&mut self.unscored, term))
        }
    }

    fn phrase(&mut self, text: &str, wanted: bool) {
        self.hard(parts_and_wholes(text).0, wanted);
    }

    fn hard_word(&mut self, text: &str, wanted: bool) {
        let (parts, wholes) = parts_and_wholes(text);
        // One identifier and nothing else: its whole is what is meant.
        if wholes.len() == 1 && wholes[0].replace('_', "") == parts.concat() {
            self.hard(wholes, wanted);
        } else {
            self.hard(parts, wanted);
        }
    }

    fn hard(&mut self, mut terms: Vec<String>, wanted: bool) {
        if terms.len() <= 1 {
            let Some(term) = terms.pop() else { return };
            let place = self.take(term, wanted);
            if !wanted {
                self.excluded.push(place);
            }
            return;
        }
        let places = terms.into_iter().map(|term| self.take(term, wanted)).collect();
        self.phrases.push((places, wanted));
    }

    fn soft_words<'t>(&mut self, words: impl Iterator<Item = &'t str>, stopwords: Stopwords) {
        for word in words {
            tokens(word, |term, _, _| {
                if self.scored.len() < MAX_SCORED
                    && (stopwords == Stopwords::Kept || !is_stopword(term))
                {
                    position_or_push(&mut self.scored, term.to_owned());
                }
            });
        }
    }

    fn finish(self) -> Query {
        let n_scored = self.scored.len();
        let mut terms = self.scored;
        let numbers: Vec<usize> =
            self.unscored.into_iter().map(|term| position_or_push(&mut terms, term)).collect();
        let number = |place: &Place| match *place {
            Place::Scored(at) => at,
            Place::Unscored(at) => numbers[at],
        };
        Query {
            n_scored,
            fields: FieldSet::ALL,
            must: self.must,
            has_plus: false,
            excluded: self.excluded.iter().map(number).collect(),
            phrases: self
                .phrases
                .iter()
                .map(|(places, wanted)| Phrase {
                    terms: places.iter().map(number).collect(),
                    wanted: *wanted,
                })
                .collect(),
            terms,
            forms: Vec::new(),
            conditions: Vec::new(),
            text: String::new(),
        }
        .with_forms()
    }
}

fn parts_and_wholes(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut parts, mut wholes) = (Vec::new(), Vec::new());
    tokens(text, |term, _, token| match token {
        Token::Part => parts.push(term.to_owned()),
        Token::Whole => wholes.push(term.to_owned()),
    });
    (parts, wholes)
}

fn position_or_push(terms: &mut Vec<String>, term: String) -> usize {
    terms.iter().position(|known| *known == term).unwrap_or_else(|| {
        terms.push(term);
        terms.len() - 1
    })
}
