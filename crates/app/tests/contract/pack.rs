//! `pack --json`: the fields of the contract, ranges, codes of failures, and the same bytes everywhere.

use gik_testkit::Tree;
use serde_json::Value;

use super::{Kind, MAIN, check};
use crate::cli::{calls, gik, indexed, project};

fn pack(tree: &Tree, arguments: &[&str]) -> Value {
    gik(tree).run(&[&["pack", "--json"], arguments].concat()).success().json()
}

fn all_items(pack: &Value) -> Vec<Value> {
    let sections = pack["sections"].as_array().unwrap();
    sections.iter().flat_map(|section| section["items"].as_array().unwrap().clone()).collect()
}

#[test]
fn a_pack_has_the_fields_of_the_contract() {
    let tree = indexed();
    let pack = pack(&tree, &["greeting", "--focus", "farewell"]);
    check(
        &pack,
        &[
            ("formatVersion", Kind::Count),
            ("schema", Kind::OneOf(&["ContextPack"])),
            ("schemaVersion", Kind::OneOf(&["1.0.0"])),
            ("indexSignature", Kind::Text),
            ("packId", Kind::Text),
            ("createdAt", Kind::Time),
            ("request", Kind::Object),
            ("budgets", Kind::Object),
            ("seeds", Kind::List),
            ("sections", Kind::List),
            ("readingOrder", Kind::List),
            ("explain", Kind::Object),
            ("stats", Kind::Object),
        ],
        &[],
    );
    check(
        &pack["request"],
        &[
            ("repoId", Kind::Text),
            ("indexRoot", Kind::Text),
            ("indexSignature", Kind::Text),
            ("query", Kind::Text),
            ("seedMode", Kind::OneOf(&["code", "prose", "mixed"])),
            ("seedProvider", Kind::OneOf(&["sparse", "fts", "ann", "hybrid"])),
            ("intent", Kind::OneOf(&["answer"])),
            ("focus", Kind::Object),
            ("expansion", Kind::Object),
            ("budgets", Kind::Object),
            ("ordering", Kind::Object),
            ("strictness", Kind::OneOf(&["warn"])),
            ("includeExplain", Kind::Bool),
        ],
        &[],
    );
    assert_eq!(pack["request"]["indexRoot"], MAIN, "no path of this machine");
    let sections = pack["sections"].as_array().unwrap();
    let types: Vec<&str> = sections.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "seeds", "callers", "callees", "imports", "exports", "usages", "dataflow", "tests",
            "docs", "related"
        ]
    );
    let items = all_items(&pack);
    assert!(items.len() > 2);
    for item in &items {
        check(
            item,
            &[
                ("kind", Kind::OneOf(&["chunk", "symbol"])),
                ("chunkUid", Kind::Text),
                ("fileRelPath", Kind::Text),
                ("range", Kind::Counts),
                ("lines", Kind::Counts),
                ("languageId", Kind::Text),
                ("title", Kind::Text),
                ("excerpt", Kind::Object),
                ("scores", Kind::Object),
                ("why", Kind::Object),
            ],
            &[("symbolId", Kind::Text)],
        );
        assert_eq!(item["kind"] == "symbol", item.get("symbolId").is_some());
        check(
            &item["scores"],
            &[
                ("seedScore", Kind::Number),
                ("graphDistance", Kind::Count),
                ("evidenceScore", Kind::Number),
                ("hybridScore", Kind::Number),
            ],
            &[],
        );
        let why = &item["why"];
        check(why, &[("rule", Kind::Text), ("path", Kind::List), ("evidence", Kind::List)], &[]);
    }
    assert_eq!(pack["budgets"]["tokenizer"], "wordpiece:gik-static-256-v1");
    assert!(pack.get("timings").is_none(), "times are no part of a pack");
    let timed = gik(&tree).run(&["pack", "greeting", "--json", "--timings"]).success().json();
    assert!(timed["timings"]["graph"].is_number());
}

