//! Repositories made by git itself, and working copies of jj made by hand.

use std::process::Command;

use super::*;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    (dir, root)
}

#[track_caller]
fn git(at: &Path, arguments: &str) -> String {
    let output = Command::new("git")
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
        .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
        .args(arguments.split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn repository() -> (tempfile::TempDir, PathBuf) {
    let (dir, root) = folder();
    git(&root, "init -q");
    git(&root, "commit -q --allow-empty -m one");
    (dir, root)
}

fn head(at: &Path) -> String {
    git(at, "rev-parse HEAD")
}

#[test]
fn a_folder_without_version_control_is_on_main() {
    let (_dir, root) = folder();
    let scm = detect_scm(&root).unwrap();
    // A temporary folder inside somebody's repository would be another story.
    if scm.root.is_none() {
        assert_eq!((scm.provider, scm.branch.as_str()), (Provider::None, "main"));
        assert_eq!((scm.head, scm.detached), (None, false));
    }
}

#[test]
fn a_branch_is_known_before_its_first_commit_and_from_any_folder() {
    let (_dir, root) = folder();
    git(&root, "init -q");
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.branch.as_str(), scm.head, scm.detached), ("main", None, false));
    git(&root, "commit -q --allow-empty -m one");
    let deep = root.join("a/b");
    std::fs::create_dir_all(&deep).unwrap();
    let scm = detect_scm(&deep).unwrap();
    assert_eq!(scm.provider, Provider::Git);
    assert_eq!(scm.root.as_deref(), Some(root.as_path()));
    assert_eq!(scm.head.unwrap(), head(&root));
}

#[test]
fn a_branch_with_slashes_knows_where_it_came_from() {
    let (_dir, root) = repository();
    git(&root, "switch -q -c feature/deep/x");
    let scm = detect_scm(&root).unwrap();
    assert_eq!(scm.branch, "feature/deep/x");
    assert_eq!(scm.created_from.as_deref(), Some("main"));
    assert_eq!(scm.head.unwrap(), head(&root));
    git(&root, "branch other feature/deep/x");
    git(&root, "switch -q other");
    assert_eq!(detect_scm(&root).unwrap().created_from.as_deref(), Some("feature/deep/x"));
    git(&root, "switch -q main");
    assert_eq!(detect_scm(&root).unwrap().created_from, None);
}

#[test]
fn packed_refs_are_read() {
    let (_dir, root) = repository();
    git(&root, "switch -q -c a/b");
    git(&root, "pack-refs --all");
    assert!(!root.join(".git/refs/heads/a/b").exists());
    assert_eq!(detect_scm(&root).unwrap().head.unwrap(), head(&root));
    // A loose branch hides the packed one of the same name.
    git(&root, "commit -q --allow-empty -m two");
    assert_eq!(detect_scm(&root).unwrap().head.unwrap(), head(&root));
}

#[test]
fn a_detached_head_is_its_commit() {
    let (_dir, root) = repository();
    git(&root, "checkout -q --detach");
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.branch.as_str(), scm.detached), ("HEAD", true));
    assert_eq!(scm.head.unwrap(), head(&root));
}

#[test]
fn a_linked_worktree_has_its_own_branch_and_shared_refs() {
    let (_dir, root) = repository();
    let (_other, outside) = folder();
    let tree = outside.join("tree");
    git(&root, &format!("worktree add -q -b wt/one {} main", tree.display()));
    let scm = detect_scm(&tree).unwrap();
    assert_eq!(scm.branch, "wt/one");
    assert_eq!(scm.root.as_deref(), Some(tree.as_path()));
    assert_eq!(scm.head.unwrap(), head(&tree));
    assert_eq!(scm.created_from.as_deref(), Some("main"));
    assert_eq!(detect_scm(&root).unwrap().branch, "main");
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let (_library, library) = repository();
    let (_dir, root) = repository();
    git(&root, &format!("submodule --quiet add -b main {} sub/lib", library.display()));
    let sub = root.join("sub/lib");
    assert!(sub.join(".git").is_file());
    let scm = detect_scm(&sub).unwrap();
    assert_eq!(scm.root.as_deref(), Some(sub.as_path()));
    assert_eq!((scm.branch.as_str(), scm.head.unwrap()), ("main", head(&library)));
}

#[test]
fn refs_in_a_reftable_are_read() {
    let (_dir, root) = folder();
    let made = Command::new("git")
        .args(["init", "-q", "-b", "main", "--ref-format=reftable"])
        .arg(&root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    if !made.status.success() {
        // This git is older than the format.
        return;
    }
    assert_eq!(detect_scm(&root).unwrap().branch, "main");
    git(&root, "commit -q --allow-empty -m one");
    // One table of several blocks, and tables of one ref on top of it.
    let refs: Vec<_> = (0..300).map(|n| format!("HEAD:refs/heads/many/branch-{n}")).collect();
    git(&root, &format!("push -q . {}", refs.join(" ")));
    git(&root, "pack-refs --all");
    git(&root, "switch -q -c zone/last");
    git(&root, "commit -q --allow-empty -m two");
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.branch.as_str(), scm.detached), ("zone/last", false));
    assert_eq!(scm.head.unwrap(), head(&root));
    git(&root, "checkout -q --detach main");
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.branch.as_str(), scm.detached), ("HEAD", true));
    assert_eq!(scm.head.unwrap(), head(&root));
}

#[test]
fn jj_wins_over_git_in_the_same_folder() {
    let (_dir, root) = repository();
    let state = root.join(".jj/working_copy");
    std::fs::create_dir_all(&state).unwrap();
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.provider, scm.branch.as_str(), scm.head), (Provider::Jj, "default", None));
    std::fs::write(state.join("checkout"), b"\x12\x03\xde\xad\x01\x1a\x05write").unwrap();
    let scm = detect_scm(&root).unwrap();
    assert_eq!((scm.branch.as_str(), scm.head.as_deref()), ("write", Some("dead01")));
}
