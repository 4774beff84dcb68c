//! From a question to evidence: refresh, search, read what the files say now.

mod beside;
mod evidence;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gik_base::progress::Held;
use gik_base::{ErrorCode, Failure, Progress, Result};
use gik_contract::ask::{AskDebug, Coverage, Freshness, FreshnessState, StackSummary};
use gik_contract::{AskContextBundle, AskKgResult};
use gik_index::{ChunkNo, Query};
use gik_ledger::Tracking;
use gik_retrieve::signals::Weights;
use gik_retrieve::{Candidates, Current};
use gik_store::{Access, Count, FileRow, Snapshot, Store};

pub(crate) use self::beside::memory_events;
use self::beside::stack_summary;
use self::evidence::{Shown, evidence};
pub(crate) use self::evidence::{Texts, named_signals, rounded};
use crate::conditions::{Conditions, Flags};
use crate::detail::{Asides, Detail, fitted};
use crate::finding::{Finding, Reading};
use crate::history::{Past, answers_why, commit_events};
use crate::ingest::{Effort, Outcome, Refreshed, fill, refresh, refresh_while, scan};
use crate::meaning::Meaning;
use crate::tools::index;
use crate::why_not::why_not;
use crate::{Workspace, bases, commit, graph, kg, signature};

/// What to ask, and of what.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) query: Query,
    pub(crate) conditions: Conditions,
    pub(crate) limit: usize,
    pub(crate) per_file: usize,
    pub(crate) max_lines: usize,
    /// Whether what must occur may be missing where nothing has it: for questions of people, who quote what they saw.
    pub(crate) may_soften: bool,
    pub(crate) with_timings: bool,
    pub(crate) with_signals: bool,
    /// Whether what the graph knows around the evidence is told.
    pub(crate) with_graph: bool,
    pub(crate) weights: Weights,
    /// Whether every text is looked at instead of the index.
    pub(crate) brute: bool,
    /// Where the reader is.
    pub(crate) current: Option<Current>,
    /// What is compared in meaning, where it is not the question itself.
    pub(crate) meant: Option<String>,
    /// A chunk that does not count.
    pub(crate) except: Option<ChunkNo>,
    /// A file of which is asked why it is not among what was found.
    pub(crate) why_not: Option<String>,
    /// How much of each piece is handed out.
    pub(crate) detail: Detail,
    /// So many tokens the answer may take.
    pub(crate) budget: Option<u64>,
}

/// What to do in a workspace without an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Make one.
    Index,
    /// Fail.
    Refuse,
}

impl Missing {
    /// Makes one unless that was forbidden.
    pub(crate) fn unless(no_init: bool) -> Self {
        if no_init { Self::Refuse } else { Self::Index }
    }
}

impl Question {
    /// A question as it is usually answered. Fails where it cannot be asked, before anything long is done for it.
    pub(crate) fn new(
        text: String,
        flags: &Flags<'_>,
        allowed: &'static [&'static str],
    ) -> Result<Self> {
        let (query, conditions) = understood(&text, flags, allowed)?;
        Ok(Self::of(text, query, conditions))
    }

    /// A question with words that were not typed; it need not have others.
    pub(crate) fn with_words(
        text: String,
        words: &str,
        flags: &Flags<'_>,
        allowed: &'static [&'static str],
    ) -> Result<Self> {
        // Conditions are told by their place in what was typed.
        let conditions = Conditions::new(&text, &Query::parse(&text)?, flags, allowed)?;
        let query = Query::parse(&format!("{text} {words}"))?;
        Ok(Self::of(text, query, conditions))
    }

    fn of(text: String, query: Query, conditions: Conditions) -> Self {
        Self {
            text,
            query,
            conditions,
            limit: 10,
            per_file: 2,
            max_lines: usize::MAX,
            may_soften: false,
            with_timings: false,
            with_signals: false,
            with_graph: false,
            weights: Weights::default(),
            brute: false,
            current: None,
            meant: None,
            except: None,
            why_not: None,
            detail: Detail::Bodies,
            budget: None,
        }
    }

    /// Whether it may be answered before it is clear that the index is true to the files: where there are threads for
    /// both, and where it costs little to find that it was in vain.
    fn may_be_early(&self, ws: &Workspace<'_>) -> bool {
        ws.settings.indexing.threads > 1
            && ws.settings.ranking.reranker.model_id.is_none()
            && !self.conditions.name_authors()
            && !(self.brute || self.weights.use_past() || answers_why(self.query.text()))
    }
}

