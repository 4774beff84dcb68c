//! `gik watch`: every change of the files shows up as an update, once, and soon; nothing else does.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use gik_testkit::{Lines, Redactor, Run, Running, Tree, eventually};
use serde_json::Value;

use super::{asked, assert_text, gik, indexed, listed, project};

/// A running watch that is up to date.
struct Watch<'tree> {
    running: Running<'tree>,
    lines: Lines,
    first: Value,
}

/// The sums over several updates.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    added: u64,
    updated: u64,
    removed: u64,
    moved: u64,
}

impl<'tree> Watch<'tree> {
    fn start(tree: &'tree Tree, options: &[&str]) -> Self {
        let mut words = vec!["watch", "--json"];
        words.extend(options);
        Self::of(gik(tree).spawn(&words))
    }

    fn of(mut running: Running<'tree>) -> Self {
        let lines = running.lines();
        let first = parse(&lines.next_line().expect("the first look is told of"));
        assert_eq!(first["event"], "watching", "{first}");
        assert_eq!(first["freshness"], "current", "{first}");
        Self { running, lines, first }
    }

    fn next(&self) -> Value {
        parse(&self.lines.next_line().expect("the watch goes on"))
    }

    /// The updates until one satisfies a condition, that one included.
    fn until(&self, is_last: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut updates = vec![self.next()];
        while !is_last(&updates[updates.len() - 1]) {
            updates.push(self.next());
        }
        updates
    }

    /// The updates until that many files were added, changed, removed or moved.
    fn until_files(&self, files: u64) -> Vec<Value> {
        let mut seen = 0;
        let mut updates = Vec::new();
        while seen < files {
            updates.push(self.next());
            let Sum { added, updated, removed, moved } = sum(&updates);
            seen = added + updated + removed + moved;
        }
        updates
    }

    fn signal(&self, name: &str) {
        let id = self.running.id().to_string();
        let status = Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(status.is_ok_and(|status| status.success()), "a child of ours takes signals");
    }

    /// Ctrl-C.
    fn stop(self) -> Run {
        self.running.interrupt();
        self.running.wait().success()
    }
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).expect("each line is one JSON value")
}

fn sum(updates: &[Value]) -> Sum {
    let of = |name: &str| updates.iter().map(|update| update[name].as_u64().unwrap()).sum();
    Sum { added: of("added"), updated: of("updated"), removed: of("removed"), moved: of("moved") }
}

/// How many files a question still had to catch up with.
fn left_to_do(tree: &Tree, question: &str) -> u64 {
    let run = gik(tree).run(&["ask", question, "--json"]);
    run.json()["freshness"]["refreshedFiles"].as_u64().unwrap()
}

#[test]
fn what_a_person_sees() {
    let tree = indexed();
    let mut running = gik(&tree).spawn(&["watch"]);
    let lines = running.lines();
    let mut text = vec!["$ gik watch".to_owned(), lines.next_line().unwrap()];
    tree.write("src/extra.rs", "fn quokka() {}\n");
    text.push(lines.next_line().unwrap());
    running.interrupt();
    let run = running.wait().success();
    assert_eq!(run.stderr, "");
    assert_text("watch", &Redactor::for_tree(&tree).apply(&text.join("\n")));
}

#[test]
fn an_edit_is_indexed_and_no_question_has_to_catch_up() {
    let tree = indexed();
    let before = gik(&tree).run(&["log", "--jsonl"]).success().jsonl().len();
    let watch = Watch::start(&tree, &[]);
    tree.write("README.md", "# Greeter\n\nIt yodels now.\n");
    let update = watch.next();
    assert_eq!(update["event"], "updated", "{update}");
    assert_eq!(sum(&[update]), Sum { updated: 1, ..Sum::default() });
    assert_eq!(left_to_do(&tree, "yodels"), 0);
    assert_eq!(asked(&tree, "yodels"), ["README.md"]);
    // No revision is made.
    assert_eq!(gik(&tree).run(&["log", "--jsonl"]).success().jsonl().len(), before);
    watch.stop();
}

#[test]
fn an_atomic_save_is_one_change() {
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    for turn in 100..103 {
        let word = format!("quokka{turn}");
        tree.write("src/.text.rs.swp", format!("fn {word}() {{}}\n"));
        tree.rename("src/.text.rs.swp", "src/text.rs");
        // Moved, should the machine be so slow that the two steps are seen apart.
        watch.until(|update| update["updated"] == 1 || update["moved"] == 1);
        assert_eq!(asked(&tree, &word), ["src/text.rs"]);
    }
    assert!(!listed(&tree).contains(&"src/.text.rs.swp".to_owned()));
    watch.stop();
}

