//! `--why-not`, `--brute` and `--current` of `ask` and `search`.

use super::{assert_transcript, gik, indexed, paths};

#[test]
fn why_a_file_is_not_there() {
    let tree = indexed();
    tree.write(".gitignore", "*.log\n");
    tree.write("run.log", "greeting\n");
    tree.write("logo.bin", "a\0b");
    let gik = gik(&tree);
    assert_transcript(
        "why_not",
        &[
            gik.run(&["search", "greeting", "--why-not", "src/text.rs", "-n", "1"]).success(),
            gik.run(&["search", "greeting", "--why-not", "src/main.rs", "-n", "1"]).success(),
            gik.run(&["search", "greeting lang:rust", "--why-not", "README.md"]).success(),
            gik.run(&["search", "greeting kind:struct", "--why-not", "README.md"]).exit(1),
            gik.run(&["search", "greeting", "--why-not", "Cargo.toml"]).success(),
            gik.run(&["search", "greeting +farewell", "--why-not", "README.md"]).success(),
            gik.run(&["search", "greeting", "--why-not", "run.log"]).success(),
            gik.run(&["search", "greeting", "--why-not", "logo.bin"]).success(),
            gik.run(&["search", "greeting", "--why-not", "src"]).exit(2),
            gik.run(&["search", "greeting", "--why-not", "nothing.rs"]).exit(1),
            gik.run(&["ask", "terminal", "--why-not", "src/main.rs"]).success(),
        ],
    );
    let bundle = gik.run(&["ask", "greeting", "-k1", "--why-not", "src/main.rs", "--json"]).json();
    let why_not = &bundle["whyNot"];
    assert_eq!((&why_not["verdict"], &why_not["rank"]), (&"lower".into(), &2.into()));
    let sum: f64 =
        why_not["signals"].as_array().unwrap().iter().map(|it| it["value"].as_f64().unwrap()).sum();
    assert!((sum - why_not["score"].as_f64().unwrap()).abs() < 1e-3, "{why_not}");
}

#[test]
fn every_text_says_the_same_as_the_index() {
    let tree = indexed();
    for question in ["how is the greeting made?", "farwell", "kind:function", "re:/Hello/ name"] {
        let ask = |more: &[&str]| {
            let run = gik(&tree).run(&[&["ask", question, "--json", "--explain"], more].concat());
            run.success().json()["ragChunks"].clone()
        };
        assert_eq!(ask(&[]), ask(&["--brute"]), "{question}");
        assert_eq!(ask(&["--threads", "1"]), ask(&["--threads", "4"]), "{question}");
    }
}

#[test]
fn what_is_near_the_reader_comes_first() {
    let tree = indexed();
    for name in ["a", "b"] {
        tree.write(&format!("{name}/item.rs"), "/// Weighs a parcel.\npub fn weigh() {}\n");
    }
    for (current, first) in [("a/other.rs", "a/item.rs"), ("b/item.rs:2", "b/item.rs")] {
        let found = gik(&tree).run(&["search", "weigh parcel", "--current", current, "--json"]);
        assert_eq!(paths(&found.success().json()["results"])[0], first, "{current}");
    }
    let explained = gik(&tree).run(&["search", "weigh", "--current", "a/item.rs", "--explain"]);
    assert!(explained.stdout.contains("locality 0."), "{}", explained.stdout);
    assert!(!gik(&tree).run(&["search", "weigh", "--explain"]).stdout.contains("locality"));
}
