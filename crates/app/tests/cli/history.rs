//! Commits as a source: what `ask` shows of them, and what is kept.

use gik_testkit::Tree;

use super::{assert_transcript, gik};

/// A till with two reasons in its history, indexed.
fn shop() -> Tree {
    let tree = Tree::new("//- till.py\ndef total(items):\n    return sum(items)\n");
    tree.git_init();
    tree.write(".git/info/exclude", ".guided\n");
    tree.git_commit("Add the till\n\nPeople want to pay.");
    tree.write("till.py", "def total(items):\n    return round(sum(items), 2)\n");
    tree.git_commit("Round the total\n\nSums of floating-point numbers showed up on bills.");
    gik(&tree).run(&["index"]).success();
    tree
}

fn subjects(tree: &Tree, question: &str) -> Vec<String> {
    let bundle = gik(tree).run(&["ask", question, "--json"]).json();
    let events = bundle["commitEvents"].as_array().cloned().unwrap_or_default();
    events.iter().map(|event| event["subject"].as_str().unwrap().to_owned()).collect()
}

fn kept(tree: &Tree) -> Vec<(String, Vec<u8>, std::time::SystemTime)> {
    let mut kept: Vec<_> = std::fs::read_dir(tree.path(".guided/knowledge/history"))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (
                name,
                std::fs::read(entry.path()).unwrap(),
                entry.metadata().unwrap().modified().unwrap(),
            )
        })
        .collect();
    kept.sort();
    kept
}

#[test]
fn reasons() {
    let tree = shop();
    let gik = gik(&tree);
    assert_transcript(
        "ask_why",
        &[
            gik.run(&["ask", "why is the total rounded"]).success(),
            gik.run(&["ask", "how is the total rounded"]).success(),
        ],
    );
}

#[test]
fn commits_answer_questions_for_reasons_and_no_others() {
    let tree = shop();
    assert_eq!(subjects(&tree, "why is the total rounded"), ["Round the total"]);
    assert_eq!(subjects(&tree, "who added the till"), ["Add the till"]);
    assert_eq!(subjects(&tree, "how is the total rounded"), [""; 0]);
    assert_eq!(subjects(&tree, "why do penguins swim"), [""; 0]);
}

#[test]
fn what_is_kept_follows_head_and_nothing_else() {
    let tree = shop();
    let before = kept(&tree);
    assert_eq!(before.len(), 2);
    tree.write("other.py", "x = 1\n");
    gik(&tree).run(&["index"]).success();
    assert_eq!(subjects(&tree, "why is the total rounded"), ["Round the total"]);
    assert_eq!(kept(&tree), before);

    tree.git_commit("Add a penguin because it swims");
    assert_eq!(subjects(&tree, "why is there a penguin"), ["Add a penguin because it swims"]);
    assert_eq!(kept(&tree).len(), 2);
    tree.git(&["switch", "--quiet", "--create", "before", "HEAD~1"]);
    assert_eq!(subjects(&tree, "why is there a penguin"), [""; 0]);
    tree.git(&["switch", "--quiet", "main"]);
    let penguin = ["Add a penguin because it swims"];
    assert_eq!(subjects(&tree, "why is there a penguin"), penguin);
    let grown = kept(&tree);
    std::fs::remove_dir_all(tree.path(".guided/knowledge/history")).unwrap();
    assert_eq!(subjects(&tree, "why is there a penguin"), penguin);
    let commits =
        |kept: Vec<(String, Vec<u8>, _)>| kept.into_iter().next().map(|(_, bytes, _)| bytes);
    assert_eq!(commits(grown), commits(kept(&tree)));
}

/// The names of the signals of each piece of evidence, by its path.
fn signals(tree: &Tree, question: &str) -> Vec<(String, Vec<String>)> {
    let bundle = gik(tree).run(&["ask", question, "--explain", "--json"]).success().json();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let names = |chunk: &serde_json::Value| {
        chunk["signals"].as_array().unwrap().iter().map(|signal| text(&signal["name"])).collect()
    };
    let chunks = bundle["ragChunks"].as_array().unwrap().iter();
    chunks.map(|chunk| (text(&chunk["path"]), names(chunk))).collect()
}

#[test]
fn files_that_change_lately_and_together_gain_where_they_are_given_weight() {
    let tree = shop();
    for round in 0..3 {
        for name in ["printer", "ribbon"] {
            tree.write(
                &format!("{name}.py"),
                format!("def {name}():\n    return 'bills on paper {round}'\n"),
            );
        }
        tree.git_commit(&format!("Print {round}"));
    }
    let has = |found: &[(String, Vec<String>)], path: &str, name: &str| {
        let mut found = found.iter();
        found.any(|(key, names)| key == path && names.iter().any(|known| known == name))
    };
    let usual = signals(&tree, "printer of bills on paper");
    assert!(!usual.iter().any(|(_, names)| names.contains(&"together".to_owned())), "{usual:?}");
    for weight in ["recent", "together"] {
        let key = format!("ranking.weights.{weight}");
        gik(&tree).run(&["config", "set", &key, "20"]).success();
    }
    let weighed = signals(&tree, "printer of bills on paper");
    assert!(has(&weighed, "ribbon.py", "together"), "{weighed:?}");
    assert!(has(&weighed, "printer.py", "recent"), "{weighed:?}");
    std::fs::remove_dir_all(tree.path(".git")).unwrap();
    let without_git = signals(&tree, "printer of bills on paper");
    assert!(!has(&without_git, "printer.py", "recent"), "{without_git:?}");
}

