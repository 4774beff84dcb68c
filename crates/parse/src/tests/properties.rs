//! What holds for any text in any language.

use gik_base::FileKey;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::{Language, languages, parse};

#[track_caller]
fn check(text: &str, language: Option<&'static Language>) {
    let key = FileKey::from_text("dir/file");
    let parsed = parse(&key, text, language);
    let id = language.map_or("none", |language| language.id);
    assert_eq!(crate::check(text, &parsed), Ok(()), "{id}");
    assert_eq!(parse(&key, text, language), parsed, "{id}: the second time differs");
}

/// Texts made of what the languages find meaningful, so that structure comes up by chance.
fn meaningful() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "fn a() {",
        "}",
        "{",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "    ",
        "\t",
        "// c\n",
        "/// d\n",
        "//! e\n",
        "/* f",
        "*/",
        "#[test]",
        "#[cfg(test)]\nmod tests {",
        "impl X for Y {",
        "struct S;",
        "struct T { a: u8 }",
        "use a::{b, c};",
        "let x = 1;\n",
        "macro!{",
        "\"",
        "'",
        "r#\"",
        "# H\n",
        "## I\n",
        "```rust\n",
        "def f(a):\n",
        "    \"\"\"doc\"\"\"\n",
        "class C:\n",
        "class D extends E {",
        "@decorated\n",
        "if x:\n",
        "else:\n",
        "function g(a) {",
        "export default ",
        "export const h = (a) => ",
        "H.prototype.i = function () {",
        "const j = require('k');\n",
        "interface L {",
        "enum M { N, O }",
        "namespace P.Q {",
        "import r from 's';\n",
        "func (t *U) V() {",
        "type W struct {\n",
        "const (\n",
        ")",
        "public static void x() {",
        "#define Y(z) z\n",
        "#ifdef A\n",
        "#endif\n",
        "template <typename T> ",
        "B<T>::~B() {",
        "typedef struct { int a; } *b, c;",
        "extern \"C\" {",
        "namespace R.S;\n",
        "#region t\n",
        "#if U\n",
        "public int V { get; set; }\n",
        "public static W operator +(W a) => a;\n",
        "fun x(a: Int) = 1\n",
        "companion object {",
        "extension Y: Z {",
        "case a, b\n",
        "func ==(a: A, b: B) -> C {",
        "object D extends E {",
        "def f = 1\n",
        "@interface G : H\n",
        "- (void)i:(int)a j:(int)b {",
        "@end\n",
        "NS_ASSUME_NONNULL_BEGIN\n",
        "typedef NS_ENUM(int, K) {",
        "factory L.m() => L();\n",
        "class << self\n",
        "def self.x(a) = 1\n",
        "included do\n",
        "end\n",
        "Y = <<~TEXT\n",
        "TEXT\n",
        "attr_reader :a,\n  :b\n",
        "<?php\n",
        "?>",
        "namespace A\\B;\n",
        "const C = 1,\n  D = 2;\n",
        "function e() {\n",
        "defmodule F.G do\n",
        "defp h(i), do: i\n",
        "local function j.k:l()\n",
        "m <- function(n) {\n",
        "o(p) = p + 1\n",
        "CREATE TABLE q (r int);\n",
        "cat <<EOF\n",
        "EOF\n",
        "{\u{57f40}..3}",
        "data A = B { c :: D } | E\n",
        "f 0 = 1\n",
        "f :: Int -> Int\n",
        "instance G H where\n  i = j\n",
        "let rec k l = m and n = o\n",
        "module P = struct",
        " end\n",
        "const q = struct {",
        "message R { oneof s { t u = 1; } }",
        "type V @w { x: Y! }\n",
        "resource \"z\" \"a\" {",
        "function(b c)\n",
        "endfunction()\n",
        "if(D)\n",
        "endif()\n",
        "E := $(shell f | g)\n",
        "h: i\n\t$(j) k\\\n",
        "define L\n",
        "FROM m AS n\nARG o=p\n",
        "q = { r = s: t; };\n",
        "in {",
        "```\n",
        "~~~\n",
        "---\n",
        "+++\n",
        "title: x\n",
        "- ",
        "> ",
        "1. ",
        "| a | b |\n",
        "<div id=\"a\">",
        "</div>",
        "<h2>b &amp; c</h2>\n",
        "<script>\n",
        "<script lang='ts'>",
        "</script>",
        "<style>",
        "</style>\n",
        "<template>",
        "<!-- ",
        " -->",
        "<![CDATA[",
        "<a b={c > d}/>",
        ".a > b {",
        "--c: 1px;",
        "$d: 2 !default;\n",
        "@mixin e($f) {",
        "#{g}",
        "\"h\": ",
        "\"i\\n\", ",
        "[",
        "],\n",
        "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"def j():\\n\",\n\"  k\\u00e9\"]}",
        "{\"cell_type\": \"markdown\", \"source\": [\"# l\"]}]}",
        "key:\n",
        "- name: m\n",
        "n: |\n",
        "[table.o]\n",
        "p = '''\n",
        "=====\n",
        "Title\n",
        ".. code-block:: python\n",
        "== Q\n",
        "[source,ruby]\n",
        "----\n",
        "\\section{r}\n",
        "\\label{s}",
        "\\newcommand{\\t}",
        "\\begin{lstlisting}[language=C]\n",
        "\\end{lstlisting}\n",
        "ä",
        "€",
        "🎈",
        "x.y.z(a, *b)",
        "a = b\n",
        "// 🎈 ü\r\n",
        "\u{feff}",
        "\u{2028}",
        "\u{b}",
        "\0",
        " ",
    ]);
    let long = prop::sample::select(vec![
        "x ".repeat(7000),
        "é".repeat(7000),
        "y();\n".repeat(900),
        "    match z { 1 => 2,\n".repeat(200),
        "word word word\n\n".repeat(300),
    ]);
    let part = prop_oneof![30 => word.prop_map(str::to_owned), 1 => long, 5 => ".{0,20}"];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// The languages whose structure is read, one of the others, and none.
