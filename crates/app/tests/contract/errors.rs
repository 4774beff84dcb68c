//! Failures as data: code, name of the contract, sentence, hints; and the exit status that belongs to the code.

use gik_testkit::Run;

use super::{Kind, check};
use crate::cli::{gik, indexed, project};

#[track_caller]
fn assert_failure(run: &Run, code: &str, name: &str, exit: i32) {
    assert_eq!(run.code, Some(exit), "{}", run.snapshot());
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    let document = run.json();
    check(&document, &[("error", Kind::Object)], &[]);
    check(
        &document["error"],
        &[
            ("code", Kind::Text),
            ("name", Kind::Text),
            ("message", Kind::Text),
            ("hints", Kind::Texts),
        ],
        &[("column", Kind::Count), ("stableCode", Kind::Text), ("aliases", Kind::Texts)],
    );
    assert_eq!(
        (&document["error"]["code"], &document["error"]["name"]),
        (&code.into(), &name.into())
    );
    let message = document["error"]["message"].as_str().unwrap();
    assert!(!message.ends_with('.') && !message.contains('\n'), "{message}");
}

#[test]
fn a_workspace_without_knowledge() {
    let tree = project();
    for arguments in [
        &["ask", "x", "--no-init", "--json"][..],
        &["search", "x", "--no-init", "--json"],
        &["status", "--json"],
        &["commit", "--json"],
        &["add", "src", "--json"],
        &["log", "--json"],
        &["show", "--json"],
        &["bases", "--json"],
        &["stats", "--json"],
        &["ls-files", "--json"],
        &["reindex", "--json"],
        &["verify", "--json"],
    ] {
        let run = gik(&tree).run(arguments);
        assert_failure(&run, "workspace-not-initialized", "NotInitialized", 1);
    }
    assert!(!tree.exists(".guided"), "a command that fails leaves nothing behind");
}

#[test]
fn every_failure_has_its_own_code() {
    let tree = indexed();
    let gik = gik(&tree);
    let table: &[(&[&str], &str, &str, i32)] = &[
        (&["commit"], "commit-nothing-pending", "NothingToCommit", 1),
        (&["show", "ffffffff"], "revision-not-found", "RevisionMissing", 1),
        (&["add", "nowhere"], "path-not-found", "PathMissing", 1),
        (&["add", "../home"], "path-outside-workspace", "PathOutside", 2),
        (&["add", "file:///etc/passwd"], "source-invalid", "SourceInvalid", 2),
        (&["rm", "nowhere"], "source-not-tracked", "SourceNotTracked", 1),
        (&["ask", "x", "--base", "kode"], "base-unknown", "BaseUnknown", 2),
        (&["ask", "\"open"], "query-invalid", "QueryInvalid", 2),
        (&["branch", "--delete", "x"], "branch-not-found", "BranchMissing", 1),
        (&["branch", "--delete", "main"], "branch-in-use", "BranchInUse", 1),
        (&["status", "--branch", "x"], "branch-not-found", "BranchMissing", 1),
        (&["config", "set", "a.b", "1"], "argument-invalid", "ArgumentInvalid", 2),
        (&["memory", "show", "mem-000000000000"], "memory-not-found", "MemoryMissing", 1),
        (&["--workspace", "/", "status"], "workspace-root-refused", "WorkspaceRefused", 2),
        (&["--workspace", "nowhere", "status"], "workspace-not-found", "WorkspaceMissing", 2),
    ];
    for (arguments, code, name, exit) in table {
        let run = gik.run(&[arguments, &["--json"][..]].concat());
        assert_failure(&run, code, name, *exit);
        assert_eq!(run.stderr, "", "{arguments:?}");
        let text = gik.run(arguments);
        assert_eq!(
            text.stdout, "",
            "{arguments:?}: data goes to standard output, the rest does not"
        );
        assert!(text.stderr.starts_with("error: "), "{arguments:?}: {}", text.stderr);
    }
}
