//! Text in other encodings and with other line ends.

use gik_testkit::Tree;

use super::{asked, gik};

fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units
        .flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() })
        .collect()
}

#[test]
fn every_encoding_can_be_asked() {
    let tree = Tree::empty();
    tree.write("le.md", utf16("# Känguru\n\nwombat eins\n", false));
    tree.write("be.md", utf16("# Känguru\n\nwombat zwei\n", true));
    tree.write("latin.md", b"# K\xe4nguru\n\nwombat drei\n");
    tree.write("bom.md", b"\xef\xbb\xbf# K\xc3\xa4nguru\n\nwombat vier\n");
    gik(&tree).run(&["index"]).success();
    let mut found = asked(&tree, "känguru wombat");
    found.sort();
    assert_eq!(found, ["be.md", "bom.md", "latin.md", "le.md"]);
    assert_eq!(asked(&tree, "zwei"), ["be.md"]);
    assert!(super::evidence(&tree, "drei").starts_with("# Känguru"));
}

#[test]
fn lines_are_counted_alike_whatever_ends_them() {
    let unix = "# One\n\ntext\n\n## Two\n\nquokka here\n";
    for (name, text) in [("unix", unix.to_owned()), ("dos", unix.replace('\n', "\r\n"))] {
        let tree = Tree::empty();
        tree.write("a.md", text);
        let run = gik(&tree).run(&["search", "quokka", "--json"]).success().json();
        let place = &run["results"][0];
        assert_eq!((&place["line"], &place["text"]), (&7.into(), &"quokka here".into()), "{name}");
        let bundle = gik(&tree).run(&["ask", "quokka", "--json"]).json();
        assert_eq!(bundle["ragChunks"][0]["endLine"], 7, "{name}");
    }
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let tree = Tree::empty();
    tree.write("a.md", "# Quokka\n\n\u{1b}]0;owned\u{7}quokka\u{9b}31m\n");
    let run = gik(&tree).run(&["ask", "quokka"]).success();
    assert!(!run.stdout.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{:?}", run.stdout);
}

#[test]
fn files_without_a_last_newline_or_without_anything_are_fine() {
    let tree = Tree::empty();
    tree.write("a.md", "quokka");
    tree.write("empty.md", "");
    tree.write("blank.md", "\n\n  \n");
    gik(&tree).run(&["index"]).success();
    assert_eq!(asked(&tree, "quokka"), ["a.md"]);
    gik(&tree).run(&["verify"]).success();
}

#[test]
fn a_line_of_a_hundred_megabytes_is_left_out_with_its_reason() {
    const MEGABYTES: u64 = 1 << 20;
    let tree = Tree::new("//- a.md\nquokka\n");
    tree.write("long.md", "");
    // A hole: it has its size and takes no space.
    let file = std::fs::File::options().write(true).open(tree.path("long.md")).unwrap();
    file.set_len(100 * MEGABYTES).unwrap();
    gik(&tree).run(&["index"]).success();
    assert_eq!(asked(&tree, "quokka"), ["a.md"]);
    let skipped = gik(&tree).run(&["ls-files", "--skipped"]).success();
    let reason = "too large: 104857600 bytes, the limit is 4194304";
    assert!(skipped.stdout.contains(reason), "{}", skipped.stdout);
    // With the limit raised it is read, and found to be no text.
    let raised = ["--set", "indexing.max_file_bytes=209715200"];
    gik(&tree).run(&[&["index"], &raised[..]].concat()).success();
    let skipped = gik(&tree).run(&[&["ls-files", "--skipped"], &raised[..]].concat()).success();
    assert!(skipped.stdout.contains("not text"), "{}", skipped.stdout);
}

#[test]
fn long_lines_are_indexed_where_the_limit_allows_it() {
    let tree = Tree::empty();
    tree.write("long.txt", format!("{}quokka", "lorem ipsum dolor ".repeat(300_000)));
    tree.write("long.rs", "fn quokka() { wombat(1); } ".repeat(200_000));
    let raised = ["--set", "indexing.max_file_bytes=209715200"];
    gik(&tree).run(&[&["index"], &raised[..]].concat()).success();
    let listed = gik(&tree).run(&[&["ls-files", "--all"], &raised[..]].concat()).success().stdout;
    let row = |path: &str| listed.lines().find(|row| row.contains(path)).unwrap_or_default();
    assert!(row("long.txt").starts_with("indexed"), "{listed}");
    assert!(row("long.rs").contains("minified"), "{listed}");
    let found = gik(&tree).run(&[&["ask", "quokka", "--json"], &raised[..]].concat()).json();
    assert_eq!(found["ragChunks"][0]["path"], "long.txt");
}

#[test]
fn bytes_that_are_no_text_are_left_out_and_the_rest_is_found() {
    let tree = Tree::new("//- a.md\nquokka\n");
    tree.write("nul.md", b"quokka\0\0quokka\n");
    tree.write("broken.md", b"quokka \xff\xfe\xc3( wombat\n");
    gik(&tree).run(&["index"]).success();
    let mut found = asked(&tree, "quokka");
    found.sort();
    assert_eq!(found, ["a.md", "broken.md"]);
}
