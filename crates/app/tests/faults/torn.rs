//! The last line of a file is cut: commands still work, every line before it is kept.

use gik_testkit::Tree;

use super::project::{
    Saved, ask, cut, edit, gik, indexed_project, knowledge, listed_memory, remember, verify,
};
use super::truth::Truth;

/// A workspace in which each of the four files has at least two lines.
fn prepared() -> Tree {
    let tree = indexed_project();
    for text in
        ["Depots close at six.", "Route 3 is longer in winter.", "Scales are checked in May."]
    {
        remember(&tree, text);
    }
    tree.write("extra.md", "# Extra\n");
    gik(&tree).run(&["add", "extra.md"]).success();
    ask(&tree);
    ask(&tree);
    tree
}

/// Lengths that leave none, some, nearly all and all but the line end of the last line.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let end = bytes.len();
    let start = bytes[..end - 1].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let length = end - start;
    vec![start, start + 1, start + length / 3, start + length / 2, end - 3, end - 2, end - 1]
}

/// Cuts `path` at every place, and after each cut uses the workspace as a person would.
fn each_cut(path: &str, mut check: impl FnMut(&Tree, &str)) {
    let tree = prepared();
    let saved = Saved::of(&tree);
    let bytes = saved.bytes(path).to_vec();
    for (at, length) in cuts(&bytes).into_iter().enumerate() {
        saved.restore(&tree);
        cut(&tree, path, length);
        // Complete records: every whole line, and a last one that lacks nothing but its end.
        let is_only_end = length == bytes.len() - 1;
        let kept = String::from_utf8_lossy(&bytes[..length]).into_owned();
        let whole = match kept.rfind('\n') {
            _ if is_only_end => kept.as_str(),
            Some(newline) => &kept[..newline],
            None => "",
        };

        gik(&tree).run(&["status"]).success();
        gik(&tree).run(&["log"]).success();
        ask(&tree);
        listed_memory(&tree);
        edit(&tree, 20 + at);
        gik(&tree).run(&["commit", "-m", "after the cut"]).success();
        remember(&tree, &format!("Written after cut {at}."));
        verify(&tree);
        check(&tree, whole);
    }
}

fn keeps_lines(tree: &Tree, path: &str, whole: &str) {
    let now = tree.read(path);
    assert!(now.starts_with(whole), "complete lines of `{path}` changed:\n{whole}\n---\n{now}");
}

#[test]
fn a_torn_timeline_keeps_every_complete_revision() {
    let path = knowledge("timeline.jsonl");
    each_cut(&path, |tree, whole| {
        keeps_lines(tree, &path, whole);
        Truth::of(tree);
    });
}

#[test]
fn a_torn_list_of_sources_keeps_every_complete_source() {
    let path = knowledge("staging/pending.jsonl");
    each_cut(&path, |tree, whole| {
        let ids: Vec<String> = ids_of(whole);
        let now = Truth::of(tree).source_ids();
        assert!(ids.iter().all(|id| now.contains(id)), "{ids:?} {now:?}");
    });
}

#[test]
fn a_torn_memory_keeps_every_complete_entry() {
    let path = knowledge("bases/memory/sources.jsonl");
    each_cut(&path, |tree, whole| {
        keeps_lines(tree, &path, whole);
        let listed = listed_memory(tree);
        assert!(ids_of(whole).iter().all(|id| listed.contains(id)), "{whole} {listed:?}");
    });
}

#[test]
fn a_torn_question_log_keeps_every_complete_question() {
    let path = ".guided/knowledge/asks/ask.log.jsonl";
    each_cut(path, |tree, whole| {
        keeps_lines(tree, path, whole);
        for line in tree.read(path).lines() {
            serde_json::from_str::<serde_json::Value>(line).expect("every line is a question");
        }
    });
}

fn ids_of(lines: &str) -> Vec<String> {
    lines
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).expect("a complete line");
            record["id"].as_str().expect("a record has an id").to_owned()
        })
        .collect()
}
