//! Parts in other languages, and the structure of documents.

use std::fmt::Write as _;

use gik_base::FileKey;

use crate::{Parsed, SegmentKind, SymbolKind, detect_by_name, parse, searchable};

fn parsed(name: &str, text: &str) -> Parsed {
    let key = FileKey::from_text(name);
    parse(&key, text, detect_by_name(&key))
}

fn symbols(parsed: &Parsed) -> Vec<(u32, u32, &str)> {
    let place = |symbol: &'_ crate::Symbol| (symbol.start.line, symbol.start.col);
    parsed.symbols.iter().map(|s| (place(s).0, place(s).1, s.qualified.as_str())).collect()
}

#[test]
fn symbols_of_scripts_are_where_they_stand_in_the_page() {
    let text = "<p>ü</p>\n<script>function a() {}\n  class B { c() {} }</script>\n<script>function a() {}</script>";
    let parsed = parsed("a.html", text);
    assert_eq!(symbols(&parsed), [(2, 8, "a"), (3, 2, "B"), (3, 12, "B.c"), (4, 8, "a")]);
    for symbol in &parsed.symbols {
        let content = &text[symbol.bytes.clone()];
        assert!(content.contains(&symbol.name), "{content}");
        assert_eq!(&text[symbol.name_bytes.clone()], symbol.name);
    }
    let ids: Vec<&str> = parsed.symbols.iter().map(|s| s.symbol_id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "scip:gik html . a.html/a().",
            "scip:gik html . a.html/B#",
            "scip:gik html . a.html/B#c().",
            "scip:gik html . a.html/a(+1).",
        ]
    );
}

#[test]
fn references_in_scripts_know_the_symbol_around_them() {
    let text = "<script>function late() { helper(); }</script>\n<style>:root { --x: 1 }</style>\n\
                <script>function early() { other(1); }</script>";
    let parsed = parsed("a.html", text);
    let around = |name: &str| {
        let found = parsed.references.iter().find(|reference| reference.name_in(text) == name);
        found.and_then(|found| found.enclosing).map(|idx| &parsed.symbols[idx as usize].name)
    };
    assert_eq!(around("helper").map(String::as_str), Some("late"));
    assert_eq!(around("other").map(String::as_str), Some("early"));
}

#[test]
fn long_scripts_are_cut_along_their_functions() {
    let mut text = String::from("<html>\n<body id=\"page\">\n<script>\n");
    for idx in 0..6 {
        writeln!(text, "function step{idx}() {{").unwrap();
        for line in 0..60 {
            writeln!(text, "  call({line}, \"{idx}\");").unwrap();
        }
        text.push_str("}\n");
    }
    text.push_str("</script>\n</body>\n</html>\n");
    let parsed = parsed("a.html", &text);
    for idx in 0..6 {
        let name = format!("step{idx}");
        assert!(parsed.chunks.iter().any(|chunk| chunk.qualified == name), "{name}");
    }
}

#[test]
fn examples_in_prose_define_nothing() {
    for (name, text) in [
        ("a.md", "# A\n\n```rust\nfn example() {}\n```\n"),
        ("a.rst", "A\n=\n\n.. code-block:: rust\n\n   fn example() {}\n"),
        ("a.adoc", "= A\n\n[source,rust]\n----\nfn example() {}\n----\n"),
        ("a.tex", "\\section{A}\n\\begin{minted}{rust}\nfn example() {}\n\\end{minted}\n"),
    ] {
        let parsed = parsed(name, text);
        assert_eq!(parsed.symbols, [], "{name}");
        assert_eq!(parsed.segments.len(), 1, "{name}");
        assert_eq!(parsed.segments[0].kind, SegmentKind::CodeFence);
        assert_eq!(parsed.segments[0].language.map(|language| language.id), Some("rust"));
        let inside = text[parsed.segments[0].bytes.clone()].trim();
        assert_eq!(inside, "fn example() {}", "{name}");
        assert_eq!(parsed.chunks.len(), 1, "{name}");
        assert_eq!(parsed.chunks[0].qualified, "A", "{name}");
    }
}

