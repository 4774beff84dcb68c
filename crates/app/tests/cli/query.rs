//! The language of questions: conditions, patterns, and what is no condition.

use gik_testkit::Tree;

use super::{asked, assert_transcript, gik, indexed, paths};

/// Code in two languages, tests, a tagged document.
const TREE: &str = r#"
    //- src/lock.rs
    /// A lock.
    pub struct Lock;

    /// Takes the lock.
    pub fn take_lock() -> Lock {
        Lock
    }
    //- src/tests/lock.rs
    fn take_lock_twice() {
        take_lock();
    }
    //- tools/lock.py
    def take_lock():
        return None
    //- docs/adr.md
    ---
    tags: [adr/2026, locks]
    ---
    # Decision

    There is one lock: take_lock(1).
"#;

#[test]
fn conditions() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_transcript(
        "query",
        &[
            gik.run(&["search", "greeting path:src/text.rs"]).success(),
            gik.run(&["search", "greeting", "--path", "!src", "--kind", "doc"]).success(),
            gik.run(&["search", "kind:function"]).success(),
            gik.run(&["search", "re:/fn \\w+well/"]).success(),
            gik.run(&["ask", "-e", "Good(bye|night)", "--explain"]).success(),
            gik.run(&["ask", "greeting lang:klingon"]).exit(2),
            gik.run(&["ask", "greeting -re:/unclosed"]).exit(2),
            gik.run(&["ask", "greeting changed:7y", "--json"]).exit(2),
            gik.run(&["search", "greeting", "--changed", "soon"]).exit(2),
            gik.run(&["search", "-path:src"]).exit(2),
        ],
    );
}

#[test]
fn conditions_decide_what_may_be_shown() {
    let tree = Tree::new(TREE);
    let found = |question: &str| {
        let mut found = asked(&tree, question);
        found.sort();
        found.dedup();
        found.join(" ")
    };
    for (question, expected) in [
        ("take_lock lang:rust", "src/lock.rs src/tests/lock.rs"),
        ("take_lock -lang:rust -path:docs", "tools/lock.py"),
        ("take_lock path:src -path:tests", "src/lock.rs"),
        ("take_lock path:*.py path:docs/**", "docs/adr.md tools/lock.py"),
        ("kind:struct", "src/lock.rs"),
        ("kind:function -path:tests", "src/lock.rs tools/lock.py"),
        ("tag:adr", "docs/adr.md"),
        ("lock tag:locks", "docs/adr.md"),
        ("lock tag:other", ""),
        ("re:/^def /", "tools/lock.py"),
        ("re:/TAKE_LOCK\\(\\d/i", "docs/adr.md"),
        ("take_lock -re:/fn /", "docs/adr.md tools/lock.py"),
        ("take_lock base:docs", "docs/adr.md"),
        ("take_lock changed:<1d path:tools", "tools/lock.py"),
        ("take_lock changed:>1d", ""),
        ("take_lock changed:<2001-01-01", ""),
    ] {
        assert_eq!(found(question), expected, "{question}");
    }
    // What only looks like a condition is words.
    assert_eq!(found("std::take_lock: foo:bar path: http://x").split(' ').count(), 4);
    let places = gik(&tree).run(&["search", "kind:struct", "--json"]).success().json();
    assert_eq!(paths(&places["results"]), ["src/lock.rs"]);
    assert_eq!(places["results"][0]["text"], "/// A lock.");
}

#[test]
fn a_file_is_found_by_who_changed_it() {
    let tree = Tree::new(TREE);
    tree.git_init();
    tree.git(&["add", "src"]);
    tree.git(&["commit", "--quiet", "--author", "Ann Bee <ann@shop.example>", "--message", "one"]);
    tree.git(&["add", "--all"]);
    tree.git(&["commit", "--quiet", "--author", "Bob <bob@shop.example>", "--message", "two"]);
    let gik = gik(&tree);
    let found = |question: &str| asked(&tree, question);
    let (ann, bob) =
        (vec!["src/lock.rs", "src/tests/lock.rs"], vec!["docs/adr.md", "tools/lock.py"]);
    let sorted = |mut paths: Vec<String>| {
        paths.sort();
        paths
    };
    assert_eq!(sorted(found("take_lock author:ann")), ann);
    assert_eq!(sorted(found("take_lock author:\"Ann Bee\"")), ann);
    assert_eq!(sorted(found("take_lock -author:ANN@SHOP")), bob);
    assert_eq!(sorted(found("take_lock author:shop.example")).len(), 4);
    let why_not = gik.run(&["ask", "take_lock author:bob", "--why-not", "src/lock.rs"]).success();
    assert!(why_not.stdout.contains("`author:bob` leaves it out"), "{}", why_not.snapshot());
    let nobody = gik.run(&["search", "take_lock", "--author", "carl"]).exit(2);
    assert!(nobody.stderr.contains("those who did most: Ann Bee, Bob"), "{}", nobody.snapshot());
}

#[test]
fn without_history_nobody_changed_anything() {
    let tree = Tree::new(TREE);
    let run = gik(&tree).run(&["ask", "take_lock author:ann"]).exit(1);
    assert!(run.stderr.contains("has no git history"), "{}", run.snapshot());
}
