//! `gik pack`.

use gik_testkit::Tree;
use serde_json::Value;

use super::{assert_transcript, gik, indexed, project};

/// Five files that call each other in a known way.
pub(crate) const CALLS: &str = r#"
    //- README.md
    # Parcels

    The function `weigh` in src/scale.py weighs a parcel before it is sent.
    //- src/__init__.py
    """Parcels."""
    //- src/scale.py
    """Weighing."""

    from src.units import to_grams


    def weigh(parcel):
        """Weighs a parcel."""
        return to_grams(parcel.mass)
    //- src/send.py
    """Sending."""

    from src.scale import weigh


    def send(parcel):
        """Sends a parcel that is light enough."""
        if weigh(parcel) > 2000:
            raise ValueError("too heavy")
        return True


    def send_all(parcels):
        """Sends parcels one by one."""
        return [send(parcel) for parcel in parcels]
    //- src/units.py
    """Units."""


    def to_grams(mass):
        """Grams of a mass in kilograms."""
        return mass * 1000
    //- tests/test_scale.py
    """Tests of the scale."""

    from src.scale import weigh


    def test_weigh(parcel):
        assert weigh(parcel) == 1000
"#;

pub(crate) fn calls() -> Tree {
    let tree = Tree::new(CALLS);
    gik(&tree).run(&["index"]).success();
    tree
}

fn pack(tree: &Tree, arguments: &[&str]) -> Value {
    gik(tree).run(&[&["pack", "--json"], arguments].concat()).success().json()
}

/// The files of a section.
fn files(pack: &Value, section: &str) -> Vec<String> {
    items(pack, section)
        .iter()
        .map(|item| item["fileRelPath"].as_str().expect("a path").to_owned())
        .collect()
}

fn items(pack: &Value, section: &str) -> Vec<Value> {
    let sections = pack["sections"].as_array().expect("sections");
    let found = sections.iter().find(|it| it["type"] == section).expect("a section");
    found["items"].as_array().expect("items").clone()
}

#[test]
fn a_pack_for_people_and_for_a_prompt() {
    let tree = project();
    let gik = gik(&tree);
    let pack_id = |run: gik_testkit::Run| run.redact("pack:[0-9a-f]{32}", "[PACK]");
    assert_transcript(
        "pack",
        &[
            gik.run(&["pack", "greeting", "--no-init"]).exit(1),
            pack_id(gik.run(&["pack", "how is the greeting made?"]).success()),
            gik.run(&["pack", "how is the greeting made?", "--md", "--budget-tokens", "250"])
                .success(),
            pack_id(
                gik.run(&["pack", "greeting", "--explain", "--max-items", "1", "--hops", "9"])
                    .success(),
            ),
            gik.run(&["pack", "zebra crossing"]).exit(1),
        ],
    );
}

#[test]
fn a_pack_that_cannot_be_made() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_transcript(
        "pack_wrong",
        &[
            gik.run(&["pack"]).exit(2),
            gik.run(&["pack", "--focus", "greting"]).exit(1),
            gik.run(&["pack", "--focus", "file:src/none.rs"]).exit(1),
            gik.run(&["pack", "--focus", "chunk:ck:0"]).exit(1),
            gik.run(&["pack", "--here", "src/text.rs:9999"]).exit(2),
            gik.run(&["pack", "--here", "src/text.rs"]).exit(2),
            gik.run(&["pack", "greeting", "--budget-tokens", "5"]).exit(2),
            gik.run(&["pack", "greeting", "--max-items", "251", "--strictness", "strict"]).exit(2),
            gik.run(&["pack", "greeting", "--intent", "win"]).exit(2),
            gik.run(&["pack", "greeting", "--edges", "test"]).exit(2),
            gik.run(&["pack", "greeting", "--provider", "fts"]).exit(2),
            gik.run(&["pack", "--read", "pack:0"]).exit(1),
            gik.run(&["pack", "--read"]).exit(2),
        ],
    );
}

