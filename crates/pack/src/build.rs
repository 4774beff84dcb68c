//! `Expand → Merge → Order → Allocate → Explain`: the one way from seeds to a pack.

use std::collections::{BTreeMap, BTreeSet};

use gik_contract::Timestamp;
use gik_contract::pack::{
    BudgetsResolved, ContextItem, ContextPack, ContextPackStats, ContextSection, DropReason,
    ItemPlace, Lines, PackRequest, SectionType, SeedEntry, SeedMode, SeedScores, Utf16Range,
};
use gik_graph::Edges;

use crate::allocate::{Allocated, allocate};
use crate::candidate::{Candidate, Seed};
use crate::expand::{Expanded, expand};
use crate::explain::{Told, explain};
use crate::library::{Library, Nature};
use crate::order::sequence;
use crate::points::Points;
use crate::request::pack_id;

/// What a pack is made of, besides the graph and the texts.
pub struct Inputs<'a> {
    /// In normal form.
    pub request: PackRequest,
    /// What the graph is followed from, the best first.
    pub seeds: Vec<Seed>,
    /// What retrieval found further down.
    pub more: Vec<Seed>,
    /// When the indexed revision was made.
    pub created_at: Timestamp,
    /// The name of what counts tokens.
    pub tokenizer: String,
    /// Counts the tokens of a text.
    pub count: &'a dyn Fn(&str) -> u64,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl std::fmt::Debug for Inputs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inputs").field("request", &self.request).finish_non_exhaustive()
    }
}

/// Why there is no pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop<F> {
    /// Something could not be read.
    Failed(F),
    /// Something was found, and nothing of it fits. Says which budget is too small.
    Budget(&'static str),
}

impl<F> From<F> for Stop<F> {
    fn from(failure: F) -> Self {
        Self::Failed(failure)
    }
}

/// Builds a pack.
pub fn build<L: Library, G: Edges<Failure = L::Failure>>(
    inputs: Inputs<'_>,
    library: &mut L,
    graph: &mut G,
) -> Result<ContextPack, Stop<L::Failure>> {
    let Inputs { request, seeds, more, created_at, tokenizer, count, mut notes } = inputs;
    let mut expanded = expand(&request, &seeds, library, graph)?;
    let found = std::mem::take(&mut expanded.candidates);
    let entries: Vec<SeedEntry> = seeds.iter().map(entry_of).collect();
    let (candidates, n_merged) = merge(seeds, more, found, &request);
    let order = sequence(candidates, &request);
    let mut allocated = allocate(&request, order, library, count)?;
    let is_over = allocated.tokens > request.budgets.max_total_tokens
        || allocated.chars > request.budgets.max_total_chars;
    if is_over || (allocated.taken.is_empty() && allocated.is_cut) {
        return Err(Stop::Budget(too_small(&request, &allocated)));
    }
    let unsaid = std::mem::take(&mut allocated.unsaid);
    notes.extend(unsaid.iter().map(|path| format!("the summary of `{path}` does not fit")));
    let (sections, reading_order) = sections_of(&allocated);
    let stats = stats_of(&allocated, &expanded, &sections, n_merged);
    let explain = request.include_explain.then(|| {
        explain(Told {
            request: &request,
            sections: &sections,
            allocated: &allocated,
            expanded: &expanded,
            notes,
        })
    });
    Ok(ContextPack {
        format_version: ContextPack::FORMAT_VERSION,
        schema: ContextPack::SCHEMA.to_owned(),
        schema_version: ContextPack::SCHEMA_VERSION.to_owned(),
        index_signature: request.index_signature.clone(),
        pack_id: pack_id(&request),
        created_at,
        budgets: BudgetsResolved { limits: request.budgets, tokenizer },
        request,
        seeds: entries,
        sections,
        reading_order,
        summaries: allocated.summaries,
        explain,
        stats,
    })
}

fn entry_of(seed: &Seed) -> SeedEntry {
    let rounded = |score: f64| (score * 1e4).round() / 1e4;
    let place = &seed.place;
    SeedEntry {
        rule: seed.rule.as_str().to_owned(),
        symbol_id: place.symbol_id.clone(),
        chunk_uid: place.chunk_uid.clone(),
        file_rel_path: place.file.clone(),
        range: Utf16Range { start: place.utf16.start, end: place.utf16.end },
        lines: Lines { start: place.lines.0, end: place.lines.1 },
        scores: SeedScores {
            seed_score: seed.score.as_f64(),
            lexical: seed.lexical.map(rounded),
            dense: seed.dense.map(rounded),
        },
    }
}

