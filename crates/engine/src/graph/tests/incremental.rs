//! Whatever happened to the files, the edges are those that they give when they are resolved for the first time.

use std::fmt::Write as _;

use gik_testkit::{Rng, Tree};

use super::all_edges;

const EDITS: usize = 45;

/// A module that names some of the others.
fn module(n: u64, rng: &mut Rng) -> String {
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
    text + &format!("\ndef make{n}():\n    return Thing{n}()\n")
}

fn edit(tree: &Tree, rng: &mut Rng) {
    let n = rng.below(6);
    let path = format!("pkg/m{n}.py");
    let exists = tree.list().contains(&path);
    match rng.below(6) {
        0 if exists => tree.remove(&path),
        1 if exists => {
            let text = tree.read(&path);
            tree.write(&path, format!("# note\n{text}"));
        },
        2 => {
            let init = format!("from .m{n} import Thing{n} as T\n");
            tree.write("pkg/__init__.py", init);
        },
        _ => {
            let text = module(n, rng);
            tree.write(&path, text);
        },
    }
}

#[test]
fn edges_after_edits_are_those_of_a_fresh_index() {
    let mut rng = Rng::new(7);
    let tree = Tree::empty();
    tree.write("pkg/__init__.py", "");
    for n in 0..6 {
        tree.write(&format!("pkg/m{n}.py"), module(n, &mut rng));
    }
    for n in 0..40 {
        tree.write(
            &format!("other/f{n}.py"),
            format!("from pkg.m{} import *\nmake{}()\n", n % 6, n % 6),
        );
    }
    for round in 0..EDITS {
        edit(&tree, &mut rng);
        let kept = all_edges(&tree);
        if round % 3 > 0 {
            continue;
        }
        let fresh = Tree::empty();
        for path in tree.list().into_iter().filter(|path| !path.starts_with('.')) {
            fresh.write(&path, tree.read(&path));
        }
        assert_eq!(kept, all_edges(&fresh), "after {round} edits");
    }
}