#[test]
fn excerpts_are_what_the_files_say_at_their_ranges() {
    let tree = Tree::empty();
    tree.write(
        "src/größe.py",
        "# 🦀 Käfer\r\n\r\ndef größe(x):\r\n    \"\"\"Die Größe 👩‍🚀 von x.\"\"\"\r\n    return länge(x)\r\n\r\n\r\ndef länge(x):\r\n    return len(x)  # é\r\n",
    );
    tree.write("notes.md", "# Größe\n\nÜber die Größe 📏 und länge.\n");
    gik(&tree).run(&["index"]).success();
    for most in ["4096", "40", "7"] {
        let pack = pack(&tree, &["größe", "--max-bytes-per-item", most]);
        let items = all_items(&pack);
        assert!(!items.is_empty());
        for item in items {
            let text = tree.read(item["fileRelPath"].as_str().unwrap());
            let units: Vec<u16> = text.encode_utf16().collect();
            let unit = |end: &str| usize::try_from(item["range"][end].as_u64().unwrap()).unwrap();
            let whole = String::from_utf16(&units[unit("start")..unit("end")]).unwrap();
            let excerpt = item["excerpt"]["text"].as_str().unwrap();
            assert!(whole.starts_with(excerpt), "{most}: {item}");
            assert_eq!(item["excerpt"]["truncated"], excerpt != whole);
            let line = text[..text.find(&whole).unwrap()].matches('\n').count() as u64 + 1;
            assert_eq!(item["lines"]["start"], line, "{item}");
        }
    }
}

const REQUESTS: &[&[&str]] = &[
    &["how is a parcel weighed?"],
    &["weigh", "--intent", "impact", "--hops", "3"],
    &["--focus", "weigh", "--exports", "true", "--dataflow", "true"],
    &["--focus", "file:src/send.py", "--budget-tokens", "600"],
    &["--here", "src/send.py:8", "heavy parcels"],
    &["parcel", "--provider", "sparse", "--order", "graphDistance"],
];

fn packs(tree: &Tree, options: &[&str]) -> Vec<String> {
    let run = |request: &&[&str]| {
        let arguments = [&["pack", "--json"], *request, options].concat();
        gik(tree).run(&arguments).success().stdout
    };
    REQUESTS.iter().map(run).collect()
}

#[test]
fn two_paths_and_any_number_of_threads_give_the_same_bytes() {
    let one = calls();
    let expected = packs(&one, &["--threads", "1"]);
    assert_eq!(packs(&one, &["--threads", "4"]), expected);
    // Truth is shared with the files; what is derived is made anew at the other path.
    let other = Tree::empty();
    for file in one.list() {
        other.write(&file, one.read_bytes(&file));
    }
    for file in ["HEAD", "timeline.jsonl", "staging/pending.jsonl"] {
        let file = format!("{MAIN}/{file}");
        other.write(&file, one.read_bytes(&file));
    }
    gik(&other).run(&["reindex", "--threads", "4"]).success();
    // Making it anew is a revision of its own.
    for file in ["HEAD", "timeline.jsonl"] {
        let file = format!("{MAIN}/{file}");
        other.write(&file, one.read_bytes(&file));
    }
    assert_eq!(packs(&other, &["--threads", "3"]), expected);
}

#[test]
fn failures_have_the_codes_of_the_contract() {
    let empty = project();
    let tree = indexed();
    let table: &[(&Tree, &[&str], &str)] = &[
        (&empty, &["pack", "greeting", "--no-init"], "INDEX_MISSING"),
        (&tree, &["pack", "greeting", "--budget-tokens", "3"], "BUDGET_EXCEEDED"),
        (&tree, &["pack", "greeting", "--hops", "5", "--strictness", "strict"], "BUDGET_EXCEEDED"),
        (&tree, &["pack", "greeting", "--provider", "fts"], "NOT_SUPPORTED"),
        (&tree, &["pack", "greeting changed:<7d"], "NOT_SUPPORTED"),
    ];
    for (tree, arguments, name) in table {
        let run = gik(tree).run(&[arguments, &["--json"][..]].concat());
        let error = &run.json()["error"];
        assert_eq!(error["stableCode"], format!("GIK_E_{name}"), "{arguments:?}");
        assert_eq!(error["aliases"], serde_json::json!([format!("POC_E_{name}")]));
    }
}
