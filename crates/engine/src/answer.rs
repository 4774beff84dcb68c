//! From a question to evidence: refresh, search, read what the files say now.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::{Duration, Instant};

use gik_base::collections::HashMap;
use gik_base::progress::Held;
use gik_base::{ErrorCode, Failure, Progress, Result, hash};
use gik_contract::ask::{
    AskDebug, Coverage, Freshness, FreshnessState, MemoryEvent, RagChunk, SignalValue, StackSummary,
};
use gik_contract::{AskContextBundle, AskKgResult, StackStats, StackTechEntry};
use gik_index::{ChunkNo, Document, FileNo, Query, RankedDocument, Score, rank_documents};
use gik_ledger::{Tracking, jsonl};
use gik_retrieve::signals::Weights;
use gik_retrieve::{Candidates, Current, Found, snippet_of_items};
use gik_store::{Access, Count, FileRow, Snapshot, Store, SymbolRow};
use regex::Regex;

use crate::conditions::{Conditions, Flags};
use crate::detail::{Asides, Detail, Piece, fitted};
use crate::finding::{Finding, Reading};
use crate::history::{Past, answers_why, commit_events};
use crate::ingest::{Effort, Outcome, Refreshed, fill, refresh, refresh_while, scan};
use crate::meaning::Meaning;
use crate::projection::{chunk_uid, text_of};
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
    let mut bundle = evidence_for(ws, question)?;
    // A budget is for evidence alone.
    if question.with_graph && question.budget.is_none() && !bundle.rag_chunks.is_empty() {
        bundle.kg_results = graph_around(ws, &bundle)?;
    }
    Ok(bundle)
}

/// What the graph knows around the evidence. It is brought up to date where there is one and nobody else is writing;
/// one that stays behind the files says nothing.
fn graph_around(ws: &Workspace<'_>, bundle: &AskContextBundle) -> Result<Vec<AskKgResult>> {
    let mut store = ws.store(Access::ReadOnly)?;
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
        graph::update(ws, &held)?;
        store = ws.store(Access::ReadOnly)?;
    }
    let snapshot = store.snapshot()?;
    let time = ws.head_revision()?.timestamp;
    kg::around(ws, &snapshot, &snapshot.files()?, &bundle.rag_chunks, time)
}

