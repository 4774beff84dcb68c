//! File names that trip programs up.

use super::{asked, assert_transcript, evidence, gik, listed};
use gik_testkit::Tree;

#[cfg(unix)]
#[test]
fn odd_names_are_indexed_printed_safely_and_found() {
    use std::os::unix::ffi::OsStrExt as _;
    let tree = Tree::empty();
    let names = [
        "with space.md",
        "new\nline.md",
        "tab\there.md",
        "emoji 🦘.md",
        "quote'\".md",
        "-dash.md",
        "glob[*].md",
        "%raw%/x.md",
        "esc\u{1b}[31m.md",
        "cafe\u{301}.md",
    ];
    for name in names {
        tree.write(name, format!("# Quokka\n\nin {}\n", name.escape_default()));
    }
    let raw = std::ffi::OsStr::from_bytes(b"caf\xe9 raw.md");
    std::fs::write(tree.root().join(raw), "# Quokka\n\nin latin\n").unwrap();
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let list = gik.run(&["ls-files"]).success();
    assert!(!list.stdout.contains('\u{1b}'), "{}", list.stdout);
    assert_eq!(list.stdout.lines().count(), names.len() + 1);
    assert_transcript(
        "names",
        &[
            list,
            gik.run(&["ls-files", "--jsonl"]).success(),
            gik.run(&["search", "quokka", "-n", "3"]).success(),
            gik.run(&["ls-files", "./-dash.md", "caf\u{e9}.md"]).success(),
        ],
    );
    assert!(evidence(&tree, "latin").contains("in latin"));
    gik.run(&["verify"]).success();
    std::fs::write(tree.root().join(raw), "# Wombat\n").unwrap();
    assert_eq!(asked(&tree, "wombat").len(), 1);
    std::fs::remove_file(tree.root().join(raw)).unwrap();
    assert_eq!(asked(&tree, "wombat").len(), 0);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_loops_do_no_harm() {
    let tree = Tree::new(
        "//- src/a.md\n# Quokka\n//- src/loop -> ../src\n//- self -> self\n//- dead -> nowhere\n",
    );
    tree.link("outside.md", "../home");
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    assert_eq!(listed(&tree), ["src/a.md"]);
    let run = gik.run(&["add", "src/loop"]).exit(2);
    assert!(run.stderr.contains("symbolic links are not followed"), "{}", run.stderr);
    let run = gik.run(&["ls-files", "self", "--json"]).success().json();
    assert_eq!(run["files"][0]["code"], "symbolic-link");
}
