//! What fits? Budgets are spent along one order; the first thing that does not fit as a whole is cut and is the last.

use std::collections::BTreeMap;
use std::ops::Range;

use gik_contract::pack::{
    Budgets, ContextItem, CutBy, DropReason, EvidenceNote, Excerpt, ItemKind, Lines, PackRequest,
    PackSummary, PathStep, Scores, SectionType, Truncation, Utf16Range, Why,
};

use crate::candidate::{Candidate, Hop, edge_type, evidence_kind};
use crate::excerpt::{cut, fitting};
use crate::library::{Body, Library, Outline};
use crate::markdown;
use crate::summary::{Size, Summarized, reserved, summarize};

/// What went in, what did not, and what it takes.
#[derive(Debug, Default)]
pub(crate) struct Allocated {
    /// In the order of reading, with what it was made from.
    pub(crate) taken: Vec<(Candidate, ContextItem)>,
    pub(crate) dropped: Vec<(Candidate, DropReason, String)>,
    pub(crate) tokens: u64,
    pub(crate) chars: u64,
    /// Whether a budget left something out.
    pub(crate) is_cut: bool,
    /// What the texts of the items hold.
    pub(crate) shown: Shown,
    /// What is told of what they do not hold.
    pub(crate) summaries: Vec<PackSummary>,
    /// What could not be told of it, by path.
    pub(crate) unsaid: Vec<String>,
}

/// What of each file is in a pack, in bytes.
#[derive(Debug, Default)]
pub(crate) struct Shown(BTreeMap<String, Vec<(usize, usize)>>);

impl Shown {
    fn add(&mut self, file: &str, start: usize, end: usize) {
        self.0.entry(file.to_owned()).or_default().push((start, end));
    }

    /// Whether anything of a file is there.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.0.contains_key(file)
    }

    /// Whether most of a text is there.
    pub(crate) fn holds(&self, file: &str, bytes: &Range<usize>) -> bool {
        let Some(parts) = self.0.get(file) else { return false };
        let shared: usize = (parts.iter())
            .map(|(start, end)| bytes.end.min(*end).saturating_sub(bytes.start.max(*start)))
            .sum();
        shared * 2 > bytes.len() || bytes.is_empty()
    }
}

/// The state of spending.
struct Spending<'a> {
    budgets: Budgets,
    count: &'a dyn Fn(&str) -> u64,
    /// What the note at the end takes, kept free for it.
    end: Size,
    /// What every item but the first leaves for summaries.
    reserved: Size,
    done: Allocated,
    per_section: BTreeMap<SectionType, u64>,
}

/// Spends the budgets of a request along the order of the candidates.
pub(crate) fn allocate<L: Library>(
    request: &PackRequest,
    order: Vec<Candidate>,
    library: &mut L,
    count: &dyn Fn(&str) -> u64,
) -> Result<Allocated, L::Failure> {
    let heading = markdown::heading(request);
    let done =
        Allocated { tokens: count(&heading), chars: chars_of(&heading), ..Allocated::default() };
    let outlines = match &request.focus.here {
        Some(here) => library.outlines(here)?,
        None => Vec::new(),
    };
    let mut spending = Spending {
        budgets: request.budgets,
        count,
        end: (count(markdown::MORE), chars_of(markdown::MORE)),
        reserved: reserved(&outlines, &request.budgets, count),
        done,
        per_section: BTreeMap::new(),
    };
    let by_signature = request.focus.here.is_some();
    let mut rest = order.into_iter();
    for candidate in rest.by_ref() {
        if let Some(budget) = spending.is_full(candidate.section) {
            let is_over = budget != SECTION;
            spending.drop(candidate, DropReason::Budget, budget);
            if is_over { break } else { continue }
        }
        if spending.done.shown.holds(&candidate.place.file, &candidate.place.bytes) {
            spending.drop(candidate, DropReason::Duplicate, "its text is there already");
            continue;
        }
        let Some(body) = library.body(&candidate.place)? else {
            spending.drop(candidate, DropReason::Unsupported, "its file changed meanwhile");
            continue;
        };
        let most = spending.most_bytes(&candidate, &body, by_signature);
        let why = why_of(&candidate, request, library)?;
        if !spending.take(candidate, &body, most, why) {
            break;
        }
    }
    for candidate in rest {
        spending.drop(candidate, DropReason::Budget, "what came before took all there is");
    }
    spending.tell(outlines);
    Ok(spending.finish())
}