#[test]
fn new_folders_are_followed_at_any_depth() {
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    tree.write("new/deep/er/a.rs", "fn wombat() {}\n");
    tree.write("new/b.rs", "fn dingo() {}\n");
    assert_eq!(sum(&watch.until_files(2)).added, 2);
    tree.write("new/deep/er/a.rs", "fn numbat() {}\n");
    watch.until_files(1);
    assert_eq!(left_to_do(&tree, "numbat"), 0);
    assert_eq!(asked(&tree, "numbat"), ["new/deep/er/a.rs"]);
    watch.stop();
}

#[test]
fn files_that_go_or_move_are_told_of() {
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    tree.rename("src", "lib");
    assert_eq!(sum(&watch.until_files(2)), Sum { moved: 2, ..Sum::default() });
    tree.write("lib/text.rs", "fn quoll() {}\n");
    assert_eq!(sum(&watch.until_files(1)), Sum { updated: 1, ..Sum::default() });
    tree.remove("lib");
    assert_eq!(sum(&watch.until_files(2)), Sum { removed: 2, ..Sum::default() });
    watch.stop();
}

#[test]
fn a_burst_of_two_thousand_files_is_a_few_updates() {
    const FILES: u64 = 2000;
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    for number in 0..FILES {
        tree.write(&format!("many/{}/{number}.md", number % 20), format!("note {number}\n"));
    }
    let mut updates = vec![watch.next()];
    while sum(&updates).added < FILES {
        updates.push(watch.next());
    }
    // One where the disk is quick; every 2 s a further one where it is not, which may see a file half-written.
    assert!(updates.len() <= 8, "{} updates", updates.len());
    let Sum { added, updated, removed, moved } = sum(&updates);
    assert_eq!((added, removed, moved), (FILES, 0, 0));
    assert!(updated < updates.len() as u64, "{updated} files were seen twice");
    watch.stop();
}

#[test]
fn a_queue_that_runs_over_loses_nothing() {
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap_or_default();
    let limit: usize = limit.trim().parse().unwrap_or(1 << 14);
    let tree = indexed();
    tree.write(".gikignore", "*.log\n");
    let watch = Watch::start(&tree, &[]);
    watch.signal("STOP");
    let mut logs = ["a.log", "b.log"].map(|name| fs::File::create(tree.path(name)).unwrap());
    // Two files in turn, or the system would take their events for one.
    for _ in 0..=limit {
        for log in &mut logs {
            log.write_all(b"\n").unwrap();
        }
    }
    // There is no room left to tell of these, nor that the folder is another one now.
    tree.remove("src");
    tree.write("src/text.rs", "fn wombat() {}\n");
    tree.write("new/a.rs", "fn dingo() {}\n");
    watch.signal("CONT");
    let lost = sum(&watch.until_files(3));
    assert_eq!(lost, Sum { added: 1, updated: 1, removed: 1, ..Sum::default() });
    tree.write("src/text.rs", "fn numbat() {}\n");
    tree.write("new/a.rs", "fn quoll() {}\n");
    assert_eq!(sum(&watch.until_files(2)).updated, 2);
    watch.stop();
}

#[test]
fn ignored_folders_are_neither_watched_nor_told_of() {
    let tree = indexed();
    tree.write("node_modules/a/b/c/index.js", "x");
    tree.write(".gitignore", "build/\n*.log\n");
    tree.write("build/out/x.rs", "fn x() {}\n");
    tree.git_init();
    let watch = Watch::start(&tree, &[]);
    assert_eq!(watch.first["folders"], 2, "the root and `src`: {}", watch.first);
    tree.write("node_modules/a/b/c/index.js", "y");
    tree.write("build/out/y.rs", "fn y() {}\n");
    tree.write("run.log", "started\n");
    tree.write("src/marker.rs", "fn marker() {}\n");
    let update = watch.next();
    assert_eq!(sum(&[update]), Sum { added: 1, ..Sum::default() });
    // A rule that goes opens the folder.
    tree.write(".gitignore", "*.log\n");
    let opened = sum(&watch.until_files(3));
    assert_eq!((opened.added, opened.updated), (2, 1), "{opened:?}");
    tree.write("build/out/z.rs", "fn z() {}\n");
    assert_eq!(sum(&watch.until_files(1)).added, 1);
    watch.stop();
}

/// Two branches that differ in `FILES` of many files.
fn two_branches() -> Tree {
    let tree = project();
    for number in 0..300 {
        tree.write(&format!("many/{}/{number}.md", number % 10), format!("note {number}\n"));
    }
    tree.write(".gitignore", ".guided/\n");
    tree.git_init();
    tree.git_commit("first");
    tree.git(&["switch", "--quiet", "--create", "feature/x"]);
    for number in 0..CHANGED {
        tree.write(&format!("many/{}/{number}.md", number % 10), format!("remark {number}\n"));
    }
    tree.write("src/x.rs", "fn quokka() {}\n");
    tree.git_commit("second");
    tree.git(&["switch", "--quiet", "main"]);
    gik(&tree).run(&["index"]).success();
    tree
}

