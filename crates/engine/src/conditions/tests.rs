//! What conditions of questions and flags come to, and how wrong ones are told.

use gik_contract::{Extra, MemoryScope, MemorySource};

use super::*;

fn conditions(text: &str, flags: &Flags<'_>) -> Result<Conditions> {
    Conditions::new(text, &Query::parse(text).unwrap(), flags, bases::ALL)
}

fn list(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn flags_and_conditions_of_the_question_are_one() {
    let files = list(&["src/**", "!src/gen"]);
    let (languages, bases) = (list(&["py", "!go"]), list(&["code", "docs"]));
    let flags = Flags { files: &files, languages: &languages, bases: &bases, ..Flags::default() };
    let by_flags = conditions("x", &flags).unwrap();
    let typed = "x path:src/** -path:src/gen lang:py -lang:go base:code base:docs";
    let by_text = conditions(typed, &Flags::default()).unwrap();
    assert_eq!(format!("{:?}", by_flags.filter()), format!("{:?}", by_text.filter()));
    assert_eq!((&by_flags.bases, &by_text.bases), (&vec!["code", "docs"], &vec!["code", "docs"]));
    let filter = by_text.filter();
    assert_eq!(filter.languages, ["python"]);
    assert_eq!(filter.globs, ["src/**", "!src/gen"]);
    assert_eq!(
        conditions("x -base:memory", &Flags::default()).unwrap().bases,
        ["code", "docs", "notes"]
    );
    let records = Flags { mode: Some(Mode::Records), ..Flags::default() };
    assert_eq!(conditions("x mode:records", &records).unwrap().mode, Some(Mode::Records));
}

#[test]
fn a_wrong_value_is_told_where_it_stands() {
    for (text, message) in [
        ("x lang:klingon", "no language `klingon`"),
        ("x kind:strukt", "no kind `strukt`"),
        ("x mode:poem", "no mode `poem`"),
        ("x -mode:code", "cannot be left out"),
        ("x mode:code mode:prose", "one mode"),
        ("x base:kode", "no base `kode`"),
        ("x changed:7y", "not a time"),
        ("x -changed:<7d", "turned around"),
        ("x path:a[", "not a path pattern"),
        ("x re:/a(/", "no regular expression"),
    ] {
        let failure = conditions(text, &Flags::default()).unwrap_err();
        assert!(failure.message().contains(message), "{text}: {failure}");
        assert!(failure.place().is_some_and(|place| place.text == text), "{text}");
        assert!(failure.hints().iter().any(|hint| hint.contains("quote them")), "{text}");
    }
    let kinds = list(&["strukt"]);
    let failure = conditions("x", &Flags { kinds: &kinds, ..Flags::default() }).unwrap_err();
    assert!(failure.place().is_none() && failure.hints()[0].contains("struct"));
}

#[test]
fn memory_has_tags_a_time_and_a_text_but_no_file() {
    let entry = MemoryEntry {
        id: "m1".to_owned(),
        created_at: "2026-01-02T00:00:00Z".parse().unwrap(),
        updated_at: "2026-01-02T00:00:00Z".parse().unwrap(),
        scope: MemoryScope::Project,
        source: MemorySource::Decision,
        title: Some("Why SQLite".to_owned()),
        text: "one file, no server".to_owned(),
        tags: list(&["ADR/2026", "storage"]),
        branch: None,
        origin_revision: None,
        importance: None,
        extra: Extra::new(),
    };
    for (text, expected) in [
        ("tag:adr", true),
        ("tag:adr/2026 tag:other", true),
        ("tag:adr/20", false),
        ("x -tag:storage", false),
        ("changed:2026-01-02", true),
        ("changed:>2026-01-02", false),
        ("re:/sqlite/i re:/no server$/", true),
        ("re:/sqlite/", false),
        ("x -re:/server/", false),
        ("path:src", false),
        ("lang:rust", false),
        ("kind:function", false),
        ("x -path:src", true),
    ] {
        let holds = conditions(text, &Flags::default()).unwrap().take_memory(&entry);
        assert_eq!(holds, expected, "{text}");
    }
}
