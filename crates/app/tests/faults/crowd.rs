//! Eight processes at once, four that write and four that read, on files that change meanwhile.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gik_testkit::{Run, Tree};

use super::project::{
    QUESTION, edit, error_code, gik, indexed_project, listed_memory, memory_id, say, verify,
};
use super::truth::Truth;

/// Commands of each process.
const ROUNDS: usize = 13;

/// What finished commands reported.
#[derive(Default)]
struct Reported {
    revisions: BTreeSet<String>,
    sources: BTreeSet<String>,
    memory: BTreeSet<String>,
}

struct Crowd<'a> {
    tree: &'a Tree,
    reported: Mutex<Reported>,
    version: AtomicUsize,
    commands: AtomicUsize,
}

impl Crowd<'_> {
    fn run(&self, line: &[&str]) -> Run {
        self.commands.fetch_add(1, Ordering::Relaxed);
        let run = gik(self.tree).run(line);
        for word in ["damaged", "made anew", "torn", "panicked", "missing"] {
            assert!(!run.stderr.contains(word), "a broken state was seen: {run:?}");
        }
        run
    }

    /// Changes a file that no other process changes at the same moment.
    fn change(&self) {
        edit(self.tree, 100 + self.version.fetch_add(1, Ordering::Relaxed));
    }

    fn note(&self, note: impl FnOnce(&mut Reported)) {
        note(&mut self.reported.lock().expect("no test thread failed"));
    }

    fn commits(&self) {
        for round in 0..ROUNDS {
            self.change();
            let run = self.run(&["commit", "-m", &format!("feat: {round}"), "--json"]);
            // Another writer may have committed the change.
            if run.code == Some(1) {
                assert_eq!(error_code(&run), "commit-nothing-pending");
                continue;
            }
            let id = run.success().json()["revisionId"].as_str().map(str::to_owned);
            self.note(|reported| reported.revisions.extend(id));
        }
    }

    fn indexes(&self) {
        for _ in 0..ROUNDS {
            self.change();
            let answer = self.run(&["index", "--json"]).success().json();
            let id = answer["commit"]["revisionId"].as_str().map(str::to_owned);
            self.note(|reported| reported.revisions.extend(id));
        }
    }

    fn adds(&self) {
        for round in 0..ROUNDS {
            let path = format!("notes/{round}.md");
            self.tree.write(&path, format!("# Note {round}\n"));
            let answer = self.run(&["add", &path, "--json"]).success().json();
            let added = answer["added"].as_array().expect("a list of entries").clone();
            let ids = added.iter().map(|entry| entry["id"].as_str().expect("an id").to_owned());
            self.note(|reported| reported.sources.extend(ids));
        }
    }

    fn remembers(&self) {
        for round in 0..ROUNDS {
            let text = format!("Fact {round}.");
            let answer = self.run(&["memory", "add", &text, "--json"]).success().json();
            self.note(|reported| {
                assert!(reported.memory.insert(memory_id(&answer)), "an id came twice");
            });
        }
    }

    fn asks(&self) {
        for _ in 0..ROUNDS {
            let answer = self.run(&["ask", QUESTION, "--json"]).success().json();
            let chunks = answer["ragChunks"].as_array().expect("a list of evidence");
            assert!(!chunks.is_empty(), "the documents never change, so there is evidence");
        }
    }

    fn searches(&self) {
        for _ in 0..ROUNDS {
            let run = self.run(&["search", "weighed", "--json"]).success();
            assert!(run.stdout.contains("docs/route_"), "{run:?}");
        }
    }

    fn looks(&self) {
        for _ in 0..ROUNDS {
            self.run(&["status", "--json"]).success().json();
        }
    }

    fn reads_history(&self) {
        let mut longest = 0;
        for _ in 0..ROUNDS {
            let rows = self.run(&["log", "--jsonl"]).success().jsonl();
            assert!(rows.len() >= longest, "the history became shorter");
            longest = rows.len();
        }
    }
}

#[test]
fn eight_processes_at_once_lose_nothing_and_see_nothing_broken() {
    let tree = indexed_project();
    let before = Truth::of(&tree);
    let crowd = Crowd {
        tree: &tree,
        reported: Mutex::default(),
        version: AtomicUsize::new(0),
        commands: AtomicUsize::new(0),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| crowd.commits());
        scope.spawn(|| crowd.indexes());
        scope.spawn(|| crowd.adds());
        scope.spawn(|| crowd.remembers());
        scope.spawn(|| crowd.asks());
        scope.spawn(|| crowd.searches());
        scope.spawn(|| crowd.looks());
        scope.spawn(|| crowd.reads_history());
    });
    say(&format!("{} commands at once", crowd.commands.load(Ordering::Relaxed)));

    verify(&tree);
    let truth = Truth::of(&tree);
    let reported = crowd.reported.into_inner().expect("no test thread failed");
    assert!(truth.revisions.starts_with(&before.revisions), "history changed");
    assert!(reported.revisions.is_subset(&truth.revision_ids()), "a reported revision is missing");
    assert!(reported.sources.is_subset(&truth.source_ids()), "a reported source is missing");
    assert_eq!(truth.memory_ids(), reported.memory);
    let listed = listed_memory(&tree);
    assert_eq!(listed.len(), ROUNDS, "each entry is there once");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), reported.memory);
}
