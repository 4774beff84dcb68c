//! `gik man`.

use gik_testkit::Tree;

use super::gik;
use super::help::every_command;

#[test]
fn the_manual_page_is_roff_with_the_usual_sections() {
    let tree = Tree::empty();
    let page = gik(&tree).run(&["man"]).success().stdout;
    for part in [".TH gik 1", ".SH NAME", ".SH SYNOPSIS", ".SH SUBCOMMANDS", "gik\\-ask(1)"] {
        assert!(page.contains(part), "{part} is missing");
    }
}

#[test]
fn there_is_a_page_for_every_command() {
    let tree = Tree::empty();
    let run = gik(&tree).run(&["man", "--output", "pages"]).success();
    let mut wanted: Vec<String> = every_command(&tree)
        .into_iter()
        .map(|path| {
            let words: Vec<String> = std::iter::once("gik".to_owned()).chain(path).collect();
            format!("pages/{}.1", words.join("-"))
        })
        .collect();
    wanted.sort();
    assert_eq!(tree.list(), wanted);
    assert_eq!(run.stdout, format!("{} manual pages written to pages\n", wanted.len()));
    let page = tree.read("pages/gik-config-show.1");
    assert!(page.starts_with(".ie") || page.contains(".TH gik-config-show 1"), "{page}");
}
