//! Whatever happened to the files, the edges are those that they give when they are resolved for the first time.

use std::fmt::Write as _;
use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use gik_store::Access;
use gik_testkit::{Rng, Tree};

use super::{all_edges, context, with_graph};
use crate::ingest::refresh;

const EDITS: usize = 45;
/// Of languages with few ways to name others.
const FEW_EDITS: usize = 24;

/// How a language says that one module names some of the others.
struct Language {
    /// The file of a module, by its number.
    path: fn(u64) -> String,
    module: fn(u64, &mut Rng) -> String,
    /// A line that says nothing.
    note: &'static str,
    /// Another file that changes, and what it may be.
    other: (&'static str, fn(u64) -> String),
    /// Files that stay as they are.
    rest: fn(&Tree),
}

const PYTHON: Language = Language {
    path: |n| format!("pkg/m{n}.py"),
    module: python,
    note: "# note\n",
    other: ("pkg/__init__.py", |n| format!("from .m{n} import Thing{n} as T\n")),
    rest: |tree| {
        for n in 0..40 {
            let text = format!("from pkg.m{0} import *\nmake{0}()\n", n % 6);
            tree.write(&format!("other/f{n}.py"), text);
        }
        tree.write("README.md", "Call `make1()`, `Thing2.go()` and `step_all()` of `pkg/m3.py`.\n");
    },
};

const TYPESCRIPT: Language = Language {
    path: |n| format!("src/m{n}.ts"),
    module: typescript,
    note: "// note\n",
    other: ("src/index.ts", |n| {
        format!("export * from './m{n}';\nexport {{ make{n} as T }} from './m{n}';\n")
    }),
    rest: |tree| {
        for n in 0..40 {
            let text = format!("import {{ make{0} }} from '../src/m{0}';\nmake{0}();\n", n % 6);
            tree.write(&format!("other/f{n}.ts"), text);
        }
        tree.write("README.md", "Call `make1()` and `Thing2.go` of [it](src/m3.ts).\n");
    },
};

const RUST: Language = Language {
    path: |n| format!("src/m{n}.rs"),
    module: rust,
    note: "// note\n",
    other: ("src/lib.rs", |n| {
        format!(
            "mod m0;\nmod m1;\nmod m2;\nmod m3;\nmod m4;\nmod m5;\npub use m{n}::{{Thing{n} as T, make{n}}};\n"
        )
    }),
    rest: |tree| {
        tree.write("Cargo.toml", "[package]\nname = \"things\"\n");
        for n in 0..40 {
            let text = format!("fn t{n}() {{ things::make{0}().go(); }}\n", n % 6);
            tree.write(&format!("tests/t{n}.rs"), text);
        }
    },
};

const GO: Language = Language {
    path: |n| format!("p{}/m{n}.go", n % 2),
    module: go,
    note: "// note\n",
    other: ("p0/extra.go", |n| format!("package p0\n\nfunc (t *Thing0) Step{n}() {{ Make0() }}\n")),
    rest: |tree| {
        tree.write("go.mod", "module example.com/a\n");
        for n in 0..40 {
            let text = format!(
                "package main\n\nimport \"example.com/a/p{0}\"\n\nfunc f{n}() {{ p{0}.Make{1}().Go() }}\n",
                n % 2,
                n % 6
            );
            tree.write(&format!("main/f{n}.go"), text);
        }
    },
};

const C: Language = Language {
    path: |n| format!("src/m{n}.c"),
    module: c,
    note: "/* note */\n",
    other: ("include/all.h", |n| {
        format!("#include \"one.h\"\nint make{n}(int n);\nint step{n}(int n);\n")
    }),
    rest: |tree| {
        tree.write("include/one.h", "int make0(int n);\nint make1(int n);\nint make2(int n);\n");
        for n in 0..40 {
            let text = format!(
                "#include \"all.h\"\nint f{n}(void) {{ return make{}(step{}(1)); }}\n",
                n % 6,
                n % 3
            );
            tree.write(&format!("tools/f{n}.c"), text);
        }
    },
};

const JAVA: Language = Language {
    path: |n| format!("src/p{}/Thing{n}.java", n % 2),
    module: java,
    note: "// note\n",
    other: ("src/p0/All.java", |n| {
        let package = n % 3;
        format!(
            "package a.p{package};\npublic class All {{ static void step{n}() {{ Thing{n}.make(); }} }}\n"
        )
    }),
    rest: |tree| {
        for n in 0..40 {
            let text = format!(
                "package a.main;\nimport a.p{0}.Thing{1};\nimport a.p{2}.*;\nclass F{n} {{ void f() {{ Thing{1}.make().go(); All.step{1}(); }} }}\n",
                n % 2,
                n % 6,
                n % 3
            );
            tree.write(&format!("src/main/F{n}.java"), text);
        }
    },
};

fn python(n: u64, rng: &mut Rng) -> String {
    let other = rng.below(6);
    let third = rng.below(6);
    let mut text = match rng.below(4) {
        0 => format!("from pkg.m{other} import Thing{other} as T, make{other}\n"),
        1 => format!("from .m{other} import *\nfrom . import m{third}\n"),
        2 => format!("import pkg.m{other} as m{third}\n"),
        _ => format!("from pkg import m{third}\nfrom pkg.m{other} import T\n"),
    };
    let base = match rng.below(4) {
        0 => "T".to_owned(),
        1 => format!("Thing{other}"),
        2 => format!("m{third}.Thing{third}"),
        _ => "object".to_owned(),
    };
    write!(
        text,
        "\nclass Thing{n}({base}):\n    def go(self):\n        self.step{other}()\n        return m{third}.make{third}()\n"
    )
    .unwrap();
    for step in 0..rng.below(3) {
        write!(text, "    def step{step}(self):\n        make{other}().go()\n").unwrap();
    }
    let named = if rng.below(3) == 0 { "step_all".to_owned() } else { format!("make{n}") };
    text + &format!(
        "\ndef {named}():\n    made = Thing{n}()\n    make{other}(made)\n    return made\n"
    )
}

fn typescript(n: u64, rng: &mut Rng) -> String {
    let (other, third) = (rng.below(6), rng.below(6));
    let import = match rng.below(3) {
        0 => format!("import {{ Thing{other} as Base, make{other} }} from './m{other}';\n"),
        1 => {
            format!("import {{ T, make{other} }} from '.';\nimport * as Base from './m{third}';\n")
        },
        _ => format!("export * from './m{other}';\nimport Base from './m{third}';\n"),
    };
    let extends = if rng.below(2) == 0 { " extends Base" } else { "" };
    let default = if rng.below(3) == 0 { "default " } else { "" };
    format!(
        "{import}export {default}class Thing{n}{extends} {{\n  go() {{ this.step{other}(); return make{other}(); }}\n  step{third}() {{}}\n}}\n\
         export function make{n}(x?: Thing{n}): Thing{n} {{ const made = new Thing{n}(); make{other}(made); return made; }}\n"
    )
}

fn rust(n: u64, rng: &mut Rng) -> String {
    let (other, third) = (rng.below(6), rng.below(6));
    let import = match rng.below(3) {
        0 => format!("use crate::m{other}::{{Thing{other}, make{other}}};\n"),
        1 => format!("use super::m{other}::*;\nuse crate::T;\n"),
        _ => format!("pub use crate::m{other}::make{other} as renamed;\n"),
    };
    format!(
        "{import}pub struct Thing{n};\nimpl Thing{n} {{\n    pub fn go(&self) {{ self.step{third}(); make{other}(); crate::m{third}::make{third}().go(); }}\n    fn step{}(&self) {{}}\n}}\n\
         pub fn make{n}() -> Thing{n} {{ let made = Thing{n}; renamed(); made }}\n",
        rng.below(6)
    )
}

fn go(n: u64, rng: &mut Rng) -> String {
    let (own, far) = (n % 2, 1 - n % 2);
    let (other, third) = (rng.below(6), rng.below(6));
    let name = if rng.below(3) == 0 { "q" } else { "" };
    let used = if name.is_empty() { format!("p{far}") } else { name.to_owned() };
    format!(
        "package p{own}\n\nimport {name} \"example.com/a/p{far}\"\n\ntype Thing{n} struct {{ Thing{other} }}\n\n\
         func Make{n}() *Thing{n} {{ return &Thing{n}{{}} }}\n\nfunc (t *Thing{n}) Go() {{ t.Step{third}(); {used}.Make{third}().Go(); Make{other}() }}\n"
    )
}

fn c(n: u64, rng: &mut Rng) -> String {
    let (other, third) = (rng.below(6), rng.below(6));
    let header = if rng.below(2) == 0 { "all" } else { "one" };
    let linkage = if rng.below(3) == 0 { "static " } else { "" };
    let named = if rng.below(4) == 0 { third } else { n };
    format!(
        "#include \"{header}.h\"\n{linkage}int make{named}(int n) {{ int x = step{other}(n); return make{third}(x); }}\nint step{n}(int n) {{ return make{other}(n); }}\n"
    )
}

fn java(n: u64, rng: &mut Rng) -> String {
    let (other, third) = (rng.below(6), rng.below(6));
    // Now and then a file is of another package than its folder says.
    let package = if rng.below(3) == 0 { rng.below(3) } else { n % 2 };
    let extends = if rng.below(2) == 0 { format!(" extends Thing{other}") } else { String::new() };
    format!(
        "package a.p{package};\nimport a.p{}.*;\npublic class Thing{n}{extends} {{\n  public static Thing{n} make() {{ return new Thing{n}(); }}\n\
         \x20 public void go() {{ step{third}(); Thing{third}.make().go(); }}\n  void step{other}() {{}}\n}}\n",
        rng.below(3)
    )
}

fn edit(tree: &Tree, language: &Language, rng: &mut Rng) {
    let n = rng.below(6);
    let path = (language.path)(n);
    let exists = tree.list().contains(&path);
    match rng.below(6) {
        0 if exists => tree.remove(&path),
        1 if exists => {
            let text = tree.read(&path);
            tree.write(&path, format!("{}{text}", language.note));
        },
        2 => tree.write(language.other.0, (language.other.1)(n)),
        _ => {
            let text = (language.module)(n, rng);
            tree.write(&path, text);
        },
    }
}

fn follows(language: &Language, edits: usize) {
    let mut rng = Rng::new(7);
    let tree = Tree::empty();
    tree.write(language.other.0, (language.other.1)(0));
    for n in 0..6 {
        tree.write(&(language.path)(n), (language.module)(n, &mut rng));
    }
    (language.rest)(&tree);
    tree.write(
        "README.md",
        "Call `make0()`, `make1()` and `Thing2.go()`, not `step1()` or `renamed()`.\n",
    );
    let mut n_edges = 0;
    for round in 0..edits {
        edit(&tree, language, &mut rng);
        let kept = all_edges(&tree);
        if round % 3 > 0 {
            continue;
        }
        let fresh = Tree::empty();
        for path in tree.list().into_iter().filter(|path| !path.starts_with('.')) {
            fresh.write(&path, tree.read(&path));
        }
        n_edges += kept.iter().filter(|edge| edge.starts_with("calls")).count();
        assert_eq!(kept, all_edges(&fresh), "after {round} edits");
    }
    assert!(n_edges > edits, "only {n_edges} calls");
}

#[test]
fn what_is_known_is_not_found_again() {
    let tree = Tree::new("//- a.py\nfrom b import go\ngo()\n//- b.py\ndef go():\n    pass\n");
    // Clearly older than the first look, so that the second one has nothing to make sure of.
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for path in ["a.py", "b.py"] {
        let file = File::options().write(true).open(tree.path(path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let identity = || with_graph(&tree, |_, snapshot| snapshot.identity().unwrap());
    let first = identity();
    assert_eq!(identity(), first);
    tree.write("b.py", "def go():\n    return 1\n");
    assert_ne!(identity(), first);
}

#[test]
fn edges_after_edits_are_those_of_a_fresh_index() {
    follows(&PYTHON, EDITS);
}

#[test]
fn edges_of_typescript_after_edits_are_those_of_a_fresh_index() {
    follows(&TYPESCRIPT, FEW_EDITS);
}

#[test]
fn edges_of_rust_after_edits_are_those_of_a_fresh_index() {
    follows(&RUST, FEW_EDITS);
}

#[test]
fn edges_of_go_after_edits_are_those_of_a_fresh_index() {
    follows(&GO, FEW_EDITS);
}

#[test]
fn edges_of_c_after_edits_are_those_of_a_fresh_index() {
    follows(&C, FEW_EDITS);
}

#[test]
fn edges_of_java_after_edits_are_those_of_a_fresh_index() {
    follows(&JAVA, FEW_EDITS);
}

/// Whether the index knows what changed since edges were found, without a comparison of all files.
fn is_followed(tree: &Tree) -> bool {
    let ctx = context(tree);
    let ws = ctx.open().unwrap();
    refresh(&ws).unwrap();
    let store = ws.store(Access::ReadOnly).unwrap();
    let snapshot = store.snapshot().unwrap();
    snapshot.graph_changed().unwrap().is_some()
}

#[test]
fn files_that_come_and_go_between_others_that_change_are_followed() {
    let tree = Tree::new(
        "//- a.py\nfrom b import go\nfrom c import new\ngo()\nnew()\n//- b.py\ndef go():\n    pass\n",
    );
    let calls = || -> Vec<String> {
        let edges = all_edges(&tree).into_iter();
        edges.filter(|edge| edge.starts_with("calls")).collect()
    };
    let to_go = "calls a.py -> b.py:go (import)";
    assert_eq!(calls(), [to_go]);
    tree.write("b.py", "import a\n\ndef go():\n    pass\n");
    assert!(is_followed(&tree));
    tree.write("c.py", "def new():\n    pass\n");
    assert!(!is_followed(&tree));
    assert_eq!(calls(), [to_go, "calls a.py -> c.py:new (import)"]);
    tree.write("b.py", "def other():\n    pass\n");
    assert!(is_followed(&tree));
    tree.remove("c.py");
    assert!(!is_followed(&tree));
    assert_eq!(calls(), [""; 0]);
    tree.write("b.py", "def go():\n    pass\n");
    assert!(is_followed(&tree));
    assert_eq!(calls(), [to_go]);
}

#[test]
fn a_manifest_that_changes_is_read_again() {
    let tree = Tree::new(
        "//- Cargo.toml\n[package]\nname = \"things\"\n//- src/lib.rs\npub fn make() {}\n//- tests/t.rs\nfn t() { things::make(); }\n",
    );
    let calls = || all_edges(&tree).iter().filter(|edge| edge.starts_with("calls")).count();
    assert_eq!(calls(), 1);
    tree.write("Cargo.toml", "[package]\nname = \"others\"\n");
    assert!(is_followed(&tree));
    assert_eq!(calls(), 0);
    tree.write("tests/t.rs", "fn t() { others::make(); }\n");
    assert_eq!(calls(), 1);
}