/// What a text asks for, and of what.
pub(crate) fn understood(
    text: &str,
    flags: &Flags<'_>,
    allowed: &'static [&'static str],
) -> Result<(Query, Conditions)> {
    // Several lines were pasted, not typed: their quotes and signs are part of the text.
    let is_pasted = text.trim().contains('\n');
    let query = if is_pasted { Query::of_text(text) } else { Query::parse(text)? };
    let conditions = Conditions::new(text, &query, flags, allowed)?;
    if query.is_empty() && (query.has_hard_parts() || !conditions.demand_something()) {
        return Err(Failure::new(ErrorCode::QueryInvalid, "there is no word to look for")
            .hint("`-word` leaves out; name at least one word that should occur"));
    }
    Ok((query, conditions))
}

/// Whether there is nothing to ask yet, so that asking would make an index first.
pub fn lacks_index(ws: &Workspace<'_>) -> Result<bool> {
    let is_started = ws.branch.is_initialized() || ws.require_initialized().is_ok();
    let tracking = if is_started { ws.tracking()? } else { Tracking::default() };
    // Whoever took everything out does not want it back.
    Ok(tracking.is_empty() && !tracking.has_removals())
}

/// Sees to it that there is an index to ask.
pub(crate) fn ensure_index(ws: &Workspace<'_>, missing: Missing) -> Result<()> {
    if !lacks_index(ws)? {
        return Ok(());
    }
    let is_started = ws.branch.is_initialized();
    if missing == Missing::Refuse {
        return Err(if is_started { nothing_indexed(ws) } else { ws.not_initialized() });
    }
    if !ws.follows_files() {
        return Err(ws.not_initialized());
    }
    ws.ctx.progress.inform(&format!("no index yet: making one of `{}`", ws.root.display()));
    index::index(ws, &[], None, None, None)?;
    // Whoever asks does not wait for a model that takes its time.
    fill(ws, Effort::Tables)?;
    Ok(())
}

fn nothing_indexed(ws: &Workspace<'_>) -> Failure {
    Failure::new(
        ErrorCode::NoIndexedBase,
        format!("no base of branch `{}` has been indexed", ws.branch.name()),
    )
    .hint("run `gik index`, or `gik add PATH` and `gik commit`")
}

/// Answers a question with evidence, and with what the graph knows around it where that was asked for.
pub(crate) fn answer(ws: &Workspace<'_>, question: &Question) -> Result<AskContextBundle> {
    let (mut bundle, fresh) = evidence_for(ws, question)?;
    // A budget is for evidence alone.
    if question.with_graph && question.budget.is_none() && !bundle.rag_chunks.is_empty() {
        bundle.kg_results = graph_around(ws, fresh, &bundle)?;
    }
    Ok(bundle)
}

/// What the graph knows around the evidence. It is brought up to date where there is one and nobody else is writing;
/// one that stays behind the files says nothing.
fn graph_around(
    ws: &Workspace<'_>,
    fresh: Fresh,
    bundle: &AskContextBundle,
) -> Result<Vec<AskKgResult>> {
    let Fresh { refreshed, mut store, .. } = fresh;
    let is_behind = {
        let snapshot = store.snapshot()?;
        if !graph::was_built(&snapshot)? {
            return Ok(Vec::new());
        }
        !graph::is_current(&snapshot)?
    };
    if is_behind {
        let held = ws.follows_files().then(|| ws.hold_for(Duration::ZERO));
        let Some(Ok(held)) = held else { return Ok(Vec::new()) };
        graph::update(ws, &held, &mut ws.store(Access::ReadWrite)?)?;
        store = ws.store(Access::ReadOnly)?;
    }
    let snapshot = store.snapshot()?;
    let files = refreshed.files_of(&snapshot)?;
    let time = ws.head_revision()?.timestamp;
    kg::around(ws, &snapshot, &files, &bundle.rag_chunks, time)
}

