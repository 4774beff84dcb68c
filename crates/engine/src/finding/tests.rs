//! The index says what every text says, whatever is asked, and on any number of threads.

use std::fmt::Write as _;

use gik_base::Cancel;
use gik_base::progress::Silent;
use gik_store::Access;
use gik_testkit::{Rng, Tree};

use super::*;
use crate::conditions::Flags;
use crate::ingest::{Effort, fill, scan};
use crate::tools::index;
use crate::{Context, Options, bases};

const QUESTIONS: usize = 1000;

const WORDS: [&str; 24] = [
    "lock",
    "take_lock",
    "parseConfig",
    "commit",
    "journal",
    "record",
    "file",
    "reader",
    "write",
    "HttpClient",
    "session",
    "store",
    "snapshot",
    "größe",
    "東京都",
    "index",
    "segment",
    "merge",
    "open",
    "close",
    "max_rss",
    "retry",
    "error",
    "path",
];

const CONDITIONS: [&str; 23] = [
    "path:src",
    "-path:tests",
    "path:*.py",
    "lang:rust",
    "-lang:rust",
    "kind:function",
    "kind:type",
    "-kind:function",
    "mode:code",
    "mode:prose",
    "mode:extracted-prose",
    "base:docs",
    "-base:docs",
    "tag:adr",
    "re:/lock/",
    "re:/\\bfn \\w+_lock/",
    "re:/KE_LO|pconfig/i",
    "re:/größe|東京/",
    "re:/fn (commit|max_rss)_/",
    "re:/merge\\(\\);[^z]+journal/",
    "re:/nowhere/",
    "-re:/TODO/i",
    "changed:<1d",
];

fn context<'a>(tree: &Tree, threads: usize) -> Context<'a> {
    Context {
        options: Options {
            workspace: Some(tree.root().to_owned()),
            set: vec![("indexing.threads".to_owned(), threads.to_string())],
            ..Options::default()
        },
        cwd: tree.root().to_owned(),
        progress: &Silent,
        cancel: Cancel::default(),
    }
}

fn sentence(rng: &mut Rng, n: usize) -> String {
    (0..n).map(|_| *rng.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

/// Files in several languages and modes, some of them alike.
fn corpus(rng: &mut Rng) -> Tree {
    let tree = Tree::empty();
    for n in 0..36 {
        let folder = ["src", "src/store", "tests", "docs", "lib/net"][n % 5];
        let mut text = String::new();
        let ending = ["rs", "py", "md", "ts", "csv"][rng.within(0..5)];
        if ending == "md" && rng.one_in(2) {
            text.push_str("---\ntags: [adr/2026]\n---\n");
        }
        for _ in 0..rng.within(1..6) {
            let (name, about, words) = (rng.pick(&WORDS), sentence(rng, 4), sentence(rng, 6));
            let body = words.replace(' ', "(); ");
            match ending {
                "rs" => writeln!(
                    text,
                    "/// {about}\npub fn {name}_{n}() {{\n    {body}();\n    // TODO {about}\n}}\n"
                ),
                "py" => writeln!(
                    text,
                    "class {name}:\n    \"\"\"{about}\"\"\"\n    def run(self):\n        {body}\n"
                ),
                "md" => writeln!(text, "# {about}\n\n{words} {about}.\n"),
                "ts" => writeln!(text, "// {about}\nexport function {name}{n}() {{ {body} }}\n"),
                _ => writeln!(text, "{},{n},{about}", words.replace(' ', ",")),
            }
            .unwrap();
        }
        tree.write(&format!("{folder}/{}_{n}.{ending}", rng.pick(&WORDS)), text);
    }
    tree
}

/// Words, phrases, signs, misspelt words and conditions, in any mixture.
fn question(rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    for _ in 0..rng.within(0..5) {
        let word = (*rng.pick(&WORDS)).to_owned();
        parts.push(match rng.below(9) {
            0 => format!("+{word}"),
            1 => format!("-{word}"),
            2 => format!("\"{}\"", sentence(rng, 2)),
            3 => word.chars().rev().collect(),
            4 => format!("{word}s"),
            5 => word.replacen('o', "oo", 1),
            6 => format!("src/{word}_{}.rs", rng.below(36)),
            _ => word,
        });
    }
    for _ in 0..[0, 0, 1, 2][rng.within(0..4)] {
        parts.push((*rng.pick(&CONDITIONS)).to_owned());
    }
    parts.join(" ")
}

/// What was found, to the last digit.
fn shown(reading: &Reading<'_>, question: &Question) -> String {
    let finding = reading.find(question, &mut Texts::default(), &mut |_| {}).unwrap();
    let mut text = format!("{:?}\n", finding.query.terms());
    for found in finding.results.found {
        let (key, lines) = (found.file.key, found.chunk.lines);
        writeln!(text, "{key} {lines:?} {:?} {:?} {:?}", found.score, found.signals, found.matched)
            .unwrap();
    }
    text
}

/// Compares both ways of asking on one corpus; gives how many questions found something.
fn compare(seed: u64, n_questions: usize, with_vectors: bool) -> usize {
    let mut rng = Rng::new(seed);
    let tree = corpus(&mut rng);
    let (one, many) = (context(&tree, 1), context(&tree, 4));
    let ws = one.open().unwrap();
    index::index(&ws, &[], None, None, None).unwrap();
    if with_vectors {
        fill(&ws, Effort::All).unwrap();
    }
    let ws_of_many = many.open().unwrap();
    let store = ws.store(Access::ReadOnly).unwrap();
    let snapshot = store.snapshot().unwrap();
    let files = snapshot.files().unwrap();
    let counts = Count::per_base(&files);
    let every_text = scan(&ws, &snapshot, &files).unwrap();
    assert_eq!(every_text.documents().len() as u64, counts.iter().map(|it| it.chunks).sum::<u64>());
    let reading = Reading {
        ws: &ws,
        snapshot: &snapshot,
        files: &files,
        counts: &counts,
        past: None,
        scan: None,
        notes: &Silent,
    };
    let by_all = Reading { scan: Some(&every_text), ..reading };
    let by_many = Reading { ws: &ws_of_many, ..reading };
    let (mut asked, mut answered) = (0, 0);
    while asked < n_questions {
        let text = question(&mut rng);
        let Ok(question) = Question::new(text.clone(), &Flags::default(), bases::ALL) else {
            continue;
        };
        asked += 1;
        let question = Question {
            limit: rng.within(1..25),
            per_file: rng.within(1..4),
            may_soften: rng.one_in(2),
            current: ws.current(rng.one_in(4).then_some("src/store/lock_1.rs:3")).unwrap(),
            ..question
        };
        let indexed = shown(&reading, &question);
        assert_eq!(indexed, shown(&by_all, &question), "seed {seed}: {text}");
        assert_eq!(indexed, shown(&by_many, &question), "seed {seed}, threads: {text}");
        answered += usize::from(indexed.lines().count() > 1);
    }
    answered
}

#[test]
fn the_index_says_what_every_text_says() {
    let answered: usize = (1..=4).map(|seed| compare(seed, QUESTIONS / 4, false)).sum();
    assert!(answered > QUESTIONS / 2, "{answered}");
}

#[test]
fn the_nearest_vectors_are_those_of_comparing_all() {
    assert!(compare(5, 100, true) > 50);
}