/// The evidence for a question. What the index knows is searched while the files are looked at: nearly always
/// they are as they were, and what was found counts.
fn evidence_for(ws: &Workspace<'_>, question: &Question) -> Result<AskContextBundle> {
    let started = Instant::now();
    let notes = Held::default();
    let (refreshed, early) = refresh_while(ws, |snapshot, files| {
        question.may_be_early(ws).then(|| {
            let files = Cow::Borrowed(files);
            let index = Answering::of(ws, snapshot, files, &Outcome::default(), &notes)?;
            index.answer(question, &mut |_| {})
        })
    })?;
    let Some(early) = early else {
        let fresh = Fresh::new(ws, refreshed, started)?;
        return Answering::open(ws, &fresh, &fresh.store.snapshot()?)?
            .answer(question, &mut |_| {});
    };
    notes.tell(ws.ctx.progress);
    let mut answer = early?;
    if let Some(searched) = answer.debug.timings.get("total").copied() {
        let total = started.elapsed().as_secs_f64() * 1e3;
        answer.debug.timings.insert("refresh".to_owned(), total - searched);
        answer.debug.timings.insert("total".to_owned(), total);
    }
    Ok(answer)
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
        let files = match &fresh.refreshed.files {
            Some(files) => Cow::Borrowed(files.as_slice()),
            None => Cow::Owned(snapshot.files()?),
        };
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
        let (counts, revision_id) = (Count::per_base(&files), head.id.clone());
        Ok(Self { ws, snapshot, files, counts, revision_id, freshness, look_ms: 0.0, notes })
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
            stack_summary: stack_summary(ws),
            freshness: self.freshness.clone(),
            coverage: Coverage {
                files: counts.iter().map(|count| count.files).sum(),
                chunks: counts.iter().map(|count| count.chunks).sum(),
                skipped: FileRow::skip_counts(files),
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

/// What the files say now at the places that were found. A file that changed since it was indexed gives no evidence:
/// rather one piece less than a wrong one.
fn evidence(
    ws: &Workspace<'_>,
    snapshot: &Snapshot<'_>,
    found: Vec<Found>,
    shown: &Shown<'_>,
    texts: &mut Texts,
) -> Result<Vec<Piece>> {
    let mut pieces = Vec::with_capacity(found.len());
    for hit in found {
        let Some(text) = texts.whole(ws, snapshot, &hit.file)? else { continue };
        let Some(content) = text.get(hit.chunk.bytes.clone()) else { continue };
        let (first, last) = hit.chunk.lines;
        let is_cut = (last - first) as usize >= shown.max_lines;
        let mut symbols = if is_cut || shown.with_signatures {
            snapshot.symbols_of(hit.file.id)?
        } else {
            Vec::new()
        };
        symbols.retain(|symbol| hit.chunk.bytes.contains(&symbol.bytes.start));
        let items: Vec<(u64, u64)> =
            symbols.iter().map(|it| (u64::from(it.start.0), u64::from(it.end.0))).collect();
        let signature = if shown.with_signatures {
            signature_of(&symbols, text, content)
        } else {
            String::new()
        };
        pieces.push(Piece {
            chunk: rag_chunk(&hit, content, shown, &items),
            lines: (u64::from(first), u64::from(last)),
            signature,
        });
    }
    Ok(pieces)
}

/// The declarations of what begins in a chunk, one a line; of a text without any its first line.
fn signature_of(symbols: &[SymbolRow], text: &str, content: &str) -> String {
    const PARTS_OF_OTHERS: [&str; 4] = ["field", "variant", "property", "var"];
    let is_own = |symbol: &&SymbolRow| !PARTS_OF_OTHERS.contains(&symbol.kind.as_str());
    let own = symbols.iter().filter(is_own);
    let lines: Vec<String> = own.map(|it| it.signature.line(text, it.bytes.start)).collect();
    if !lines.is_empty() {
        return lines.join("\n");
    }
    content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// How much of a chunk is shown, and around which words.
struct Shown<'a> {
    /// With the number of the term that each counts for.
    words: HashMap<&'a str, usize>,
    patterns: &'a [Regex],
    /// Whether the name of a chunk is what is looked at: where nothing else was asked for.
    by_name: bool,
    max_lines: usize,
    with_signals: bool,
    with_signatures: bool,
}

impl Shown<'_> {
    /// The words of the question in the form in which the text has them, in the order of the question. Words that
    /// only its name or place has are as they were asked. The words that a pattern matches follow.
    fn matched(&self, asked: &[String], text: &str) -> Vec<String> {
        let mut present: BTreeSet<(usize, &str)> = BTreeSet::new();
        gik_index::analyze(text, &mut |term, _| {
            if let Some((word, number)) = self.words.get_key_value(term) {
                present.insert((*number, word));
            }
        });
        for word in asked {
            let number = self.words.get(word.as_str()).copied().unwrap_or(usize::MAX);
            if present.range((number, "")..).next().is_none_or(|(found, _)| *found != number) {
                present.insert((number, word));
            }
        }
        let mut matched: Vec<String> =
            present.into_iter().map(|(_, word)| word.to_owned()).collect();
        for found in self.patterns.iter().filter_map(|pattern| pattern.find(text)) {
            gik_index::analyze(&text[whole_words(text, found.range())], &mut |term, _| {
                if !matched.iter().any(|known| known == term) {
                    matched.push(term.to_owned());
                }
            });
        }
        matched
    }
}

/// A part of a text with the whole words at its ends.
fn whole_words(text: &str, part: Range<usize>) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..part.start].trim_end_matches(is_word).len();
    let after = text[part.end..].trim_start_matches(is_word).len();
    before..text.len() - after
}

/// What files say now, each read once.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<u32, Option<String>>);

impl Texts {
    /// The text of a chunk; `None` where the file is not the one that was indexed.
    pub(crate) fn of(
        &mut self,
        ws: &Workspace<'_>,
        snapshot: &Snapshot<'_>,
        found: &Found,
    ) -> Result<Option<&str>> {
        let text = self.whole(ws, snapshot, &found.file)?;
        Ok(text.and_then(|text| text.get(found.chunk.bytes.clone())))
    }

    /// The text of the whole file.
    pub(crate) fn whole(
        &mut self,
        ws: &Workspace<'_>,
        snapshot: &Snapshot<'_>,
        file: &FileRow,
    ) -> Result<Option<&str>> {
        let text = match self.0.entry(file.id.0) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => unread.insert(text_of(ws, snapshot, file)?),
        };
        Ok(text.as_deref())
    }
}

