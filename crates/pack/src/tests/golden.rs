//! One pack, kept byte by byte.

use serde_json::Value;

use super::world::chain;
use crate::{Draft, Rule, canonical};

/// Any difference is a change of the format or of what packs hold, and has to be meant: copy what the test prints to
/// `tests/golden/context_pack_v1.json` and say why in the commit.
#[test]
fn the_golden_pack_is_unchanged() {
    let world = chain();
    let draft = Draft {
        query: "what does two do?".to_owned(),
        include_exports: Some(true),
        max_total_tokens: Some(250),
        ..Draft::default()
    };
    let seeds = vec![world.seed("two", Rule::Focus, 100), world.seed("alone", Rule::Query, 40)];
    let more = vec![world.seed("guide", Rule::Query, 30)];
    let pack = world.try_pack(draft, seeds, more).unwrap();
    let sorted: Value =
        serde_json::from_str(&canonical(&serde_json::to_value(&pack).unwrap())).unwrap();
    let found = serde_json::to_string_pretty(&sorted).unwrap();
    let expected = include_str!("../../tests/golden/context_pack_v1.json").trim_end();
    assert!(found == expected, "the golden pack has changed:\n{found}\n");
}
