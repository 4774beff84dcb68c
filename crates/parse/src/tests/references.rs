//! What names refer to, who may see a definition, and what is said about it.

use gik_base::FileKey;

use super::render;
use crate::{Parsed, detect_by_name, parse};

fn parsed(name: &str, text: &str) -> Parsed {
    let key = FileKey::from_text(name);
    parse(&key, text, detect_by_name(&key))
}

/// The references of a text as `role name` or `role receiver>name`.
fn references(name: &str, text: &str) -> Vec<String> {
    let parsed = parsed(name, text);
    let say = |reference: &crate::Reference| {
        let receiver = reference.receiver_in(text).map(|receiver| format!("{receiver}>"));
        let (role, name) = (reference.role.as_str(), reference.name_in(text));
        format!("{role} {}{name}", receiver.unwrap_or_default())
    };
    parsed.references.iter().map(say).collect()
}

#[test]
fn local_names_are_no_references_not_even_before_they_are_bound() {
    let text = "def f(a, *b, c=D):\n    g(a, e)\n    e = [x for x in b]\n    self.y = z\n\ne\n";
    assert_eq!(
        references("a.py", text),
        ["usage D", "call g", "usage self", "write self>y", "usage z", "usage e"]
    );
}

#[test]
fn local_names_of_one_function_mean_nothing_to_the_next() {
    let text = "fn f(x: u8) { x; let y = x; y(); }\nfn g() { x; y(); }\n";
    assert_eq!(references("a.rs", text), ["usage x", "call y"]);
}

#[test]
fn locals_of_a_callback_at_the_top_of_a_file_are_no_references() {
    let text = "describe(() => { const a = make(); expect(a).toBe(b); });\n";
    assert_eq!(
        references("a.js", text),
        ["call describe", "call make", "call expect", "call expect(a)>toBe", "usage b"]
    );
}

#[test]
fn type_parameters_are_local_to_what_they_belong_to() {
    assert_eq!(
        references("a.rs", "impl<T: Note> A<T> { fn f(t: T) {} }\n"),
        ["type Note", "type A"]
    );
    assert_eq!(references("a.ts", "interface A<T> { b(c: T): D<T>; }\n"), ["type D"]);
    assert_eq!(references("a.go", "type A[T B] struct { c T }\n"), ["type B"]);
}

#[test]
fn capital_names_in_patterns_are_uses_and_small_ones_are_bound() {
    let text =
        "fn f() { match g() { LIMIT => {}, Some(x) => h(x), Kind::A { y, .. } => y, z => z } }\n";
    assert_eq!(
        references("a.rs", text),
        ["call g", "usage LIMIT", "call h", "type Kind", "type Kind>A"]
    );
}

#[test]
fn names_in_macros_are_calls_where_a_bracket_follows() {
    let text = "fn f(a: A) { assert!(a.b.c(d) && E::f().g!(1), h); }\n";
    assert_eq!(
        references("a.rs", text),
        [
            "type A",
            "call assert",
            "usage a>b",
            "call a.b>c",
            "usage d",
            "usage E",
            "call E>f",
            "call E::f()>g",
            "usage h"
        ]
    );
}

#[test]
fn imports_know_where_their_names_come_from() {
    assert_eq!(
        references("a.js", "import a, { b as c } from './d';\nconst e = require(\"f\");\n"),
        ["import ./d>a", "import ./d>b", "import ./d", "import f"]
    );
    assert_eq!(
        references("a.py", "from a.b import c as d\nimport e.f\n"),
        ["import a", "import a>b", "import a.b>c", "import e", "import e>f"]
    );
    assert_eq!(
        references("a.c", "#include <a/b.h>\n#include \"c.h\"\n"),
        ["import a/b.h", "import c.h"]
    );
    assert_eq!(
        references("a.rs", "use a::{b, c::{self, D as E}};\n"),
        ["import a", "import a>b", "import a>c", "import c>D"]
    );
}