fn rag_chunk(hit: &Found, content: &str, shown: &Shown<'_>, items: &[(u64, u64)]) -> RagChunk {
    let file = &hit.file;
    let mut matched = shown.matched(&hit.matched, content);
    if shown.by_name {
        let name = hit.chunk.name.split(' ').next().unwrap_or_default();
        gik_index::analyze(name, &mut |term, _| matched.push(term.to_owned()));
    }
    let signals = if shown.with_signals { named_signals(hit) } else { Vec::new() };
    let first_line = u64::from(hit.chunk.lines.0);
    let shown = snippet_of_items(content, first_line, &matched, shown.max_lines, items);
    RagChunk {
        base: file.base.to_string(),
        score: rounded(hit.score),
        path: file.key.as_str().to_owned(),
        start_line: shown.start_line,
        end_line: shown.end_line,
        snippet: shown.text,
        dense_score: hit.dense.map(rounded),
        reranker_score: hit.reranker.map(rounded),
        chunk_uid: Some(chunk_uid(&hit.chunk, &hit.file.key)),
        name: Some(hit.chunk.qualified.clone()).filter(|name| !name.is_empty()),
        kind: Some(hit.chunk.kind.clone()),
        language: Some(file.language.to_string()).filter(|language| !language.is_empty()),
        matched,
        truncated: shown.truncated,
        detail: None,
        signals,
    }
}

/// What made the score of a chunk.
pub(crate) fn named_signals(hit: &Found) -> Vec<SignalValue> {
    let signals = hit.signals.iter();
    signals
        .map(|&(name, value)| SignalValue { name: name.to_owned(), value: rounded(value) })
        .collect()
}

/// Four decimals: more is noise for a reader.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

/// Memory entries that match, best first. They are few, so they are ranked without an index: never stale.
pub(crate) fn memory_events(
    ws: &Workspace<'_>,
    query: &Query,
    conditions: &Conditions,
    limit: usize,
) -> Result<Vec<MemoryEvent>> {
    let global = ws.global_memory();
    let mut entries =
        gik_ledger::memory::visible_memory(&ws.knowledge, ws.branch.name(), global.as_ref())?;
    entries.retain(|located| conditions.take_memory(&located.entry));
    let texts: Vec<(String, String)> = entries
        .iter()
        .map(|located| {
            (located.entry.title.clone().unwrap_or_default(), located.entry.tags.join(" "))
        })
        .collect();
    let documents: Vec<Document<'_>> = entries
        .iter()
        .zip(&texts)
        .map(|(located, (title, tags))| Document {
            chunk: ChunkNo(0),
            file: FileNo(0),
            labels: 0,
            tie: hash::fast64(located.entry.id.as_bytes()),
            fields: [title, "", tags, "", &located.entry.text],
        })
        .collect();
    let ranked = if query.is_empty() && conditions.demand_something() {
        let all = documents.iter().enumerate().take(limit);
        all.map(|(index, _)| RankedDocument { index, score: Score(0), matched: 0 }).collect()
    } else {
        rank_documents(&documents, query, limit)
    };
    Ok(ranked
        .into_iter()
        .map(|ranked| {
            let entry = &entries[ranked.index].entry;
            MemoryEvent {
                id: entry.id.clone(),
                score: rounded(ranked.score.as_f64()),
                scope: entry.scope,
                source: entry.source,
                title: entry.title.clone(),
                text: entry.text.clone(),
                tags: entry.tags.clone(),
                created_at: entry.created_at,
            }
        })
        .collect())
}

/// What the workspace is made of, as the last commit or `add` saw it.
pub(crate) fn stack_summary(ws: &Workspace<'_>) -> StackSummary {
    let dir = ws.branch.stack_dir();
    // The inventory is derived: when it cannot be read the answer does without.
    let stats: Option<StackStats> = jsonl::read_json(&dir.join("stats.json")).unwrap_or(None);
    let tech: Vec<StackTechEntry> = jsonl::read_lines(&dir.join("tech.jsonl")).unwrap_or_default();
    let named = |kind: &str| -> Vec<String> {
        tech.iter().filter(|entry| entry.kind == kind).map(|entry| entry.name.clone()).collect()
    };
    let mut languages: Vec<(String, u64)> = stats
        .as_ref()
        .map(|stats| stats.languages.clone().into_iter().collect())
        .unwrap_or_default();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    StackSummary {
        languages: languages.into_iter().map(|(language, _)| language).collect(),
        frameworks: named("framework"),
        services: named("service"),
        managers: stats.map(|stats| stats.managers).unwrap_or_default(),
    }
}

/// Whether an answer could be brought up to date, as a word for people.
pub(crate) fn is_stale(state: FreshnessState) -> bool {
    state == FreshnessState::Stale
}