/// The evidence for a question, and the index that it is from. What the index knows is searched while the files are looked at: nearly always
/// they are as they were, and what was found counts.
fn evidence_for(ws: &Workspace<'_>, question: &Question) -> Result<(AskContextBundle, Fresh)> {
    let started = Instant::now();
    let notes = Held::default();
    let (refreshed, early) = refresh_while(ws, |snapshot, files| {
        question.may_be_early(ws).then(|| {
            let files = Cow::Borrowed(files);
            let index = Answering::of(ws, snapshot, files, &Outcome::default(), &notes)?;
            index.answer(question, &mut |_| {})
        })
    })?;
    let fresh = Fresh::new(ws, refreshed, started)?;
    let Some(early) = early else {
        let answer =
            Answering::open(ws, &fresh, &fresh.store.snapshot()?)?.answer(question, &mut |_| {})?;
        return Ok((answer, fresh));
    };
    notes.tell(ws.ctx.progress);
    let mut answer = early?;
    if let Some(searched) = answer.debug.timings.get("total").copied() {
        let total = started.elapsed().as_secs_f64() * 1e3;
        answer.debug.timings.insert("refresh".to_owned(), total - searched);
        answer.debug.timings.insert("total".to_owned(), total);
    }
    Ok((answer, fresh))
}

/// The index, brought up to date and opened.
pub(crate) struct Fresh {
    refreshed: Refreshed,
    pub(crate) store: Store,
    ms: f64,
}

impl Fresh {
    pub(crate) fn of(ws: &Workspace<'_>) -> Result<Self> {
        let started = Instant::now();
        Self::new(ws, refresh(ws)?, started)
    }

    fn new(ws: &Workspace<'_>, mut refreshed: Refreshed, started: Instant) -> Result<Self> {
        let ms = started.elapsed().as_secs_f64() * 1e3;
        let store = refreshed.store(ws)?;
        Ok(Self { refreshed, store, ms })
    }
}

/// One state of the index, for any number of questions.
pub(crate) struct Answering<'a> {
    ws: &'a Workspace<'a>,
    snapshot: &'a Snapshot<'a>,
    files: Cow<'a, [FileRow]>,
    counts: Vec<Count>,
    skipped: BTreeMap<String, u64>,
    stack: StackSummary,
    revision_id: String,
    freshness: Freshness,
    /// What the look at the files took, where it came first.
    look_ms: f64,
    /// Hears how questions are taken.
    notes: &'a dyn Progress,
}

impl<'a> Answering<'a> {
    pub(crate) fn open(
        ws: &'a Workspace<'a>,
        fresh: &'a Fresh,
        snapshot: &'a Snapshot<'a>,
    ) -> Result<Self> {
        let files = fresh.refreshed.files_of(snapshot)?;
        let Refreshed { state, outcome, .. } = &fresh.refreshed;
        let mut this = Self::of(ws, snapshot, files, outcome, ws.ctx.progress)?;
        (this.freshness.state, this.look_ms) = (*state, fresh.ms);
        Ok(this)
    }

    /// As if every file had been looked at.
    fn of(
        ws: &'a Workspace<'a>,
        snapshot: &'a Snapshot<'a>,
        files: Cow<'a, [FileRow]>,
        outcome: &Outcome,
        notes: &'a dyn Progress,
    ) -> Result<Self> {
        let timeline = ws.branch.timeline()?;
        let head = timeline.last().ok_or_else(|| ws.not_initialized())?;
        let freshness = Freshness {
            state: FreshnessState::Current,
            refreshed_files: outcome.added + outcome.updated + outcome.moved + outcome.removed,
            ahead_of_revision: commit::last_signed_of(&timeline)
                .is_none_or(|signed| commit::is_ahead(signed, &signature::of(&files))),
        };
        Ok(Self {
            counts: Count::per_base(&files),
            skipped: FileRow::skip_counts(&files),
            stack: stack_summary(ws),
            revision_id: head.id.clone(),
            ws,
            snapshot,
            files,
            freshness,
            look_ms: 0.0,
            notes,
        })
    }

