//! What a typed query is understood as.

use proptest::prelude::*;

use super::*;

/// The query in a readable form: soft terms plain, `+must`, `-excluded`, phrases in quotes.
fn shape(text: &str) -> String {
    let query = Query::parse(text).unwrap();
    let mut out: Vec<String> = Vec::new();
    for (at, term) in query.terms().iter().enumerate() {
        let sign = if query.must & (1 << at) != 0 { "+" } else { "" };
        out.push(format!("{sign}{term}"));
    }
    out.extend(query.excluded.iter().map(|&at| format!("-{}", query.terms[at])));
    for phrase in &query.phrases {
        let words: Vec<_> = phrase.terms.iter().map(|&at| query.terms[at].as_str()).collect();
        out.push(format!("{}\"{}\"", if phrase.wanted { "" } else { "-" }, words.join(" ")));
    }
    out.join(" ")
}

#[test]
fn the_grammar_by_example() {
    for (text, expected) in [
        ("", ""),
        ("   ", ""),
        ("open file", "open file"),
        ("open open Open", "open"),
        ("How does the parser read a file?", "parser read file"),
        ("how is it", "how is it"),
        ("what +is this", "+is"),
        ("parseHTTPConfig", "parsehttpconfig parse http config"),
        ("+parseHTTPConfig", "+parsehttpconfig"),
        ("+max_rss limit", "+max_rss limit"),
        ("+tree-sitter", "+tree_sitter"),
        ("-fooBar baz", "baz -foobar"),
        ("+fs::read", "+fs +read \"fs read\""),
        ("\"read the file\"", "+read +the +file \"read the file\""),
        ("+\"read file\" x", "+read +file x \"read file\""),
        ("x -\"read file\"", "x -\"read file\""),
        ("\"parseHTTP\"", "+parse +http \"parse http\""),
        ("\"word\"", "+word"),
        ("-\"word\" x", "x -word"),
        ("\"\" x", "x"),
        ("say\"hello you\"", "+hello +you say \"hello you\""),
        ("foo -foo", "foo -foo"),
        ("-foo", "-foo"),
        ("--offline flag", "offline flag"),
        ("returns -1", "returns 1"),
        ("a -> b", "b"),
        ("c++ - +", "c"),
        ("東京都", "東京 京都"),
        ("isEmpty", "isempty empty"),
    ] {
        assert_eq!(shape(text), expected, "{text:?}");
    }
}

#[test]
fn an_unclosed_quote_is_told_with_its_column() {
    for (text, column) in [("\"open", 1), ("ü x -\"open", 6), ("\"a\" \"", 5)] {
        let failure = Query::parse(text).unwrap_err();
        assert_eq!(failure.code(), gik_base::ErrorCode::QueryInvalid);
        assert!(failure.message().contains(&format!("column {column} ")), "{}", failure.message());
    }
}

#[test]
fn long_queries_keep_the_first_soft_words_and_refuse_too_many_hard_ones() {
    let words: Vec<String> = (0..100)
        .map(|idx| {
            format!("word{}", char::from(b'a' + idx % 26).to_string().repeat(1 + idx as usize / 26))
        })
        .collect();
    let query = Query::parse(&words.join(" ")).unwrap();
    assert_eq!(query.terms(), &words[..MAX_SCORED]);
    let failure = Query::parse(&format!("\"{}\"", words.join(" "))).unwrap_err();
    assert_eq!(failure.code(), gik_base::ErrorCode::QueryInvalid);
}

/// The conditions of a text, and what is left of it.
fn conditions(text: &str) -> (String, String) {
    let query = Query::parse(text).unwrap();
    let shown = |it: &Condition| {
        assert_eq!(text[it.place.clone()].starts_with('-'), !it.wanted);
        format!("{}{}={}", if it.wanted { "" } else { "-" }, it.name.as_str(), it.value)
    };
    let shown: Vec<String> = query.conditions().iter().map(shown).collect();
    (shown.join(" "), query.text().to_owned())
}

