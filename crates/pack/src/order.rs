//! What comes first? The order is total: no two different candidates are equal.

use std::cmp::{Ordering as Order, Reverse};
use std::collections::{BTreeMap, VecDeque};

use gik_contract::pack::{Intent, OrderBy, Ordering, PackRequest, SectionType, TieBreaker};

use crate::candidate::{Candidate, Rule};
use crate::points::Points;

/// A seed from here on is strong: nothing that only the graph found comes before it, unless the intent asks for that.
const STRONG: Points = Points::new(5000);
/// So many declarations follow what stands where the reader is.
const SIGNATURES: usize = 12;

/// The order of two candidates of a section.
pub(crate) fn compare(one: &Candidate, other: &Candidate, ordering: &Ordering) -> Order {
    // What was named comes before what was found.
    let named = |it: &Candidate| if it.rule.is_named() { it.rule } else { Rule::Query };
    let by_name = named(one).cmp(&named(other));
    if named(one) == Rule::Here && by_name == Order::Equal {
        // The text around the reader is rated by how near it is.
        return other.seed.cmp(&one.seed).then_with(|| by_place(one, other));
    }
    let primary = match ordering.primary {
        OrderBy::SeedScore => other.seed.cmp(&one.seed),
        OrderBy::GraphDistance => one.distance.cmp(&other.distance),
        OrderBy::GraphEvidence => other.evidence.cmp(&one.evidence),
        OrderBy::HybridScore => Order::Equal,
    };
    let mut order = by_name
        .then(primary)
        .then_with(|| Reverse(one.hybrid()).cmp(&Reverse(other.hybrid())))
        .then_with(|| one.distance.cmp(&other.distance));
    for breaker in &ordering.stable_tie_breakers {
        let (one, other) = (&one.place, &other.place);
        order = order.then_with(|| match breaker {
            TieBreaker::FileRelPath => one.file.cmp(&other.file),
            TieBreaker::StartLine => one.lines.0.cmp(&other.lines.0),
            TieBreaker::ChunkUid => one.chunk_uid.cmp(&other.chunk_uid),
            TieBreaker::SymbolId => {
                let last = |id: &Option<String>| (id.is_none(), id.clone());
                last(&one.symbol_id).cmp(&last(&other.symbol_id))
            },
        });
    }
    order.then_with(|| by_place(one, other))
}

fn by_place(one: &Candidate, other: &Candidate) -> Order {
    let key =
        |it: &Candidate| (it.place.file.clone(), it.place.bytes.start, Reverse(it.place.bytes.end));
    key(one).cmp(&key(other)).then_with(|| one.identity().cmp(other.identity()))
}

/// The sections in the order in which they take turns; what is related is always the last.
fn turns(intent: Intent) -> [SectionType; 10] {
    use SectionType::{
        Callees, Callers, Dataflow, Docs, Exports, Imports, Related, Seeds, Tests, Usages,
    };
    match intent {
        Intent::Answer => {
            [Seeds, Callees, Callers, Docs, Usages, Imports, Tests, Dataflow, Exports, Related]
        },
        Intent::Summarize => {
            [Seeds, Docs, Exports, Callees, Imports, Callers, Usages, Tests, Dataflow, Related]
        },
        Intent::Refactor => {
            [Seeds, Callers, Usages, Exports, Tests, Callees, Dataflow, Imports, Docs, Related]
        },
        Intent::Debug => {
            [Seeds, Callers, Callees, Dataflow, Tests, Usages, Imports, Exports, Docs, Related]
        },
        Intent::Impact => {
            [Callers, Usages, Exports, Tests, Dataflow, Callees, Imports, Seeds, Docs, Related]
        },
        Intent::Contract => {
            [Seeds, Exports, Usages, Callers, Tests, Docs, Imports, Callees, Dataflow, Related]
        },
    }
}

/// Candidates in the order in which budgets are spent on them. No budget moves anything in it, so that what fits into a
/// small one is the beginning of what fits into a large one.
pub(crate) fn sequence(candidates: Vec<Candidate>, request: &PackRequest) -> Vec<Candidate> {
    let mut waiting: BTreeMap<SectionType, VecDeque<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        waiting.entry(candidate.section).or_default().push_back(candidate);
    }
    for list in waiting.values_mut() {
        list.make_contiguous().sort_by(|one, other| compare(one, other, &request.ordering));
    }
    let mut queue = Queue { waiting, order: Vec::new() };
    queue.take_seeds(|seed| seed.rule.is_named());
    let turns = turns(request.intent);
    if request.focus.here.is_some() {
        queue.take_turns(&GRAPH_SECTIONS, SIGNATURES);
    }
    if request.intent == Intent::Impact {
        queue.take_turns(&turns[..GRAPH_SECTIONS.len()], usize::MAX);
    } else {
        queue.take_seeds(|seed| seed.seed >= STRONG);
    }
    // What is merely near comes when nothing else is left, and never takes the place of what says more.
    let without_related = turns.len() - 1;
    queue.take_turns(&turns[..without_related], usize::MAX);
    queue.take_turns(&turns, usize::MAX);
    queue.order
}

/// Sections that only the graph fills.
const GRAPH_SECTIONS: [SectionType; 7] = [
    SectionType::Callees,
    SectionType::Usages,
    SectionType::Imports,
    SectionType::Dataflow,
    SectionType::Exports,
    SectionType::Callers,
    SectionType::Tests,
];

struct Queue {
    waiting: BTreeMap<SectionType, VecDeque<Candidate>>,
    order: Vec<Candidate>,
}

impl Queue {
    /// Takes seeds from the front as long as something holds.
    fn take_seeds(&mut self, holds: impl Fn(&Candidate) -> bool) {
        let Some(seeds) = self.waiting.get_mut(&SectionType::Seeds) else { return };
        while let Some(seed) = seeds.pop_front_if(|seed| holds(seed)) {
            self.order.push(seed);
        }
    }

    /// Takes one of each section in turn, so many in all at most.
    fn take_turns(&mut self, turns: &[SectionType], most: usize) {
        let mut taken = 0;
        loop {
            let before = taken;
            for section in turns {
                let next = self.waiting.get_mut(section).filter(|_| taken < most);
                if let Some(candidate) = next.and_then(VecDeque::pop_front) {
                    self.order.push(candidate);
                    taken += 1;
                }
            }
            if taken == before {
                return;
            }
        }
    }
}
