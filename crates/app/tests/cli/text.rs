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