const SECTION: &str = "maxItemsPerSection";

impl Spending<'_> {
    /// The budget of items that has nothing left.
    fn is_full(&self, section: SectionType) -> Option<&'static str> {
        if self.done.taken.len() as u64 >= self.budgets.max_items {
            return Some("maxItems");
        }
        let n = self.per_section.get(&section).copied().unwrap_or(0);
        (n >= self.budgets.max_items_per_section).then_some(SECTION)
    }

    fn drop(&mut self, candidate: Candidate, reason: DropReason, detail: &str) {
        self.done.is_cut |= reason == DropReason::Budget;
        self.done.dropped.push((candidate, reason, detail.to_owned()));
    }

    /// How much of a text is shown, and by what rule. What was named and the best seed are shown in full, others less:
    /// more of them fit, and their ids lead to the rest.
    fn most_bytes(&self, candidate: &Candidate, body: &Body, by_signature: bool) -> (usize, CutBy) {
        let most = usize::try_from(self.budgets.max_bytes_per_item).unwrap_or(usize::MAX);
        let is_first = self.per_section.is_empty() && candidate.section == SectionType::Seeds;
        if candidate.rule.is_named() || is_first {
            return (most, CutBy::MaxBytesPerItem);
        }
        if by_signature && candidate.section != SectionType::Seeds && body.head > 0 {
            return (body.head.min(most), CutBy::MinimalExcerpt);
        }
        let part = if candidate.distance > 1 { most / 8 } else { most / 4 };
        (part, CutBy::MinimalExcerpt)
    }

    /// Puts an item in, cut to what is left where it has to be. Says whether more may follow.
    fn take(
        &mut self,
        candidate: Candidate,
        body: &Body,
        (most, mut reason): (usize, CutBy),
        why: Why,
    ) -> bool {
        let number = self.done.taken.len() + 1;
        let mut kept = cut(body, most);
        let mut allowed = most;
        let mut item = item_of(&candidate, body.title.clone(), why);
        let shown = |item: &mut ContextItem, kept: usize, allowed: usize, reason: CutBy| {
            let truncated = kept < body.text.len();
            let truncation = truncated.then_some(Truncation { max_bytes: allowed as u64, reason });
            item.excerpt = Excerpt { text: body.text[..kept].to_owned(), truncated, truncation };
        };
        shown(&mut item, kept, allowed, reason);
        let mut may_follow = true;
        if let Some(over) = self.over(&markdown::block(number, candidate.section, &item)) {
            reason = over;
            may_follow = false;
            let fits = |bytes: usize| {
                let mut part = item.clone();
                shown(&mut part, bytes, bytes, over);
                self.over(&markdown::block(number, candidate.section, &part)).is_none()
            };
            let Some(part) = fitting(&body.text, kept, fits) else {
                let detail = match over {
                    CutBy::MaxTotalChars => "maxTotalChars",
                    CutBy::MaxTotalTokens | CutBy::MaxBytesPerItem | CutBy::MinimalExcerpt => {
                        "maxTotalTokens"
                    },
                };
                self.drop(candidate, DropReason::Budget, detail);
                return false;
            };
            (kept, allowed) = (part, part);
            shown(&mut item, kept, allowed, reason);
            self.done.is_cut = true;
        }
        let block = markdown::block(number, candidate.section, &item);
        self.done.tokens += (self.count)(&block);
        self.done.chars += chars_of(&block);
        *self.per_section.entry(candidate.section).or_default() += 1;
        let start = candidate.place.bytes.start;
        self.done.shown.add(&candidate.place.file, start, start + kept);
        self.done.taken.push((candidate, item));
        may_follow
    }

    /// The budget that a block is above, with what is kept free.
    fn over(&self, block: &str) -> Option<CutBy> {
        let reserved = if self.done.taken.is_empty() { (0, 0) } else { self.reserved };
        let tokens = self.done.tokens + (self.count)(block) + self.end.0 + reserved.0;
        if tokens > self.budgets.max_total_tokens {
            return Some(CutBy::MaxTotalTokens);
        }
        let chars = self.done.chars + chars_of(block) + self.end.1 + reserved.1;
        (chars > self.budgets.max_total_chars).then_some(CutBy::MaxTotalChars)
    }

    /// Tells what is not shown in what is left.
    fn tell(&mut self, outlines: Vec<Outline>) {
        if self.done.taken.is_empty() {
            return;
        }
        let room = (
            self.budgets.max_total_tokens.saturating_sub(self.done.tokens + self.end.0),
            self.budgets.max_total_chars.saturating_sub(self.done.chars + self.end.1),
        );
        let Summarized { summaries, size, left_out } =
            summarize(outlines, &self.done.shown, room, self.count);
        self.done.tokens += size.0;
        self.done.chars += size.1;
        self.done.is_cut |= !left_out.is_empty() || summaries.iter().any(|one| one.truncated);
        self.done.summaries = summaries;
        self.done.unsaid = left_out;
    }

    fn finish(mut self) -> Allocated {
        if self.done.is_cut {
            self.done.tokens += self.end.0;
            self.done.chars += self.end.1;
        }
        self.done
    }
}

