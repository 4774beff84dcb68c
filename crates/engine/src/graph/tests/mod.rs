//! What edges small projects have, through the index and back.

mod documents;
mod flow;
mod imports;
mod incremental;
mod others;
mod python;
mod typescript;

use gik_base::Cancel;
use gik_base::progress::Silent;
use gik_graph::{Edge, EdgeKind, Edges as _, Memory, Node};
use gik_store::{Access, Snapshot};
use gik_testkit::Tree;

use super::{Graph, bring_up_to_date, unresolved};
use crate::ingest::refresh;
use crate::tools::index;
use crate::{Context, Options, Workspace};

fn context<'a>(tree: &Tree) -> Context<'a> {
    Context {
        options: Options {
            workspace: Some(tree.root().to_owned()),
            set: vec![("indexing.threads".to_owned(), "2".to_owned())],
            ..Options::default()
        },
        cwd: tree.root().to_owned(),
        progress: &Silent,
        cancel: Cancel::default(),
    }
}

/// Calls `each` with the graph of a tree as it is now.
fn with_graph<T>(tree: &Tree, each: impl FnOnce(&Workspace<'_>, &Snapshot<'_>) -> T) -> T {
    let ctx = context(tree);
    let ws = ctx.open().unwrap();
    index::index(&ws, &[], None, None, None).unwrap();
    let store = bring_up_to_date(&ws, ws.store(Access::ReadOnly).unwrap()).unwrap();
    let snapshot = store.snapshot().unwrap();
    each(&ws, &snapshot)
}

fn all_edges(tree: &Tree) -> Vec<String> {
    with_graph(tree, |_, snapshot| {
        let graph = Graph::open(snapshot).unwrap();
        let all = graph.load().unwrap();
        render(snapshot, &graph, &all, |_| true)
    })
}

/// Edges as lines: `calls a.py:main -> b.py:open (import)`.
fn render(
    snapshot: &Snapshot<'_>,
    graph: &Graph<'_>,
    all: &Memory,
    takes: impl Fn(&Edge) -> bool,
) -> Vec<String> {
    let name = |node: Node| {
        let file = graph.file(node).unwrap();
        let symbol = node.symbol.map(|at| {
            let symbol = snapshot.symbols_of(file.id).unwrap().swap_remove(at as usize);
            let container = symbol.container.map(|container| format!("{container}."));
            format!(":{}{}", container.unwrap_or_default(), symbol.name)
        });
        format!("{}{}", file.key.as_str(), symbol.unwrap_or_default())
    };
    let mut lines: Vec<String> = all
        .edges()
        .iter()
        .filter(|edge| takes(edge))
        .map(|edge| {
            let many = if edge.candidates > 1 {
                format!(" 1 of {}", edge.candidates)
            } else {
                String::new()
            };
            format!(
                "{} {} -> {} ({}{many})",
                edge.kind.as_str(),
                name(edge.from),
                name(edge.to),
                edge.provenance.as_str()
            )
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}

/// The edges of some kinds that a project has.
fn edges(files: &[(&str, &str)], kinds: &[EdgeKind]) -> Vec<String> {
    let tree = Tree::empty();
    for (path, text) in files {
        tree.write(path, text);
    }
    with_graph(&tree, |_, snapshot| {
        let graph = Graph::open(snapshot).unwrap();
        let all = graph.load().unwrap();
        render(snapshot, &graph, &all, |edge| kinds.contains(&edge.kind))
    })
}

fn calls(files: &[(&str, &str)]) -> Vec<String> {
    edges(files, &[EdgeKind::Calls])
}

#[test]
fn edges_are_the_same_one_by_one_and_all_at_once() {
    let tree = Tree::empty();
    tree.write("a.py", "from b import f\n\ndef g():\n    f()\n    h()\n\ndef h():\n    pass\n");
    tree.write("b.py", "class C:\n    def m(self):\n        return f()\n\ndef f():\n    C().m()\n");
    with_graph(&tree, |_, snapshot| {
        let mut graph = Graph::open(snapshot).unwrap();
        let mut all = graph.load().unwrap();
        let nodes: Vec<Node> = all.edges().iter().flat_map(|edge| [edge.from, edge.to]).collect();
        assert!(nodes.len() > 10);
        for node in nodes {
            assert_eq!(graph.from(node).unwrap(), all.from(node).unwrap());
            assert_eq!(graph.to(node).unwrap(), all.to(node).unwrap());
        }
    });
}

#[test]
fn call_sites_of_unknown_receivers_are_counted_and_not_guessed() {
    let tree = Tree::empty();
    tree.write(
        "a.py",
        "class C:\n    def go(self):\n        pass\n\ndef f(x, os):\n    x.go()\n    C().go()\n",
    );
    with_graph(&tree, |ws, snapshot| {
        let sites = unresolved(ws, snapshot, "go").unwrap();
        assert_eq!(sites.len(), 1);
        assert_eq!(sites[0].from, Node::symbol(0, 2));
    });
}

#[test]
fn edges_of_files_that_changed_are_left_out_until_they_are_found_again() {
    let tree = Tree::empty();
    tree.write("a.py", "from b import f\n\ndef g():\n    f()\n");
    tree.write("b.py", "def f():\n    pass\n");
    let calls = |snapshot: &Snapshot<'_>| {
        let all = Graph::open(snapshot).unwrap().load().unwrap();
        all.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls).count()
    };
    assert_eq!(with_graph(&tree, |_, snapshot| calls(snapshot)), 1);
    tree.write("b.py", "def other():\n    pass\n\ndef f():\n    pass\n");
    let ctx = context(&tree);
    let ws = ctx.open().unwrap();
    // A question follows the files; a commit finds the edges as well.
    let store = refresh(&ws).unwrap().store(&ws).unwrap();
    assert_eq!(calls(&store.snapshot().unwrap()), 0);
    let store = bring_up_to_date(&ws, store).unwrap();
    assert_eq!(calls(&store.snapshot().unwrap()), 1);
}

