//! Knowledge follows the branch that is checked out, however it is checked out.

use gik_testkit::Tree;

use super::{asked, gik, project};

fn branch_of(tree: &Tree, folder: &str) -> String {
    let status = gik(tree).within(folder).run(&["status", "--json"]).success().json();
    status["branch"].as_str().unwrap().to_owned()
}

fn git_project() -> Tree {
    let tree = project();
    tree.git_init();
    tree.git_commit("first");
    gik(&tree).run(&["index"]).success();
    tree
}

#[test]
fn a_new_branch_starts_from_the_one_it_was_made_from() {
    let tree = git_project();
    tree.git(&["switch", "--quiet", "--create", "feature/x"]);
    tree.write("src/x.rs", "fn quokka() {}\n");
    let run = gik(&tree).run(&["ask", "quokka"]).success();
    assert!(
        run.stderr.contains("branch `feature/x` starts from the knowledge of `main`"),
        "{}",
        run.stderr
    );
    assert!(tree.exists(".guided/knowledge/feature%2Fx/HEAD"));
    let commit = gik(&tree).run(&["commit", "--json"]).success().json();
    // Only what differs is work: the one new file was parsed by the question.
    assert_eq!(commit["parsed"], 0, "{commit}");
    gik(&tree).run(&["verify"]).success();
    assert_eq!(branch_of(&tree, "."), "feature/x");
}

#[test]
fn answers_follow_a_switch_of_branches() {
    let tree = git_project();
    tree.git(&["switch", "--quiet", "--create", "feature/x"]);
    tree.write("src/x.rs", "fn quokka() {}\n");
    tree.git(&["add", "src"]);
    tree.git(&["commit", "--quiet", "--message", "x"]);
    assert_eq!(asked(&tree, "quokka"), ["src/x.rs"]);
    tree.git(&["switch", "--quiet", "main"]);
    assert_eq!(asked(&tree, "quokka"), Vec::<String>::new());
    tree.git(&["switch", "--quiet", "feature/x"]);
    assert_eq!(asked(&tree, "quokka"), ["src/x.rs"]);
    let head = tree.git(&["rev-parse", "HEAD"]);
    let commit = gik(&tree).run(&["commit"]).success();
    let shown = gik(&tree).run(&["show", "--json"]).json();
    assert_eq!(shown["gitCommit"].as_str(), Some(head.as_str()), "{}", commit.stdout);
}

#[test]
fn a_detached_head_has_knowledge_of_its_own() {
    let tree = git_project();
    tree.git(&["switch", "--quiet", "--detach"]);
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
    assert_eq!(branch_of(&tree, "."), "HEAD");
    assert!(tree.exists(".guided/knowledge/HEAD/HEAD"));
}

#[test]
fn a_worktree_is_a_workspace_of_its_own() {
    let tree = git_project();
    tree.git(&["worktree", "add", "--quiet", "-b", "fix/y", "../worktree"]);
    let run = gik(&tree).within("../worktree").run(&["ask", "farewell", "--json"]).success();
    assert_eq!(run.json()["ragChunks"][0]["path"], "src/text.rs");
    assert!(tree.outside().join("worktree/.guided/knowledge/fix%2Fy/HEAD").exists());
    assert_eq!(branch_of(&tree, "../worktree/src"), "fix/y");
    assert_eq!(branch_of(&tree, "."), "main");
}

#[test]
fn a_submodule_is_a_workspace_of_its_own_and_part_of_the_outer_one() {
    let tree = git_project();
    let inner = tree.outside().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("inner.rs"), "fn wombat() {}\n").unwrap();
    let inner = inner.to_str().unwrap();
    tree.git(&["-C", inner, "init", "--quiet", "--initial-branch", "trunk"]);
    tree.git(&["-C", inner, "add", "--all"]);
    tree.git(&["-C", inner, "commit", "--quiet", "--message", "inner"]);
    let allow = "protocol.file.allow=always";
    tree.git(&["-c", allow, "submodule", "--quiet", "add", inner, "vendored/inner"]);
    assert_eq!(asked(&tree, "wombat"), ["vendored/inner/inner.rs"]);
    // The knowledge of the outer workspace covers the folder, so it answers there too.
    let run = gik(&tree).within("vendored/inner").run(&["status", "--json"]).success().json();
    assert_eq!(run["branch"], "main");
}

#[test]
fn a_clone_of_a_submodule_alone_is_found_by_its_git_file() {
    let tree = Tree::new("//- outer.md\n# Outer\n");
    tree.git_init();
    tree.git_commit("outer");
    let inner = tree.outside().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("inner.rs"), "fn wombat() {}\n").unwrap();
    let inner = inner.to_str().unwrap();
    tree.git(&["-C", inner, "init", "--quiet", "--initial-branch", "trunk"]);
    tree.git(&["-C", inner, "add", "--all"]);
    tree.git(&["-C", inner, "commit", "--quiet", "--message", "inner"]);
    tree.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub"]);
    gik(&tree).within("sub").run(&["ask", "wombat"]).success();
    assert!(tree.exists("sub/.guided/knowledge/trunk/HEAD"));
    assert!(!tree.exists(".guided"));
}

#[test]
fn a_folder_without_version_control_is_on_main() {
    let tree = project();
    gik(&tree).run(&["index"]).success();
    assert_eq!(branch_of(&tree, "src"), "main");
    assert_eq!(gik(&tree).run(&["show", "--json"]).json()["gitCommit"], serde_json::Value::Null);
}

#[test]
fn a_jj_working_copy_is_on_its_workspace() {
    let tree = project();
    tree.write(".jj/working_copy/checkout", b"\x12\x02\xab\x0c\x1a\x05write");
    gik(&tree).run(&["index"]).success();
    assert_eq!(branch_of(&tree, "."), "write");
    assert_eq!(gik(&tree).run(&["show", "--json"]).json()["gitCommit"], "ab0c");
    assert_eq!(asked(&tree, "farewell"), ["src/text.rs"]);
}

#[test]
fn the_branch_can_be_named_by_flag_and_by_variable() {
    let tree = git_project();
    gik(&tree).run(&["branch", "other"]).success();
    for run in [
        gik(&tree).run(&["status", "--json", "--branch", "other"]),
        gik(&tree).env("GIK_BRANCH", "other").run(&["status", "--json"]),
    ] {
        assert_eq!(run.success().json()["branch"], "other");
    }
}

#[test]
fn a_branch_with_an_odd_name_works() {
    let tree = git_project();
    for name in ["ünï/cödé", "asks", "con.x", "a%2Fb"] {
        tree.git(&["switch", "--quiet", "--create", name]);
        assert_eq!(asked(&tree, "farewell"), ["src/text.rs"], "{name}");
        assert_eq!(branch_of(&tree, "."), name);
    }
    let run = gik(&tree).run(&["branch", "--jsonl"]).success();
    assert_eq!(run.jsonl().len(), 5);
}

#[test]
fn the_files_of_one_branch_never_go_into_another() {
    let tree = git_project();
    gik(&tree).run(&["index"]).success();
    tree.git(&["switch", "--quiet", "--create", "other"]);
    tree.write("other.md", "# Only here\n");
    for command in ["index", "commit", "reindex"] {
        let run = gik(&tree).run(&[command, "--branch", "main"]).exit(2);
        assert!(run.stderr.contains("not of `main`"), "{command}: {}", run.stderr);
    }
    let files = gik(&tree).run(&["ls-files", "--branch", "main"]).success();
    assert!(!files.stdout.contains("other.md"), "{}", files.stdout);
}
