//! The trees of this parser against those of tree-sitter.

use gik_testkit::Rng;

use super::*;
use crate::language::{Structure, languages};
use crate::syntax::tree;

/// A node with its place, one line each.
fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        lines.push(format!(
            "{} {} {:?} {:?} {} {} {} {} {} {}",
            node.kind_id(),
            node.kind(),
            node.byte_range(),
            node.field_id(),
            node.is_named(),
            node.is_extra(),
            node.is_error(),
            node.is_missing(),
            node.has_error(),
            node.named_child_count(),
        ));
        if cursor.goto_first_child() {
            lines.push("(".to_owned());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lines;
            }
            lines.push(")".to_owned());
        }
    }
}

/// Whether a text can be read without mending it; both parsers say the same of it.
#[track_caller]
fn is_read(id: &str, language: &Language, tables: &Tables, text: &str) -> bool {
    let theirs = tree::parse(language, text).expect("none of them takes long");
    let has_error = theirs.root_node().has_error();
    let ours = parse(tables, language, text);
    assert_eq!(ours.is_err(), has_error, "{id}: {text:?}");
    let ours = ours.or_else(|_| mended(tables, language, text));
    let (ours, theirs) = (lines(&ours.expect("it is short")), lines(&theirs));
    let differs = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
    assert!(ours == theirs, "{id}: {differs:?} in {text:?}");
    !has_error
}

fn grammars() -> impl Iterator<Item = (&'static str, Language, Vec<String>)> {
    languages().iter().filter_map(|language| {
        let Structure::Syntax(description) = language.structure() else { return None };
        let folder = format!("{}/languages/{}/fixtures", env!("CARGO_MANIFEST_DIR"), language.id);
        let mut files: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_none_or(|it| it != "golden"));
        files.sort();
        let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        Some((language.id, (description.grammar)(), texts))
    })
}

#[test]
fn fixtures_are_read_as_by_tree_sitter() {
    for (id, language, texts) in grammars() {
        let tables = Tables::of(&language).unwrap();
        for text in &texts {
            is_read(id, &language, &tables, text);
        }
        assert!(language.field_count() <= usize::from(u8::MAX), "{id} has too many fields");
    }
}

/// A random part of a text, no longer than so many bytes; now and then whole lines.
fn part(rng: &mut Rng, text: &str, most: usize) -> std::ops::Range<usize> {
    let start = rng.within(0..text.len() + 1);
    let end = (start + rng.within(0..most)).min(text.len());
    let (start, end) = (text.floor_char_boundary(start), text.floor_char_boundary(end));
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    if rng.one_in(3) { start..end } else { line_start(start)..line_start(end) }
}

#[test]
fn damaged_texts_are_read_and_mended_as_by_tree_sitter() {
    let mut rng = Rng::new(17);
    let mut n_read = 0;
    for (id, language, texts) in grammars() {
        let tables = Tables::of(&language).unwrap();
        let whole: Vec<&String> = texts.iter().filter(|text| text.len() < 8192).collect();
        for _ in 0..40 {
            if whole.is_empty() {
                break;
            }
            let mut text = (*rng.pick(&whole)).clone();
            for _ in 0..rng.within(1..4) {
                let cut = part(&mut rng, &text, 40);
                let other = *rng.pick(&whole);
                let put = part(&mut rng, other, 80);
                text.replace_range(cut, &other[put]);
            }
            n_read += usize::from(is_read(id, &language, &tables, &text));
        }
    }
    assert!(n_read > 100, "{n_read}");
}

#[test]
fn marks_characters_and_ends_of_texts_are_read_as_by_tree_sitter() {
    for (id, language, _) in grammars() {
        let tables = Tables::of(&language).unwrap();
        for text in ["", "\n", "\u{feff}", "\u{feff}a", "a", "a\0b", "äöü", "🎈\r\n🎈", "  \t"]
        {
            is_read(id, &language, &tables, text);
        }
    }
}

#[test]
fn a_text_of_many_ways_ends() {
    let language: Language = tree_sitter_cpp::LANGUAGE.into();
    let tables = Tables::of(&language).unwrap();
    let text = format!("int x = {}1{};", "a<b(".repeat(400), ")".repeat(400));
    is_read("cpp", &language, &tables, &text);
    let list = format!("int x[] = {{{}}};", "1, ".repeat(50_000));
    assert!(is_read("cpp", &language, &tables, &list));
}

#[test]
fn a_scanner_that_keeps_more_than_it_may_ends_it() {
    let language: Language = tree_sitter_python::LANGUAGE.into();
    let tables = Tables::of(&language).unwrap();
    let nested = |depth: usize| {
        let mut text: String = (0..depth).map(|n| " ".repeat(n) + "if x:\n").collect();
        text += &" ".repeat(depth);
        text + "f\"a\"\n"
    };
    assert!(parse(&tables, &language, &nested(100)).is_ok());
    // Tree-sitter would write behind its buffer, and stop the program.
    let stops: Vec<_> =
        (500..520).filter_map(|depth| mended(&tables, &language, &nested(depth)).err()).collect();
    assert!(stops.contains(&Stop::Overfull), "{stops:?}");
}
