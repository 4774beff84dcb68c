//! `gik symbols`, `outline`, `def`, `refs` and `similar`: from a name or a place to definitions, uses and likenesses.

use gik_testkit::Tree;
use serde_json::Value;

use super::{assert_transcript, gik};

/// A small shop in two languages, with a test, a document and names that resemble each other.
const SHOP: &str = r#"
    //- README.md
    # Shop

    `Basket::add` puts an item in; parseHttpConfig reads the settings.
    //- src/basket.rs
    //! What a customer wants.

    use std::collections::BTreeMap;

    /// Things to buy.
    pub struct Basket {
        items: BTreeMap<String, u32>,
    }

    impl Basket {
        /// Makes an empty basket.
        pub fn new() -> Self {
            Self { items: BTreeMap::new() }
        }

        /// Puts an item in, once more if it is there already.
        ///
        /// Returns how many of it there are now.
        pub fn add(&mut self, item: &str) -> u32 {
            let count = self.items.entry(item.to_owned()).or_insert(0);
            *count += 1;
            *count
        }

        fn add_twice(&mut self, item: &str) {
            self.add(item);
            self.add(item);
        }
    }
    //- src/main.rs
    use crate::basket::Basket;

    mod basket;

    fn main() {
        let mut basket = Basket::new();
        basket.add("tea");
        let total = add(1, 2);
        println!("{total}");
    }

    /// The sum of two numbers.
    fn add(left: u32, right: u32) -> u32 {
        left + right
    }
    //- tests/basket.rs
    #[test]
    fn basket_counts() {
        let mut basket = Basket::new();
        assert_eq!(basket.add("tea"), 1);
    }

    fn add() {}
    //- web/config.js
    export class Config {
      parseHttpConfig(text) {
        return JSON.parse(text);
      }
    }

    export function parse_http_config(text) {
      return new Config().parseHttpConfig(text);
    }
"#;

fn shop() -> Tree {
    let tree = Tree::new(SHOP);
    gik(&tree).run(&["index"]).success();
    tree
}

/// A field of each row of a list, as text.
fn fields(list: &Value, field: &str) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|row| row[field].as_str().expect("text").to_owned()).collect()
}

fn qualified(tree: &Tree, arguments: &[&str]) -> Vec<String> {
    let all: Vec<&str> = ["symbols"].iter().chain(arguments).copied().chain(["--json"]).collect();
    fields(&gik(tree).run(&all).json()["symbols"], "qualified")
}

#[test]
fn names() {
    let tree = Tree::new(SHOP);
    let gik = gik(&tree);
    assert_transcript(
        "symbols",
        &[
            gik.run(&["symbols", "add", "--no-init"]).exit(1),
            gik.run(&["symbols", "add"]).success(),
            gik.run(&["symbols", "Basket::add", "--exact", "--json"]).success(),
            gik.run(&["symbols", "phc", "--jsonl"]).success(),
            gik.run(&["symbols", "add", "--limit", "1"]).success(),
            gik.run(&["symbols", "zebra"]).exit(1),
            gik.run(&["symbols", "add", "--kind", "thing"]).exit(2),
            gik.run(&["symbols", "::"]).exit(2),
        ],
    );
}

#[test]
fn names_are_found_whole_qualified_by_humps_and_nearly() {
    let tree = shop();
    for typed in ["phc", "pHC", "parseHC", "parse_http"] {
        let mut found = qualified(&tree, &[typed]);
        found.sort();
        assert_eq!(found, ["Config.parseHttpConfig", "parse_http_config"], "{typed}");
    }
    assert_eq!(qualified(&tree, &["Basket.add", "--exact"]), ["Basket::add"]);
    assert_eq!(qualified(&tree, &["baskte", "--kind", "struct"]), ["Basket"]);
    assert_eq!(qualified(&tree, &["main::add"]), ["add"]);
    assert_eq!(qualified(&tree, &["ADD", "--exact"]), Vec::<String>::new());
}

#[test]
fn own_public_code_comes_before_private_code_and_tests() {
    let tree = shop();
    let found = gik(&tree).run(&["symbols", "add", "--exact", "--json"]).success().json();
    let paths = fields(&found["symbols"], "path");
    assert_eq!(paths, ["src/basket.rs", "src/main.rs", "tests/basket.rs"]);
}

#[test]
fn kinds_languages_and_paths_narrow_the_symbols() {
    let tree = shop();
    let found = |arguments: &[&str]| qualified(&tree, arguments);
    assert_eq!(found(&["add", "--exact", "--kind", "struct,method"]), ["Basket::add"]);
    assert_eq!(found(&["add", "--exact", "--files", "tests/**"]), ["add"]);
    assert_eq!(found(&["config", "--lang", "javascript", "--kind", "class"]), ["Config"]);
    assert_eq!(found(&["config", "--lang", "rust"]), Vec::<String>::new());
}

#[test]
fn a_symbol_is_found_as_soon_as_it_is_written() {
    let tree = shop();
    tree.write("src/extra.rs", "pub fn brand_new() {}\n");
    assert_eq!(qualified(&tree, &["brand_new"]), ["brand_new"]);
    tree.write("src/extra.rs", "pub fn renamed() {}\n");
    assert_eq!(qualified(&tree, &["brand_new", "--exact"]), Vec::<String>::new());
}