fn kinds() -> Vec<Option<&'static Language>> {
    let structured = languages().iter().filter(|language| language.has_structure());
    structured.map(Some).chain([crate::language_by_id("text"), None]).collect()
}

proptest! {
    // The same texts in every run: a change is judged by what it changes. `cargo xtask fuzz` looks for new ones.
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_covered_once_in_order_within_the_limits(
        text in meaningful(),
        language in prop::sample::select(kinds()),
    ) {
        check(&text, language);
    }

    #[test]
    fn any_bytes_are_read_once_made_text(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        language in prop::sample::select(kinds()),
    ) {
        check(&String::from_utf8_lossy(&bytes), language);
    }
}

#[test]
fn every_language_reads_a_text_of_many_parts() {
    let text = "# a\r\n\r\nfn b() {\n  1\n}\n\n\n/* c */ d\n---\n<x>ü</x>\n\"\"\"\n".repeat(70);
    for language in languages() {
        check(&text, Some(language));
    }
}

#[test]
fn what_a_grammar_ends_inside_of_a_character_is_kept_in_place() {
    let long_line = format!("typedef struct {{ int a; }} *b, c;{}\n", "x ".repeat(7000));
    let open_comment = format!("#[test]export const h = (a) => /* f{}", "é".repeat(7000));
    for (id, text) in
        [("bash", "r#\"\u{e000}\0¡\\\r¡".to_owned()), ("rust", long_line + &open_comment)]
    {
        check(&text, crate::language_by_id(id));
    }
}

#[test]
fn texts_without_content_have_no_chunks() {
    for text in ["", "\n", "\r\n \t\n", "\u{a0}\n\u{2003}"] {
        for language in kinds() {
            let parsed = parse(&FileKey::from_text("a"), text, language);
            assert_eq!(parsed.chunks, [], "{text:?}");
        }
    }
}
