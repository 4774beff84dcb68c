//! Why is a file not among what was found? The first reason that holds, in the order in which a search goes.

use gik_base::progress::Silent;
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::{WhyNot, WhyNotVerdict};
use gik_index::Query;
use gik_retrieve::{Admits, Found, Request, candidates};
use gik_store::{FileRow, FileState};

use crate::answer::{Question, Texts, named_signals, rounded};
use crate::conditions::{Admission, Conditions};
use crate::finding::Reading;
use crate::tools::ls_files;
use crate::view::count;

/// So many places are looked at to tell where a file comes.
const DEEPEST: usize = 1000;

/// Why the file at `path` is not among what was found.
pub(crate) fn why_not(
    reading: &Reading<'_>,
    question: &Question,
    shown: &[Found],
    path: &str,
) -> Result<WhyNot> {
    let key = reading.ws.key_typed(path)?;
    let verdict = |verdict: WhyNotVerdict, reason: String| WhyNot {
        path: key.as_str().to_owned(),
        verdict,
        reason,
        rank: None,
        score: None,
        signals: Vec::new(),
    };
    let Some(file) = reading.files.iter().find(|file| file.key == key) else {
        let reason = not_indexed(reading, path)?;
        return Ok(verdict(WhyNotVerdict::NotIndexed, reason));
    };
    if let FileState::Skipped { detail, .. } = &file.state {
        return Ok(verdict(WhyNotVerdict::NotIndexed, format!("it is not indexed: {detail}")));
    }
    let ranked = |found: &[Found]| found.iter().position(|found| found.file.id == file.id);
    let placed = |at: usize, found: &Found, what: WhyNotVerdict, reason: String| WhyNot {
        rank: Some(at as u64 + 1),
        score: Some(rounded(found.score)),
        signals: named_signals(found),
        ..verdict(what, reason)
    };
    if let Some(at) = ranked(shown) {
        let reason = format!("it is here, at place {}", at + 1);
        return Ok(placed(at, &shown[at], WhyNotVerdict::Found, reason));
    }
    let known;
    let conditions = if question.conditions.name_authors() {
        known = question.conditions.with_authors(reading.ws)?;
        &known
    } else {
        &question.conditions
    };
    for (stated, alone) in conditions.one_by_one()? {
        if !meets(reading, &alone, file)? {
            return Ok(verdict(WhyNotVerdict::Filtered, format!("{stated} leaves it out")));
        }
    }
    if !meets(reading, conditions, file)? {
        let is_record = !meets(reading, &Conditions::of_usual_modes(), file)?;
        let reason = if is_record && conditions.mode.is_none() {
            "it holds records, which are asked for by name: `mode:records`"
        } else {
            "none of its chunks meets all conditions at once"
        };
        return Ok(verdict(WhyNotVerdict::Filtered, reason.to_owned()));
    }
    let deep = Question { limit: DEEPEST, ..question.clone() };
    let reading = Reading { notes: &Silent, ..*reading };
    let all = reading.find(&deep, &mut Texts::default(), &mut |_| {})?;
    let found = &all.results.found;
    if let Some(at) = ranked(found) {
        let last = shown.last().map_or(0.0, |last| last.score);
        let reason = format!(
            "others are better: it is at place {} with {:.2}, and the last of {} has {last:.2}",
            at + 1,
            found[at].score,
            count(shown.len() as u64, "result", "results"),
        );
        return Ok(placed(at, &found[at], WhyNotVerdict::Lower, reason));
    }
    if has_words(&reading, &all.query, file)? {
        return Ok(verdict(
            WhyNotVerdict::Lower,
            format!("others are better: it is not among the best {DEEPEST}"),
        ));
    }
    let words = Query::of_text(&all.query.terms().join(" "));
    if has_words(&reading, &words, file)? {
        let reason =
            "it lacks what must occur (`+word`, a quotation), or has what must not (`-word`)";
        return Ok(verdict(WhyNotVerdict::HardParts, reason.to_owned()));
    }
    Ok(verdict(WhyNotVerdict::NoWord, "it has no word of the question, in any form".to_owned()))
}

/// Why the index does not have it.
fn not_indexed(reading: &Reading<'_>, path: &str) -> Result<String> {
    let entries = ls_files::explained(reading.ws, reading.files, &[path.to_owned()])?;
    if entries.iter().any(|entry| entry.state == "indexed") {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{path}` is not one file"))
            .hint("name a file: `gik ls-files` lists them"));
    }
    let reason = entries.first().and_then(|entry| entry.reason.clone()).unwrap_or_default();
    Ok(format!("it is not indexed: {reason}"))
}

/// Whether any chunk of a file meets conditions.
fn meets(reading: &Reading<'_>, conditions: &Conditions, file: &FileRow) -> Result<bool> {
    any_of(reading, conditions, &Query::default(), file)
}

/// Whether any chunk of a file answers a query.
fn has_words(reading: &Reading<'_>, query: &Query, file: &FileRow) -> Result<bool> {
    any_of(reading, &Conditions::of_anything(), query, file)
}

/// Puts a question to one file.
fn any_of(
    reading: &Reading<'_>,
    conditions: &Conditions,
    query: &Query,
    file: &FileRow,
) -> Result<bool> {
    let admission = Admission::new(reading.ws, reading.snapshot, conditions);
    let admits = |own, chunk| {
        own == file.id && (!conditions.are_about_chunks() || admission.admits(own, chunk))
    };
    let request = Request {
        text: "",
        query,
        files: std::slice::from_ref(file),
        filter: conditions.filter(),
        admits: Some(Admits(&admits)),
        scan: reading.scan,
        current: None,
        lists_all: true,
        limit: 1,
        per_file: 1,
        weights: gik_retrieve::signals::Weights::default(),
    };
    let found = candidates(reading.snapshot, &request)?.found().next().is_some();
    admission.check()?;
    Ok(found)
}