#[test]
fn long_receivers_are_left_out_and_their_names_are_never_taken_for_local_ones() {
    let text = format!("def f(b):\n    {}.b()\n", "a".repeat(81));
    assert_eq!(references("a.py", &text).last().map(String::as_str), Some("call b"));
    assert_eq!(references("a.js", "a()\n  .b();\n"), ["call a", "call a()>b"]);
    assert_eq!(references("a.js", "a(\n).b();\n"), ["call a", "call b"]);
}

#[test]
fn elements_of_a_page_are_calls_of_components_and_tags_are_nothing() {
    assert_eq!(
        references("a.tsx", "const a = <div id={b}><Card.Head x=\"1\" /></div>;\n"),
        ["usage b", "usage Card", "call Card>Head"]
    );
}

#[test]
fn what_is_exported_by_name_is_public() {
    let text = "function a() {}\nfunction b() {}\nconst c = 1;\nexport { a };\nexport default c;\n";
    let parsed = parsed("a.ts", text);
    let visible = |symbol: &crate::Symbol| symbol.visibility.map(crate::Visibility::as_str);
    let found: Vec<_> = parsed.symbols.iter().filter_map(visible).collect();
    assert_eq!(found, ["public", "private", "public"]);
}

#[test]
fn sections_count_until_the_next_one_and_inside_conditions() {
    let text = "class A {\n int a;\npublic:\n int b;\n#ifdef X\n int c;\n#endif\nprotected:\n struct D { int e; };\n int f;\n};\n";
    let parsed = parsed("a.hpp", text);
    let say = |symbol: &crate::Symbol| {
        format!("{} {}", symbol.visibility.map_or("?", |said| said.as_str()), symbol.name)
    };
    let found: Vec<String> = parsed.symbols.iter().map(say).collect();
    assert_eq!(
        found,
        ["public A", "private a", "public b", "public c", "protected D", "public e", "protected f"],
        "{}",
        render(&parsed, text)
    );
}

#[test]
fn symbols_carry_their_documentation_also_the_one_inside() {
    let text = "/// About a.\npub mod a {\n    //! More.\n\n    pub struct B {\n        /// A field.\n        c: u8,\n    }\n}\n";
    let parsed = parsed("a.rs", text);
    let docs: Vec<&str> = parsed.symbols.iter().map(|symbol| symbol.doc.as_str()).collect();
    assert_eq!(docs, ["About a.\nMore.", "", "A field."]);
    let long = format!("/// {}\nfn f() {{}}\n", "ä".repeat(3000));
    assert_eq!(super::references::parsed("a.rs", &long).symbols[0].doc.len(), 2048);
}

#[test]
fn comments_and_strings_that_document_are_listed_once() {
    let text = "\"\"\"Top.\"\"\"\n# a\nx = 1  # b\ndef f():\n    \"\"\"Doc.\"\"\"\n    # c\n    return \"# d\"\n";
    let found = parsed("a.py", text);
    let comments: Vec<&str> = found.comments.iter().map(|at| &text[at.clone()]).collect();
    assert_eq!(comments, ["Top.", "# a", "# b", "Doc.", "# c"]);
}

#[test]
fn definitions_inside_functions_have_the_comments_above_them() {
    let text = "fn f() {\n    g();\n\n    /// About h.\n    #[inline]\n    fn h() {}\n}\n";
    assert_eq!(parsed("a.rs", text).symbols[1].doc, "About h.");
    let text =
        "def f():\n    h = 1\n    # About g.\n    @h\n    def g():\n        \"\"\"More.\"\"\"\n";
    assert_eq!(parsed("a.py", text).symbols[1].doc, "About g.\nMore.");
}

#[test]
fn definitions_inside_functions_are_used_where_their_names_stand() {
    let text = "def f(a):\n    def g(b):\n        return a + b + c\n    return g(a)\n";
    let parsed = parsed("a.py", text);
    let around = |reference: &crate::Reference| {
        let symbol = &parsed.symbols[reference.enclosing.unwrap() as usize];
        format!("{} in {}", reference.name_in(text), symbol.qualified)
    };
    let found: Vec<String> = parsed.references.iter().map(around).collect();
    assert_eq!(found, ["c in f.g", "g in f"]);
}
