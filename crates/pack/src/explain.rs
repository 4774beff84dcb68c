//! What a pack says about itself: rules, what was left out, gaps, sections that are empty and why.

use std::collections::BTreeMap;

use gik_contract::pack::{
    ContextSection, DropReason, DroppedItem, EmptySection, EvidenceGap, ExplainEnvelope,
    PackRequest, RuleCount, SectionType, Strictness,
};

use crate::allocate::Allocated;
use crate::candidate::{Candidate, Hop, Rule, lacks};
use crate::expand::Expanded;

/// So many of each list are told.
const MOST_LISTED: usize = 100;

/// What is explained.
pub(crate) struct Told<'a> {
    pub(crate) request: &'a PackRequest,
    pub(crate) sections: &'a [ContextSection],
    pub(crate) allocated: &'a Allocated,
    pub(crate) expanded: &'a Expanded,
    pub(crate) notes: Vec<String>,
}

/// The envelope.
pub(crate) fn explain(told: Told<'_>) -> ExplainEnvelope {
    let Told { request, sections, allocated, expanded, mut notes } = told;
    let mut counts: BTreeMap<(SectionType, Rule), u64> = BTreeMap::new();
    for (candidate, _) in &allocated.taken {
        *counts.entry((candidate.section, candidate.rule)).or_default() += 1;
    }
    let included = counts.into_iter().map(|((section, rule), items)| RuleCount {
        rule: rule.as_str().to_owned(),
        section,
        items,
    });
    let mut dropped: Vec<DroppedItem> = allocated
        .dropped
        .iter()
        .map(|(candidate, reason, detail)| dropped_item(candidate, *reason, detail.clone()))
        .collect();
    dropped.extend(expanded.refused.iter().map(|candidate| {
        let detail = gaps_of(candidate, request).into_iter().next().unwrap_or_default();
        dropped_item(candidate, DropReason::NoEvidence, detail)
    }));
    dropped.sort_by_key(|item| item.reason);
    let dropped_more = dropped.len().saturating_sub(MOST_LISTED) as u64;
    dropped.truncate(MOST_LISTED);
    let mut gaps = if request.strictness == Strictness::Loose {
        Vec::new()
    } else {
        evidence_gaps(allocated, request)
    };
    let gaps_more = gaps.len().saturating_sub(MOST_LISTED) as u64;
    gaps.truncate(MOST_LISTED);
    for section in &expanded.cut {
        let name = section.as_str();
        notes.push(format!("there are more edges for {name} than were looked at"));
    }
    ExplainEnvelope {
        included: included.collect(),
        dropped,
        dropped_more,
        gaps,
        gaps_more,
        empty_sections: empty_sections(sections, allocated, expanded),
        notes,
    }
}

fn dropped_item(candidate: &Candidate, reason: DropReason, detail: String) -> DroppedItem {
    DroppedItem {
        section: candidate.section,
        rule: candidate.rule.as_str().to_owned(),
        symbol_id: candidate.place.symbol_id.clone(),
        chunk_uid: candidate.place.chunk_uid.clone(),
        file_rel_path: candidate.place.file.clone(),
        line: candidate.place.lines.0,
        reason,
        detail,
    }
}

/// What the edges to a candidate lack.
fn gaps_of(candidate: &Candidate, request: &PackRequest) -> Vec<String> {
    let edges = candidate.path.iter().filter_map(|hop| match hop {
        Hop::Edge(edge) => Some(edge),
        Hop::Beside(_) => None,
    });
    edges.filter_map(|edge| lacks(edge, &request.expansion)).collect()
}

fn evidence_gaps(allocated: &Allocated, request: &PackRequest) -> Vec<EvidenceGap> {
    let mut gaps = Vec::new();
    for (candidate, item) in &allocated.taken {
        // Names are those of the path, step by step.
        for (hop, step) in candidate.path.iter().zip(&item.why.path) {
            let Hop::Edge(edge) = hop else { continue };
            if let Some(missing) = lacks(edge, &request.expansion) {
                gaps.push(EvidenceGap {
                    section: candidate.section,
                    chunk_uid: item.chunk_uid.clone(),
                    from: step.from.clone(),
                    to: step.to.clone(),
                    missing,
                });
            }
        }
    }
    gaps
}

fn empty_sections(
    sections: &[ContextSection],
    allocated: &Allocated,
    expanded: &Expanded,
) -> Vec<EmptySection> {
    let empty = sections.iter().filter(|section| section.items.is_empty());
    empty
        .map(|&ContextSection { section, .. }| {
            let off = expanded.off.iter().find(|(off, _)| *off == section);
            let of_section = |candidate: &&Candidate| candidate.section == section;
            let n_dropped = allocated.dropped.iter().map(|(it, ..)| it).filter(of_section).count();
            let n_refused = expanded.refused.iter().filter(of_section).count();
            let reason = match off {
                Some((_, reason)) => reason.clone(),
                None if n_dropped > 0 => format!("{n_dropped} were found and left out"),
                None if n_refused > 0 => {
                    format!("{n_refused} were found, all without required evidence")
                },
                None => "nothing was found".to_owned(),
            };
            EmptySection { section, reason }
        })
        .collect()
}
