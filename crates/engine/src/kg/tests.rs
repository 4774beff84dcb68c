//! Whatever happened to the files, `kg/` is what a first commit of them writes; times survive.

use std::collections::BTreeMap;

use gik_base::Cancel;
use gik_base::progress::Silent;
use gik_contract::{KgEdge, KgEdgeKind, KgNode, KgNodeKind, KgStats};
use gik_testkit::{Rng, Tree};
use serde_json::{Value, json};

use crate::tools::TOOLS;
use crate::{Context, Options};

fn context<'a>(tree: &Tree, threads: &str) -> Context<'a> {
    Context {
        options: Options {
            workspace: Some(tree.root().to_owned()),
            set: vec![("indexing.threads".to_owned(), threads.to_owned())],
            ..Options::default()
        },
        cwd: tree.root().to_owned(),
        progress: &Silent,
        cancel: Cancel::default(),
    }
}

fn run(tree: &Tree, path: &[&str], arguments: Value) -> Value {
    let tool = TOOLS.iter().find(|tool| tool.path == path).unwrap();
    tool.run_json(&context(tree, "1"), arguments).unwrap().json().unwrap()
}

fn index(tree: &Tree) {
    run(tree, &["index"], json!({}));
}

fn commit(tree: &Tree, message: &str) {
    run(tree, &["commit"], json!({ "message": message }));
}

fn read(tree: &Tree, name: &str) -> String {
    let kg = std::fs::read_dir(tree.root().join(".guided/knowledge")).unwrap();
    let mut found = kg.map(|entry| entry.unwrap().path().join("kg").join(name));
    std::fs::read_to_string(found.find(|path| path.is_file()).unwrap()).unwrap()
}