#[test]
fn everything_that_can_be_named_is_a_focus() {
    let tree = indexed();
    let by_symbol = pack(&tree, &["--focus", "symbol:farewell"]);
    let seed = &items(&by_symbol, "seeds")[0];
    let (chunk, symbol) = (&seed["chunkUid"], &seed["symbolId"]);
    assert_eq!((&seed["kind"], &seed["why"]["rule"]), (&"symbol".into(), &"focus".into()));
    assert!(seed["excerpt"]["text"].as_str().unwrap().contains("Goodbye"), "{seed}");
    assert_eq!(by_symbol["request"]["focus"], serde_json::json!({ "symbolId": symbol }));
    for typed in ["farewell", symbol.as_str().unwrap()] {
        assert_eq!(pack(&tree, &["--focus", typed]), by_symbol, "{typed}");
    }

    let by_chunk = pack(&tree, &["--focus", &format!("chunk:{}", chunk.as_str().unwrap())]);
    assert_eq!(by_chunk["request"]["focus"], serde_json::json!({ "chunkUid": chunk }));
    assert_eq!(&items(&by_chunk, "seeds")[0]["chunkUid"], chunk);
    for typed in [chunk.as_str().unwrap(), "src/text.rs:9"] {
        assert_eq!(pack(&tree, &["--focus", typed]), by_chunk, "{typed}");
    }

    let by_file = pack(&tree, &["--focus", "file:src/text.rs"]);
    assert!(files(&by_file, "seeds").iter().all(|file| file == "src/text.rs"));
    assert_eq!(by_file["request"]["focus"]["fileRelPath"], "src/text.rs");
    assert_eq!(pack(&tree, &["--focus", "src/text.rs"]), by_file);
    for pack in [&by_symbol, &by_chunk, &by_file] {
        let n: usize = pack["stats"]["items"].as_u64().unwrap().try_into().unwrap();
        assert!(n > items(pack, "seeds").len(), "each of them leads further: {pack}");
    }
}

