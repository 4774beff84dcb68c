//! Values: from what calls give and functions take, into arguments and returns.

use gik_graph::{EdgeKind, Edges as _};
use gik_testkit::Tree;

use super::{Graph, edges, with_graph};

fn flows(files: &[(&str, &str)]) -> Vec<String> {
    edges(files, &[EdgeKind::Dataflow])
}

#[test]
fn what_a_call_gives_flows_into_arguments_and_returns() {
    let found = flows(&[
        (
            "lib.py",
            "def load(path):\n    pass\n\ndef parse(text):\n    return scan(text)\n\ndef scan(text):\n    pass\n",
        ),
        (
            "main.py",
            "from lib import load, parse\n\ndef run(path):\n    text = load(path)\n    print(text)\n    if text:\n        tree = parse(text)\n        show(tree.root)\n    return tree\n\ndef once(path):\n    return parse(load(path))\n\ndef show(tree):\n    pass\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "dataflow lib.py:load -> lib.py:parse (import)",
            "dataflow lib.py:parse -> lib.py:scan (syntax)",
            "dataflow lib.py:parse -> main.py:once (import)",
            "dataflow lib.py:parse -> main.py:run (import)",
            "dataflow lib.py:scan -> lib.py:parse (syntax)",
            "dataflow main.py:once -> lib.py:load (import)",
            "dataflow main.py:run -> lib.py:load (import)",
        ]
    );
}

#[test]
fn a_name_that_may_hold_something_else_says_nothing() {
    let text = "def f():\n    pass\n\ndef g(x):\n    pass\n\n\
                def again():\n    x = f()\n    x = 3\n    g(x)\n\n\
                def added():\n    x = f()\n    x += 1\n    g(x)\n\n\
                def unpacked():\n    x = f()\n    x, y = 1, 2\n    g(x)\n\n\
                def hidden(items):\n    x = f()\n    return [g(x) for x in items]\n\n\
                def inner():\n    x = f()\n    return map(lambda x: g(x), [])\n\n\
                def deleted():\n    x = f()\n    del x\n    g(x)\n\n\
                def before():\n    g(x)\n    x = f()\n\n\
                def part():\n    x = f()\n    g(x.y)\n    g(x + 1)\n    g(*x)\n";
    assert_eq!(flows(&[("a.py", text)]), [""; 0]);
}

#[test]
fn script_values_flow_where_no_callback_hides_them() {
    let text = "function f(): number { return 1; }\nfunction g(x: number) { return x; }\n\
                export function plain(a: number) { const x = f(); g(x); g(a); }\n\
                export function hidden(a: number[]) { const x = f(); a.map((x) => g(x)); a.map(function (x) { g(x); }); }\n\
                export async function waits() { const x = await f(); return g(x); }\n\
                export const arrow = (q: number) => g(f());\n\
                export function taken({ a }: { a: number }) { g(a); }\n";
    assert_eq!(
        flows(&[("a.ts", text)]),
        [
            "dataflow a.ts:f -> a.ts:g (syntax)",
            "dataflow a.ts:g -> a.ts:arrow (syntax)",
            "dataflow a.ts:g -> a.ts:waits (syntax)",
            "dataflow a.ts:plain -> a.ts:g (syntax)",
        ]
    );
}

#[test]
fn values_flow_in_languages_with_types() {
    let found = flows(&[
        (
            "src/lib.rs",
            "pub fn load(path: &str) -> u32 { 1 }\npub fn keep(n: u32) {}\npub fn run(path: &str) -> u32 {\n    let n = load(path);\n    keep(n);\n    return load(path);\n}\npub fn shadowed() {\n    let n = load(\"\");\n    let n = 3;\n    keep(n);\n}\npub fn closed() {\n    let n = load(\"\");\n    [1].iter().for_each(|n| keep(n));\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc load(p string) (int, error) { return 1, nil }\nfunc keep(n int) {}\nfunc run(p string) {\n\tn, err := load(p)\n\tif err != nil {\n\t\treturn\n\t}\n\tkeep(n)\n}\nfunc changed(p string) {\n\tn, _ := load(p)\n\tset(&n)\n\tkeep(n)\n}\nfunc set(n *int) {}\n",
        ),
        (
            "A.java",
            "class A {\n  int load(String p) { return 1; }\n  void keep(int n) {}\n  void run(String p) { int n = load(p); keep(n); }\n  int twice(String p) { int n = load(p); n = 2; keep(n); return load(p); }\n}\n",
        ),
        (
            "a.c",
            "int load(char *p) { return 1; }\nvoid keep(int n) { }\nvoid run(char *p) {\n  int n = load(p);\n  if (n) { keep(n); }\n}\nvoid out(char *p) { int n = load(p); fill(&n); keep(n); }\n",
        ),
    ]);
    assert_eq!(
        found,
        [
            "dataflow A.java:A.load -> A.java:A.keep (syntax)",
            "dataflow A.java:A.load -> A.java:A.twice (syntax)",
            "dataflow A.java:A.run -> A.java:A.load (syntax)",
            "dataflow A.java:A.twice -> A.java:A.load (syntax)",
            "dataflow a.c:load -> a.c:keep (syntax)",
            "dataflow a.c:out -> a.c:load (syntax)",
            "dataflow a.c:run -> a.c:load (syntax)",
            "dataflow a.go:changed -> a.go:load (syntax)",
            "dataflow a.go:load -> a.go:keep (syntax)",
            "dataflow a.go:run -> a.go:load (syntax)",
            "dataflow src/lib.rs:load -> src/lib.rs:keep (syntax)",
            "dataflow src/lib.rs:load -> src/lib.rs:run (syntax)",
            "dataflow src/lib.rs:run -> src/lib.rs:load (syntax)",
        ]
    );
}

#[test]
fn a_flow_that_another_file_says_is_found_from_both_ends() {
    let tree = Tree::empty();
    tree.write("a.py", "def f():\n    pass\n");
    tree.write("b.py", "def g(x):\n    pass\n");
    tree.write("c.py", "from a import f\nfrom b import g\n\ndef h():\n    g(f())\n");
    let found = with_graph(&tree, |_, snapshot| {
        let mut graph = Graph::open(snapshot).unwrap();
        let mut all = graph.load().unwrap();
        let flow = all.edges().iter().find(|edge| edge.kind == EdgeKind::Dataflow).unwrap().clone();
        assert_eq!(flow.evidence.as_ref().unwrap().file, 2);
        for node in [flow.from, flow.to] {
            assert_eq!(graph.from(node).unwrap(), all.from(node).unwrap());
            assert_eq!(graph.to(node).unwrap(), all.to(node).unwrap());
        }
        (flow.from.file, flow.to.file)
    });
    assert_eq!(found, (0, 1));
    tree.write("c.py", "from a import f\n\ndef h():\n    f()\n");
    let flows = with_graph(&tree, |_, snapshot| {
        let all = Graph::open(snapshot).unwrap().load().unwrap();
        all.edges().iter().filter(|edge| edge.kind == EdgeKind::Dataflow).count()
    });
    assert_eq!(flows, 0);
}