const CHANGED: u64 = 100;

#[test]
fn a_checkout_costs_the_difference() {
    let tree = two_branches();
    let watch = Watch::start(&tree, &[]);
    let switched_to = |branch: &str| {
        tree.git(&["switch", "--quiet", branch]);
        let updates = watch.until(|update| update["event"] == "switched");
        assert_eq!(updates[updates.len() - 1]["branch"], branch);
        updates
    };
    let there = switched_to("feature/x");
    assert_eq!(sum(&there), Sum { added: 1, updated: CHANGED, ..Sum::default() });
    assert_eq!(there.len(), 1, "the old branch does not get the files of the new one: {there:?}");
    assert_eq!(left_to_do(&tree, "quokka"), 0);
    assert_eq!(asked(&tree, "quokka"), ["src/x.rs"]);
    // Both branches are known now: their files only got new times.
    assert_eq!(sum(&switched_to("main")), Sum::default());
    assert_eq!(asked(&tree, "quokka"), Vec::<String>::new());
    assert_eq!(sum(&switched_to("feature/x")), Sum::default());
    assert_eq!(asked(&tree, "quokka"), ["src/x.rs"]);
    let run = watch.stop();
    assert!(run.stderr.contains("starts from the knowledge of `main`"), "{}", run.stderr);
}

#[test]
fn a_worktree_is_watched_through_its_git_file() {
    let tree = two_branches();
    tree.git(&["worktree", "add", "--quiet", "-b", "fix/y", "../worktree"]);
    let watch = Watch::of(gik(&tree).within("../worktree").spawn(&["watch", "--json"]));
    assert_eq!(watch.first["branch"], "fix/y");
    tree.git(&["-C", "../worktree", "switch", "--quiet", "feature/x"]);
    watch.until(|update| update["event"] == "switched" && update["branch"] == "feature/x");
    watch.stop();
}

#[test]
fn polling_sees_the_same() {
    let tree = indexed();
    let watch = Watch::start(&tree, &["--poll", "0.1"]);
    assert_eq!(watch.first["folders"], Value::Null);
    tree.write("new/a.rs", "fn wombat() {}\n");
    assert_eq!(sum(&watch.until_files(1)).added, 1);
    tree.remove("new");
    assert_eq!(sum(&watch.until_files(1)).removed, 1);
    watch.stop();
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_the_system_is_told_and_the_files_are_looked_at_instead() {
    let tree = indexed();
    tree.write("a/b/c/d/e.md", "deep\n");
    let unshare = gik_testkit::Gik::new("unshare", &tree);
    let few = "echo 3 > /proc/sys/user/max_inotify_watches";
    if unshare.run(&["--map-root-user", "sh", "-c", few]).code != Some(0) {
        println!("the system does not let a test have limits of its own: nothing was tested");
        return;
    }
    let script = format!("{few} && exec \"$0\" watch --json");
    let words = ["--map-root-user", "sh", "-c", &script, env!("CARGO_BIN_EXE_gik")];
    let watch = Watch::of(unshare.spawn(&words));
    assert_eq!(watch.first["folders"], Value::Null);
    tree.write("a/b/c/d/e.md", "deeper\n");
    assert_eq!(sum(&watch.until_files(1)).updated, 1);
    let run = watch.stop();
    assert!(run.stderr.contains("looking every 2 s instead"), "{}", run.stderr);
    assert!(run.stderr.contains("max_user_watches"), "{}", run.stderr);
}

#[test]
fn a_workspace_without_an_index_gets_one() {
    let tree = project();
    let watch = Watch::start(&tree, &[]);
    assert_eq!(left_to_do(&tree, "farewell"), 0);
    tree.write("src/extra.rs", "fn quokka() {}\n");
    assert_eq!(sum(&watch.until_files(1)).added, 1);
    let run = watch.stop();
    assert!(run.stderr.contains("no index yet"), "{}", run.stderr);
}

#[test]
fn a_source_that_is_added_meanwhile_is_followed() {
    let tree = project();
    gik(&tree).run(&["init"]).success();
    gik(&tree).run(&["add", "src"]).success();
    gik(&tree).run(&["commit"]).success();
    tree.write("docs/guide.md", "# Guide\n");
    let watch = Watch::start(&tree, &[]);
    gik(&tree).run(&["add", "docs"]).success();
    gik(&tree).run(&["commit"]).success();
    eventually("`docs` is watched", || is_watched(&watch, &tree, "docs"));
    tree.write("docs/guide.md", "# Guide\n\nMind the quokka.\n");
    assert_eq!(sum(&watch.until_files(1)).updated, 1);
    watch.stop();
}

#[test]
fn a_change_of_the_config_counts_and_a_mistake_in_it_is_survived() {
    let tree = indexed();
    tree.write("large.md", "word ".repeat(600));
    let watch = Watch::start(&tree, &[]);
    assert_eq!(watch.first["added"], 1, "{}", watch.first);
    gik(&tree).run(&["config", "set", "indexing.max_file_bytes", "2048"]).success();
    assert_eq!(sum(&watch.until_files(1)), Sum { removed: 1, ..Sum::default() });
    let config = ".guided/knowledge/config.yaml";
    let right = tree.read(config);
    tree.write(config, "indexing:\n  max_file_bytes: many\n");
    assert_eq!(watch.next()["event"], "delayed");
    tree.write("src/extra.rs", "fn quokka() {}\n");
    tree.write(config, right.replace("2048", "1000000"));
    let back = sum(&watch.until_files(2));
    assert_eq!(back, Sum { added: 2, ..Sum::default() });
    let run = watch.stop();
    assert!(run.stderr.contains("max_file_bytes"), "{}", run.stderr);
}

/// Whether the system watches a folder for the process.
#[cfg(target_os = "linux")]
fn is_watched(watch: &Watch<'_>, tree: &Tree, folder: &str) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let inode = fs::metadata(tree.path(folder)).unwrap().ino();
    let entry = format!(" ino:{inode:x} ");
    let folder = format!("/proc/{}/fdinfo", watch.running.id());
    let texts = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()));
    texts.flatten().any(|text| text.contains(&entry))
}