/// One candidate for each thing, where it was found first: as a seed, then by the shortest way, then by section. Says
/// how many were found again.
fn merge(
    seeds: Vec<Seed>,
    more: Vec<Seed>,
    mut found: Vec<Candidate>,
    request: &PackRequest,
) -> (Vec<Candidate>, u64) {
    let scores: BTreeMap<String, Points> =
        more.iter().map(|seed| (seed.place.chunk_uid.clone(), seed.score)).collect();
    for candidate in &mut found {
        candidate.seed = scores.get(&candidate.place.chunk_uid).copied().unwrap_or(Points::NONE);
    }
    // What stands nearby otherwise is looked at last: other sections say more of how it hangs together.
    let is_related = |candidate: &Candidate| candidate.section == SectionType::Related;
    found.sort_by_key(|it| (is_related(it), it.distance, it.section));
    let seeds = seeds.into_iter().map(|seed| Candidate {
        section: SectionType::Seeds,
        rule: seed.rule,
        seed: seed.score,
        distance: 0,
        evidence: Points::ALL,
        path: Vec::new(),
        place: seed.place,
    });
    let beyond = request.expansion.max_hops + 1;
    let more = more.into_iter().map(|seed| Candidate {
        section: match seed.place.nature {
            Nature::Code => SectionType::Related,
            Nature::Test => SectionType::Tests,
            Nature::Doc => SectionType::Docs,
        },
        rule: seed.rule,
        seed: seed.score,
        distance: beyond,
        evidence: Points::NONE,
        path: Vec::new(),
        place: seed.place,
    });
    let is_asked = |candidate: &Candidate| {
        request.seed_mode != SeedMode::Code || candidate.section != SectionType::Docs
    };
    let mut merged: Vec<Candidate> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut again = 0;
    for candidate in seeds.chain(found.into_iter().chain(more).filter(is_asked)) {
        if known.insert(candidate.identity().to_owned()) {
            merged.push(candidate);
        } else if !is_related(&candidate) {
            again += 1;
        }
    }
    (merged, again)
}

/// Sections in their order, each sorted, and where each item of the reading order is.
fn sections_of(allocated: &Allocated) -> (Vec<ContextSection>, Vec<ItemPlace>) {
    let mut items: BTreeMap<SectionType, Vec<ContextItem>> = BTreeMap::new();
    let mut reading = Vec::with_capacity(allocated.taken.len());
    for (candidate, item) in &allocated.taken {
        // Within a section the order of reading is that of the section.
        let list = items.entry(candidate.section).or_default();
        let place = u32::try_from(list.len()).unwrap_or(u32::MAX);
        reading.push(ItemPlace { section: candidate.section, item: place });
        list.push(item.clone());
    }
    let sections = SectionType::ALL.into_iter().map(|section| ContextSection {
        section,
        items: items.remove(&section).unwrap_or_default(),
    });
    (sections.collect(), reading)
}

fn stats_of(
    allocated: &Allocated,
    expanded: &Expanded,
    sections: &[ContextSection],
    n_merged: u64,
) -> ContextPackStats {
    let mut dropped: BTreeMap<DropReason, u64> = BTreeMap::new();
    for (_, reason, _) in &allocated.dropped {
        *dropped.entry(*reason).or_default() += 1;
    }
    for (reason, n) in [
        (DropReason::NoEvidence, expanded.refused.len() as u64),
        (DropReason::Duplicate, n_merged),
        (DropReason::Unsupported, expanded.unsupported),
        (DropReason::Budget, 0),
    ] {
        *dropped.entry(reason).or_default() += n;
    }
    let hops = allocated.taken.iter().map(|(candidate, _)| candidate.path.len());
    ContextPackStats {
        items: allocated.taken.len() as u64,
        sections: sections.iter().map(|it| (it.section, it.items.len() as u64)).collect(),
        dropped,
        is_cut: allocated.is_cut,
        max_hop: hops.max().and_then(|hops| u32::try_from(hops).ok()).unwrap_or(0),
        tokens: allocated.tokens,
        chars: allocated.chars,
        excerpt_bytes: (allocated.taken.iter())
            .map(|(_, item)| item.excerpt.text.len() as u64)
            .sum(),
        nodes_visited: expanded.nodes,
        edges_visited: expanded.edges,
    }
}

/// The budget in which nothing fits.
fn too_small(request: &PackRequest, allocated: &Allocated) -> &'static str {
    let budgets = &request.budgets;
    if budgets.max_items == 0 {
        return "maxItems";
    }
    if budgets.max_items_per_section == 0 {
        return "maxItemsPerSection";
    }
    let by_chars = allocated.dropped.iter().any(|(_, _, detail)| detail == "maxTotalChars");
    if by_chars || allocated.chars > budgets.max_total_chars {
        "maxTotalChars"
    } else {
        "maxTotalTokens"
    }
}
