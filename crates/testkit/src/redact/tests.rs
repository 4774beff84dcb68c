//! What is replaced, and what must be left alone.

use super::*;

const FIRST: &str = "3f4e9c0a-1b23-4d5e-8abc-1234567890ab";
const SECOND: &str = "a1b2c3d4-5678-40ab-8def-1234567890ab";

fn redacted(text: &str) -> String {
    Redactor::new().apply(text)
}

#[test]
fn uuids_are_numbered_by_first_appearance() {
    let text = format!("{SECOND} then {FIRST} then {SECOND}");
    assert_eq!(redacted(&text), "[UUID-1] then [UUID-2] then [UUID-1]");
}

#[test]
fn short_forms_of_known_uuids_keep_number_and_length() {
    let text = format!("{FIRST}\n* 3f4e9c0a first\n* deadbeef unrelated");
    assert_eq!(redacted(&text), "[UUID-1]\n* [UUID-1:8] first\n* deadbeef unrelated");
}

#[test]
fn ids_of_the_timeline_are_known_even_where_only_the_short_form_is_printed() {
    let tree = Tree::empty();
    tree.write(
        ".guided/knowledge/main/timeline.jsonl",
        format!("{{\"id\":\"{FIRST}\"}}\n{{\"id\":\"{SECOND}\"}}\n"),
    );
    let redactor = Redactor::for_tree(&tree);
    assert_eq!(redactor.apply("a1b2c3d4 <- 3f4e9c0a"), "[UUID-1:8] <- [UUID-2:8]");
}

#[test]
fn memory_ids_have_numbers_of_their_own() {
    let text = format!("mem-a1b2c3d4e5f6 mem-{FIRST} mem-a1b2c3d4e5f6");
    assert_eq!(redacted(&text), "[MEM-1] [MEM-2] [MEM-1]");
}

#[test]
fn times_and_ages_are_replaced_and_plain_dates_are_not() {
    assert_eq!(redacted("2025-11-27T00:00:00Z"), "[TIME]");
    assert_eq!(redacted("at 2025-11-27T00:00:00.123+01:00,"), "at [TIME],");
    assert_eq!(redacted("2025-11-27 18:01 UTC, 3 seconds ago"), "[TIME], [AGO]");
    assert_eq!(redacted("## [0.1.0] - 2025-11-27"), "## [0.1.0] - 2025-11-27");
}

#[test]
fn durations_are_replaced_with_their_alignment() {
    assert_eq!(redacted("indexed in 12.5 ms"), "indexed in [DURATION]");
    assert_eq!(
        redacted("parse      3 ms\nwrite    120 µs"),
        "parse  [DURATION]\nwrite  [DURATION]"
    );
    assert_eq!(redacted("1 min 3 s"), "[DURATION]");
    assert_eq!(redacted("12 symbols, 3 sources"), "12 symbols, 3 sources");
}

#[test]
fn json_durations_are_found_by_key() {
    assert_eq!(
        redacted(r#"{"durationMs": 12, "lines": 3}"#),
        r#"{"durationMs": [DURATION], "lines": 3}"#
    );
    assert_eq!(
        redacted(r#""timings": {"lexical": 0.2, "fuse": 1}, "n": 4"#),
        r#""timings": {"lexical": [DURATION], "fuse": [DURATION]}, "n": 4"#
    );
}

#[test]
fn hashes_and_versions_are_replaced_and_other_versions_kept() {
    let sha = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(redacted(&format!("sha256:{sha}")), "sha256:[SHA256]");
    assert_eq!(redacted("gik 0.1.0 (1cf3845)\nserde 1.0.2"), "gik [VERSION]\nserde 1.0.2");
    assert_eq!(redacted(r#"{"gikVersion":"0.1.0-rc.1"}"#), r#"{"gikVersion":"[VERSION]"}"#);
}

#[test]
fn folders_become_names_and_rules_of_the_test_come_first() {
    let tree = Tree::empty();
    let text = format!("{}/src and {}/.gik", tree.root().display(), tree.home().display());
    let redactor = Redactor::for_tree(&tree).rule("src", "[SRC]");
    assert_eq!(redactor.apply(&text), "[ROOT]/[SRC] and [HOME]/.gik");
}
