//! `gik pack --here`: what an editor puts before a model.

use gik_testkit::Tree;
use serde_json::Value;

use super::{calls, gik};

fn here(tree: &Tree, place: &str, more: &[&str]) -> Value {
    let arguments = [&["pack", "--json", "--here", place], more].concat();
    gik(tree).run(&arguments).success().json()
}

fn summary(pack: &Value, level: &str) -> String {
    let all = pack["summaries"].as_array().cloned().unwrap_or_default();
    let found = all.into_iter().find(|one| one["level"] == level);
    found.map_or_else(String::new, |one| one["text"].as_str().expect("a text").to_owned())
}

#[test]
fn what_is_not_shown_is_told_in_outlines() {
    let tree = calls();
    let functions: Vec<String> = (0..80)
        .map(|n| {
            let lines = "    value = value + 1\n".repeat(12);
            format!("def step_{n}(value):\n    \"\"\"Does step {n}. Then rests.\"\"\"\n{lines}    return value\n\n\n")
        })
        .collect();
    let text = format!("\"\"\"Steps.\"\"\"\n\n\n{}", functions.concat());
    tree.write("src/steps.py", text);
    let pack = here(&tree, "src/steps.py:20", &[]);
    let order: Vec<&str> = pack["summaries"]
        .as_array()
        .expect("summaries")
        .iter()
        .map(|one| one["level"].as_str().expect("a level"))
        .collect();
    assert_eq!(order, ["project", "folder", "file"]);
    let file = summary(&pack, "file");
    assert!(file.starts_with("src/steps.py: 1363 lines\n"), "{file}");
    assert!(file.contains(" def step_79(value) — Does step 79\n"), "{file}");
    assert!(!file.contains("step_0("), "what is above is not told again: {file}");
    let project = summary(&pack, "project");
    assert!(project.contains("\nREADME.md: The function `weigh`"), "{project}");
    assert!(project.contains("\nsrc/: 5 files\n"), "{project}");
    let shown = gik(&tree).run(&["pack", "--here", "src/steps.py:20", "--md"]).success().stdout;
    assert!(shown.contains("\n## Summary of src/steps.py\n"), "{shown}");
    let small = here(&tree, "src/steps.py:20", &["--budget-tokens", "700"]);
    assert!(small["stats"]["tokens"].as_u64().expect("a number") <= 700);
}

#[test]
fn a_long_function_is_shown_where_the_reader_is() {
    let tree = calls();
    let lines: Vec<String> = (0..600).map(|n| format!("    größe_{n} = {n}\n")).collect();
    tree.write("src/long.py", format!("def long():\n{}", lines.concat()));
    let pack = here(&tree, "src/long.py:500", &[]);
    let first = &pack["sections"][0]["items"][0];
    let excerpt = first["excerpt"]["text"].as_str().expect("a text");
    assert!(excerpt.contains("größe_498 = 498\n"), "{excerpt}");
    let start = first["lines"]["start"].as_u64().expect("a line");
    assert!(excerpt.starts_with(&format!("    größe_{} = ", start - 2)), "{start} {excerpt}");
    let text = tree.read("src/long.py");
    let units: Vec<u16> = text.encode_utf16().collect();
    let range = |end: &str| usize::try_from(first["range"][end].as_u64().unwrap()).unwrap();
    let whole = String::from_utf16(&units[range("start")..range("end")]).unwrap();
    assert!(whole.starts_with(excerpt), "the range begins with the excerpt");
}