#[test]
fn the_language_of_a_script_is_what_its_tag_says() {
    let of = |tag: &str| {
        let parsed =
            parsed("a.html", &format!("<{tag}>\n1\n</{}>", tag.split(' ').next().unwrap()));
        parsed.segments[0].language.map_or("?", |language| language.id)
    };
    assert_eq!(of("script"), "javascript");
    assert_eq!(of("script type=module"), "javascript");
    assert_eq!(of("script type='text/typescript'"), "typescript");
    assert_eq!(of("script lang=\"ts\""), "typescript");
    assert_eq!(of("script type=\"application/ld+json\""), "json");
    assert_eq!(of("script type=\"text/x-handlebars\""), "handlebars");
    assert_eq!(of("style"), "css");
    assert_eq!(of("style lang=\"scss\" scoped"), "scss");
}

fn notebook(cells: &[(&str, &str, &str)]) -> String {
    let mut text = String::from("{\n \"cells\": [\n");
    for (idx, (kind, source, outputs)) in cells.iter().enumerate() {
        let lines: Vec<String> =
            source.split_inclusive('\n').map(|line| format!("    {line:?}")).collect();
        let comma = if idx + 1 < cells.len() { "," } else { "" };
        writeln!(
            text,
            "  {{\n   \"cell_type\": \"{kind}\",\n   \"outputs\": [{outputs}],\n   \"source\": [\n{}\n   ]\n  }}{comma}",
            lines.join(",\n")
        )
        .unwrap();
    }
    text + " ],\n \"metadata\": {},\n \"nbformat\": 4\n}\n"
}

#[test]
fn definitions_in_cells_are_at_their_lines_of_the_notebook() {
    let text = notebook(&[
        ("markdown", "# Title \"quoted\"\ntext", ""),
        ("code", "%matplotlib inline\ndef open(\"a\"):\n    pass\n", ""),
        ("code", "def load(path):\n    !ls\n\nclass Store:\n    pass", ""),
    ]);
    let parsed = parsed("a.ipynb", &text);
    let names: Vec<&str> = parsed.symbols.iter().map(|s| s.name.as_str()).collect();
    assert!(names.ends_with(&["load", "Store"]), "{names:?}");
    for symbol in parsed.symbols.iter().filter(|symbol| symbol.name != "open") {
        let line = text.lines().nth(symbol.start.line as usize - 1).unwrap();
        assert!(line.contains(&symbol.name), "{line}");
        assert!(line[symbol.start.col as usize..].starts_with(['d', 'c']), "{line}");
    }
    assert!(parsed.chunks.iter().all(|chunk| chunk.qualified.starts_with("Title \"quoted\"")
        || chunk.qualified == "load"
        || chunk.qualified == "open"));
}

#[test]
fn what_cells_made_has_no_words_and_code_is_read_without_its_escapes() {
    let image = format!("{{\n\"data\": {{\n\"image/png\": \"{}\"\n}}\n}}", "iVBOR".repeat(2000));
    let text = notebook(&[
        ("markdown", "# Über\n\nSee \"this\".", ""),
        ("code", "def find(x):\n\treturn \"a\\n\" + x", &image),
        ("code", "find(1)", "{\n\"text\": [\n\"secret result\"\n]\n}"),
    ]);
    let key = FileKey::from_text("a.ipynb");
    let language = detect_by_name(&key);
    let parsed = parse(&key, &text, language);
    let words: Vec<_> =
        parsed.chunks.iter().map(|chunk| searchable(language, chunk, &text)).collect();
    let all = words.join("\n");
    assert!(!all.contains("iVBOR") && !all.contains("secret"), "{all}");
    assert!(all.contains("def find(x):\n\treturn \"a\\n\" + x"), "{all}");
    assert!(all.contains("See \"this\"."), "{all}");
    assert!(!all.contains("cell_type"), "{all}");
}

