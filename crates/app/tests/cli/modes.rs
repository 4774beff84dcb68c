//! `gik index --mode`: what of a workspace is indexed from there on.

use gik_testkit::Tree;
use serde_json::json;

use super::gik;

const PROJECT: &str = "//- src/depot.rs
/// Puts parcels on the scale before dispatch.
pub fn weigh() {}
//- README.md
# Parcels

A dispatch is a journey.
//- data/parcels.jsonl
{\"parcel\":1,\"dispatch\":\"monday\"}
{\"parcel\":2,\"dispatch\":\"tuesday\"}
{\"parcel\":3,\"dispatch\":\"friday\"}
";

fn found(tree: &Tree, mode: &str, word: &str) -> Vec<String> {
    let run = gik(tree).run(&["search", "--json", "--mode", mode, word]);
    let answer = run.json();
    let rows = answer["results"].as_array().cloned().unwrap_or_default();
    let mut paths: Vec<String> =
        rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

fn modes(tree: &Tree) -> serde_json::Value {
    let state = tree.read(".guided/knowledge/main/index_state.json");
    serde_json::from_str::<serde_json::Value>(&state).unwrap()["modes"].clone()
}

#[test]
fn only_what_was_asked_for_is_indexed_until_all_is() {
    let tree = Tree::new(PROJECT);
    gik(&tree).run(&["index", "--mode", "code"]).success();
    assert_eq!(modes(&tree), json!(["code"]));
    assert_eq!(found(&tree, "all", "weigh"), ["src/depot.rs"]);
    assert_eq!(found(&tree, "all", "dispatch"), Vec::<String>::new());
    let explained = gik(&tree).run(&["ls-files", "--json", "README.md"]);
    assert!(explained.stdout.contains("the mode `prose` is not indexed"), "{explained:?}");

    // A question and a reindex stay with what was asked for.
    tree.write("src/more.rs", "/// For dispatch.\npub fn weigh_again() {}\n");
    assert_eq!(found(&tree, "all", "weigh_again"), ["src/depot.rs", "src/more.rs"]);
    gik(&tree).run(&["reindex"]).success();
    assert_eq!(modes(&tree), json!(["code"]));
    assert_eq!(found(&tree, "all", "dispatch"), Vec::<String>::new());

    gik(&tree).run(&["index", "--mode", "all"]).success();
    assert_eq!(found(&tree, "records", "dispatch"), ["data/parcels.jsonl"]);
    assert_eq!(found(&tree, "prose", "dispatch"), ["README.md"]);
    assert_eq!(found(&tree, "extracted-prose", "dispatch"), ["src/depot.rs", "src/more.rs"]);
}

#[test]
fn extracted_prose_alone_holds_comments_and_no_code() {
    let tree = Tree::new(PROJECT);
    gik(&tree).run(&["index", "--mode", "extracted-prose"]).success();
    assert_eq!(found(&tree, "all", "dispatch"), ["src/depot.rs"]);
    assert_eq!(found(&tree, "all", "weigh"), Vec::<String>::new());
}

#[test]
fn several_modes_can_be_asked_for() {
    let tree = Tree::new(PROJECT);
    gik(&tree).run(&["index", "--mode", "prose", "--mode", "records"]).success();
    assert_eq!(modes(&tree), json!(["prose", "records"]));
    assert_eq!(found(&tree, "all", "dispatch"), ["README.md", "data/parcels.jsonl"]);
}
