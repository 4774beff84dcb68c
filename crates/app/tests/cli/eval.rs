//! `gik eval`: questions from a file and from the history, and weights that are chosen by them.

use std::fmt::Write as _;

use gik_testkit::Tree;
use serde_json::Value;

use super::{assert_transcript, gik};

/// Things that a shop is about, each a file of its own.
const TOPICS: &[(&str, &str)] = &[
    ("basket", "holds items until they are paid"),
    ("refund", "gives money back to customers"),
    ("voucher", "lowers the price by a code"),
    ("parcel", "brings goods to the door"),
    ("stock", "counts what the shelves have"),
    ("invoice", "lists what is owed and when"),
    ("loyalty", "rewards people who come again"),
    ("supplier", "orders goods from makers"),
    ("customs", "declares goods at borders"),
    ("storage", "keeps parcels in cold rooms"),
    ("courier", "drives vans along routes"),
    ("review", "collects opinions with stars"),
];

fn source(topic: &str, about: &str) -> String {
    format!(
        "def {topic}_handler(request):\n    \"\"\"{topic} {about}\"\"\"\n    return request.{topic}\n"
    )
}

/// A repository with a commit for each topic.
fn repository() -> Tree {
    let tree = Tree::new("//- README.md\n# Shop\n");
    tree.git_init();
    tree.write(".git/info/exclude", ".guided\nquestions.jsonl\n");
    tree.git_commit("Begin");
    for (topic, about) in TOPICS {
        tree.write(&format!("shop/{topic}.py"), source(topic, about));
        tree.append("README.md", format!("{topic}\n"));
        tree.git_commit(&format!("feat(shop): every {topic} {about} (#7)"));
    }
    tree.write("shop/lock_file.py", "x = 1\n");
    tree.git_commit("let the lock_file be small");
    tree.git_commit("Merge nothing at all");
    tree
}

fn eval(tree: &Tree, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["eval"].iter().chain(arguments).copied().chain(["--json"]).collect();
    gik(tree).run(&all).success().json()
}

#[test]
fn wrong_questions() {
    let tree = Tree::new("//- a.py\nx = 1\n//- empty.jsonl\n//- bad.jsonl\n{\"query\": 1}\n");
    let gik = gik(&tree);
    assert_transcript(
        "eval_wrong",
        &[
            gik.run(&["eval"]).exit(2),
            gik.run(&["eval", "empty.jsonl"]).exit(2),
            gik.run(&["eval", "bad.jsonl"]).exit(2),
            gik.run(&["eval", "--from-git"]).exit(1),
            gik.run(&["eval", "bad.jsonl", "--from-git"]).exit(2),
            gik.run(&["eval", "bad.jsonl", "--dry-run"]).exit(2),
        ],
    );
}

#[test]
fn commits_become_questions_and_what_gives_them_away_is_left_out() {
    let tree = repository();
    let measured = eval(&tree, &["--from-git"]);
    assert_eq!(measured["all"]["queries"], TOPICS.len());
    assert_eq!(measured["fromGit"]["commits"], TOPICS.len() + 3);
    let left_out = &measured["fromGit"]["leftOut"];
    assert_eq!(
        (&left_out["names a file"], &left_out["about no code"]),
        (&1.into(), &1.into()),
        "{measured}"
    );
    assert_eq!(measured["results"][0]["query"], "every review collects opinions with stars");
    assert!(measured["all"]["hit5"].as_f64().unwrap() > 0.9, "{measured}");
    let few = eval(&tree, &["--from-git", "--limit", "3"]);
    assert_eq!(few["all"]["queries"], 3);
}

#[test]
fn files_that_repeat_a_subject_are_neither_answer_nor_in_the_way() {
    let tree = repository();
    let mut changelog = String::from("# Changes\n");
    for (topic, about) in TOPICS {
        writeln!(changelog, "- every {topic} {about}").unwrap();
    }
    tree.write("CHANGELOG.md", &changelog);
    tree.write("notes.txt", "every glove warms two hands\n");
    tree.write("shop/glove.py", "def glove():\n    return 'warms hands'\n");
    tree.git_commit("every glove warms two hands");
    let measured = eval(&tree, &["--from-git", "--limit", "1"]);
    assert_eq!(measured["results"][0]["query"], "every glove warms two hands");
    assert_eq!(measured["all"]["ndcg"], 1.0, "{measured}");
}

/// Answers are in tests, and other files have the same words: what usually goes down should not here.
fn shop_of_tests() -> Tree {
    let tree = Tree::empty();
    let mut questions = String::new();
    for (topic, about) in
        TOPICS.iter().chain(&[("till", "takes coins"), ("queue", "makes people wait")])
    {
        tree.write(&format!("tests/{topic}_case.py"), source(topic, about));
        tree.write(&format!("shop/{topic}_page.py"), source(topic, about));
        for words in [format!("{topic} {about}"), format!("what {about} for a {topic}")] {
            let label =
                serde_json::json!({"query": words, "relevant": [format!("tests/{topic}_case.py")]});
            writeln!(questions, "{label}").unwrap();
        }
    }
    tree.write("questions.jsonl", questions);
    tree.write(".gikignore", "questions.jsonl\n");
    tree
}

#[test]
fn weights_are_written_where_questions_gain_that_they_were_not_chosen_by() {
    let tree = shop_of_tests();
    let config = tree.path(".guided/knowledge/config.yaml");
    let told = eval(&tree, &["questions.jsonl", "--tune", "--dry-run"]);
    assert!(!config.exists());
    let tuning = &told["tuning"];
    assert!(tuning["heldOut"].as_f64() > tuning["before"].as_f64(), "{tuning}");
    let written = eval(&tree, &["questions.jsonl", "--tune"]);
    assert_eq!(written["tuning"]["weights"], tuning["weights"]);
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("noise:"), "{text}");
    // What was written counts from now on, for questions of people as well.
    let after = eval(&tree, &["questions.jsonl"]);
    assert_eq!(after["all"]["ndcg"], tuning["after"], "{after}");
    let again = eval(&tree, &["questions.jsonl", "--tune", "--dry-run"]);
    assert_eq!(again["tuning"]["weights"], serde_json::json!({}), "{again}");
}

#[test]
fn few_questions_and_questions_that_are_answered_change_no_weight() {
    let tree = repository();
    let run = gik(&tree).run(&["eval", "--from-git", "--tune"]).exit(2);
    assert!(run.stderr.contains("12 questions: 20 are needed"), "{}", run.snapshot());
    let mut questions = String::new();
    for (topic, about) in TOPICS {
        for words in [format!("{topic} {about}"), format!("what {about} for a {topic}")] {
            let label =
                serde_json::json!({"query": words, "relevant": [format!("shop/{topic}.py")]});
            writeln!(questions, "{label}").unwrap();
        }
    }
    tree.write("questions.jsonl", questions);
    let run = gik(&tree).run(&["eval", "questions.jsonl", "--tune"]).success();
    assert!(run.stdout.contains("The weights stay as they are"), "{}", run.snapshot());
    assert!(!tree.path(".guided/knowledge/config.yaml").exists());
}
