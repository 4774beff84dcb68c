//! What happens to edges without evidence, and to edges that are one of several possible ones.

use gik_contract::pack::{ContextPack, DropReason, EvidenceKind, SectionType, Strictness};
use gik_graph::EdgeKind;

use super::names;
use super::world::{World, chain};
use crate::Draft;

/// `two` is called without evidence by `alone`.
fn world() -> World {
    let mut world = chain();
    world.edge("alone", EdgeKind::Calls, "two").evidence = None;
    world
}

fn pack(world: &World, strictness: Strictness, require: bool) -> ContextPack {
    let draft = Draft {
        strictness: Some(strictness),
        require_evidence: Some(require),
        include_same_file_neighbors: Some(false),
        ..Draft::default()
    };
    world.focus("two", draft)
}

#[test]
fn strict_leaves_out_what_lacks_required_evidence() {
    let pack = pack(&world(), Strictness::Strict, true);
    assert_eq!(names(&pack, SectionType::Callers), ["one"]);
    assert!(pack.stats.dropped[&DropReason::NoEvidence] >= 1);
    let explain = pack.explain.unwrap();
    let dropped = explain.dropped.iter().find(|it| it.reason == DropReason::NoEvidence).unwrap();
    assert_eq!(dropped.detail, "no evidence of a kind that counts");
    assert!(explain.gaps.is_empty());
}

#[test]
fn strict_without_the_demand_and_warn_keep_it_and_tell() {
    for (strictness, require) in
        [(Strictness::Strict, false), (Strictness::Warn, true), (Strictness::Warn, false)]
    {
        let pack = pack(&world(), strictness, require);
        assert_eq!(names(&pack, SectionType::Callers), ["one", "alone"], "the surer one first");
        let gaps = pack.explain.unwrap().gaps;
        assert_eq!(gaps.len(), 1, "{strictness:?} {gaps:?}");
        assert_eq!(gaps[0].from, "scip:gik x . a.x/alone().");
        assert_eq!(gaps[0].missing, "no evidence of a kind that counts");
    }
}

#[test]
fn loose_keeps_it_and_says_nothing() {
    let pack = pack(&world(), Strictness::Loose, true);
    assert_eq!(names(&pack, SectionType::Callers), ["one", "alone"]);
    assert!(pack.explain.unwrap().gaps.is_empty());
}

#[test]
fn evidence_of_other_kinds_does_not_count() {
    let draft = Draft {
        strictness: Some(Strictness::Strict),
        require_evidence: Some(true),
        evidence_kinds: Some(vec![EvidenceKind::Tooling]),
        ..Draft::default()
    };
    let pack = chain().focus("two", draft);
    assert_eq!(names(&pack, SectionType::Callers), Vec::<String>::new());
    let empty = pack.explain.unwrap().empty_sections;
    let callers = empty.iter().find(|it| it.section == SectionType::Callers).unwrap();
    assert!(callers.reason.contains("without required evidence"), "{}", callers.reason);
}

#[test]
fn nothing_follows_from_a_guess() {
    let mut world = chain();
    for edge in &mut world.edges {
        if edge.kind == EdgeKind::Calls {
            edge.candidates = 3;
        }
    }
    let draft = Draft { max_hops: Some(4), ..Draft::default() };
    let pack = world.focus("one", draft);
    assert_eq!(names(&pack, SectionType::Callees), ["two"]);
    let gaps = pack.explain.unwrap().gaps;
    assert_eq!(gaps[0].missing, "one of 3 that the name may mean");
}

#[test]
fn explanations_are_left_out_where_nobody_wants_them() {
    let draft = Draft { include_explain: Some(false), ..Draft::default() };
    assert!(chain().focus("two", draft).explain.is_none());
}