    /// Answers a question. Whoever wants to hears of all candidates before the best are taken.
    pub(crate) fn answer(
        &self,
        question: &Question,
        tell: &mut dyn FnMut(&Candidates),
    ) -> Result<AskContextBundle> {
        let Self { ws, snapshot, files, counts, look_ms, .. } = self;
        let conditions = &question.conditions;
        let searching = Instant::now();
        let scanned = if question.brute { Some(scan(ws, snapshot, files)?) } else { None };
        let asks_why = answers_why(question.query.text());
        let counts_past = question.weights.use_past();
        let past = if asks_why || counts_past { Past::of(ws)? } else { None };
        let reading = Reading {
            ws,
            snapshot,
            files,
            counts,
            past: past.as_ref().filter(|_| counts_past),
            scan: scanned.as_ref(),
            notes: self.notes,
        };
        let mut texts = Texts::default();
        let Finding { query, results, meaning: Meaning { models, partly }, reranker } =
            reading.find(question, &mut texts, tell)?;
        let search_ms = searching.elapsed().as_secs_f64() * 1e3;
        let why_not = match &question.why_not {
            Some(path) => Some(why_not(&reading, question, &results.found, path)?),
            None => None,
        };
        let shown = Shown {
            words: query.words(),
            patterns: conditions.patterns(),
            by_name: query.is_empty() && conditions.patterns().is_empty(),
            max_lines: question.max_lines,
            with_signals: question.with_signals,
            with_signatures: question.budget.is_some() || question.detail == Detail::Signatures,
        };
        let pieces = evidence(ws, snapshot, results.found, &shown, &mut texts)?;
        let mut memory_events = if conditions.bases.contains(&bases::MEMORY) {
            memory_events(ws, &query, conditions, question.limit)?
        } else {
            Vec::new()
        };

        let mut commit_events = match &past {
            Some(past) if asks_why => commit_events(past, &query),
            _ => Vec::new(),
        };
        let (rag_chunks, budget) = match question.budget {
            Some(budget) => {
                let mut asides = Asides { memory: &mut memory_events, commits: &mut commit_events };
                let fitted = fitted(&pieces, &mut asides, budget, question.detail);
                (fitted.0, Some(fitted.1))
            },
            None => (pieces.iter().map(|piece| piece.at(question.detail)).collect(), None),
        };

        let mut timings = BTreeMap::new();
        if question.with_timings {
            timings.insert("refresh".to_owned(), *look_ms);
            timings.insert("search".to_owned(), search_ms);
            for (step, ms) in &results.timings {
                timings.insert(step.as_str().to_owned(), *ms);
            }
            let total = look_ms + searching.elapsed().as_secs_f64() * 1e3;
            timings.insert("total".to_owned(), total);
        }
        let mut used_bases: Vec<String> = counts
            .iter()
            .map(|count| count.name.clone())
            .filter(|base| conditions.bases.contains(&base.as_str()))
            .collect();
        if !memory_events.is_empty() {
            used_bases.push(bases::MEMORY.to_owned());
        }
        used_bases.sort();
        Ok(AskContextBundle {
            revision_id: self.revision_id.clone(),
            question: question.text.clone(),
            bases: conditions.bases.iter().map(|base| (*base).to_owned()).collect(),
            rag_chunks,
            kg_results: Vec::new(),
            memory_events,
            commit_events,
            stack_summary: self.stack.clone(),
            freshness: self.freshness.clone(),
            coverage: Coverage {
                files: counts.iter().map(|count| count.files).sum(),
                chunks: counts.iter().map(|count| count.chunks).sum(),
                skipped: self.skipped.clone(),
            },
            debug: AskDebug {
                embedding_model_id: models,
                reranker_model_id: reranker,
                used_bases,
                vector_coverage: partly,
                timings,
            },
            why_not,
            budget,
        })
    }
}

/// Whether an answer could be brought up to date, as a word for people.
pub(crate) fn is_stale(state: FreshnessState) -> bool {
    state == FreshnessState::Stale
}
