//! `gik graph`, `impact` and `map`: who calls, imports and needs whom, what a change touches, what matters most.

use gik_testkit::Tree;
use serde_json::Value;

use super::{assert_transcript, gik};

/// A small program in Python with a test, a call whose receiver is unknown and two files that import each other.
const APP: &str = r#"
    //- app/__init__.py
    //- app/main.py
    from app.store import Store, helper


    def run():
        store = Store()
        store.open()
        unknown.open()
        return helper()
    //- app/one.py
    from app import two


    def first():
        return two.second()
    //- app/two.py
    from app import one


    def second():
        return one.first()
    //- app/store.py
    class Base:
        def close(self):
            return None


    class Store(Base):
        def open(self):
            return helper()


    def helper():
        return 1
    //- app/server.py
    from flask import Flask

    app = Flask(__name__)


    @app.get("/users/<int:user>")
    def user(user):
        return {}
    //- tests/test_main.py
    from app.main import run


    def test_run():
        assert run() == 1
"#;

fn app() -> Tree {
    let tree = Tree::new(APP);
    gik(&tree).run(&["index"]).success();
    tree
}

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|row| row["name"].as_str().expect("text").to_owned()).collect()
}

#[test]
fn walks() {
    let tree = Tree::new(APP);
    let gik = gik(&tree);
    assert_transcript(
        "graph",
        &[
            gik.run(&["graph", "callers", "helper", "--no-init"]).exit(1),
            gik.run(&["graph", "callers", "helper"]).success(),
            gik.run(&["graph", "callers", "Store.open", "--depth", "1"]).success(),
            gik.run(&["graph", "callers", "helper", "--json"]).success(),
            gik.run(&["graph", "callers", "test_run"]).exit(1),
            gik.run(&["graph", "callers", "helpre"]).exit(1),
            gik.run(&["graph", "callees", "app/main.py:6", "--jsonl"]).success(),
            gik.run(&["graph", "imports", "app/main.py"]).success(),
            gik.run(&["graph", "importers", "app/store.py"]).success(),
            gik.run(&["graph", "neighbors", "Store", "--kind", "extends,calls"]).success(),
            gik.run(&["graph", "neighbors", "Store", "--kind", "likes"]).exit(2),
            gik.run(&["graph", "neighbors", "app/store.py", "--limit", "2"]).success(),
            gik.run(&["graph", "path", "test_run", "helper"]).success(),
            gik.run(&["graph", "path", "helper", "test_run"]).exit(1),
            gik.run(&["graph", "path", "test_run", "helper", "--depth", "1"]).exit(1),
            gik.run(&["graph", "cycles"]).success(),
            gik.run(&["graph", "cycles", "--kind", "calls", "--json"]).success(),
            gik.run(&["graph", "cycles", "--kind", "extends"]).exit(1),
            gik.run(&["graph", "hubs", "--limit", "3"]).success(),
            gik.run(&["graph", "hubs", "--files", "--jsonl", "--limit", "1"]).success(),
            gik.run(&["graph", "orphans", "--public"]).success(),
        ],
    );
}

#[test]
fn exports() {
    let tree = app();
    let gik = gik(&tree);
    assert_transcript(
        "graph-export",
        &[
            gik.run(&["graph", "export", "--format", "mermaid"]).success(),
            gik.run(&["graph", "export", "Store", "--depth", "1", "--format", "dot"]).success(),
            gik.run(&["graph", "export", "Base", "--depth", "1", "--format", "svg"]).success(),
            gik.run(&["graph", "export", "Base", "--depth", "1", "--format", "graphml"]).success(),
            gik.run(&["graph", "export", "Base", "--depth", "1", "--kind", "extends"]).success(),
            gik.run(&["graph", "export", "--limit", "2", "--format", "mermaid"]).success(),
            gik.run(&["graph", "export", "--format", "png"]).exit(2),
            gik.run(&["show", "--kg-mermaid"]).success(),
            gik.run(&["show", "--kg-dot", "--kg-mermaid"]).exit(2),
        ],
    );
    let whole = gik.run(&["graph", "export", "--symbols", "--json"]).success().json();
    assert!(names(&whole["nodes"]).contains(&"Store.open".to_owned()));
}

#[test]
fn impact() {
    let tree = app();
    tree.git_init();
    tree.git_commit("first");
    let gik = gik(&tree);
    let mut runs = vec![
        gik.run(&["impact", "helper"]).success(),
        gik.run(&["impact", "helper", "--depth", "1", "--json"]).success(),
        gik.run(&["impact"]).exit(1),
        gik.run(&["impact", "helper", "--diff"]).exit(2),
        gik.run(&["impact", "nobody"]).exit(1),
    ];
    let text = std::fs::read_to_string(tree.root().join("app/store.py")).expect("it is there");
    tree.write("app/store.py", text.replace("return 1", "return 2"));
    runs.push(gik.run(&["impact", "--diff"]).success());
    runs.push(gik.run(&["impact", "--staged"]).exit(1));
    tree.git(&["add", "app/store.py"]);
    runs.push(gik.run(&["impact", "--staged"]).success());
    tree.write("app/store.py", text.replace("def helper():\n    return 1\n", ""));
    runs.push(gik.run(&["impact", "--diff"]).success());
    assert_transcript("impact", &runs);
}

