//! How chunks follow the structure of a file.

use std::fmt::Write as _;

use gik_base::FileKey;

use crate::{Chunk, ChunkKind, Parsed, detect_by_name, parse};

fn parsed(name: &str, text: &str) -> Parsed {
    let key = FileKey::from_text(name);
    parse(&key, text, detect_by_name(&key))
}

fn chunk<'a>(parsed: &'a Parsed, qualified: &str) -> &'a Chunk {
    let found = parsed.chunks.iter().find(|chunk| chunk.qualified == qualified);
    found.unwrap_or_else(|| panic!("no chunk `{qualified}` in\n{:#?}", parsed.chunks))
}

/// A function of about that many bytes.
fn function(name: &str, size: usize) -> String {
    let mut text = format!("/// Does {name}.\nfn {name}() {{\n");
    let mut line = 0;
    while text.len() + 2 < size {
        writeln!(text, "    {name}_step({line});").unwrap();
        line += 1;
    }
    text + "}\n"
}

#[test]
fn a_large_function_stands_alone_and_small_ones_are_joined() {
    let text = [
        function("tiny_one", 100),
        function("tiny_two", 100),
        function("large", 900),
        function("tiny_three", 100),
    ]
    .join("\n");
    let parsed = parsed("a.rs", &text);
    let names: Vec<&str> = parsed.chunks.iter().map(|chunk| chunk.name.as_str()).collect();
    assert_eq!(names, ["tiny_one tiny_two", "large", "tiny_three"]);
    assert_eq!(parsed.chunks[0].qualified, "tiny_one");
    assert_eq!(parsed.chunks[0].kind, ChunkKind::Function);
}

#[test]
fn a_very_large_function_is_cut_before_statements_and_every_part_is_named() {
    let text = function("huge", 20_000);
    let parsed = parsed("a.rs", &text);
    assert!(parsed.chunks.len() > 5);
    for chunk in &parsed.chunks {
        assert_eq!(chunk.qualified, "huge");
        assert_eq!(chunk.signature, "fn huge()");
        assert!(chunk.bytes.len() <= 3200, "{}", chunk.bytes.len());
    }
    let documented = parsed.chunks.iter().filter(|chunk| !chunk.doc.is_empty()).count();
    assert_eq!(documented, 1);
}

#[test]
fn an_edit_in_one_function_keeps_the_uids_of_the_others() {
    let mut functions: Vec<String> =
        (0..20).map(|idx| function(&format!("work_{idx}"), 900 + idx * 10)).collect();
    let before = parsed("a.rs", &functions.join("\n"));
    functions[7].insert_str(0, "// changed\n// and longer\n");
    functions.insert(3, function("fresh", 1000));
    let after = parsed("a.rs", &functions.join("\n"));
    for chunk in before.chunks.iter().filter(|chunk| chunk.qualified != "work_7") {
        assert!(after.chunks.iter().any(|other| other.uid == chunk.uid), "{}", chunk.qualified);
    }
}

#[test]
fn an_edit_among_small_items_changes_only_the_chunks_around_it() {
    let items: Vec<String> =
        (0..300).map(|idx| format!("const VALUE_{idx}: u32 = {idx};\n")).collect();
    let before = parsed("a.rs", &items.concat());
    let mut edited = items;
    edited[30].insert_str(0, "/// Now with a word or two about what it means.\n");
    let after = parsed("a.rs", &edited.concat());
    let kept = before
        .chunks
        .iter()
        .filter(|chunk| after.chunks.iter().any(|other| other.uid == chunk.uid));
    let (kept, all) = (kept.count(), before.chunks.len());
    assert!(all >= 6 && kept + 3 >= all, "{kept} of {all}");
}

#[test]
fn lines_appended_to_a_log_keep_the_chunks_above() {
    let lines: String =
        (0..2000).map(|idx| format!("12:00:{idx:04} request {} done\n", idx * 31)).collect();
    let before = parsed("a.log", &lines);
    let after = parsed("a.log", &(lines + "12:59:59 one more\n"));
    let n_same =
        before.chunks.iter().zip(&after.chunks).filter(|(one, other)| one.uid == other.uid).count();
    assert!(n_same + 1 >= before.chunks.len());
}

#[test]
fn test_modules_never_share_a_chunk_with_product_code() {
    let text = "fn product() {}\n\nmacro!();\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {}\n}\n";
    let parsed = parsed("a.rs", text);
    for chunk in &parsed.chunks {
        let content = &text[chunk.bytes.clone()];
        assert_ne!(content.contains("product"), content.contains("works"), "{content}");
        assert_ne!(content.contains("macro!"), content.contains("cfg(test)"), "{content}");
    }
}

