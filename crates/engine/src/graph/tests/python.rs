//! Python: the micro cases of call graphs, each with its edges or an honest nothing.

use gik_graph::EdgeKind;

use super::{calls, edges};

#[test]
fn functions_are_called_through_scopes() {
    let text = "def outer():\n    def inner():\n        pass\n    inner()\n\ndef other():\n    outer()\n    inner()\n    print()\n";
    assert_eq!(
        calls(&[("a.py", text)]),
        [
            "calls a.py:other -> a.py:outer (syntax)",
            "calls a.py:outer -> a.py:outer.inner (syntax)"
        ]
    );
}

#[test]
fn methods_are_found_through_self_and_inheritance() {
    let text = "class A:\n    def run(self):\n        self.step()\n    def step(self):\n        pass\n\n\
                class B(A):\n    def go(self):\n        self.run()\n        super().step()\n        self.gone()\n    \
                @classmethod\n    def make(cls):\n        cls.build()\n    @staticmethod\n    def build():\n        pass\n";
    assert_eq!(
        calls(&[("a.py", text)]),
        [
            "calls a.py:A.run -> a.py:A.step (type)",
            "calls a.py:B.go -> a.py:A.run (type)",
            "calls a.py:B.go -> a.py:A.step (type)",
            "calls a.py:B.make -> a.py:B.build (syntax)",
        ]
    );
}

#[test]
fn imports_aliases_and_packages_lead_to_definitions() {
    let main = "import pkg.sub as s\nimport pkg\nfrom pkg import thing as t, sub\nfrom pkg.sub import Klass\nimport os\n\
                def main():\n    s.work()\n    t()\n    sub.work()\n    pkg.thing()\n    pkg.sub.work()\n    Klass().run()\n    os.getcwd()\n";
    let init = "from .impl import thing\n";
    let sub = "def work():\n    pass\nclass Klass:\n    def run(self):\n        pass\n";
    let found = edges(
        &[
            ("main.py", main),
            ("pkg/__init__.py", init),
            ("pkg/impl.py", "def thing():\n    pass\n"),
            ("pkg/sub.py", sub),
        ],
        &[EdgeKind::Calls, EdgeKind::Imports],
    );
    assert_eq!(
        found,
        [
            "calls main.py:main -> pkg/impl.py:thing (import)",
            "calls main.py:main -> pkg/sub.py:Klass (import)",
            "calls main.py:main -> pkg/sub.py:Klass.run (type)",
            "calls main.py:main -> pkg/sub.py:work (import)",
            "imports main.py -> pkg/__init__.py (import)",
            "imports main.py -> pkg/impl.py:thing (import)",
            "imports main.py -> pkg/sub.py (import)",
            "imports main.py -> pkg/sub.py:Klass (import)",
            "imports pkg/__init__.py -> pkg/impl.py (import)",
            "imports pkg/__init__.py -> pkg/impl.py:thing (import)",
        ]
    );
}

#[test]
fn types_come_from_annotations_constructors_and_returns() {
    let text = "from typing import Optional\n\nclass Store:\n    def open(self) -> 'Handle':\n        pass\n\nclass Handle:\n    def read(self):\n        pass\n\n\
                class App:\n    def __init__(self, store: Store):\n        self.store = store\n        self.spare = Store()\n    \
                def run(self, other: Optional[Store] = None):\n        self.store.open().read()\n        self.spare.open()\n        other.open()\n        \
                local = Store()\n        local.open()\n        handle = local.open()\n        handle.read()\n\n\
                def make():\n    return Store()\n\ndef use(unknown):\n    make().open()\n    unknown.open()\n    for x in unknown:\n        x.read()\n";
    assert_eq!(
        calls(&[("a.py", text)]),
        [
            "calls a.py:App.__init__ -> a.py:Store (syntax)",
            "calls a.py:App.run -> a.py:Handle.read (type)",
            "calls a.py:App.run -> a.py:Store (syntax)",
            "calls a.py:App.run -> a.py:Store.open (type)",
            "calls a.py:make -> a.py:Store (syntax)",
            "calls a.py:use -> a.py:Store.open (type)",
            "calls a.py:use -> a.py:make (syntax)",
        ]
    );
}

#[test]
fn local_names_hide_those_of_the_file() {
    let text = "import json\nfrom b import store\n\ndef f(json, store):\n    json.dumps()\n    store.open()\n\n\
                def g():\n    for store in []:\n        store.open()\n";
    let other = "class Store:\n    def open(self):\n        pass\nstore = Store()\ndef dumps():\n    store.open()\n";
    assert_eq!(
        calls(&[("a.py", text), ("b.py", other), ("json.py", "def dumps():\n    pass\n")]),
        ["calls b.py:dumps -> b.py:Store.open (type)", "calls b.py:store -> b.py:Store (syntax)"]
    );
}

#[test]
fn decorators_closures_and_functions_as_values_are_uses() {
    let text = "def wrap(f):\n    def inner():\n        f()\n    return inner\n\n@wrap\ndef job():\n    pass\n\n\
                def main():\n    run(job)\n    alias = job\n    alias()\n\ndef run(callback):\n    callback()\n";
    assert_eq!(
        edges(&[("a.py", text)], &[EdgeKind::Calls, EdgeKind::Uses]),
        [
            "calls a.py:main -> a.py:run (syntax)",
            "uses a.py -> a.py:wrap (syntax)",
            "uses a.py:main -> a.py:job (syntax)",
            "uses a.py:wrap -> a.py:wrap.inner (syntax)",
        ]
    );
}

#[test]
fn wildcards_bring_what_a_module_offers() {
    let found = calls(&[
        ("a.py", "from b import *\n\ndef f():\n    g()\n    _hidden()\n"),
        ("b.py", "from c import g\n\ndef _hidden():\n    pass\n"),
        ("c.py", "def g():\n    pass\n"),
    ]);
    assert_eq!(found, ["calls a.py:f -> c.py:g (import)"]);
}

#[test]
fn classes_derive_from_classes_of_other_files() {
    let found = edges(
        &[
            (
                "a.py",
                "import b\nfrom b import Base\nclass C(Base): pass\nclass D(b.Base, dict): pass\n",
            ),
            ("b.py", "class Base:\n    pass\n"),
        ],
        &[EdgeKind::Extends],
    );
    assert_eq!(
        found,
        ["extends a.py:C -> b.py:Base (import)", "extends a.py:D -> b.py:Base (import)",]
    );
}

#[test]
fn tests_are_tied_to_what_they_name_and_call() {
    let found = edges(
        &[
            ("src/store.py", "def open_store():\n    pass\n\ndef close():\n    pass\n"),
            (
                "tests/test_store.py",
                "from store import open_store, close\n\ndef test_open_store():\n    open_store()\n    close()\n",
            ),
        ],
        &[EdgeKind::Tests],
    );
    assert_eq!(
        found,
        [
            "tests tests/test_store.py -> src/store.py (import)",
            "tests tests/test_store.py:test_open_store -> src/store.py:open_store (import)",
        ]
    );
}

#[test]
fn modules_that_import_each_other_come_to_an_end() {
    let found = calls(&[
        ("a.py", "from b import *\nfrom b import x\nx = x.y\ndef f():\n    x.y()\n    z()\n"),
        (
            "b.py",
            "from a import *\nfrom a import x\nclass A(B): pass\nclass B(A):\n    def m(self):\n        self.n()\n",
        ),
    ]);
    assert_eq!(found, [""; 0]);
}
