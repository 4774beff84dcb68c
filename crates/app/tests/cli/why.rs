//! `gik why`: from lines to the commits behind them.

use gik_testkit::Tree;

use super::{assert_transcript, gik};

/// A file that was born, moved and changed, each time for a reason.
fn shop() -> Tree {
    let tree = Tree::new(
        "//- till.py\ndef total(items):\n    return sum(items)\n\n\ndef empty():\n    return []\n",
    );
    tree.git_init();
    tree.git_commit("Add the till\n\nPeople want to pay.");
    tree.remove("till.py");
    tree.write(
        "shop/till.py",
        "def total(items):\n    return round(sum(items), 2)\n\n\ndef empty():\n    return []\n",
    );
    tree.git_commit("Round the total\n\nSums of floating-point numbers showed up on bills.");
    tree
}

#[test]
fn lines() {
    let tree = shop();
    let gik = gik(&tree);
    let mut runs = vec![
        gik.run(&["why", "shop/till.py:2"]).success(),
        gik.run(&["why", "shop/till.py", "--limit", "1"]).success(),
        gik.run(&["why", "shop/till.py:1-2", "--json"]).success(),
        gik.run(&["why", "shop/till.py:99"]).exit(2),
        gik.run(&["why", "shop/till.py:two"]).exit(2),
        gik.run(&["why", "shop/none.py:1"]).exit(1),
    ];
    tree.write(
        "shop/till.py",
        "def total(items):\n    return 0\n\n\ndef empty():\n    return []\n",
    );
    tree.write("new.py", "x = 1\n");
    runs.push(gik.run(&["why", "shop/till.py:1-2"]).success());
    runs.push(gik.run(&["why", "new.py:1"]).success());
    assert_transcript("why", &runs);
}

#[test]
fn without_git_it_says_that_there_is_no_history() {
    let tree = Tree::new("//- a.py\nx = 1\n");
    let run = gik(&tree).run(&["why", "a.py:1"]).exit(1);
    assert!(run.stderr.contains("has no git history"), "{}", run.snapshot());
    tree.git_init();
    let run = gik(&tree).run(&["why", "a.py:1", "--json"]).exit(1);
    assert_eq!(run.json()["error"]["code"], "history-not-found");
}

#[test]
fn a_folder_of_a_repository_is_a_workspace_of_its_own() {
    let tree = shop();
    tree.create_dir("shop/.guided");
    let told =
        gik(&tree).run(&["--workspace", "shop", "why", "shop/till.py:2", "--json"]).success();
    let told = told.json();
    assert_eq!(told["path"], "till.py");
    assert_eq!(told["commits"][0]["subject"], "Round the total");
    assert_eq!(told["commits"][1].get("pathThen"), None, "{told}");
}

/// Programs that a repository names in its config are not run.
#[test]
#[cfg(unix)]
fn no_program_of_a_repository_is_run() {
    let tree = shop();
    let trap = tree.outside().join("trap");
    let program = format!("touch {}", trap.display());
    for key in
        ["core.fsmonitor", "diff.external", "core.pager", "diff.python.textconv", "core.sshCommand"]
    {
        tree.git(&["config", key, &program]);
    }
    tree.write(".gitattributes", "*.py diff=python filter=python\n");
    tree.git(&["config", "filter.python.smudge", &program]);
    gik(&tree).run(&["why", "shop/till.py:1-3"]).success();
    gik(&tree).run(&["index"]).success();
    gik(&tree).run(&["ask", "why is the total rounded"]).success();
    assert!(!trap.exists());
}