#[test]
fn a_file_that_was_another_while_edges_were_found_is_asked_again() {
    let tree = Tree::empty();
    let (caller, callee) = ("from b import f\n\ndef g():\n    f()\n", "def f():\n    pass\n");
    tree.write("a.py", caller);
    tree.write("b.py", callee);
    let before = all_edges(&tree);
    tree.write("a.py", format!("{caller}    f()\n"));
    let ctx = context(&tree);
    let ws = ctx.open().unwrap();
    let store = refresh(&ws).unwrap().store(&ws).unwrap();
    // Someone saves it in this very moment, and takes it back.
    tree.write("b.py", format!("# new\n{callee}"));
    drop(bring_up_to_date(&ws, store).unwrap());
    tree.write("b.py", callee);
    assert_eq!(all_edges(&tree), before);
}

#[test]
fn a_manifest_that_was_another_while_edges_were_found_is_read_again() {
    let tree = Tree::empty();
    let manifest = "{\"name\": \"kit\", \"main\": \"go.js\"}\n";
    tree.write("a.js", "import { go } from 'kit';\nfunction run() { go(); }\n");
    tree.write("kit/package.json", manifest);
    tree.write("kit/go.js", "export function go() {}\n");
    let call = "calls a.js:run -> kit/go.js:go (import)".to_owned();
    assert!(all_edges(&tree).contains(&call));
    tree.write("b.js", "function other() {}\n");
    let ctx = context(&tree);
    let ws = ctx.open().unwrap();
    let store = refresh(&ws).unwrap().store(&ws).unwrap();
    tree.write("kit/package.json", "{\"name\": \"other\", \"main\": \"go.js\"}\n");
    drop(bring_up_to_date(&ws, store).unwrap());
    tree.write("kit/package.json", manifest);
    assert!(all_edges(&tree).contains(&call));
}

#[test]
fn a_module_of_another_root_is_meant_only_where_it_is_the_only_one() {
    let tree = Tree::empty();
    tree.write("app/main.py", "import tools\n\ndef run():\n    tools.go()\n");
    tree.write("one/tools.py", "def go():\n    pass\n");
    let calls = |tree: &Tree| {
        with_graph(tree, |_, snapshot| {
            let all = Graph::open(snapshot).unwrap().load().unwrap();
            all.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls).count()
        })
    };
    assert_eq!(calls(&tree), 1);
    tree.write("two/tools.py", "def go():\n    pass\n");
    assert_eq!(calls(&tree), 0, "two may be meant");
    tree.write("app/tools.py", "def go():\n    pass\n");
    assert_eq!(calls(&tree), 1, "the one beside it is nearer");
    tree.remove("app/tools.py");
    tree.remove("one/tools.py");
    assert_eq!(calls(&tree), 1);
}