#[test]
fn equal_chunks_in_one_file_have_different_uids() {
    let twin = function("twin", 900);
    let parsed = parsed("a.rs", &format!("{twin}\n{twin}"));
    assert_eq!(parsed.chunks.len(), 2);
    assert_eq!((parsed.chunks[0].ordinal, parsed.chunks[1].ordinal), (0, 1));
    assert_ne!(parsed.chunks[0].uid, parsed.chunks[1].uid);
    assert_eq!(parsed.chunks[0].content_sha256, parsed.chunks[1].content_sha256);
}

#[test]
fn symbol_ids_survive_edits_of_body_and_place() {
    let ids = |text: &str| -> Vec<String> {
        parsed("src/a.rs", text).symbols.into_iter().map(|symbol| symbol.symbol_id).collect()
    };
    let before = ids("impl Store { fn open() { 1 } }\nmod m { struct S { f: u8 } }");
    let after = ids(
        "// more\n\nimpl Store {\n    fn open() {\n        2\n    }\n}\nmod m { struct S { f: u8 } }",
    );
    assert_eq!(before, after);
    assert_eq!(
        before,
        [
            "scip:gik rust . src/a.rs/Store#open().",
            "scip:gik rust . src/a.rs/m/",
            "scip:gik rust . src/a.rs/m/S#",
            "scip:gik rust . src/a.rs/m/S#f.",
        ]
    );
}

#[test]
fn sections_have_their_heading_path_and_fences_are_not_torn() {
    let fence = format!("```rust\n{}```\n", "let x = 1;\n\n".repeat(500));
    assert!(fence.len() > 5000);
    let prose = "Some words about it.\n\n".repeat(100);
    let text = format!("# Guide\n\n{prose}## Install\n\n{prose}{fence}\n{prose}");
    let parsed = parsed("a.md", &text);
    assert!(parsed.chunks.iter().any(|chunk| text[chunk.bytes.clone()].contains(fence.trim_end())));
    assert_eq!(chunk(&parsed, "Guide").container, "");
    assert_eq!(chunk(&parsed, "Guide > Install").container, "Guide");
    assert_eq!(chunk(&parsed, "Guide > Install").name, "Install");
    assert_eq!(parsed.segments.len(), 1);
    assert_eq!(parsed.segments[0].language.map(|language| language.id), Some("rust"));
}

#[test]
fn a_long_line_is_cut_at_character_boundaries() {
    let text = format!("a\n\n{}\n\nb\n", "ä€🎈".repeat(5000));
    let parsed = parsed("a.txt", &text);
    let sizes: Vec<usize> = parsed.chunks.iter().map(|chunk| chunk.bytes.len()).collect();
    assert!(sizes.iter().all(|size| *size <= 12 * 1024), "{sizes:?}");
    let line: usize = parsed
        .chunks
        .iter()
        .filter(|chunk| chunk.lines.start == 3)
        .map(|chunk| chunk.bytes.len())
        .sum();
    assert_eq!(line, 45_000);
}

#[test]
fn sources_that_are_deeply_nested_or_broken_are_read_all_the_same() {
    let depth = 20_000;
    for text in [
        format!("fn f() {{ {}{} }}", "(".repeat(depth), ")".repeat(depth)),
        "mod a {\n".repeat(depth),
        "impl".repeat(depth),
        "[".repeat(depth),
        "> ".repeat(depth),
        "- ".repeat(depth),
        "#".repeat(depth),
    ] {
        let names = "a.rs a.md a.py a.js a.ts a.go a.java a.c a.cpp a.cs a.kt a.swift a.scala a.m a.dart a.rb \
                     a.php a.sh a.lua a.ex a.sql a.r a.jl a.hs a.ml a.mli a.zig a.proto a.graphql a.tf a.cmake \
                     a.mk a.nix Dockerfile";
        for name in names.split_whitespace() {
            assert!(!parsed(name, &text).chunks.is_empty());
        }
    }
}

#[test]
fn problems_name_the_first_line_that_cannot_be_read() {
    let parsed = parsed("a.rs", "fn good() {}\n\nfn bad( {\n");
    assert_eq!(parsed.problems.len(), 1);
    assert!(parsed.problems[0].line >= 3);
    assert!(parsed.symbols.iter().any(|symbol| symbol.name == "good"));
}

#[test]
fn characters_that_a_grammar_has_no_table_for_are_read_all_the_same() {
    let parsed = parsed("a.sh", "before() { :; }\necho {\u{57f40}..3} {🎈..ä}\nafter() { :; }\n");
    let names: Vec<&str> = parsed.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["before", "after"]);
}

#[test]
fn the_keys_of_a_table_are_data() {
    let symbols = |n_keys: usize| {
        let keys: String =
            (0..n_keys).map(|number| format!("  key{number}: {{ a: 1 }},\n")).collect();
        parsed("a.js", &format!("const t = {{\n{keys}  open() {{}},\n}};\n")).symbols.len()
    };
    assert_eq!(symbols(3), 8);
    assert_eq!(symbols(3000), 2);
}