#[test]
fn outlines() {
    let tree = shop();
    tree.write("notes.bin", b"\x00\x01\x02");
    tree.write(".gitignore", "scratch/\n");
    tree.write("scratch/try.py", "class Trial:\n    def run(self):\n        pass\n");
    let gik = gik(&tree);
    assert_transcript(
        "outline",
        &[
            gik.run(&["outline", "src/basket.rs", "web/config.js"]).success(),
            gik.run(&["outline", "scratch/try.py"]).success(),
            gik.run(&["outline", "scratch/try.py", "--json"]).success(),
            gik.run(&["outline", "web/config.js", "--jsonl"]).success(),
            gik.run(&["outline", "notes.bin"]).exit(2),
            gik.run(&["outline", "nowhere.rs"]).exit(1),
            gik.run(&["outline", ".gitignore"]).exit(1),
        ],
    );
}

#[test]
fn an_outline_needs_no_index_and_is_the_same_with_one() {
    let tree = Tree::new(SHOP);
    let symbols = || gik(&tree).run(&["outline", "src/basket.rs", "--json"]).success().json();
    let before = symbols();
    assert_eq!(before["files"][0]["isIndexed"], false);
    gik(&tree).run(&["index"]).success();
    let after = symbols();
    assert_eq!(after["files"][0]["isIndexed"], true);
    assert_eq!(before["files"][0]["symbols"], after["files"][0]["symbols"]);
}

#[test]
fn definitions() {
    let tree = shop();
    let gik = gik(&tree);
    assert_transcript(
        "def",
        &[
            gik.run(&["def", "Basket::add"]).success(),
            gik.run(&["def", "Basket.add", "--lines", "2", "--json"]).success(),
            gik.run(&["def", "add", "--limit", "1", "--lines", "1"]).success(),
            gik.run(&["def", "Crate::add"]).exit(1),
            gik.run(&["def", "zebra"]).exit(1),
        ],
    );
}

#[test]
fn a_definition_is_found_by_its_id_and_in_any_case() {
    let tree = shop();
    let found = |symbol: &str| gik(&tree).run(&["def", symbol, "--json"]).success().json();
    let by_name = found("Basket::add");
    let id = by_name["definitions"][0]["symbolId"].as_str().unwrap();
    assert_eq!(found(id)["definitions"], by_name["definitions"]);
    assert_eq!(found("BASKET::ADD")["definitions"], by_name["definitions"]);
}

#[test]
fn the_source_of_a_definition_is_that_of_the_file_now() {
    let tree = shop();
    tree.write("src/main.rs", "\n\n/// Moved.\nfn add() -> u8 {\n    7\n}\n");
    let run = gik(&tree).run(&["def", "main::add", "--json"]).success().json();
    let definition = &run["definitions"][0];
    assert_eq!(definition["startLine"], 4);
    assert_eq!(definition["doc"], "Moved.");
    assert_eq!(definition["source"], "fn add() -> u8 {\n    7\n}");
}

#[test]
fn uses() {
    let tree = shop();
    let gik = gik(&tree);
    assert_transcript(
        "refs",
        &[
            gik.run(&["refs", "Basket"]).success(),
            gik.run(&["refs", "Basket::add"]).success(),
            gik.run(&["refs", "parseHttpConfig", "--json"]).success(),
            gik.run(&["refs", "Basket", "--role", "import", "--jsonl"]).success(),
            gik.run(&["refs", "add", "--limit", "1"]).success(),
            gik.run(&["refs", "add_twice"]).exit(1),
            gik.run(&["refs", "zebra"]).exit(1),
            gik.run(&["refs", "Basket", "--role", "love"]).exit(2),
        ],
    );
}

#[test]
fn uses_of_a_qualified_name_begin_with_those_that_name_its_container() {
    let tree = shop();
    let run = gik(&tree).run(&["refs", "Basket::new", "--json"]).success().json();
    assert_eq!(run["resolution"], "name");
    let matches = run["matches"].as_array().unwrap();
    let named: Vec<bool> = matches.iter().map(|m| m["namesContainer"] == true).collect();
    assert!(named.is_sorted_by(|one, other| one >= other), "{matches:#?}");
    assert_eq!(matches[0]["receiver"], "Basket");
    assert_eq!(matches[0]["enclosing"]["qualified"], "main");
    // `BTreeMap::new` has the name as well, and says to whom it belongs.
    assert!(matches.iter().any(|m| m["receiver"] == "BTreeMap"), "{matches:#?}");
}

#[test]
fn every_file_with_the_name_is_looked_at() {
    let tree = Tree::new("//- src/a.rs\npub fn wanted_name() {}\n");
    for n in 0..150 {
        let text = format!("fn caller_{n}() {{\n    let x = 5;\n    x-wanted_name();\n}}\n");
        tree.write(&format!("src/user_{n}.rs"), text);
    }
    let run = gik(&tree).run(&["refs", "wanted_name", "--json", "-n", "1000"]).success().json();
    assert_eq!(run["total"], 150);
    assert_eq!(run["matches"].as_array().unwrap().len(), 150);
    assert_eq!(run["definitions"], 1);
}

#[test]
fn likenesses() {
    let tree = shop();
    tree.write("src/copy.rs", tree.read("src/main.rs"));
    let gik = gik(&tree);
    let run = gik.run(&["similar", "src/main.rs:13", "--json"]).success().json();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results[0]["path"], "src/copy.rs");
    assert_eq!(results[0]["isCopy"], true);
    let uids = fields(&run["results"], "chunkUid");
    assert!(!uids.contains(&run["chunk"]["chunkUid"].as_str().unwrap().to_owned()));
    assert!(run["words"].as_array().unwrap().len() <= 25);
    assert_transcript(
        "similar",
        &[
            gik.run(&["similar", "src/main.rs:13"]).success(),
            gik.run(&["similar", "src/main.rs:13", "-n", "1", "--jsonl"]).success(),
            gik.run(&["similar", "src/main.rs"]).exit(2),
            gik.run(&["similar", "src/main.rs:999"]).exit(2),
            gik.run(&["similar", "nowhere.rs:1"]).exit(1),
        ],
    );
}
