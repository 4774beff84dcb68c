//! The order of precedence, one pair of ignore files at a time.

use super::*;

const STRONGEST_FIRST: [&str; 5] =
    [".gikignore", ".ignore", ".gitignore", ".git/info/exclude", "global"];

fn verdict(root: &Path, name: &str, is_dir: bool) -> String {
    let global = root.join("global");
    let (rules, layer) = Rules::load_with_global(root, Some(&global)).unwrap();
    let path = root.join(name);
    let standing = Standing::Open;
    match rules.judge(&layer, &standing, &path, path.file_name().unwrap(), is_dir) {
        Judgement::Take(None) => "take".to_owned(),
        Judgement::Take(Some(line)) | Judgement::Force(line) => {
            format!("take: {}", line.rule())
        },
        Judgement::Reach(cause) => format!("reach: {}", cause.reason()),
        Judgement::Skip(cause) => cause.reason().to_string(),
    }
}

fn repository() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join(".git/info")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    (dir, root)
}

#[test]
fn the_stronger_kind_of_ignore_file_wins_whatever_it_says() {
    for (strong, strong_file) in STRONGEST_FIRST.iter().enumerate() {
        for weak_file in &STRONGEST_FIRST[strong + 1..] {
            let (_dir, root) = repository();
            std::fs::write(root.join(strong_file), "x\n").unwrap();
            std::fs::write(root.join(weak_file), "!x\n").unwrap();
            assert_eq!(
                verdict(&root, "x", false),
                format!("ignored by `x` in {strong_file}, line 1"),
                "{weak_file}"
            );
            std::fs::write(root.join(strong_file), "!x\n").unwrap();
            std::fs::write(root.join(weak_file), "x\n").unwrap();
            let expected = format!("take: `!x` ({strong_file}:1)");
            assert_eq!(verdict(&root, "x", false), expected, "{weak_file}");
        }
    }
}

#[test]
fn only_gikignore_overrides_the_builtin_table() {
    let (_dir, root) = repository();
    std::fs::write(root.join(".gitignore"), "!Cargo.lock\n!node_modules/\n").unwrap();
    std::fs::write(root.join(".ignore"), "!Cargo.lock\n").unwrap();
    let builtin = "left out by the built-in rule `Cargo.lock`";
    assert_eq!(verdict(&root, "Cargo.lock", false), builtin);
    std::fs::write(root.join(".gikignore"), "!Cargo.lock\n!node_modules/own\n!.git\n").unwrap();
    assert_eq!(verdict(&root, "Cargo.lock", false), "take: `!Cargo.lock` (.gikignore:1)");
    let reached = "reach: left out by the built-in rule `node_modules/`";
    assert_eq!(verdict(&root, "node_modules", true), reached);
    assert_eq!(verdict(&root, ".git", true), "left out by the built-in rule `.git/`");
}

#[test]
fn a_workspace_inside_a_repository_obeys_the_files_above_it() {
    let (_dir, root) = repository();
    let inner = root.join("a/b");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(root.join(".gitignore"), "*.log\n/a/b/top\n").unwrap();
    std::fs::write(root.join(".gikignore"), "*.rs\n").unwrap();
    std::fs::write(root.join("a/.gitignore"), "!keep.log\n").unwrap();
    assert!(verdict(&inner, "x.log", false).starts_with("ignored by `*.log`"));
    assert!(verdict(&inner, "top", false).starts_with("ignored by `/a/b/top`"));
    assert!(verdict(&inner, "keep.log", false).starts_with("take: `!keep.log`"));
    assert_eq!(verdict(&inner, "x.rs", false), "take");
}

#[test]
fn a_linked_worktree_obeys_the_excludes_of_its_repository() {
    let (_dir, root) = repository();
    let tree = root.join("tree");
    let own = root.join(".git/worktrees/tree");
    std::fs::create_dir_all(&tree).unwrap();
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("HEAD"), "ref: refs/heads/other\n").unwrap();
    std::fs::write(own.join("commondir"), "../..\n").unwrap();
    std::fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    std::fs::write(root.join(".git/info/exclude"), "*.tmp\n").unwrap();
    assert!(verdict(&tree, "x.tmp", false).starts_with("ignored by `*.tmp`"));
}
