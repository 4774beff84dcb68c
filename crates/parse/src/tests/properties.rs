//! What holds for any text in any language.

use gik_base::FileKey;
use gik_base::collections::HashSet;
use proptest::prelude::*;

use crate::{Language, Parsed, chunking, languages, parse};

#[track_caller]
fn check(text: &str, language: Option<&'static Language>) {
    let key = FileKey::from_text("dir/file");
    let parsed = parse(&key, text, language);
    let id = language.map_or("none", |language| language.id);
    check_chunks(text, &parsed, id);
    for symbol in &parsed.symbols {
        assert!(text.get(symbol.bytes.clone()).is_some(), "{id}: {symbol:?}");
        assert!(symbol.start <= symbol.end);
    }
    check_facts(text, &parsed, id);
    for segment in &parsed.segments {
        assert!(text.get(segment.bytes.clone()).is_some(), "{id}: {segment:?}");
    }
    assert_eq!(parse(&key, text, language), parsed, "{id}: the second time differs");
}

#[track_caller]
fn check_facts(text: &str, parsed: &Parsed, id: &str) {
    // Line, column and UTF-16 offset of every byte that starts a character, and of the end.
    let mut places = vec![(1, 0, 0); text.len() + 1];
    let mut units = 0;
    let mut line = (1, 0);
    for (at, c) in text.char_indices().chain([(text.len(), '\0')]) {
        places[at] = (line.0, at - line.1, units);
        units += c.len_utf16();
        if c == '\n' {
            line = (line.0 + 1, at + 1);
        }
    }
    let utf16 = |byte: usize| places[byte].2;
    let position = |byte: usize| (places[byte].0, places[byte].1);
    for chunk in &parsed.chunks {
        let expected = utf16(chunk.bytes.start)..utf16(chunk.bytes.end);
        assert_eq!(chunk.utf16, expected, "{id}: {:?}", chunk.bytes);
    }
    for symbol in &parsed.symbols {
        let expected = utf16(symbol.bytes.start)..utf16(symbol.bytes.end);
        assert_eq!(symbol.utf16, expected, "{id}: {symbol:?}");
        for (byte, at) in [(symbol.bytes.start, symbol.start), (symbol.bytes.end, symbol.end)] {
            assert_eq!((at.line as usize, at.col as usize), position(byte), "{id}: {symbol:?}");
        }
        assert_eq!(text.get(symbol.name_bytes.clone()), Some(symbol.name.as_str()), "{id}");
        assert!(symbol.doc.len() <= 2048, "{id}: {symbol:?}");
    }
    let mut start = 0;
    for reference in &parsed.references {
        assert!(reference.name.start >= start, "{id}: out of order at {start}");
        start = reference.name.start;
        assert!(!reference.name_in(text).is_empty(), "{id}: {reference:?}");
        let receiver = reference.receiver_in(text);
        let is_short = |receiver: &str| (1..=80).contains(&receiver.len());
        assert!(receiver.is_none_or(is_short), "{id}: {reference:?}");
        if let Some(enclosing) = reference.enclosing {
            let symbol = &parsed.symbols[enclosing as usize].bytes;
            let name = reference.name.start as usize..reference.name.end as usize;
            assert!(symbol.start <= name.start && name.end <= symbol.end, "{id}: {reference:?}");
        }
    }
    let mut end = 0;
    for comment in &parsed.comments {
        assert!(comment.start >= end && comment.end > comment.start, "{id}: {comment:?}");
        assert!(text.get(comment.clone()).is_some(), "{id}: {comment:?}");
        end = comment.end;
    }
}

#[track_caller]
fn check_chunks(text: &str, parsed: &Parsed, id: &str) {
    let mut end = 0;
    let mut last_line = 0;
    let mut line_of = 1_u32;
    let mut counted = 0;
    let mut line_at = |byte: usize| {
        line_of += u32::try_from(text[counted..byte].matches('\n').count()).unwrap();
        counted = byte;
        line_of
    };
    let mut covered = HashSet::default();
    let mut uids = HashSet::default();
    for chunk in &parsed.chunks {
        let content = text.get(chunk.bytes.clone());
        assert!(content.is_some_and(|content| !content.trim().is_empty()), "{id}: {chunk:?}");
        assert!(chunk.bytes.start >= end, "{id}: chunks overlap at {end}");
        assert!(chunk.bytes.len() <= chunking::HARD_MAX, "{id}: {} bytes", chunk.bytes.len());
        assert!(uids.insert(&chunk.uid), "{id}: {} twice", chunk.uid);
        let is_same_long_line = chunk.lines.start == last_line && chunk.lines.end == last_line;
        assert!(chunk.lines.start > last_line || is_same_long_line, "{id}: {chunk:?}");
        let (first, last) = (line_at(chunk.bytes.start), line_at(chunk.bytes.end));
        assert_eq!((chunk.lines.start, chunk.lines.end), (first, last), "{id}");
        covered.extend(chunk.lines.start..=chunk.lines.end);
        end = chunk.bytes.end;
        last_line = chunk.lines.end;
    }
    for (number, line) in (1_u32..).zip(text.split('\n')) {
        let is_covered = covered.contains(&number);
        assert!(is_covered || line.trim().is_empty(), "{id}: line {number} is lost: {line:?}");
    }
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
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

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
fn texts_without_content_have_no_chunks() {
    for text in ["", "\n", "\r\n \t\n", "\u{a0}\n\u{2003}"] {
        for language in kinds() {
            let parsed = parse(&FileKey::from_text("a"), text, language);
            assert_eq!(parsed.chunks, [], "{text:?}");
        }
    }
}
