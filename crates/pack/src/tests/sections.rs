//! Which edges fill which section, in which direction, how far.

use gik_contract::pack::{Direction, EdgeType, Intent, SectionType};

use super::world::{World, chain};
use super::{items, names};
use crate::{Draft, Rule};

fn hops(max_hops: u32) -> Draft {
    let calls = Some(vec![EdgeType::Call]);
    Draft { max_hops: Some(max_hops), edge_types: calls, ..Draft::default() }
}

#[test]
fn callers_and_callees_are_told_apart_at_every_depth() {
    let world = chain();
    let pack = world.focus("one", hops(3));
    assert_eq!(names(&pack, SectionType::Callees), ["two", "three", "four"]);
    assert_eq!(names(&pack, SectionType::Callers), Vec::<String>::new());
    let distances = |section| -> Vec<u32> {
        items(&pack, section).iter().map(|item| item.scores.graph_distance).collect()
    };
    assert_eq!(distances(SectionType::Callees), [1, 2, 3]);

    let pack = world.focus("four", hops(3));
    assert_eq!(names(&pack, SectionType::Callers), ["three", "two", "one"]);
    assert_eq!(names(&pack, SectionType::Callees), Vec::<String>::new());
    let one = items(&pack, SectionType::Callers).last().unwrap();
    let path: Vec<(&str, &str)> =
        one.why.path.iter().map(|step| (step.from.as_str(), step.to.as_str())).collect();
    assert_eq!(
        path,
        [
            ("scip:gik x . c.x/three().", "scip:gik x . d.x/four()."),
            ("scip:gik x . b.x/two().", "scip:gik x . c.x/three()."),
            ("scip:gik x . a.x/one().", "scip:gik x . b.x/two()."),
        ]
    );
    assert_eq!(one.why.evidence[2].evidence_id, "a.x:1");
    assert_eq!(pack.stats.max_hop, 3);
}

#[test]
fn hops_end_where_the_request_says_and_never_above_four() {
    let world = chain();
    assert_eq!(names(&world.focus("one", hops(1)), SectionType::Callees), ["two"]);
    assert_eq!(names(&world.focus("one", hops(0)), SectionType::Callees), Vec::<String>::new());
    let pack = world.focus("one", hops(99));
    assert_eq!(pack.request.expansion.max_hops, 4);
    let notes = &pack.explain.unwrap().notes;
    assert_eq!(notes, &["maxHops 99 is above its cap of 4"]);
}

#[test]
fn a_direction_leaves_the_other_out() {
    let world = chain();
    let toward = |direction| Draft { direction: Some(direction), ..hops(2) };
    let pack = world.focus("two", toward(Direction::Out));
    assert_eq!(names(&pack, SectionType::Callers), Vec::<String>::new());
    assert_eq!(names(&pack, SectionType::Callees), ["three", "four"]);
    let pack = world.focus("two", toward(Direction::In));
    assert_eq!(names(&pack, SectionType::Callers), ["one"]);
    assert_eq!(names(&pack, SectionType::Callees), Vec::<String>::new());
    let empty = pack.explain.unwrap().empty_sections;
    let callees = empty.iter().find(|it| it.section == SectionType::Callees).unwrap();
    assert_eq!(callees.reason, "the direction leads elsewhere");
}

#[test]
fn tests_documents_imports_and_neighbors_have_their_sections() {
    let world = chain();
    let pack = world.focus("two", Draft::default());
    assert_eq!(names(&pack, SectionType::Tests), ["check"], "a test that calls is no caller");
    assert_eq!(names(&pack, SectionType::Docs), ["guide"]);
    assert_eq!(names(&pack, SectionType::Callers), ["one"]);
    assert_eq!(names(&pack, SectionType::Callees), ["three", "four"]);
    let pack = world.focus("one", Draft { max_hops: Some(1), ..Draft::default() });
    assert_eq!(names(&pack, SectionType::Related), ["alone"]);
    let alone = &items(&pack, SectionType::Related)[0];
    assert_eq!((alone.why.rule.as_str(), alone.why.path[0].from.as_str()), ("same-file", "a.x"));
    let order: Vec<&str> = pack.sections.iter().map(|it| it.section.as_str()).collect();
    let expected = SectionType::ALL.map(SectionType::as_str);
    assert_eq!(order, expected);
}

#[test]
fn a_file_has_imports_and_importers() {
    let world = World { edges: chain().edges, ..chain() };
    let pack = world.focus("b.x", Draft::default());
    assert_eq!(names(&pack, SectionType::Imports), ["three"], "the beginning of c.x");
    assert_eq!(names(&pack, SectionType::Exports), ["one"], "a.x imports it");
    let off = Draft { include_imports: Some(false), ..Draft::default() };
    let pack = world.focus("b.x", off);
    assert!(!pack.request.expansion.edge_types.contains(&EdgeType::Import));
    assert_eq!(names(&pack, SectionType::Imports), Vec::<String>::new());
}

#[test]
fn the_graph_comes_before_strong_seeds_for_impact_alone() {
    let world = chain();
    let seeds = || {
        let found = [("two", 100), ("alone", 60), ("guide", 20)];
        found.map(|(name, score)| world.seed(name, Rule::Query, score)).to_vec()
    };
    let order = |intent| -> Vec<String> {
        let draft = Draft { intent: Some(intent), query: "q".to_owned(), ..Draft::default() };
        let pack = world.try_pack(draft, seeds(), Vec::new()).unwrap();
        let item = |place: &gik_contract::pack::ItemPlace| {
            items(&pack, place.section)[place.item as usize].title.clone()
        };
        pack.reading_order.iter().map(item).collect()
    };
    assert_eq!(order(Intent::Answer)[..3], ["two", "alone", "guide"]);
    let others =
        [Intent::Summarize, Intent::Refactor, Intent::Debug, Intent::Contract, Intent::Answer];
    for intent in others {
        assert_eq!(order(intent)[..2], ["two", "alone"], "{intent:?}");
    }
    let impact = order(Intent::Impact);
    let at = |name: &str| impact.iter().position(|it| it == name).unwrap();
    assert!(at("one") < at("two") && at("check") < at("two"), "{impact:?}");
}
