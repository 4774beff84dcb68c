//! From a request to a context pack: focus and question become seeds, the graph and the files give the rest.
//!
//! [`pack`] is the one way. [`focus`] finds what was named, [`seeds`] what was asked for, [`shelf`] reads texts,
//! [`outlines`] tells in few lines what an editor's reader does not see, [`identity`] says which state of the index a pack belongs to, and [`storage`] keeps packs.

mod focus;
mod identity;
mod outlines;
mod said;
mod seeds;
mod shelf;
pub(crate) mod storage;
mod traced;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

use gik_base::progress::Silent;
use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_contract::pack::{ContextPack, Focus, Strictness};
use gik_pack::{Draft, Inputs, Stop, build, most_bytes_of_item, normalize};
use gik_retrieve::Current;
use gik_store::{Access, Count, FileRow, FileState, Stage, Store};

use crate::Workspace;
use crate::answer::{Missing, Texts, is_stale};
use crate::finding::Reading;
use crate::graph::{self, Graph, Listing};
use crate::ingest::Refreshed;
use crate::symbols::{current, current_store};
use crate::tokens::Tokens;
use crate::view::count;

use focus::Focused;
use seeds::{Asked, Start};
use shelf::Shelf;
use traced::{Known, Timed};

/// What is wanted.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) draft: Draft,
    /// A symbol, file or chunk as it was typed.
    pub(crate) focus: Option<String>,
    /// `FILE:LINE` as it was typed.
    pub(crate) here: Option<String>,
}

/// A pack, and how long its steps took in milliseconds.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) pack: ContextPack,
    pub(crate) freshness: FreshnessState,
    pub(crate) timings: BTreeMap<String, f64>,
}

/// Builds the pack of a request.
pub(crate) fn pack(ws: &Workspace<'_>, wanted: Wanted, missing: Missing) -> Result<Packed> {
    let Wanted { mut draft, focus, here } = wanted;
    let mut clock = Clock::start();
    let provider = draft.seed_provider.unwrap_or_default();
    let weights = seeds::weights(ws.settings.ranking.weights(), provider);
    let mode = draft.seed_mode.unwrap_or_default();
    let ask = |text: &str| Asked::new(text, mode, provider, weights);
    // A malformed question is told before a long first indexing, not after it.
    let asked = if draft.query.trim().is_empty() { None } else { Some(ask(&draft.query)?) };
    if asked.is_none() && focus.is_none() && here.is_none() {
        return Err(Failure::new(ErrorCode::QueryInvalid, "a pack is about something")
            .hint("ask a question, or name a symbol, file or chunk with `--focus`"));
    }

    let mut refreshed = current(ws, missing)?;
    let store = refreshed.store(ws)?;
    let freshness = refreshed.state;
    clock.lap("refresh");
    let Followed { store, listing, edges } = with_edges(ws, store, &refreshed)?;
    let snapshot = store.snapshot()?;
    let files = &*listing.of(&snapshot)?;
    clock.lap("edges");

    let counts = Count::per_base(files);
    let reading = Reading {
        ws,
        snapshot: &snapshot,
        files,
        counts: &counts,
        past: None,
        scan: None,
        notes: &Silent,
    };
    let mut texts = Texts::default();
    let mut notes = notes_of(files, freshness);
    notes.extend(edges.clone().err());
    let mut named = Focused::default();
    {
        let mut shelf = Shelf::new(ws, &snapshot, files, &mut texts);
        if let Some(typed) = &focus {
            named = focus::focus(ws, &snapshot, &mut shelf, typed)?;
        }
        if let Some(typed) = &here {
            let most = most_bytes_of_item(&draft);
            let (place, around) = focus::here(ws, &mut shelf, typed, most)?;
            named.focus = Focus { here: Some(place), ..named.focus };
            named.seeds.extend(around);
        }
    }
    notes.extend(named.note.take());
    if edges.is_ok() && named.focus.symbol_id.is_some() {
        // Who calls it nobody knows whom by may call it, too.
        let sites = graph::unresolved(ws, &snapshot, &named.words)?.len() as u64;
        if sites > 0 {
            let name = &named.words;
            let sites = count(sites, "call site", "call sites");
            notes.push(format!("{sites} of the name `{name}` on something of unknown type"));
        }
    }
    let question = match (&asked, &here) {
        (Some(asked), _) => Some(asked.clone()),
        (None, Some(place)) if named.words.is_empty() => {
            ask(&seeds::telling_words(&reading, place)?).ok()
        },
        // What was named is found by its name; a name without a word finds nothing.
        (None, _) => ask(&named.words).ok(),
    };
    let mut found = Vec::new();
    if let Some(question) = question {
        let current = named.focus.here.as_ref().map(|here| Current {
            path: gik_base::FileKey::from_text(&here.file_rel_path),
            line: Some(here.line),
        });
        let answered = seeds::ask(&reading, &question.near(current), &mut texts, &mut notes);
        found = match answered {
            // Without a question the graph is what counts.
            Err(failure) if asked.is_none() && failure.code() == ErrorCode::NotSupported => {
                Vec::new()
            },
            other => other?,
        };
    }
    clock.lap("seeds");

    let mut shelf = Shelf::new(ws, &snapshot, files, &mut texts);
    let Start { seeds, more } = seeds::start(&mut shelf, found, asked.is_some())?;
    let Focused { focus, seeds: mut all, .. } = named;
    all.extend(seeds);
    draft.focus = focus;
    let tokens = Tokens::new()?;
    let known = identity::known(ws, files, tokens.name())?;
    let (request, lowered) = normalize(draft, known);
    if request.strictness == Strictness::Strict
        && let Some(first) = lowered.first()
    {
        return Err(Failure::new(ErrorCode::BudgetExceeded, first.clone())
            .hint("`--strictness warn` lowers it to its cap"));
    }
    if request.strictness == Strictness::Warn {
        notes.extend(lowered);
    }
    let graph = edges.is_ok().then(|| Graph::with_files(&snapshot, Cow::Borrowed(files)));
    let mut graph = Timed { edges: Known(graph), ms: 0.0 };
    let inputs = Inputs {
        request,
        seeds: all,
        more,
        created_at: identity::created_at(ws)?,
        tokenizer: tokens.name().to_owned(),
        count: &|text| tokens.count(text),
        notes,
    };
    let pack = build(inputs, &mut shelf, &mut graph).map_err(|stop| match stop {
        Stop::Failed(failure) => failure,
        Stop::Budget(budget) => {
            Failure::new(ErrorCode::BudgetExceeded, format!("nothing fits into `{budget}`"))
                .hint("a larger budget holds at least the first item")
        },
    })?;
    clock.lap("pack");
    clock.timings.insert("graph".to_owned(), graph.ms);
    Ok(Packed { pack, freshness, timings: clock.timings })
}