#[test]
fn damage_of_what_is_kept_is_repaired_from_git() {
    let tree = shop();
    for (name, whole, _) in kept(&tree) {
        for bytes in [&whole[..whole.len() / 2], &b"nonsense"[..], b""] {
            let path = format!(".guided/knowledge/history/{name}");
            tree.remove(&path);
            tree.write(&path, bytes);
            assert_eq!(subjects(&tree, "why is the total rounded"), ["Round the total"], "{name}");
        }
    }
}

#[test]
fn damage_inside_of_what_is_kept_is_repaired_by_the_next_index() {
    let tree = shop();
    let path = ".guided/knowledge/history/commits.dat";
    let whole = std::fs::read(tree.path(path)).unwrap();
    for at in [whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        tree.remove(path);
        tree.write(path, &damaged);
        gik(&tree).run(&["index"]).success();
        assert_eq!(std::fs::read(tree.path(path)).unwrap(), whole, "{at}");
    }
}

#[test]
fn a_history_that_was_fetched_in_part_grows_when_the_rest_is() {
    let shop = shop();
    let url = format!("file://{}", shop.root().display());
    let tree = Tree::new("");
    tree.git(&["init", "--quiet"]);
    tree.write(".git/info/exclude", ".guided\n");
    tree.git(&["-c", "protocol.file.allow=always", "fetch", "--quiet", "--depth=1", &url, "main"]);
    tree.git(&["reset", "--quiet", "--hard", "FETCH_HEAD"]);
    gik(&tree).run(&["index"]).success();
    assert_eq!(subjects(&tree, "why was the till added"), [""; 0]);
    tree.git(&["-c", "protocol.file.allow=always", "fetch", "--quiet", "--unshallow", &url]);
    assert_eq!(subjects(&tree, "why was the till added"), ["Add the till"]);
}

#[test]
fn commits_that_could_not_be_read_for_a_moment_come_back() {
    let tree = shop();
    let first = tree.git(&["rev-parse", "HEAD~1"]);
    let first = first.trim();
    let object = tree.path(&format!(".git/objects/{}/{}", &first[..2], &first[2..]));
    let away = tree.path(".git/away");
    std::fs::remove_dir_all(tree.path(".guided/knowledge/history")).unwrap();
    std::fs::rename(&object, &away).unwrap();
    gik(&tree).run(&["index"]).success();
    assert_eq!(subjects(&tree, "why was the till added"), [""; 0]);
    std::fs::rename(&away, &object).unwrap();
    gik(&tree).run(&["index"]).success();
    assert_eq!(subjects(&tree, "why was the till added"), ["Add the till"]);
    let before = kept(&tree);
    let head = tree.git(&["rev-parse", "HEAD"]);
    let head = head.trim();
    let object = tree.path(&format!(".git/objects/{}/{}", &head[..2], &head[2..]));
    tree.remove(".guided/knowledge/history/commits.dat");
    let damaged = &before[0].1[..before[0].1.len() - 1];
    tree.write(".guided/knowledge/history/commits.dat", damaged);
    std::fs::rename(&object, &away).unwrap();
    gik(&tree).run(&["index"]).success();
    assert_eq!(kept(&tree)[0].1, damaged);
}

#[test]
fn a_link_in_place_of_what_is_kept_is_refused() {
    let tree = shop();
    std::fs::remove_dir_all(tree.path(".guided/knowledge/history")).unwrap();
    tree.link(".guided/knowledge/history", "../../elsewhere");
    gik(&tree).run(&["ask", "why is the total rounded"]).exit(2);
}

#[test]
fn a_branch_may_be_called_like_the_folder() {
    let tree = shop();
    tree.git(&["switch", "--quiet", "--create", "history"]);
    assert_eq!(subjects(&tree, "why is the total rounded"), ["Round the total"]);
}

#[test]
fn files_that_commits_change_together_are_neighbours_where_that_is_asked_for() {
    let tree = Tree::new("//- a.py\nx = 1\n//- b.py\ny = 1\n//- c.py\nz = 1\n");
    tree.git_init();
    tree.write(".git/info/exclude", ".guided\n");
    tree.git_commit("Begin");
    tree.write("a.py", "x = 2\n");
    tree.write("b.py", "y = 2\n");
    tree.git_commit("Count to two");
    let gik = gik(&tree);
    gik.run(&["index"]).success();

    let found = gik.run(&["graph", "neighbors", "a.py", "--kind", "together", "--json"]).json();
    let matches = found["matches"].as_array().unwrap();
    let told: Vec<_> = matches.iter().map(|found| (&found["path"], &found["edge"])).collect();
    let [(path, edge)] = told[..] else { panic!("once with c.py may be chance: {told:?}") };
    assert_eq!(path, "b.py");
    assert_eq!((&edge["kind"], &edge["confidence"]), (&"together".into(), &1.0.into()));
    gik.run(&["graph", "path", "b.py", "a.py", "--kind", "together"]).success();
    gik.run(&["graph", "path", "c.py", "a.py", "--kind", "together"]).exit(1);

    let all = gik.run(&["graph", "neighbors", "a.py", "--json"]).json();
    assert!(!all.to_string().contains("together"), "the history was not asked for: {all}");
    gik.run(&["graph", "hubs", "--kind", "together"]).exit(2);
}

#[test]
fn files_change_together_in_a_history_only() {
    let tree = Tree::new("//- a.py\nx = 1\n");
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let run = gik.run(&["graph", "neighbors", "a.py", "--kind", "together", "--json"]).exit(1);
    assert_eq!(run.json()["error"]["code"], "history-not-found");
}
