//! Texts that nobody writes on purpose, or that fuzzing found: each of them ends, with a value that keeps its promises.

use gik_base::FileKey;

use crate::{Language, Parsed, check, language_by_id, languages, parse};

fn readable() -> impl Iterator<Item = &'static Language> {
    languages().iter().filter(|language| language.has_structure())
}

#[track_caller]
fn checked(language: &'static Language, text: &str) -> Parsed {
    let parsed = parse(&FileKey::from_text("dir/file"), text, Some(language));
    assert_eq!(check(text, &parsed), Ok(()), "{}", language.id);
    parsed
}

#[track_caller]
fn checked_as(id: &str, text: &str) -> Parsed {
    checked(language_by_id(id).unwrap(), text)
}

#[test]
fn ten_thousand_brackets_are_read_in_every_language() {
    for language in readable() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            let (opened, closed) = (open.repeat(10_000), close.repeat(10_000));
            for text in [format!("a {opened}1{closed}\n"), opened.clone(), closed.clone()] {
                assert!(!checked(language, &text).chunks.is_empty());
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_read_in_every_language() {
    let odd: [&[u8]; 6] = [
        b"\xef\xbb\xbffirst\n\xef\xbb\xbfsecond \xef\xbb\xbf\n",
        b"a\0b\n\0\0\0\nfn c() {\0}\n",
        b"a \xff\xfe b\n\xc3( \xed\xa0\x80 \xf4\x90\x80\x80\n\xe2\x82",
        b"\xff\xfef\0n\0 \0a\0(\0)\0",
        b"a\rb\r\rc\n\rd\x0b\x0ce\xc2\x85f\xe2\x80\xa8g",
        b"\xf0\x9f\x8e\x88 = \"\xf4\x8f\xbf\xbf\" // \xcc\x81\xe2\x80\xae\n",
    ];
    for language in readable() {
        for bytes in odd {
            checked(language, &String::from_utf8_lossy(bytes));
        }
    }
}

#[test]
fn an_annotation_at_the_very_end_is_not_read_for_ever() {
    let parsed = checked_as("kotlin", "fun before() {}\nval a = 1\n@Serializ");
    let names: Vec<&str> = parsed.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["before", "a"]);
    checked_as("kotlin", "val a = 1\n@S(\"x y");
    checked_as("kotlin", "val a = 1\n@S\0");
}

#[test]
fn brackets_that_close_nothing_are_not_mended_for_ever() {
    for language in readable() {
        checked(language, &"-}".repeat(5000));
        checked(language, &"  after = 3;\n}\n".repeat(5000));
        checked(language, &[")*".repeat(300), ")*".repeat(300), ")*".repeat(300)].join("> h"));
    }
}

#[test]
fn a_method_and_a_field_of_one_name_have_ids_of_their_own() {
    checked_as("dart", "operator(;T operator;operator(=>e;T operator");
    checked_as("dart", "class A { f() {} int f; f(a) {} int f; }");
}

#[test]
fn odd_spaces_before_a_rule_do_not_move_its_name() {
    let sheets = [("css", "/**/\u{c}@keyframes\nm{"), ("less", "\u{85} .r(){"), ("less", "@d : {")];
    for (id, text) in sheets {
        let parsed = checked_as(id, text);
        assert!(!parsed.symbols[0].name_bytes.is_empty(), "{id}");
    }
}

#[test]
fn lines_are_counted_in_the_text_and_not_by_the_grammar() {
    checked_as("c", "::\n\nc i\nv{");
}

#[test]
fn a_name_in_parts_is_where_its_first_part_is() {
    let cell = r#"{"cells": [{"cell_type": "code", "source": ["e", "L = 1\n", "\u0061 = 2"]}]}"#;
    checked_as("jupyter", cell);
    checked_as("objective-c", "@interface-(i:()r d;");
}

#[test]
fn a_torn_statement_that_goes_on_behind_a_symbol_is_not_inside_it() {
    let many = " x".repeat(7_000);
    let start = "<![CDATA[else:\n<A{attr_reader :a,\n  :b\n#define Y(z) z\n%A*¡A¡class << self\n<";
    checked_as("cpp", &format!("{start}{many} impl X for Y {{/* f"));
}

#[test]
fn markup_in_the_code_of_a_component_is_code() {
    let part = "</spt>\n<styl  </ul>\n<script>\n  function start() {}\n</script>\n";
    let text = format!("---\nim\n{{\n{}{}---\n<p>x</p>\n", part.repeat(3), "{\n".repeat(500));
    checked_as("astro", &text);
    let parsed = checked_as("astro", "---\nlet a: Array<script> = f();\n---\n<p>x</p>\n");
    assert_eq!(parsed.segments.len(), 1, "{:?}", parsed.segments);
}

#[test]
fn a_declaration_of_very_many_names_is_not_read_once_for_each() {
    let text = format!("int a0{};\n", (1..20_000).map(|n| format!(",\n a{n}")).collect::<String>());
    for id in ["cpp", "java", "typescript"] {
        checked_as(id, &text);
    }
}

#[test]
fn runs_of_lines_cover_any_text() {
    let long = "x".repeat(30_000);
    let many = "fn a() {}\n\n".repeat(4_000);
    for text in ["", "\n\n", "a", &long, &many, &format!("{many}{long}\n{many}")] {
        let path = FileKey::from_text("dir/file");
        let parsed = Parsed { chunks: crate::runs_of_lines(&path, text), ..Parsed::default() };
        assert_eq!(check(text, &parsed), Ok(()));
        assert!(parsed.chunks.len() <= text.len() / 6_000 + 1, "{}", parsed.chunks.len());
    }
}

#[test]
fn errors_that_are_carried_along_at_every_step_end_it() {
    let open = "resource \"aws_instance\" \"half\" {\n  ami = \n\n";
    let closed = "  type = string\n}\n";
    let unfinished = format!("{closed}\n{open}ou");
    let text = [
        format!(
            "variable \"good\" {{\n{closed}\n{open}output \"after\" {{\n  value = var.good\n}}"
        ),
        unfinished.repeat(767),
        format!("{closed}{}\n{open}ou", "-".repeat(276)),
        unfinished.repeat(1134),
    ];
    // It took a minute, and 20 GB in all.
    let parsed = checked_as("hcl", &text.concat());
    let problems: Vec<&str> = parsed.problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(problems, ["the file is too complex to read its structure"]);
}

#[test]
fn a_receiver_that_is_longer_with_its_escapes_is_left_out() {
    for (filling, has_receiver) in [(70, true), (75, false)] {
        let receiver = format!(r#"a[\"{}\"]"#, "x".repeat(filling));
        let cell = format!(r#"{{"cell_type": "code", "source": ["{receiver}.b()\n"]}}"#);
        let metadata = r#"{"language_info": {"name": "python"}}"#;
        let text = format!(r#"{{"cells": [{cell}], "metadata": {metadata}, "nbformat": 4}}"#);
        let parsed = checked_as("jupyter", &text);
        let call = parsed.references.iter().find(|it| it.name_in(&text) == "b").unwrap();
        assert_eq!(call.receiver_in(&text), has_receiver.then_some(receiver.as_str()));
    }
}

#[test]
fn a_command_that_is_blanked_in_a_notebook_tears_no_character() {
    let source = "[\"class r\\n\", \" !\u{e}\u{fffd}\"]";
    let cell = format!("{{\"source\": {source}, \"cell_type\": \"code\"}}");
    checked_as("jupyter", &format!("{{\"cells\": [{cell}], \"nbformat\": 4}}"));
}

#[test]
fn a_word_that_stands_in_for_a_macro_tears_no_character() {
    checked_as("objective-c", "f s*/@interface e<>{}-()t,...{ati🎈 v e{");
    checked_as("objective-c", "Ä日_ENUM(int, a) {\n  b,\n};\n");
}

#[test]
fn thousands_of_parts_of_a_style_on_one_line_are_not_nested_in_each_other() {
    let part = |n: usize| format!("{{/each}} <p id=\"full-{n}\">{{rolength > 3 && drop(row)}} /> ");
    let parts: String = (0..12_000).map(part).collect();
    let parsed =
        checked_as("svelte", &format!("<script>let a = 1;</script><style>{parts}</style>"));
    assert_eq!(parsed.symbols.first().unwrap().name, "a");
}

#[test]
fn a_line_end_that_only_the_grammar_sees_is_no_part_of_the_file() {
    checked_as("makefile", "$(\\\n\nn:");
}

#[test]
fn a_stack_that_grows_with_every_token_is_not_walked_at_each() {
    let start = "RACE := $(shell test $$(go env GOARCH) != \"amd64\" || (echo \"-race\"))\n\n\
                 NAME := $(if $(MODE),--name $(MODE),)\n\n\
                 $(foreach part,$(PARTS),$(eval $ar cannot read is passed over.\n\n";
    let line = "RACE := $(shell test $$(go env GOar cannot read is passed over.\n\n";
    let other = "RACE := $(shell test $$(go env GOarAFTER = 2\n cannot read is passed over.\n\n";
    let lines = line.repeat(2000);
    let text = format!("{start}{lines}{other}{lines}");
    let started = std::time::Instant::now();
    checked_as("makefile", &text);
    // Without optimisation it took minutes.
    assert!(started.elapsed().as_secs() < 40);
}

#[test]
fn a_key_behind_a_byte_order_mark_is_where_it_stands() {
    let parsed = checked_as("yaml", "\u{feff} y: 1\n");
    let place = |it: &crate::Symbol| (it.name_bytes.start, it.name_bytes.end);
    assert_eq!(parsed.symbols.iter().map(place).collect::<Vec<_>>(), [(4, 5)]);
}
