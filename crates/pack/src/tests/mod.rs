//! Packs of a small world in memory: every rule of the contract, and ten thousand random requests.

mod budgets;
mod evidence;
mod golden;
mod ordering;
mod random;
mod sections;
mod summaries;
mod texts;
mod world;

use gik_contract::pack::{ContextItem, ContextPack, SectionType};

/// The items of a section.
fn items(pack: &ContextPack, section: SectionType) -> &[ContextItem] {
    let found = pack.sections.iter().find(|it| it.section == section);
    &found.expect("all sections are there").items
}

/// The short names of the items of a section.
fn names(pack: &ContextPack, section: SectionType) -> Vec<String> {
    items(pack, section).iter().map(|item| item.title.clone()).collect()
}

fn json(pack: &ContextPack) -> String {
    crate::canonical(&serde_json::to_value(pack).unwrap())
}