fn nodes(tree: &Tree) -> Vec<KgNode> {
    read(tree, "nodes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn edges(tree: &Tree) -> Vec<KgEdge> {
    read(tree, "edges.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Everything but the times.
fn content(tree: &Tree) -> Vec<String> {
    let lines = [read(tree, "nodes.jsonl"), read(tree, "edges.jsonl")].concat();
    let without = |line: &str| line.split(",\"createdAt\"").next().unwrap().to_owned();
    lines.lines().map(without).collect()
}

fn verify(tree: &Tree) {
    let told = run(tree, &["verify"], json!({}));
    assert_eq!(told["ok"], true, "{told}");
}

const STORE: &str = "export class Store {\n  open() { return helper(); }\n}\n\
    export function helper() { return 1; }\n";
const MAIN: &str = "import { Store, helper } from './store';\n\
    export function main() {\n  const store = new Store();\n  store.open();\n  return helper();\n}\n";

fn project() -> Tree {
    let tree = Tree::new("");
    tree.write("src/store.ts", STORE);
    tree.write("src/main.ts", MAIN);
    tree.write(
        "src/ui/Button.tsx",
        "export function Button() { return <b className=\"btn\">x</b>; }\n",
    );
    tree.write(
        "src/App.tsx",
        "import { Button } from './ui/Button';\nexport function App() { return <p><Button /></p>; }\n",
    );
    tree.write("src/a.css", ".btn { color: red }\n");
    tree.write(
        "src/server.js",
        "const express = require('express');\nconst app = express();\napp.get('/users', (a, b) => b.end());\n",
    );
    tree.write("package.json", "{\"name\": \"x\", \"dependencies\": {\"express\": \"^4\"}}\n");
    tree.write("README.md", "# Guide\n\nHow `Store.open` works: [main](src/main.ts).\n");
    tree.write("CODEOWNERS", "*.ts @scripts\n/src/ui/ @ui\n");
    tree
}

#[test]
fn a_commit_writes_files_symbols_endpoints_and_dependencies_with_their_edges() {
    let tree = project();
    index(&tree);
    let kinds: BTreeMap<String, KgNodeKind> =
        nodes(&tree).into_iter().map(|node| (node.id, node.kind)).collect();
    for (id, kind) in [
        ("file:src/main.ts", KgNodeKind::File),
        ("sym:typescript:src/store.ts:class:Store", KgNodeKind::Class),
        ("sym:typescript:src/store.ts:function:Store.open", KgNodeKind::Function),
        ("sym:tsx:src/App.tsx:function:App", KgNodeKind::ReactComponent),
        ("sym:tsx:src/ui/Button.tsx:function:Button", KgNodeKind::UiComponent),
        ("sym:css:src/a.css:styleClass:btn", KgNodeKind::StyleClass),
        ("sym:markdown:README.md:concept:Guide", KgNodeKind::Concept),
        ("endpoint:/users", KgNodeKind::Endpoint),
        ("dependency:npm:express", KgNodeKind::Dependency),
        ("owner:@ui", KgNodeKind::Concept),
    ] {
        assert_eq!(kinds.get(id), Some(&kind), "{id} in {kinds:#?}");
    }
    let told: Vec<(String, String, KgEdgeKind)> =
        edges(&tree).into_iter().map(|edge| (edge.from, edge.to, edge.kind)).collect();
    for (from, to, kind) in [
        ("file:src/main.ts", "file:src/store.ts", KgEdgeKind::Imports),
        ("file:src/main.ts", "owner:@scripts", KgEdgeKind::OwnedBy),
        ("file:src/ui/Button.tsx", "owner:@ui", KgEdgeKind::OwnedBy),
        ("file:README.md", "file:src/main.ts", KgEdgeKind::RelatedTo),
        (
            "file:README.md",
            "sym:typescript:src/store.ts:function:Store.open",
            KgEdgeKind::RelatedTo,
        ),
        (
            "sym:typescript:src/store.ts:function:helper",
            "sym:typescript:src/main.ts:function:main",
            KgEdgeKind::RelatedTo,
        ),
        (
            "sym:typescript:src/main.ts:function:main",
            "sym:typescript:src/store.ts:function:Store.open",
            KgEdgeKind::Calls,
        ),
        ("file:src/store.ts", "sym:typescript:src/store.ts:class:Store", KgEdgeKind::Defines),
        (
            "sym:typescript:src/store.ts:class:Store",
            "sym:typescript:src/store.ts:function:Store.open",
            KgEdgeKind::Contains,
        ),
        ("file:src/server.js", "endpoint:/users", KgEdgeKind::DefinesEndpoint),
        ("file:package.json", "dependency:npm:express", KgEdgeKind::DependsOn),
        ("file:src/ui/Button.tsx", "sym:css:src/a.css:styleClass:btn", KgEdgeKind::UsesClass),
        (
            "file:src/App.tsx",
            "sym:tsx:src/ui/Button.tsx:function:Button",
            KgEdgeKind::UsesUiComponent,
        ),
    ] {
        let wanted = (from.to_owned(), to.to_owned(), kind);
        assert!(told.contains(&wanted), "{wanted:?} in {told:#?}");
    }
    let stats: KgStats = serde_json::from_str(&read(&tree, "stats.json")).unwrap();
    assert_eq!(stats.node_count, nodes(&tree).len() as u64);
    assert_eq!(stats.edge_count, edges(&tree).len() as u64);
    verify(&tree);
}

#[test]
fn init_writes_no_graph() {
    let tree = Tree::new("");
    run(&tree, &["init"], json!({}));
    let branches = std::fs::read_dir(tree.root().join(".guided/knowledge")).unwrap();
    assert!(branches.into_iter().all(|entry| !entry.unwrap().path().join("kg").exists()));
}

#[test]
fn what_does_not_change_keeps_its_times_and_what_changes_when_it_was_made() {
    let tree = project();
    index(&tree);
    let before: BTreeMap<String, KgNode> =
        nodes(&tree).into_iter().map(|node| (node.id.clone(), node)).collect();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    tree.write("src/store.ts", format!("// One line more.\n{STORE}"));
    commit(&tree, "longer");
    let mut moved = 0;
    for node in nodes(&tree) {
        let old = &before[&node.id];
        assert_eq!(node.created_at, old.created_at, "{}", node.id);
        if node.props == old.props {
            assert_eq!(node.updated_at, old.updated_at, "{}", node.id);
        } else {
            assert!(node.updated_at > old.updated_at, "{}", node.id);
            moved += 1;
        }
    }
    assert_eq!(moved, 4, "the file and its three symbols");
}

#[test]
fn what_is_deleted_is_restored() {
    let tree = project();
    index(&tree);
    let before = content(&tree);
    for entry in std::fs::read_dir(tree.root().join(".guided/knowledge")).unwrap() {
        let kg = entry.unwrap().path().join("kg");
        if kg.exists() {
            std::fs::remove_dir_all(kg).unwrap();
        }
    }
    index(&tree);
    assert_eq!(content(&tree), before);
    verify(&tree);
}

/// One change as people make them.
fn edit(tree: &Tree, rng: &mut Rng) {
    let n = rng.below(6);
    match rng.below(8) {
        0 => tree.write(&format!("src/part{n}.ts"), format!(
            "import {{ helper }} from './store';\nexport function part{n}() {{ return helper(); }}\n"
        )),
        1 => tree.write("src/store.ts", STORE.replace("helper", &format!("helper{}", n % 2))),
        2 => tree.write("src/store.ts", STORE),
        3 if tree.root().join(format!("src/part{n}.ts")).exists() => {
            tree.remove(&format!("src/part{n}.ts"));
        },
        4 => tree.write("src/a.css", format!(".btn {{ color: red }}\n.c{n} {{ width: 1em }}\n")),
        5 => tree.write("src/server.js", format!(
            "const express = require('express');\nconst app = express();\napp.get('/users{n}', (a, b) => b.end());\n"
        )),
        6 => tree.write("src/routes.js", format!(
            "const app = require('express')();\napp.post('/users{n}', (a, b) => b.end());\n"
        )),
        _ => tree.write(&format!("src/page{n}.html"), format!(
            "<main id=\"m{n}\" class=\"btn c{n}\">x</main>\n"
        )),
    }
}

#[test]
fn after_any_edits_the_files_are_those_of_a_first_commit() {
    let tree = project();
    index(&tree);
    let mut rng = Rng::new(17);
    for round in 0..12 {
        for _ in 0..rng.within(1..4) {
            edit(&tree, &mut rng);
        }
        tree.write("src/round.txt", format!("round {round}\n"));
        commit(&tree, "edited");
        verify(&tree);
        let fresh = Tree::new("");
        for file in tree.list().into_iter().filter(|file| !file.starts_with('.')) {
            fresh.write(&file, std::fs::read_to_string(tree.root().join(&file)).unwrap());
        }
        index(&fresh);
        assert_eq!(content(&tree).join("\n"), content(&fresh).join("\n"), "round {round}");
    }
}

/// A message of protobuf: a field with bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        field.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    field.push(u8::try_from(length).unwrap());
    field.extend_from_slice(bytes);
    field
}

fn occurrence(place: &[u8], symbol: &str, is_definition: bool) -> Vec<u8> {
    let mut bytes = [field(1, place), field(2, symbol.as_bytes())].concat();
    bytes.extend_from_slice(&[3 << 3, u8::from(is_definition)]);
    field(2, &bytes)
}

#[test]
fn what_a_compiler_knows_wins_and_goes_when_the_file_changes() {
    let tree = Tree::new("");
    tree.write("a.py", "class Store:\n    def open(self):\n        return 1\n");
    tree.write("b.py", "def run(thing):\n    return thing.open()\n");
    index(&tree);
    let callers = || {
        let told = run(&tree, &["graph", "callers"], json!({ "node": "Store.open" }));
        let matches = told["matches"].as_array().unwrap().clone();
        let names = matches.iter().map(|it| {
            format!(
                "{} {}",
                it["name"].as_str().unwrap(),
                it["edge"]["provenance"].as_str().unwrap()
            )
        });
        (names.collect::<Vec<_>>(), told["unresolved"]["total"].clone())
    };
    assert_eq!(callers().0, Vec::<String>::new());
    let tool = field(1, &field(2, &field(1, b"scip-test")));
    let a = [field(1, b"a.py"), occurrence(&[1, 8, 12], "x . . . Store#open().", true)];
    let b = [
        field(1, b"b.py"),
        occurrence(&[1, 17, 21], "x . . . Store#open().", false),
        occurrence(&[0, 4, 7], "x . . . Store#open().", false),
    ];
    let gone = field(1, b"gone.py");
    let documents = [field(2, &a.concat()), field(2, &b.concat()), field(2, &gone)].concat();
    std::fs::write(tree.root().join("index.scip"), [tool, documents].concat()).unwrap();
    let told = run(&tree, &["graph", "import"], json!({ "file": "index.scip" }));
    assert_eq!(told["tool"], "scip-test");
    let counts = ["edges", "files", "unknownFiles", "staleNames"].map(|name| told[name].clone());
    assert_eq!(counts, [1, 1, 1, 1], "{told}");
    assert_eq!(callers().0, ["run scip"]);
    let stats = run(&tree, &["stats"], json!({}));
    assert_eq!(stats["scip"]["livingEdges"], 1, "{stats}");
    tree.write("c.txt", "a commit writes what was imported\n");
    run(&tree, &["add"], json!({ "sources": ["c.txt"] }));
    commit(&tree, "more");
    assert!(read(&tree, "edges.jsonl").contains("\"provenance\":\"scip\""));
    verify(&tree);
    tree.write("b.py", "def run(thing):\n\n    return thing.open()\n");
    assert_eq!(callers().0, Vec::<String>::new());
    std::fs::write(tree.root().join("index.scip"), b"no index").unwrap();
    let tool = TOOLS.iter().find(|tool| tool.path == ["graph", "import"]).unwrap();
    let failure =
        tool.run_json(&context(&tree, "1"), json!({ "file": "index.scip" })).err().unwrap();
    assert!(failure.to_string().contains("no SCIP index"), "{failure}");
}