#[test]
fn what_gik_keeps_is_no_change_of_the_project() {
    let tree = app();
    tree.git_init();
    tree.git_commit("first");
    tree.write("app/store.py", "def helper():\n    return 3\n");
    gik(&tree).run(&["add", "."]).success();
    tree.git(&["add", "--force", ".guided", "app"]);
    let impact = gik(&tree).run(&["impact", "--staged", "--json"]).json();
    assert!(impact["unknown"].is_null(), "{impact}");
    assert!(!impact["changed"].as_array().expect("a list").is_empty());
}

#[test]
fn without_git_a_difference_cannot_be_told() {
    let tree = app();
    let run = gik(&tree).run(&["impact", "--diff"]).exit(1);
    assert!(run.stderr.contains("in no git repository"), "{}", run.snapshot());
}

#[test]
fn map() {
    let tree = app();
    let gik = gik(&tree);
    assert_transcript(
        "map",
        &[
            gik.run(&["map"]).success(),
            gik.run(&["map", "--focus", "app/server.py", "--budget", "20"]).success(),
            gik.run(&["map", "--budget", "12", "--json"]).success(),
            gik.run(&["map", "--format", "compact"]).success(),
            gik.run(&["map", "--focus", "nobody"]).exit(1),
        ],
    );
}

#[test]
fn a_map_never_exceeds_its_budget_and_grows_with_it() {
    let tree = app();
    let mut all = Vec::new();
    for budget in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 1000_u64] {
        let budget_text = budget.to_string();
        let run = gik(&tree).run(&["map", "--budget", &budget_text, "--json"]);
        let map = run.json();
        let words: usize = map["files"].as_array().expect("a list").iter().map(mapped_words).sum();
        let used = map["used"].as_u64().expect("a number");
        // A word has one token at least.
        assert!(words as u64 <= used && used <= budget, "{map}");
        assert_eq!(used == 0, words == 0, "{map}");
        all.push(words);
    }
    assert_eq!(all[0], 0);
    assert!(all.last() > all.get(7) && all[7] > 0, "{all:?}");
}

fn mapped_words(file: &Value) -> usize {
    let symbols = file["symbols"].as_array().expect("a list");
    let words = |it: &Value| it["signature"].as_str().expect("text").split_whitespace().count();
    // The path, and the number of each line.
    1 + symbols.iter().map(|it| 1 + words(it)).sum::<usize>()
}

#[test]
fn an_edit_is_seen_by_the_next_question() {
    let tree = app();
    let callers = |symbol: &str| {
        names(&gik(&tree).run(&["graph", "callers", symbol, "--json"]).json()["matches"])
    };
    assert_eq!(callers("helper"), ["Store.open", "run"]);
    tree.write("app/new.py", "from app.store import helper\n\n\ndef extra():\n    helper()\n");
    assert_eq!(callers("helper"), ["Store.open", "run", "extra"]);
    tree.remove("app/new.py");
    assert_eq!(callers("helper"), ["Store.open", "run"]);
}

#[test]
fn answers_bring_what_is_around_their_evidence() {
    let tree = app();
    let bundle = gik(&tree).run(&["ask", "Store open helper", "--json"]).success().json();
    let results = bundle["kgResults"].as_array().expect("a list");
    let store = results
        .iter()
        .find(|it| it["reason"] == "matched RAG chunk: app/store.py")
        .unwrap_or_else(|| panic!("{bundle}"));
    assert_eq!(store["rootNodeIds"][0], "file:app/store.py");
    let edges = store["edges"].as_array().expect("a list");
    let is_import = |edge: &&Value| {
        edge["kind"] == "imports"
            && edge["from"] == "file:app/main.py"
            && edge["to"] == "file:app/store.py"
    };
    assert!(edges.iter().any(|edge| is_import(&edge)), "{store}");
    let ids: Vec<&Value> =
        store["nodes"].as_array().expect("a list").iter().map(|node| &node["id"]).collect();
    assert!(
        edges.iter().all(|edge| ids.contains(&&edge["from"]) && ids.contains(&&edge["to"])),
        "{store}"
    );
    let endpoint = gik(&tree).run(&["ask", "flask user endpoint", "--json"]).success().json();
    assert!(endpoint.to_string().contains("endpoint:/users/<int:user>"), "{endpoint}");
    let small = gik(&tree).run(&["ask", "helper", "--budget", "200", "--json"]).success().json();
    assert_eq!(small["kgResults"], serde_json::json!([]));
}
