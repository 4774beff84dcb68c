//! Caps hold exactly at their borders.

use gik_contract::pack::{Budgets, ContextPack, CutBy, DropReason, SectionType};

use super::world::{World, chain, words};
use super::{items, names};
use crate::{Draft, Known, Rule, Stop, markdown, normalize};

/// One that calls five others.
fn star() -> World {
    let mut world = World::new(&[(
        "a.x",
        "hub\n\nc1 text of one\n\nc2 text of two\n\nc3 text\n\nc4 text\n\nc5 text\n",
    )]);
    world.calls(&[("hub", "c1"), ("hub", "c2"), ("hub", "c3"), ("hub", "c4"), ("hub", "c5")]);
    world
}

fn no_neighbors() -> Draft {
    Draft { include_same_file_neighbors: Some(false), ..Draft::default() }
}

#[test]
fn every_number_has_its_default_and_its_cap() {
    let known = || Known::default();
    let (request, lowered) = normalize(Draft::default(), known());
    assert_eq!(
        request.budgets,
        Budgets {
            max_total_chars: 200_000,
            max_total_tokens: 8000,
            max_items: 80,
            max_items_per_section: 25,
            max_bytes_per_item: 4096,
        }
    );
    assert_eq!((request.expansion.max_hops, lowered.len()), (2, 0));
    let at = |more: u64| Draft {
        max_hops: Some(4 + u32::try_from(more).unwrap()),
        max_items: Some(250 + more),
        max_items_per_section: Some(80 + more),
        max_bytes_per_item: Some(64_000 + more),
        max_total_chars: Some(2_000_000 + more),
        max_total_tokens: Some(1_000_000 + more),
        ..Draft::default()
    };
    let (at_cap, lowered) = normalize(at(0), known());
    assert!(lowered.is_empty());
    let (above, lowered) = normalize(at(1), known());
    assert_eq!((above.budgets, above.expansion.max_hops), (at_cap.budgets, 4));
    assert_eq!(lowered.len(), 6);
}

#[test]
fn items_end_at_their_number() {
    let world = star();
    for n in 1..=6 {
        let pack = world.focus("hub", Draft { max_items: Some(n), ..no_neighbors() });
        assert_eq!(pack.stats.items, n);
        assert_eq!(pack.stats.dropped[&DropReason::Budget], 6 - n);
        assert_eq!(pack.stats.is_cut, n < 6);
        let per_section = Draft { max_items_per_section: Some(n), ..no_neighbors() };
        let pack = world.focus("hub", per_section);
        assert_eq!(names(&pack, SectionType::Callees).len() as u64, n.min(5));
    }
    let none = |draft: Draft| {
        world.try_pack(draft, vec![world.seed("hub", Rule::Focus, 100)], Vec::new()).unwrap_err()
    };
    let zero = Some(0);
    assert_eq!(none(Draft { max_items: zero, ..no_neighbors() }), Stop::Budget("maxItems"));
    let section = Draft { max_items_per_section: zero, ..no_neighbors() };
    assert_eq!(none(section), Stop::Budget("maxItemsPerSection"));
}

#[test]
fn an_excerpt_ends_at_its_bytes() {
    let world = World::new(&[("a.x", "word é 🦀 and more words\nsecond line of it\n")]);
    let text = &world.files[0].text;
    for most in 0..=text.len() + 1 {
        let draft = Draft { max_bytes_per_item: Some(most as u64), ..Draft::default() };
        let pack = world.focus("word", draft);
        let excerpt = &items(&pack, SectionType::Seeds)[0].excerpt;
        assert!(excerpt.text.len() <= most);
        assert!(text.starts_with(&excerpt.text));
        assert_eq!(excerpt.truncated, most < text.len(), "{most}");
        let cut = excerpt.truncation.as_ref().map(|it| (it.max_bytes, it.reason));
        assert_eq!(cut, excerpt.truncated.then_some((most as u64, CutBy::MaxBytesPerItem)));
    }
}

/// The whole pack as it is without a limit, and its size with the note at the end.
fn whole() -> (World, ContextPack) {
    let world = chain();
    let pack = world.focus("two", Draft::default());
    assert!(!pack.stats.is_cut);
    (world, pack)
}

#[test]
fn tokens_are_those_of_the_markdown_and_end_at_their_number() {
    let (world, pack) = whole();
    assert_eq!(pack.stats.tokens, words(&markdown::render(&pack)));
    let needed = pack.stats.tokens + words(markdown::MORE);
    let with = |tokens: u64| {
        let draft = Draft { max_total_tokens: Some(tokens), ..Draft::default() };
        world.try_pack(draft, vec![world.seed("two", Rule::Focus, 100)], Vec::new())
    };
    let exact = with(needed).unwrap();
    assert_eq!((exact.stats.items, exact.stats.is_cut), (pack.stats.items, false));
    let less = with(needed - 1).unwrap();
    assert!(less.stats.is_cut);
    assert_eq!(less.stats.tokens, words(&markdown::render(&less)));
    assert!(less.stats.tokens < needed);
    assert_eq!(with(3).unwrap_err(), Stop::Budget("maxTotalTokens"));
}

#[test]
fn characters_are_those_of_the_markdown_and_end_at_their_number() {
    let (world, pack) = whole();
    let length = |pack: &ContextPack| markdown::render(pack).encode_utf16().count() as u64;
    assert_eq!(pack.stats.chars, length(&pack));
    let needed = pack.stats.chars + markdown::MORE.len() as u64;
    let with = |chars: u64| {
        let draft = Draft { max_total_chars: Some(chars), ..Draft::default() };
        world.try_pack(draft, vec![world.seed("two", Rule::Focus, 100)], Vec::new())
    };
    assert!(!with(needed).unwrap().stats.is_cut);
    let less = with(needed - 1).unwrap();
    assert!(less.stats.is_cut && less.stats.chars < needed);
    assert_eq!(less.stats.chars, length(&less));
    assert_eq!(with(10).unwrap_err(), Stop::Budget("maxTotalChars"));
}
