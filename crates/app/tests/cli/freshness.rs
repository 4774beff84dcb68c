//! The next answer follows the files: changed, new, gone, renamed, touched, ignored.

use std::time::{Duration, SystemTime};

use gik_testkit::{Run, Tree};

use super::{asked, evidence, gik, indexed, listed};

fn touch(tree: &Tree, relative: &str) {
    let file = std::fs::File::options().append(true).open(tree.path(relative)).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(5)).unwrap();
}

fn refreshed(run: &Run) -> u64 {
    run.json()["freshness"]["refreshedFiles"].as_u64().unwrap()
}

#[test]
fn changed_text_replaces_the_old() {
    let tree = indexed();
    tree.write("README.md", "# Greeter\n\nIt yodels now.\n");
    assert_eq!(asked(&tree, "yodels"), ["README.md"]);
    assert_eq!(asked(&tree, "terminal"), Vec::<String>::new());
    let run = gik(&tree).run(&["ask", "yodels", "--json"]).success();
    assert_eq!(run.json()["freshness"]["aheadOfRevision"], true);
    gik(&tree).run(&["commit"]).success();
    let run = gik(&tree).run(&["ask", "yodels", "--json"]).success();
    assert_eq!(run.json()["freshness"]["aheadOfRevision"], false);
}

#[test]
fn a_new_file_below_a_tracked_folder_is_found() {
    let tree = indexed();
    tree.write("src/deep/er/music.rs", "/// Yodels.\nfn yodel() {}\n");
    assert_eq!(asked(&tree, "yodel"), ["src/deep/er/music.rs"]);
}

#[test]
fn a_removed_file_is_gone() {
    let tree = indexed();
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
    tree.remove("src/text.rs");
    assert_eq!(asked(&tree, "farewell"), Vec::<String>::new());
    tree.remove("src");
    assert_eq!(asked(&tree, "program"), Vec::<String>::new());
}

#[test]
fn a_renamed_file_is_found_under_its_new_name_and_not_parsed_again() {
    let tree = indexed();
    tree.rename("src/text.rs", "lib/words.rs");
    let commit = gik(&tree).run(&["commit", "--json"]).success().json();
    assert_eq!((&commit["moved"], &commit["parsed"]), (&1.into(), &0.into()));
    assert_eq!((&commit["added"], &commit["removed"]), (&0.into(), &0.into()));
    assert_eq!(asked(&tree, "farewell"), ["lib/words.rs"]);
}

#[test]
fn a_renamed_folder_is_not_parsed_again() {
    let tree = indexed();
    tree.rename("src", "source");
    let commit = gik(&tree).run(&["commit", "--json"]).success().json();
    assert_eq!((&commit["moved"], &commit["parsed"]), (&2.into(), &0.into()));
    assert_eq!(asked(&tree, "farewell"), ["source/text.rs"]);
}

#[test]
fn two_files_that_swap_their_names_are_told_apart() {
    let tree = indexed();
    tree.rename("src/text.rs", "x");
    tree.rename("src/main.rs", "src/text.rs");
    tree.rename("x", "src/main.rs");
    assert_eq!(asked(&tree, "farewell"), ["src/main.rs"]);
}

#[test]
fn a_touched_file_is_not_parsed_again() {
    let tree = indexed();
    touch(&tree, "README.md");
    touch(&tree, "src/main.rs");
    gik(&tree).run(&["commit"]).exit(1);
    touch(&tree, "README.md");
    tree.append("src/text.rs", "fn more() {}\n");
    let commit = gik(&tree).run(&["commit", "--json"]).success().json();
    assert_eq!((&commit["updated"], &commit["parsed"]), (&1.into(), &1.into()));
    touch(&tree, "README.md");
    let run = gik(&tree).run(&["ask", "greeting", "--json"]).success();
    assert_eq!(refreshed(&run), 0);
}

#[test]
fn edits_of_the_same_length_in_quick_succession_are_seen() {
    let tree = indexed();
    for turn in 100..110 {
        let word = format!("quokka{turn}");
        tree.write("src/text.rs", format!("fn {word}() {{}}\n"));
        assert_eq!(asked(&tree, &word), ["src/text.rs"], "{word}");
    }
}

#[test]
fn a_file_that_becomes_binary_is_left_out_and_comes_back_as_text() {
    let tree = indexed();
    let text = tree.read("README.md");
    tree.write("README.md", b"\x00\x01terminal\x00\xff");
    assert_eq!(asked(&tree, "terminal"), Vec::<String>::new());
    assert!(!listed(&tree).contains(&"README.md".to_owned()));
    tree.write("README.md", text);
    assert_eq!(asked(&tree, "terminal"), ["README.md"]);
}

#[test]
fn a_file_that_becomes_ignored_is_gone_until_the_rule_is() {
    for rules in [".gikignore", ".gitignore", ".ignore", "src/.gikignore"] {
        let tree = indexed();
        tree.git_init();
        let before = listed(&tree);
        tree.write(rules, "text.rs\n");
        assert_eq!(asked(&tree, "farewell"), Vec::<String>::new(), "{rules}");
        tree.remove(rules);
        assert_eq!(asked(&tree, "farewell"), ["src/text.rs"], "{rules}");
        assert_eq!(listed(&tree), before, "{rules}");
    }
}

#[test]
fn a_file_that_grows_too_large_is_left_out() {
    let tree = indexed();
    gik(&tree).run(&["config", "set", "indexing.max_file_bytes", "2048"]).success();
    tree.append("README.md", format!("terminal velocity {}\n", "x ".repeat(1500)));
    assert_eq!(asked(&tree, "velocity"), Vec::<String>::new());
    assert_eq!(asked(&tree, "terminal"), Vec::<String>::new());
    gik(&tree).run(&["config", "set", "indexing.max_file_bytes", "1000000"]).success();
    assert_eq!(asked(&tree, "velocity"), ["README.md"]);
}

#[test]
fn every_read_follows_the_files() {
    let tree = indexed();
    tree.write("src/extra.rs", "fn extra() {}\n");
    assert!(listed(&tree).contains(&"src/extra.rs".to_owned()));
    tree.write("src/other.rs", "fn quokka() {}\n");
    let run = gik(&tree).run(&["search", "quokka"]).success();
    assert_eq!(run.stdout, "src/other.rs:1: fn quokka() {}\n");
    tree.write("src/third.rs", "fn third() {}\n");
    let stats = gik(&tree).run(&["stats", "--json"]).success().json();
    assert_eq!(stats["languages"]["rust"], 5, "{stats}");
}

#[test]
fn evidence_is_what_the_file_says_now() {
    let tree = indexed();
    tree.write("src/text.rs", "// shifted\n".to_owned() + &tree.read("src/text.rs"));
    let run = gik(&tree).run(&["ask", "farewell", "-k", "1", "--json"]).success().json();
    let chunk = &run["ragChunks"][0];
    let file = tree.read("src/text.rs");
    let lines: Vec<&str> = file.lines().collect();
    let start = usize::try_from(chunk["startLine"].as_u64().unwrap()).unwrap();
    let end = usize::try_from(chunk["endLine"].as_u64().unwrap()).unwrap();
    assert_eq!(chunk["snippet"], lines[start - 1..end].join("\n"));
    assert!(evidence(&tree, "shifted").contains("// shifted"));
}
