//! One question, asked as `gik ask` would.

use std::time::Instant;

use gik_base::{Failure, Result};
use gik_retrieve::Candidates;
use gik_retrieve::signals::Weights;

use super::labels::Labelled;
use super::measure::{self, DEPTH, Outcome};
use crate::answer::{Answering, Question, rounded};
use crate::conditions::Flags;
use crate::{Workspace, bases};

/// Asks one question as `gik ask` would and looks where the targets came.
pub(super) fn outcome(
    ws: &Workspace<'_>,
    index: &Answering<'_>,
    label: &Labelled,
    mut weights: Weights,
    keeps_candidates: bool,
) -> Result<(Outcome, Option<Candidates>)> {
    if keeps_candidates && !label.is_made {
        // What the history says of the candidates is looked at only where it counts, be it for next to nothing.
        weights.recent = weights.recent.max(f64::MIN_POSITIVE);
    }
    let mut kept = None;
    let named = |failure: Failure| {
        Failure::new(failure.code(), format!("question `{}`: {failure}", label.id))
    };
    let hidden: Vec<String> =
        label.hidden.iter().map(|path| format!("!{}", literal(path))).collect();
    let flags = Flags { files: &hidden, ..Flags::default() };
    let asked = Question::new(label.query.clone(), &flags, bases::FILE_BASES);
    let question = Question {
        limit: DEPTH,
        max_lines: ws.settings.ask.max_snippet_lines,
        may_soften: true,
        weights,
        ..asked.map_err(named)?
    };
    let started = Instant::now();
    let mut keep = |candidates: &Candidates| {
        kept = keeps_candidates.then(|| candidates.clone());
    };
    let bundle = index.answer(&question, &mut keep).map_err(named)?;
    let ms = started.elapsed().as_secs_f64() * 1e3;
    Ok((measure::outcome(label, &bundle.rag_chunks, rounded(ms)), kept))
}

/// A pattern that only a path itself matches.
fn literal(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '*' | '?' | '[' | '{' => pattern.extend(['[', c, ']']),
            c => pattern.push(c),
        }
    }
    pattern
}
