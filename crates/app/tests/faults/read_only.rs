//! A tree that cannot be written to: questions are answered, changes are refused and leave no trace.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use gik_testkit::Tree;

use super::mounts::{Mounted, Outcome, with_private_mounts};
use super::project::{
    edit, error_code, evidence, gik, leave_a_full_log, remember, say, verify, write_project,
};

const QUESTION: &str = "weighed";

/// Everything below `.guided` with its bytes.
fn contents(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    tree.list_below(".guided")
        .into_iter()
        .map(|path| (path.clone(), tree.read_bytes(&path)))
        .collect()
}

fn prepare(tree: &Tree) {
    write_project(tree);
    gik(tree).run(&["index"]).success();
    remember(tree, "Depots close at six.");
}

/// What must hold while nothing can be written.
fn answers_and_refuses(tree: &Tree, is_behind: bool) {
    let before = contents(tree);
    let answer = gik(tree).run(&["ask", QUESTION, "--json"]).success();
    evidence(&answer);
    let state = if is_behind { "stale" } else { "current" };
    assert_eq!(answer.json()["freshness"]["state"], state, "{}", answer.stderr);
    assert_eq!(
        answer.stderr.contains("could not be brought up to date"),
        is_behind,
        "{}",
        answer.stderr
    );
    let text = gik(tree).run(&["ask", QUESTION]).success().stdout;
    assert_eq!(text.contains("the index may be behind the files"), is_behind, "{text}");
    let pack = gik(tree).run(&["pack", QUESTION, "--json"]).success().json();
    assert_ne!(pack["seeds"].as_array().map(Vec::len), Some(0), "{pack}");
    for line in [
        &["ask", "parcels"][..],
        &["search", "parcel"],
        &["status"],
        &["log"],
        &["memory", "list"],
        &["verify"],
        &["stats"],
        &["bases"],
        &["stack"],
        &["ls-files"],
    ] {
        gik(tree).run(line).success();
    }
    for line in [
        &["commit", "-m", "no", "--json"][..],
        &["add", "docs", "--json"],
        &["rm", "docs", "--json"],
        &["index", "--json"],
        &["pack", QUESTION, "--write", "--json"],
        &["memory", "add", "Never written.", "--json"],
    ] {
        let run = gik(tree).run(line).exit(1);
        assert_eq!(error_code(&run), "workspace-read-only", "{run:?}");
    }
    assert_eq!(contents(tree), before, "something was written");
}

#[test]
fn a_read_only_mount_answers_and_refuses() {
    let name = "faults::read_only::a_read_only_mount_answers_and_refuses";
    let outcome = with_private_mounts(name, || {
        let tree = Tree::empty();
        let mounted = Mounted::on(&tree, 16 << 20);
        prepare(&tree);
        mounted.make_read_only();
        answers_and_refuses(&tree, false);
        // The same with files that changed since they were indexed, and with an index that was just folded.
        mounted.make_writable();
        edit(&tree, 3);
        mounted.make_read_only();
        answers_and_refuses(&tree, true);
        mounted.make_writable();
        gik(&tree).run(&["commit", "-m", "feat: writable again"]).success();
        verify(&tree);
        drop(mounted);
    });
    if let Outcome::Impossible(reason) = outcome {
        say(&format!("NOT RUN: {name} needs a mount, and none can be made here: {reason}"));
    }
}

#[test]
fn a_read_only_mount_with_the_index_of_a_killed_writer_answers() {
    let name = "faults::read_only::a_read_only_mount_with_the_index_of_a_killed_writer_answers";
    let outcome = with_private_mounts(name, || {
        let tree = Tree::empty();
        let mounted = Mounted::on(&tree, 16 << 20);
        prepare(&tree);
        leave_a_full_log(&tree);
        mounted.make_read_only();
        let before = contents(&tree);
        evidence(&gik(&tree).run(&["ask", QUESTION, "--json"]).success());
        for line in
            [&["search", QUESTION][..], &["status"], &["log"], &["memory", "list"], &["stats"]]
        {
            gik(&tree).run(line).success();
        }
        assert_eq!(contents(&tree), before, "something was written");
        mounted.make_writable();
        verify(&tree);
        drop(mounted);
    });
    if let Outcome::Impossible(reason) = outcome {
        say(&format!("NOT RUN: {name} needs a mount, and none can be made here: {reason}"));
    }
}

#[test]
fn a_tree_without_write_permission_answers_and_refuses() {
    let tree = Tree::empty();
    prepare(&tree);
    let restore = take_write_permission(tree.path(".guided").as_path());
    if fs::write(tree.path(".guided/probe"), "").is_ok() {
        set_modes(&restore);
        say(
            "NOT RUN: faults::read_only::a_tree_without_write_permission_answers_and_refuses needs a user whom \
             permissions stop, and this one is root",
        );
        return;
    }
    answers_and_refuses(&tree, false);
    edit(&tree, 3);
    answers_and_refuses(&tree, true);
    set_modes(&restore);
    gik(&tree).run(&["commit", "-m", "feat: writable again"]).success();
    verify(&tree);
}

/// Takes write permission from a folder and all below; returns the modes before.
fn take_write_permission(path: &Path) -> Vec<(std::path::PathBuf, u32)> {
    let metadata = fs::symlink_metadata(path).expect("the path is there");
    let mode = metadata.permissions().mode();
    let mut modes = vec![(path.to_owned(), mode)];
    if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("the folder can be read") {
            modes.extend(take_write_permission(&entry.expect("the entry can be read").path()));
        }
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & !0o222)).expect("the owner may");
    modes
}

fn set_modes(modes: &[(std::path::PathBuf, u32)]) {
    for (path, mode) in modes {
        fs::set_permissions(path, fs::Permissions::from_mode(*mode)).expect("the owner may");
    }
}
