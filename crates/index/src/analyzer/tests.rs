//! What the analyzer makes of text: a table, and properties that hold for any text.

use proptest::prelude::*;

use super::*;

fn terms(text: &str) -> String {
    let mut out = Vec::new();
    analyze(text, &mut |term, position| out.push(format!("{term}@{position}")));
    out.join(" ")
}

#[test]
fn words_and_identifiers_give_these_terms() {
    for (text, expected) in [
        ("", ""),
        ("  ,;!", ""),
        ("Open the File", "open@0 the@1 file@2"),
        ("parseHTTPConfig(x)", "parsehttpconfig@0 parse@0 http@1 config@2 x@3"),
        ("let max_rss = 1;", "let@0 max_rss@1 max@1 rss@2 1@3"),
        ("MAX_RSS", "max_rss@0 max@0 rss@1"),
        ("HTTP", "http@0"),
        ("Word", "word@0"),
        ("tree-sitter", "tree_sitter@0 tree@0 sitter@1"),
        ("len-1", "len@0 1@1"),
        ("a--b", "a@0 b@1"),
        ("x- y -z", "x@0 y@1 z@2"),
        ("__init__ _", "init@0"),
        ("foo_-bar", "foo@0 bar@1"),
        ("std::fs::read", "std@0 fs@1 read@2"),
        ("don't", "don@0 t@1"),
        ("sha256", "sha256@0 sha@0 256@1"),
        ("Größe GRÖSSE", "größe@0 grösse@1"),
        ("größeBerechnen", "größeberechnen@0 größe@0 berechnen@1"),
        ("naïve-bayes", "naïve_bayes@0 naïve@0 bayes@1"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ@0"),
        ("東京都 x", "東京@0 京都@1 x@2"),
        ("字", "字@0"),
        ("get東京Name", "get@0 東京@1 name@2"),
        ("🎉party🎉", "party@0"),
        ("e\u{301}te", "éte@0"),
    ] {
        assert_eq!(terms(text), expected, "{text:?}");
    }
}

#[test]
fn long_terms_are_cut_at_a_character() {
    let long = "é".repeat(100);
    let mut seen = Vec::new();
    analyze(&long, &mut |term, _| seen.push(term.to_owned()));
    assert_eq!(seen, ["é".repeat(32)]);
    seen.clear();
    analyze(&format!("{}_tail", "a".repeat(70)), &mut |term, _| seen.push(term.to_owned()));
    assert_eq!(seen, ["a".repeat(64), "tail".to_owned()]);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(any::<char>(), 0..60)
            .prop_map(|chars| chars.into_iter().collect()),
        "[a-zA-Z0-9_ \\-.é東ßΣ\u{301}İ]{0,200}",
    ]
}

proptest! {
    #[test]
    fn terms_are_lower_case_short_and_at_rising_positions(text in any_text()) {
        let mut last = 0;
        let mut n_terms = 0;
        let mut seen = std::collections::BTreeSet::new();
        analyze(&text, &mut |term, position| {
            assert!(!term.is_empty() && term.len() <= MAX_TERM_BYTES);
            assert!(term.chars().all(|c| c.to_lowercase().eq([c]) || c.to_lowercase().count() > 1), "{term:?}");
            assert!(position == last || position == last + 1, "{position} after {last}");
            assert!(seen.insert((term.to_owned(), position)), "{term:?} twice at {position}");
            last = position;
            n_terms += 1;
            assert!(position < n_terms, "positions stay below the number of terms");
        });
    }

    #[test]
    fn normal_form_and_repetition_do_not_matter(text in any_text()) {
        let decomposed: String = text.nfd().collect();
        prop_assert_eq!(terms(&text), terms(&decomposed));
        prop_assert_eq!(terms(&text), terms(&text));
    }
}

#[test]
fn words_end_at_a_byte_if_its_character_is_no_part_of_any() {
    for byte in 0..=u8::MAX {
        let is_end = byte.is_ascii() && byte != b'-' && !is_part_of_word(char::from(byte));
        assert_eq!(ends_word(byte), is_end, "{byte}");
    }
}
