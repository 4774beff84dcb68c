//! Documents: which files and definitions they name, and that they follow when those change.

use gik_graph::EdgeKind;
use gik_store::Access;
use gik_testkit::Tree;

use super::{Graph, context, edges, render, with_graph};
use crate::graph::update;
use crate::ingest::refresh;

fn mentions(tree: &Tree) -> Vec<String> {
    with_graph(tree, |_, snapshot| {
        let graph = Graph::open(snapshot).unwrap();
        let all = graph.load().unwrap();
        render(snapshot, &graph, &all, |edge| edge.kind == EdgeKind::Mentions)
    })
}

#[test]
fn links_and_code_name_files_and_definitions() {
    let found = edges(
        &[
            (
                "docs/guide.md",
                "# Guide of `Store`\n\nRead [the store](../src/store.py) and `src/util.py:12`, `missing.py`, <https://a.b/src/util.py>.\n\n\
                 ## Opening\n\nCall `Store.open()`, `store.open_all`, `helper_one(x)`, `open`, `twice_named`, `Other.open`.\n\n```\n`helper_one()`\n```\n",
            ),
            (
                "docs/more.rst",
                "Title\n=====\n\nUse :meth:`Store.open` and ``helper_one``. See `it <../src/util.py>`_.\n",
            ),
            (
                "src/store.py",
                "class Store:\n    def open(self):\n        pass\n\ndef open_all():\n    pass\n\ndef twice_named():\n    pass\n",
            ),
            (
                "src/util.py",
                "def helper_one(x):\n    pass\n\ndef twice_named():\n    pass\n\nclass Third:\n    def open(self):\n        pass\n",
            ),
            ("tests/test_util.py", "def helper_one():\n    pass\n"),
        ],
        &[EdgeKind::Mentions],
    );
    assert_eq!(
        found,
        [
            "mentions docs/guide.md -> src/store.py (syntax)",
            "mentions docs/guide.md -> src/store.py:Store.open (heuristic)",
            "mentions docs/guide.md -> src/store.py:open_all (heuristic)",
            "mentions docs/guide.md -> src/util.py (syntax)",
            "mentions docs/guide.md -> src/util.py:helper_one (heuristic)",
            "mentions docs/more.rst -> src/store.py:Store.open (heuristic)",
            "mentions docs/more.rst -> src/util.py (syntax)",
            "mentions docs/more.rst -> src/util.py:helper_one (heuristic)",
        ]
    );
}

#[test]
fn a_name_is_mentioned_as_long_as_it_has_one_meaning() {
    let tree = Tree::empty();
    tree.write("README.md", "Call `load_all()` of `lib.py`.\n");
    for n in 0..40 {
        tree.write(&format!("other/m{n}.py"), format!("def f{n}():\n    pass\n"));
    }
    assert_eq!(mentions(&tree), [""; 0]);
    tree.write("lib.py", "def load_all():\n    pass\n");
    let both = [
        "mentions README.md -> lib.py (syntax)",
        "mentions README.md -> lib.py:load_all (heuristic)",
    ];
    assert_eq!(mentions(&tree), both);
    tree.write("other/m1.py", "def load_all():\n    pass\n");
    assert_eq!(mentions(&tree), both[..1], "two may be meant");
    tree.write("other/m1.py", "def f1():\n    pass\n");
    assert_eq!(mentions(&tree), both);
    tree.write("lib.py", "def unrelated():\n    pass\n");
    assert_eq!(mentions(&tree), both[..1]);
    tree.remove("lib.py");
    assert_eq!(mentions(&tree), [""; 0]);
}

#[test]
fn a_new_name_concerns_those_who_asked_for_it() {
    let tree = Tree::empty();
    for n in 0..30 {
        tree.write(&format!("docs/d{n}.md"), "Call `load_all()`, then `store_all()`.\n");
        tree.write(&format!("src/m{n}.py"), "def load_all():\n    pass\n");
    }
    let resolved = |text: &str| {
        tree.write("src/m1.py", text);
        let ctx = context(&tree);
        let ws = ctx.open().unwrap();
        refresh(&ws).unwrap();
        let mut store = ws.store(Access::ReadWrite).unwrap();
        update(&ws, &ws.hold().unwrap(), &mut store).unwrap()
    };
    assert_eq!(mentions(&tree), [""; 0], "too many may be meant");
    assert_eq!(resolved("def load_all():\n    pass\n\ndef other():\n    pass\n"), 1);
    assert_eq!(resolved("def load_all():\n    pass\n\ndef store_all():\n    pass\n"), 31);
    assert_eq!(mentions(&tree).len(), 30);
    assert_eq!(resolved("def load_all():\n    pass\n"), 31);
    assert_eq!(mentions(&tree), [""; 0]);
}