#[test]
fn files_that_are_no_notebooks_are_chunked_as_text() {
    for text in
        ["{\"cells\": [", "not json\n", "[]", "{\"a\": 1}", "{\"cells\": [{\"source\": \"a}]}"]
    {
        let parsed = parsed("a.ipynb", text);
        assert_eq!(parsed.symbols, []);
        assert_eq!(parsed.segments, []);
        assert_eq!(parsed.chunks.len(), 1, "{text}");
    }
}

#[test]
fn only_top_level_keys_are_symbols_and_not_without_end() {
    let mut text = String::from("{\n");
    for idx in 0..900 {
        writeln!(text, "  \"key{idx}\": {{ \"inner\": [{idx}] }},").unwrap();
    }
    text.push_str("  \"last\": 1\n}\n");
    let parsed = parsed("a.json", &text);
    assert_eq!(parsed.symbols.len(), 500);
    assert!(parsed.symbols.iter().all(|symbol| symbol.kind == SymbolKind::Property));
    assert!(parsed.symbols.iter().all(|symbol| symbol.name.starts_with("key")));
    assert_eq!(self::parsed("package-lock.json", "{\n\"a\": 1\n}\n").symbols, []);
}

#[test]
fn large_entries_are_cut_along_their_own_entries() {
    let mut json = String::from("{\n  \"paths\": {\n");
    let mut yaml = String::from("paths:\n");
    let mut xml = String::from("<api>\n  <paths>\n");
    let words = "word ".repeat(180);
    for idx in 0..8 {
        writeln!(json, "    \"p{idx}\": {{\n      \"text\": \"{words}\"\n    }},").unwrap();
        writeln!(yaml, "  p{idx}:\n    text: {words}").unwrap();
        writeln!(xml, "    <path id=\"p{idx}\">\n      {words}\n    </path>").unwrap();
    }
    json.push_str("    \"end\": 1\n  }\n}\n");
    xml.push_str("  </paths>\n</api>\n");
    for (name, text, qualified) in
        [("a.json", json, "paths.p"), ("a.yaml", yaml, "paths.p"), ("a.xml", xml, "paths/path p")]
    {
        let parsed = parsed(name, &text);
        for idx in 1..8 {
            let qualified = format!("{qualified}{idx}");
            assert!(parsed.chunks.iter().any(|chunk| chunk.qualified == qualified), "{qualified}");
        }
    }
}

#[test]
fn broken_and_hostile_texts_take_no_longer_than_others() {
    let markup = [
        "<a \"<b\" ",
        "<a {",
        "<div>",
        "</div>",
        "<!--",
        "<![CDATA[",
        "<script>",
        "<a b='",
        "<h1>",
        "<p>",
        "<!",
    ];
    let sheets = ["/*", "//", "a {", "(", "#{", "url(", "\"", "a:", "}"];
    let data = [
        "[", "{", "{\"a\":", "\"\\", "/*", "'", "key:\n", "- ", "a: |\n", "[a]\n", "a = [\n",
        "'''\n", "a",
    ];
    let prose = [
        "===\n",
        ".. code::\n",
        "----\n",
        "[source]\n",
        "\\section{",
        "\\begin{verbatim}\n",
        "\\label{",
        "\\",
        "%",
        "a\n",
    ];
    let groups: [(&[&str], &[&str]); 4] = [
        (&["a.html", "a.vue", "a.svelte", "a.xml"], &markup),
        (&["a.css", "a.scss", "a.less"], &sheets),
        (&["a.json", "a.yaml", "a.toml", "a.ipynb", "a.jsonl"], &data),
        (&["a.rst", "a.adoc", "a.tex"], &prose),
    ];
    for (names, parts) in groups {
        for (name, part) in names.iter().flat_map(|name| parts.iter().map(move |part| (name, part)))
        {
            let started = std::time::Instant::now();
            parsed(name, &part.repeat(100_000 / part.len()));
            assert!(started.elapsed().as_secs() < 20, "{name}: {part}");
        }
    }
}