/// An item without its text.
fn item_of(candidate: &Candidate, title: String, why: Why) -> ContextItem {
    let place = &candidate.place;
    ContextItem {
        kind: if place.symbol_id.is_some() { ItemKind::Symbol } else { ItemKind::Chunk },
        symbol_id: place.symbol_id.clone(),
        chunk_uid: place.chunk_uid.clone(),
        file_rel_path: place.file.clone(),
        range: Utf16Range { start: place.utf16.start, end: place.utf16.end },
        lines: Lines { start: place.lines.0, end: place.lines.1 },
        language_id: place.language.clone(),
        title,
        excerpt: Excerpt { text: String::new(), truncated: false, truncation: None },
        scores: Scores {
            seed_score: candidate.seed.as_f64(),
            graph_distance: candidate.distance,
            evidence_score: candidate.evidence.as_f64(),
            hybrid_score: candidate.hybrid().as_f64(),
        },
        why,
    }
}

/// The path to a candidate, in names, with what shows each edge.
fn why_of<L: Library>(
    candidate: &Candidate,
    request: &PackRequest,
    library: &mut L,
) -> Result<Why, L::Failure> {
    let mut why =
        Why { rule: candidate.rule.as_str().to_owned(), path: Vec::new(), evidence: Vec::new() };
    for hop in &candidate.path {
        let edge = match hop {
            Hop::Edge(edge) => edge,
            Hop::Beside(file) => {
                why.path.push(PathStep {
                    edge_type: gik_contract::pack::EdgeType::Contain,
                    from: file.clone(),
                    to: candidate.identity().to_owned(),
                    evidence_id: None,
                });
                continue;
            },
        };
        let counts = |kind| request.expansion.evidence_kinds.contains(&kind);
        let kind = evidence_kind(edge).filter(|kind| counts(*kind));
        let id = match (&edge.evidence, kind) {
            (Some(evidence), Some(_)) => library.evidence(evidence)?,
            _ => None,
        };
        if let (Some(kind), Some(id)) = (kind, &id) {
            why.evidence.push(EvidenceNote {
                kind,
                evidence_id: id.clone(),
                confidence: f64::from(edge.confidence) / 100.0,
            });
        }
        why.path.push(PathStep {
            edge_type: edge_type(edge.kind),
            from: library.name(edge.from)?,
            to: library.name(edge.to)?,
            evidence_id: id,
        });
    }
    Ok(why)
}

pub(crate) fn chars_of(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}
