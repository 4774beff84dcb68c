//! The same input gives the same bytes, in whatever order the parts of it come.

use gik_contract::pack::{OrderBy, SectionType, TieBreaker};
use gik_testkit::Rng;

use super::world::{World, chain};
use super::{json, names};
use crate::{Draft, Known, Rule, markdown, normalize, pack_id};

#[test]
fn the_order_of_edges_and_further_results_does_not_matter() {
    let mut world = chain();
    let seeds = |world: &World| vec![world.seed("two", Rule::Query, 100)];
    let more = |world: &World| {
        ["alone", "four", "guide"].map(|name| world.seed(name, Rule::Query, 30)).to_vec()
    };
    let expected = json(&world.try_pack(Draft::default(), seeds(&world), more(&world)).unwrap());
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        rng.shuffle(&mut world.edges);
        let mut further = more(&world);
        rng.shuffle(&mut further);
        let pack = world.try_pack(Draft::default(), seeds(&world), further).unwrap();
        assert_eq!(json(&pack), expected);
    }
}

#[test]
fn equals_are_told_apart_by_place_or_as_the_request_says() {
    let mut world = World::new(&[("b.x", "zed\n\nbet\n"), ("a.x", "mid\n"), ("s.x", "sun\n")]);
    world.calls(&[("zed", "sun"), ("bet", "sun"), ("mid", "sun")]);
    let callers = |draft: Draft| names(&world.focus("sun", draft), SectionType::Callers);
    assert_eq!(callers(Draft::default()), ["mid", "zed", "bet"], "path, then line");
    let by_symbol = Draft { stable_tie_breakers: vec![TieBreaker::StartLine], ..Draft::default() };
    assert_eq!(callers(by_symbol), ["mid", "zed", "bet"]);
    let by_chunk = Draft { stable_tie_breakers: vec![TieBreaker::SymbolId], ..Draft::default() };
    assert_eq!(callers(by_chunk), ["mid", "bet", "zed"]);
}

#[test]
fn the_primary_order_decides_before_all_else() {
    let mut world = World::new(&[("a.x", "sure\n\nguess\n\nseed\n\nfar\n")]);
    world.calls(&[("sure", "seed"), ("guess", "seed"), ("far", "sure")]);
    world.edges[0].confidence = 20;
    world.edges[1].confidence = 90;
    let callers = |primary: OrderBy| {
        let draft = Draft { primary: Some(primary), ..Draft::default() };
        let found = vec![world.seed("far", Rule::Query, 90)];
        let seeds = vec![world.seed("seed", Rule::Focus, 100)];
        names(&world.try_pack(draft, seeds, found).unwrap(), SectionType::Callers)
    };
    assert_eq!(callers(OrderBy::SeedScore), ["far", "guess", "sure"]);
    assert_eq!(callers(OrderBy::HybridScore), ["far", "guess", "sure"]);
    assert_eq!(callers(OrderBy::GraphDistance), ["guess", "sure", "far"]);
    assert_eq!(callers(OrderBy::GraphEvidence), ["guess", "sure", "far"]);
}

#[test]
fn a_request_is_its_key_wherever_the_index_is() {
    let known = |root: &str, signature: &str| Known {
        repo_id: "r".to_owned(),
        index_root: root.to_owned(),
        index_signature: signature.to_owned(),
    };
    let id = |draft: &Draft, known: Known| pack_id(&normalize(draft.clone(), known).0);
    let draft = Draft { query: "  a   b ".to_owned(), ..Draft::default() };
    let same = Draft { query: "a b".to_owned(), max_hops: Some(2), ..Draft::default() };
    assert_eq!(id(&draft, known("x", "s")), id(&same, known("y", "s")));
    assert_ne!(id(&draft, known("x", "s")), id(&draft, known("x", "t")));
    let other = Draft { max_items: Some(79), ..draft.clone() };
    assert_ne!(id(&draft, known("x", "s")), id(&other, known("x", "s")));
    assert!(id(&draft, known("x", "s")).starts_with("pack:"));
}

#[test]
fn a_larger_budget_keeps_the_beginning() {
    let world = chain();
    let render = |tokens: u64| {
        let draft = Draft { max_total_tokens: Some(tokens), ..Draft::default() };
        let seeds = vec![world.seed("two", Rule::Focus, 100)];
        world.try_pack(draft, seeds, Vec::new()).ok().map(|pack| markdown::render(&pack))
    };
    let whole = render(10_000).unwrap();
    let blocks = |text: &str| -> Vec<String> {
        let text = text.trim_end_matches("\nMore was found than fits.\n");
        text.split("\n## ").map(|block| block.trim_end().to_owned()).collect()
    };
    let whole = blocks(&whole);
    let mut seen = 0;
    for tokens in 30..400 {
        let Some(text) = render(tokens) else { continue };
        let part = blocks(&text);
        assert!(part.len() >= seen, "a larger budget holds no less");
        seen = part.len();
        let all_but_last = part.len() - 1;
        assert_eq!(part[..all_but_last], whole[..all_but_last], "{tokens}");
    }
    assert_eq!(seen, whole.len());
}