/// Elsewhere the whole tree is watched.
#[cfg(not(target_os = "linux"))]
fn is_watched(_watch: &Watch<'_>, _tree: &Tree, _folder: &str) -> bool {
    true
}

#[test]
fn other_writers_do_no_harm_and_a_lock_only_delays() {
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    for turn in 0..5 {
        tree.write("src/text.rs", format!("fn quokka{turn}() {{}}\n"));
        let run = gik(&tree).run(&["commit", "--json"]);
        assert!(matches!(run.code, Some(0 | 1)), "{}", run.snapshot());
    }
    // What `commit` indexed first is not told of; this is.
    tree.write("src/marker.rs", "fn marker() {}\n");
    watch.until(|update| update["added"] == 1);
    let lock = fs::File::open(tree.path(".guided/knowledge/.lock")).unwrap();
    lock.lock().unwrap();
    tree.write("src/marker.rs", "fn marked() {}\n");
    let delayed = watch.until(|update| update["event"] == "delayed");
    assert_eq!(delayed[delayed.len() - 1]["freshness"], "stale");
    lock.unlock().unwrap();
    watch.until(|update| update["updated"] == 1 && update["freshness"] == "current");
    let run = watch.stop();
    assert!(run.stderr.contains("could not be brought up to date"), "{}", run.stderr);
}

#[test]
fn ctrl_c_is_how_a_watch_ends_even_while_it_indexes() {
    let tree = project();
    for number in 0..500 {
        tree.write(&format!("many/{number}.rs"), "fn a() { b(); }\n".repeat(200));
    }
    let running = gik(&tree).spawn(&["watch"]);
    eventually("indexing starts", || tree.exists(".guided/knowledge/main/index.sqlite"));
    running.interrupt();
    running.wait().success();
}

#[test]
fn a_watch_ends_with_its_knowledge_its_reader_or_a_wrong_branch() {
    let tree = indexed();
    let watch = Watch::start(&tree, &[]);
    tree.remove(".guided");
    tree.write("src/text.rs", "fn quokka() {}\n");
    let Watch { running, lines, .. } = watch;
    let last = parse(&lines.next_line().unwrap());
    assert_eq!(last["error"]["code"], "workspace-not-initialized", "{last}");
    running.wait().exit(1);
    assert!(!tree.exists(".guided/knowledge/main"), "it does not come back");

    gik(&tree).run(&["index"]).success();
    let Watch { mut running, lines, .. } = Watch::start(&tree, &[]);
    drop(lines);
    let mut turn = 0;
    eventually("it ends when nobody reads", || {
        turn += 1;
        tree.write("src/text.rs", format!("fn quokka{turn}() {{}}\n"));
        running.has_ended()
    });
    running.wait().success();

    let run = gik(&tree).run(&["watch", "--branch", "other"]).exit(2);
    assert!(run.stderr.contains("not of `other`"), "{}", run.stderr);
    gik(&tree).run(&["watch", "--poll", "0"]).exit(2);
}