#[test]
fn conditions_are_known_names_with_a_value() {
    for (text, expected, left) in [
        ("lock path:src/**/*.rs taken", "path=src/**/*.rs", "lock taken"),
        ("-path:tests lock", "-path=tests", "lock"),
        ("+path:src lock", "path=src", "lock"),
        ("lang:c++ lang:c# x", "lang=c++ lang=c#", "x"),
        ("path:\"my folder/a b.md\" x", "path=my folder/a b.md", "x"),
        (
            "kind:function mode:extracted-prose base:docs",
            "kind=function mode=extracted-prose base=docs",
            "",
        ),
        ("tag:adr/2026 tag:#done x", "tag=adr/2026 tag=#done", "x"),
        (
            "changed:<7d changed:>=2026-01-01 changed:12h x",
            "changed=<7d changed=>=2026-01-01 changed=12h",
            "x",
        ),
        ("re:/fn \\w+_lock\\(/ x", "re=fn \\w+_lock\\(", "x"),
        ("x re:/a\\/b[/]c/i", "re=(?i)a\\/b[/]c", "x"),
        ("-re:/todo/i \"path:src\"", "-re=(?i)todo", "\"path:src\""),
        ("a  b", "", "a  b"),
    ] {
        assert_eq!(conditions(text), (expected.to_owned(), left.to_owned()), "{text}");
    }
}

#[test]
fn pasted_text_with_colons_is_words() {
    for text in [
        "std::fs::read path::join kind::Error",
        "http://x/y path://x mode://",
        "error: foo path: src lang:",
        "TypeError: x is not a function",
        "foo:bar owner:ann Path:src LANG:rust",
        "fn f(path:&str, base:u32, kind:Kind) mode:Option<Mode>",
        "{path:x} \"re:/x\" re:x re: /x/ re::/x/",
        "what is path:src/lib.rs, or kind:function?",
        "changed:foo changed: 7d tag::x 12:30 a:b:c",
        "-path: x -lang::y",
    ] {
        let (found, left) = conditions(text);
        assert_eq!((found.as_str(), left.as_str()), ("", text));
    }
}

#[test]
fn a_malformed_condition_is_told_with_its_place() {
    for (text, message, part) in [
        ("x path:\"open", "quote at column 8", "\""),
        ("x re:/open", "not closed", "re:/open"),
        ("x re:/a/b/c y", "`b/c` is no flag", "b/c"),
        ("ü -re:/a/g", "`g` is no flag", "g"),
        ("x tag:\" \"", "has no value", "tag:\" \""),
    ] {
        let failure = Query::parse(text).unwrap_err();
        assert_eq!(failure.code(), gik_base::ErrorCode::QueryInvalid);
        assert!(failure.message().contains(message), "{}", failure.message());
        let place = failure.place().unwrap();
        assert_eq!(&place.text[place.bytes.clone()], part, "{text}");
        assert!(!failure.hints().is_empty());
    }
}

#[test]
fn a_run_needs_successive_keys() {
    assert!(has_run(&[&[1, 5], &[3, 6], &[7]]));
    assert!(!has_run(&[&[1, 5], &[3, 7], &[7]]));
    assert!(!has_run(&[&[1], &[]]));
}

proptest! {
    #[test]
    fn any_text_is_a_query_or_a_failure(text in "(path:|re:/|lang:|[-+/\" a-cé_1東:]){0,40}") {
        if let Ok(query) = Query::parse(&text) {
            let n = query.terms.len();
            assert!(query.n_scored <= n && query.n_scored <= MAX_SCORED);
            assert!(query.excluded.iter().copied().chain(query.phrase_terms()).all(|at| at < n));
        }
    }
}

#[test]
fn quotes_can_be_taken_as_words_and_a_plus_cannot() {
    let softened = |text: &str| Query::parse(text).unwrap().softened();
    let soft = softened("fails with \"no such table\" -test").unwrap();
    assert!(soft.must == 0 && soft.phrases.is_empty() && soft.excluded.len() == 1);
    assert!(soft.terms().contains(&"table".to_owned()));
    for text in ["plain words", "+must \"some words\"", "-\"not these\" words"] {
        assert!(softened(text).is_none(), "{text}");
    }
    let pasted = Query::of_text("+one \"two three\n-four");
    assert!(!pasted.has_hard_parts() && pasted.terms().len() == 4, "{pasted:?}");
    let trace: String = (0..200).map(|n| format!("frame{n}\n")).collect();
    let terms = Query::of_text(&trace).terms().to_vec();
    assert!(terms.contains(&"frame0".to_owned()) && terms.contains(&"frame199".to_owned()));
    assert!(!terms.contains(&"frame100".to_owned()));
    let exclusions: String = (0..100).map(|n| format!("-no{n} ")).collect();
    assert!(Query::parse(&exclusions).is_err());
}
