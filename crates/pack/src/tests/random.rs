//! Ten thousand random requests: no budget is ever exceeded, and no request panics.

use gik_contract::pack::{
    Budgets, ContextPack, Direction, EdgeType, Focus, Here, Intent, OrderBy, SeedMode, Strictness,
};
use gik_graph::EdgeKind;
use gik_testkit::Rng;

use super::world::{World, words};
use crate::{Draft, Rule, Stop, markdown};

const PATHS: [&str; 6] = ["a.x", "b.x", "c/d.x", "guide.md", "test.x", "z.x"];

fn world(rng: &mut Rng) -> World {
    let texts: Vec<(&'static str, String)> = PATHS
        .iter()
        .enumerate()
        .map(|(at, path)| {
            let symbols = (0..rng.within(1..6)).map(|symbol| {
                let lines = (0..rng.within(0..12)).map(|_| {
                    rng.pick(&["\nx = 1;", "\n  größe 🦀()", "\r\ncall(a, b);", "\n```", "\n}"])
                        .to_string()
                });
                let body: String = lines.collect();
                format!("s{at}_{symbol} begin{body}\n")
            });
            (*path, symbols.collect::<Vec<_>>().join("\n"))
        })
        .collect();
    let files: Vec<(&'static str, &str)> =
        texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let mut world = World::new(&files);
    let names: Vec<String> = world
        .files
        .iter()
        .flat_map(|file| file.symbols.iter().map(|(name, _)| name.clone()))
        .chain(PATHS.map(str::to_owned))
        .collect();
    for _ in 0..rng.within(0..60) {
        let (from, to) = (rng.pick(&names).clone(), rng.pick(&names).clone());
        let kind = *rng.pick(&EdgeKind::ALL);
        let edge = world.edge(&from, kind, &to);
        edge.confidence = u8::try_from(rng.below(101)).unwrap();
        edge.candidates = 1 + u32::try_from(rng.below(3)).unwrap();
        if rng.one_in(4) {
            edge.evidence = None;
        }
    }
    world
}

/// A number around what matters, or a wild one.
fn number(rng: &mut Rng, around: u64) -> Option<u64> {
    match rng.below(6) {
        0 => None,
        1 => Some(rng.below(4)),
        2 => Some(u64::MAX - rng.below(3)),
        _ => Some(rng.below(around)),
    }
}

fn draft(rng: &mut Rng) -> Draft {
    let types =
        [EdgeType::Call, EdgeType::Usage, EdgeType::Import, EdgeType::Export, EdgeType::Dataflow];
    let types: Vec<EdgeType> = types.into_iter().filter(|_| !rng.one_in(3)).collect();
    let intents = [
        Intent::Answer,
        Intent::Summarize,
        Intent::Refactor,
        Intent::Debug,
        Intent::Impact,
        Intent::Contract,
    ];
    let here = rng.one_in(3).then(|| Here { file_rel_path: PATHS[0].to_owned(), line: 1 });
    Draft {
        focus: Focus { here, ..Focus::default() },
        query: "what is it?".to_owned(),
        seed_mode: Some(*rng.pick(&[SeedMode::Code, SeedMode::Prose, SeedMode::Mixed])),
        intent: Some(*rng.pick(&intents)),
        max_hops: number(rng, 6).map(|hops| u32::try_from(hops).unwrap_or(u32::MAX)),
        edge_types: Some(types),
        direction: Some(*rng.pick(&[Direction::In, Direction::Out, Direction::Both])),
        include_same_file_neighbors: Some(rng.one_in(2)),
        require_evidence: Some(rng.one_in(2)),
        max_total_chars: number(rng, 3000),
        max_total_tokens: number(rng, 600),
        max_items: number(rng, 20),
        max_items_per_section: number(rng, 6),
        max_bytes_per_item: number(rng, 200),
        primary: Some(*rng.pick(&[
            OrderBy::SeedScore,
            OrderBy::GraphDistance,
            OrderBy::GraphEvidence,
            OrderBy::HybridScore,
        ])),
        strictness: Some(*rng.pick(&[Strictness::Strict, Strictness::Warn, Strictness::Loose])),
        include_explain: Some(rng.one_in(2)),
        ..Draft::default()
    }
}

fn assert_within(pack: &ContextPack) {
    let Budgets {
        max_total_chars,
        max_total_tokens,
        max_items,
        max_items_per_section,
        max_bytes_per_item,
    } = pack.budgets.limits;
    let text = markdown::render(pack);
    assert!(words(&text) <= max_total_tokens, "{} > {max_total_tokens}", words(&text));
    assert!(pack.stats.tokens <= max_total_tokens);
    let chars = text.encode_utf16().count() as u64;
    assert!(chars <= max_total_chars, "{chars} > {max_total_chars}");
    assert_eq!(chars, pack.stats.chars);
    let all: Vec<_> = pack.sections.iter().flat_map(|section| &section.items).collect();
    assert!(all.len() as u64 <= max_items);
    assert_eq!(all.len(), pack.reading_order.len());
    for section in &pack.sections {
        assert!(section.items.len() as u64 <= max_items_per_section);
    }
    for item in all {
        assert!(item.excerpt.text.len() as u64 <= max_bytes_per_item);
        assert!(item.chunk_uid.starts_with("ck:"));
        assert!(item.why.path.len() <= pack.request.expansion.max_hops.max(1) as usize);
        assert!((0.0..=1.0).contains(&item.scores.hybrid_score));
    }
}

#[test]
fn no_budget_is_exceeded_in_ten_thousand_random_requests() {
    let mut rng = Rng::new(20_261_116);
    let (mut packs, mut refused) = (0, 0);
    while packs + refused < 10_000 {
        let world = world(&mut rng);
        let names: Vec<String> = world
            .files
            .iter()
            .flat_map(|file| file.symbols.iter().map(|(name, _)| name.clone()))
            .collect();
        for _ in 0..50 {
            let pick = |n: usize, rng: &mut Rng| -> Vec<crate::Seed> {
                let rules = [Rule::Query, Rule::Focus, Rule::Here];
                (0..rng.within(0..n))
                    .map(|_| {
                        let score = u32::try_from(rng.below(101)).unwrap();
                        world.seed(
                            names[rng.within(0..names.len())].as_str(),
                            *rng.pick(&rules),
                            score,
                        )
                    })
                    .collect()
            };
            let (seeds, more) = (pick(5, &mut rng), pick(8, &mut rng));
            match world.try_pack(draft(&mut rng), seeds, more) {
                Ok(pack) => {
                    assert_within(&pack);
                    packs += 1;
                },
                Err(Stop::Budget(_)) => refused += 1,
                Err(Stop::Failed(never)) => match never {},
            }
        }
    }
    assert!(packs > 3000 && refused > 300, "{packs} packs, {refused} refused");
}