fn titles(pack: &Value, section: &str) -> Vec<String> {
    items(pack, section).iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_known_graph_of_calls_fills_the_sections() {
    let tree = calls();
    let weigh = pack(&tree, &["--focus", "weigh", "--hops", "1"]);
    assert_eq!(titles(&weigh, "callers"), ["def send(parcel)"]);
    assert_eq!(titles(&weigh, "callees"), ["def to_grams(mass)"]);
    assert_eq!(titles(&weigh, "tests"), ["def test_weigh(parcel)"]);
    assert_eq!(files(&weigh, "docs"), ["README.md"]);
    let why = &items(&weigh, "callers")[0]["why"];
    assert_eq!(why["rule"], "call-neighbor");
    let (step, shown) = (&why["path"][0], &why["evidence"][0]);
    assert_eq!(step["edgeType"], "call");
    assert_eq!(step["from"], "scip:gik python . src/send.py/send().");
    assert_eq!(step["to"], "scip:gik python . src/scale.py/weigh().");
    assert_eq!(
        (&shown["kind"], &shown["evidenceId"]),
        (&"callsite".into(), &"src/send.py:8:8".into())
    );
    assert_eq!(step["evidenceId"], shown["evidenceId"]);
    assert_eq!(pack(&tree, &["--focus", "weigh", "--hops", "1"]), weigh, "the same twice");
}

#[test]
fn callers_and_callees_are_followed_three_calls_far() {
    let tree = calls();
    let deep = |focus: &str, direction: &str| {
        let options =
            ["--focus", focus, "--hops", "3", "--edges", "call", "--direction", direction];
        pack(&tree, &options)
    };
    let callers = deep("to_grams", "in");
    let expected = ["def weigh(parcel)", "def send(parcel)", "def send_all(parcels)"];
    assert_eq!(titles(&callers, "callers"), expected);
    let distances: Vec<u64> = items(&callers, "callers")
        .iter()
        .map(|item| item["scores"]["graphDistance"].as_u64().unwrap())
        .collect();
    assert_eq!(distances, [1, 2, 3]);
    assert!(items(&callers, "callees").is_empty());
    let callees = deep("send_all", "out");
    let expected = ["def send(parcel)", "def weigh(parcel)", "def to_grams(mass)"];
    assert_eq!(titles(&callees, "callees"), expected);
    assert!(items(&callees, "callers").is_empty());
    assert_eq!(callees["stats"]["maxHop"], 3);
}

#[test]
fn the_graph_comes_first_for_impact() {
    let tree = calls();
    let order = |intent: &str| {
        let pack = pack(&tree, &["weigh parcel", "--intent", intent]);
        let first = &pack["readingOrder"][0];
        first["section"].as_str().unwrap().to_owned()
    };
    assert_eq!(order("answer"), "seeds");
    assert_ne!(order("impact"), "seeds");
}

#[test]
fn where_the_reader_is_comes_first() {
    let tree = indexed();
    let pack = pack(&tree, &["--here", "src/main.rs:8", "how is it made?"]);
    let first = &items(&pack, "seeds")[0];
    assert_eq!(
        (&first["fileRelPath"], &first["why"]["rule"]),
        (&"src/main.rs".into(), &"here".into())
    );
    assert_eq!(pack["request"]["focus"]["here"]["line"], 8);
    let without = gik(&tree).run(&["pack", "--here", "src/main.rs:8"]).success();
    assert!(without.stdout.contains("src/main.rs"), "{}", without.stdout);
}

#[test]
fn markdown_is_the_same_however_it_is_asked_for_and_begins_alike_with_any_budget() {
    let tree = indexed();
    let gik = gik(&tree);
    let md = |budget: &str| {
        let arguments = ["pack", "greeting", "--md", "--budget-tokens", budget];
        gik.run(&arguments).success().stdout
    };
    let large = md("4000");
    assert_eq!(
        gik.run(&["pack", "greeting", "--format", "md", "--budget-tokens", "4000"]).stdout,
        large
    );
    let small = md("200");
    let shared = small.bytes().zip(large.bytes()).take_while(|(one, other)| one == other).count();
    assert!(small.len() < large.len());
    assert!(shared * 2 > small.len(), "{small}");
    assert!(small.ends_with("\nMore was found than fits.\n"), "{small}");
}

#[test]
fn a_pack_is_kept_and_read_back_until_the_index_changes() {
    const PACKS: &str = ".guided/knowledge/main/packs/context_packs.jsonl";
    let tree = indexed();
    let gik = gik(&tree);
    let made = gik.run(&["pack", "greeting", "--json"]).success().stdout;
    assert!(!tree.exists(PACKS), "only what is asked for is kept");
    let id = gik.run(&["pack", "greeting", "--write"]).success().stdout;
    let id = id.trim_end();
    assert_eq!(gik.run(&["pack", "--read", id, "--json"]).success().stdout, made);
    let literally = ["context-pack", "--repo", ".", "--read", "--pack-id", id, "--json"];
    assert_eq!(gik.run(&literally).success().stdout, made);
    let again = ["context-pack", "--repo", ".", "--query", "greeting", "--json", "--write"];
    assert_eq!(gik.run(&again).success().stdout, made);
    assert_eq!(tree.read(PACKS).lines().count(), 1, "the same pack is kept once");
    let other = gik.run(&["pack", "farewell", "--write"]).success().stdout;
    assert_eq!(tree.read(PACKS).lines().count(), 2);

    tree.append("src/text.rs", "\npub fn wave() {}\n");
    let run = gik.run(&["pack", "--read", id, "--json"]).exit(1);
    assert_eq!(run.json()["error"]["code"], "pack-outdated");
    let new = gik.run(&["pack", "greeting", "--write"]).success().stdout;
    assert_ne!(new.trim_end(), id, "another index, another pack");
    assert_eq!(tree.read(PACKS).lines().count(), 1, "old packs are gone");
    let run = gik.run(&["pack", "--read", other.trim_end(), "--json"]).exit(1);
    assert_eq!(run.json()["error"]["code"], "pack-not-found");
    let fresh = gik.run(&["pack", "--read", new.trim_end(), "--json"]).success().json();
    assert_ne!(
        fresh["indexSignature"],
        serde_json::from_str::<Value>(&made).unwrap()["indexSignature"]
    );

    let newer = tree.read(PACKS).replace("\"formatVersion\":1", "\"formatVersion\":7");
    tree.write(PACKS, newer);
    let run = gik.run(&["pack", "--read", new.trim_end(), "--json"]).exit(1);
    assert_eq!(run.json()["error"]["stableCode"], "GIK_E_CONTRACT_VERSION");
}
