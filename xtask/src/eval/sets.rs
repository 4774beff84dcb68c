//! Are the committed sets of questions whole? Every line is a question of the one format, and what it names is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::workspace;

const SETS: &[&str] = &["eval/answers.jsonl", "eval/gik.jsonl"];
/// The set about this repository.
const OURS: &str = "eval/gik.jsonl";
const CORPORA: &str = "eval/answers.corpora.json";
const CATEGORIES: &[&str] = &[
    "architecture",
    "bug-report",
    "configuration",
    "consumers",
    "documentation",
    "misspelt",
    "non-english",
    "paraphrase",
    "stack-trace",
    "symbol",
];

/// A question and the files that answer it.
#[derive(Debug)]
struct Labelled {
    id: String,
    corpus: String,
    category: String,
    /// The files that answer it, then those that a reader would also accept.
    targets: Vec<String>,
}

fn labelled(set: &str) -> Vec<Labelled> {
    let text = workspace::read(&workspace::root().join(set)).unwrap();
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            parse(line).unwrap_or_else(|| panic!("{set}:{}: no question: {line}", at + 1))
        })
        .collect()
}

fn parse(line: &str) -> Option<Labelled> {
    let fields: Value = serde_json::from_str(line).ok()?;
    let fields = fields.as_object()?;
    let text = |key: &str| fields.get(key)?.as_str().filter(|text| !text.is_empty());
    let paths = |key: &str| -> Option<Vec<String>> {
        fields.get(key)?.as_array()?.iter().map(|path| Some(path.as_str()?.to_owned())).collect()
    };
    let mut targets = paths("relevant").filter(|paths| !paths.is_empty())?;
    targets.extend(paths("secondary")?);
    text("query")?;
    (fields.len() == 6).then_some(Labelled {
        id: text("id")?.to_owned(),
        corpus: text("corpus")?.to_owned(),
        category: text("category")?.to_owned(),
        targets,
    })
}

#[test]
fn every_question_has_an_id_of_its_own_and_a_known_category() {
    let mut ids = BTreeSet::new();
    for question in SETS.iter().flat_map(|set| labelled(set)) {
        let id = &question.id;
        assert!(CATEGORIES.contains(&question.category.as_str()), "{id}: {}", question.category);
        let different: BTreeSet<&String> = question.targets.iter().collect();
        assert_eq!(different.len(), question.targets.len(), "{id} names a file twice");
        assert!(ids.insert(question.id), "an id is used twice");
    }
}

#[test]
fn the_files_that_answer_questions_about_this_repository_are_there() {
    let root = workspace::root();
    for question in labelled(OURS) {
        for path in &question.targets {
            assert!(root.join(path).is_file(), "{}: there is no {path}", question.id);
            assert!(!path.starts_with("eval/"), "{}: the sets are not searched", question.id);
        }
    }
}

#[test]
fn every_package_can_be_fetched_and_every_label_lies_in_what_is_indexed() {
    let root = workspace::root();
    let corpora = workspace::read(&root.join(CORPORA)).unwrap();
    let corpora: Vec<BTreeMap<String, String>> = serde_json::from_str(&corpora).unwrap();
    let packages = workspace::read_toml(&root.join("xtask/corpora.toml")).unwrap();
    let mut roots = BTreeMap::new();
    for corpus in &corpora {
        let known = packages[&corpus["language"]][&corpus["registry"]].as_array().unwrap();
        let (package, version) = (corpus["package"].as_str(), corpus["version"].as_str());
        let is_known = known
            .iter()
            .filter_map(toml::Value::as_str)
            .any(|entry| entry == package || entry.split_once(' ') == Some((package, version)));
        assert!(is_known, "xtask/corpora.toml has no {package} {version}");
        assert!(roots.insert(&corpus["corpus"], &corpus["root"]).is_none(), "{package} twice");
    }
    for question in labelled("eval/answers.jsonl") {
        let indexed = roots
            .get(&question.corpus)
            .unwrap_or_else(|| panic!("{}: {CORPORA} has no {}", question.id, question.corpus));
        for path in &question.targets {
            let is_inside = *indexed == "." || Path::new(path).starts_with(indexed);
            assert!(is_inside, "{}: {path} is not below {indexed}", question.id);
        }
    }
}
