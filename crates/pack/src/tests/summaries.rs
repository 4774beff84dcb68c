//! A reader in an editor is told in outlines what is not shown, at the end and within the budgets.

use std::convert::Infallible;

use gik_contract::pack::{ContextPack, Focus, Here, SectionType, SummaryLevel};

use super::items;
use super::world::{World, words};
use crate::{Draft, Rule, Stop, markdown};

/// Forty functions in the reader's file, and two other files.
fn world() -> World {
    let functions: Vec<String> = (0..40).map(|n| format!("f{n:02} does this and that\n")).collect();
    let text = functions.join("\n");
    let mut world =
        World::new(&[("a.x", text.as_str()), ("b.x", "near calls\n"), ("c.x", "far\n")]);
    world.calls(&[("f00", "near")]);
    world
}

fn here(world: &World, draft: Draft) -> ContextPack {
    try_here(world, draft).unwrap()
}

fn try_here(world: &World, draft: Draft) -> Result<ContextPack, Stop<Infallible>> {
    let here = Some(Here { file_rel_path: "a.x".to_owned(), line: 1 });
    let focus = Focus { here, ..Focus::default() };
    let draft = Draft { focus, include_same_file_neighbors: Some(false), ..draft };
    world.try_pack(draft, vec![world.seed("f00", Rule::Here, 100)], Vec::new())
}

fn text(pack: &ContextPack, level: SummaryLevel) -> &str {
    let found = pack.summaries.iter().find(|summary| summary.level == level);
    found.map_or("", |summary| summary.text.as_str())
}

#[test]
fn what_is_not_shown_is_told_at_the_end() {
    let pack = here(&world(), Draft::default());
    let levels: Vec<SummaryLevel> = pack.summaries.iter().map(|summary| summary.level).collect();
    assert_eq!(levels, [SummaryLevel::Project, SummaryLevel::Folder, SummaryLevel::File]);
    let file = text(&pack, SummaryLevel::File);
    assert!(file.starts_with("a.x has 40\nf01\nf02\n") && file.ends_with("f39\n"), "{file}");
    assert_eq!(text(&pack, SummaryLevel::Folder), ". has 2\nc.x\n", "b.x is among the callees");
    let shown = markdown::render(&pack);
    let (_, end) = shown.split_once("\n## Summary of the project\n\nwhat is in it\n\n").unwrap();
    assert!(end.starts_with("```text\n. has 1\na project in memory\n```\n"), "{end}");
    assert_eq!(pack.stats.tokens, words(&shown));
    assert!(!pack.stats.is_cut);
}

#[test]
fn a_pack_without_a_place_has_no_summaries() {
    let pack = world().focus("f00", Draft::default());
    assert!(pack.summaries.is_empty());
    assert!(!serde_json::to_string(&pack).unwrap().contains("summaries"));
}

#[test]
fn what_does_not_fit_is_told() {
    let world = world();
    let with = |n: u64| try_here(&world, Draft { max_total_tokens: Some(n), ..Draft::default() });
    let pack = (0..).find_map(|n| with(n).ok()).unwrap();
    assert_eq!(items(&pack, SectionType::Seeds).len(), 1);
    assert!(pack.summaries.is_empty());
    let notes = pack.explain.unwrap().notes;
    assert!(notes.contains(&"the summary of `a.x` does not fit".to_owned()), "{notes:?}");
}