/// The index with its edges.
struct Followed<'r> {
    store: Store,
    listing: Listing<'r>,
    /// Why edges are not followed, where they cannot be kept.
    edges: Result<(), String>,
}

fn with_edges<'r>(
    ws: &Workspace<'_>,
    store: Store,
    refreshed: &'r Refreshed,
) -> Result<Followed<'r>> {
    let without = |store: Store, why: String| {
        let listing = Listing::new(&store.snapshot()?, refreshed)?;
        Ok(Followed { store, listing, edges: Err(why) })
    };
    if !ws.follows_files() {
        let why = "edges are not followed: the branch is not checked out".to_owned();
        return without(store, why);
    }
    match graph::bring_up_to_date_with_files(ws, store, refreshed) {
        Ok((store, listing)) => Ok(Followed { store, listing, edges: Ok(()) }),
        Err(failure) if CANNOT_WRITE.contains(&failure.code()) => {
            let why = format!("edges are not followed: {failure}");
            without(ws.store(Access::ReadOnly)?, why)
        },
        Err(failure) => Err(failure),
    }
}

/// Failures that take nothing away but what would have been written.
const CANNOT_WRITE: [ErrorCode; 4] =
    [ErrorCode::WorkspaceReadOnly, ErrorCode::StoreBusy, ErrorCode::DiskFull, ErrorCode::Io];

/// What is not in the index, or not as far as it will be.
fn notes_of(files: &[FileRow], freshness: FreshnessState) -> Vec<String> {
    let mut notes = Vec::new();
    let is_unfinished =
        |file: &&FileRow| file.state == FileState::Indexed && file.stage == Stage::Words;
    let n = files.iter().filter(is_unfinished).count();
    if n > 0 {
        notes.push(format!("{n} files are not taken apart yet: they have no symbols"));
    }
    if is_stale(freshness) {
        notes.push("the index may be behind the files".to_owned());
    }
    notes
}

/// The state of the index that packs belong to now.
pub(crate) fn current_signature(ws: &Workspace<'_>) -> Result<String> {
    let (store, _) = current_store(ws, Missing::Refuse)?;
    let files = store.snapshot()?.files()?;
    Ok(identity::known(ws, &files, Tokens::new()?.name())?.index_signature)
}

struct Clock {
    last: Instant,
    timings: BTreeMap<String, f64>,
}

impl Clock {
    fn start() -> Self {
        Self { last: Instant::now(), timings: BTreeMap::new() }
    }

    fn lap(&mut self, step: &str) {
        self.timings.insert(step.to_owned(), self.last.elapsed().as_secs_f64() * 1e3);
        self.last = Instant::now();
    }
}
