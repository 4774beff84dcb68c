//! What files say about names: imports, bases, types.

use gik_base::FileKey;

use crate::{detect_by_name, parse};

/// The facts of a file as lines.
fn facts(name: &str, text: &str) -> Vec<String> {
    let key = FileKey::from_text(name);
    let parsed = parse(&key, text, detect_by_name(&key));
    let said = |place: &Option<std::ops::Range<u32>>| {
        place.as_ref().map_or("-", |place| &text[place.start as usize..place.end as usize])
    };
    let line = |fact: &crate::ScopeFact| {
        format!(
            "{} {} {} {}",
            fact.kind.as_str(),
            said(&fact.name),
            said(&fact.from),
            said(&fact.alias)
        )
    };
    parsed.scope_facts.iter().map(line).collect()
}

#[test]
fn imports_of_python_say_module_name_and_alias() {
    assert_eq!(
        facts(
            "a.py",
            "import os.path\nimport a.b as c\nfrom . import x\nfrom ..m import y as z, w\nfrom q import *\n"
        ),
        [
            "import - os.path -",
            "import - a.b c",
            "import x . -",
            "import w ..m -",
            "import y ..m z",
            "import.all - q -",
        ]
    );
}

#[test]
fn types_of_python_names_are_known_where_the_text_says_them() {
    assert_eq!(
        facts(
            "a.py",
            "class A(b.B, Generic[T]):\n    s: Store = x()\n    def f(self, p: P, q: 'Q' = 1) -> R:\n        \
             self.u = U()\n        v = p\n        with W() as w:\n            pass\n    @property\n    def g(self): pass\n"
        ),
        [
            "extends b.B - -",
            "extends Generic[T] - -",
            "typed s Store -",
            "returns - R -",
            "typed p P -",
            "typed q 'Q' -",
            "called self.u U -",
            "valued v p -",
            "called w W -",
            "property g - -",
        ]
    );
}

#[test]
fn imports_and_exports_of_typescript_are_told_apart() {
    assert_eq!(
        facts(
            "a.ts",
            "import 'side';\nimport D, { a, b as c } from './m';\nimport * as ns from 'n';\nimport type { T } from './t';\n\
             export { x, y as z } from './o';\nexport * from './p';\nexport * as q from './q';\nexport { l as k };\n\
             export default l;\nconst { r, s: t } = require('u');\nconst v = require('w');\n"
        ),
        [
            "import - side -",
            "import.default - ./m D",
            "import b ./m c",
            "import a ./m -",
            "import - n ns",
            "import T ./t -",
            "reexport y ./o z",
            "reexport x ./o -",
            "reexport.all - ./p -",
            "reexport - ./q q",
            "export l - k",
            "export.default l - -",
            "import r u -",
            "import s u t",
            "import.default - w v",
        ]
    );
}

#[test]
fn types_of_typescript_names_are_known_where_the_text_says_them() {
    assert_eq!(
        facts(
            "a.ts",
            "class A extends B.C<D> implements E, F<G> {\n  private s: Store = x();\n  t = new T();\n  \
             constructor(private u: U, v?: V) { this.w = v; }\n  get p(): P { return 1 }\n}\n\
             const f = (a: A): R => a;\nconst n = new N(), m = await g.h();\n"
        ),
        [
            "extends B.C - -",
            "implements E - -",
            "implements F<G> - -",
            "typed s Store -",
            "called t T -",
            "typed u U private",
            "typed v V -",
            "valued this.w v -",
            "property p - -",
            "returns - P -",
            "returns - R -",
            "typed a A -",
            "called n N -",
            "called m g.h -",
        ]
    );
}
