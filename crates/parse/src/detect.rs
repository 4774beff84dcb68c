//! Which language a file is in: by its name, then its extension, then its first lines.

use gik_base::FileKey;

use crate::language::{self, Language, language_by_tag};

/// How many of the first lines may hold a modeline.
const MODELINE_LINES: usize = 5;

/// What lines of C++ start with and lines of C never do.
const CPP_STARTS: [&str; 12] = [
    "class ",
    "namespace ",
    "template <",
    "template<",
    "using ",
    "public:",
    "private:",
    "protected:",
    "constexpr ",
    "#include <string>",
    "#include <vector>",
    "#include <memory>",
];

/// The language of a file from its name and its first bytes; `None` for plain text of unknown kind.
pub fn detect(path: &FileKey, head: &[u8]) -> Option<&'static Language> {
    match detect_by_name(path) {
        Some(language) if is_shared_header(path, language) => {
            by_modeline(head).or_else(|| cpp_by_words(head)).or(Some(language))
        },
        Some(language) => Some(language),
        None => by_shebang(head).or_else(|| by_modeline(head)),
    }
}

/// C and C++ both call their headers `.h`.
fn is_shared_header(path: &FileKey, language: &Language) -> bool {
    language.id == "c" && path.file_name().to_ascii_lowercase().ends_with(".h")
}

/// C++ where a line of the head can be nothing else.
fn cpp_by_words(head: &[u8]) -> Option<&'static Language> {
    let is_cpp = head.split(|byte| *byte == b'\n').filter_map(text_of).any(|line| {
        let line = line.trim_start();
        CPP_STARTS.iter().any(|start| line.starts_with(start))
    });
    language::language_by_id("cpp").filter(|_| is_cpp)
}

/// The language of a file from its name alone.
pub fn detect_by_name(path: &FileKey) -> Option<&'static Language> {
    let name = path.file_name();
    if let Some(language) = language::by_filename(name) {
        return Some(language);
    }
    let lower = name.to_ascii_lowercase();
    // Longest extension first: `page.html.erb` is asked for `html.erb`, then for `erb`.
    let mut rest = lower.strip_prefix('.').unwrap_or(&lower);
    while let Some((_, extension)) = rest.split_once('.') {
        if let Some(language) = language::by_extension(extension) {
            return Some(language);
        }
        rest = extension;
    }
    language::by_prefix(name)
}

fn by_shebang(head: &[u8]) -> Option<&'static Language> {
    let line = text_of(head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?)?;
    let mut words = line.split_ascii_whitespace();
    let mut program = base_name(words.next()?);
    if program == "env" {
        // `env -S FOO=1 python3 -u`: options and assignments come before the program.
        program = base_name(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    let versionless = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let lower = program.to_ascii_lowercase();
    language::by_interpreter(&lower).or_else(|| language::by_interpreter(versionless))
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

/// Emacs' `-*- mode: ruby -*-` and Vim's `vim: set ft=ruby:`.
fn by_modeline(head: &[u8]) -> Option<&'static Language> {
    head.split(|byte| *byte == b'\n').take(MODELINE_LINES).filter_map(text_of).find_map(|line| {
        let name = emacs_mode(line).or_else(|| vim_filetype(line))?;
        language_by_tag(name)
    })
}

fn emacs_mode(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("-*-")?;
    let (variables, _) = rest.split_once("-*-")?;
    let named = variables.split(';').find_map(|variable| {
        let (key, value) = variable.split_once(':')?;
        key.trim().eq_ignore_ascii_case("mode").then(|| value.trim())
    });
    named.or_else(|| (!variables.contains(':')).then(|| variables.trim()))
}

fn vim_filetype(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("vim:").or_else(|| line.split_once("vi:"))?;
    rest.split([' ', ':', '\t']).find_map(|option| {
        let (key, value) = option.split_once('=')?;
        matches!(key, "ft" | "filetype" | "syntax").then_some(value)
    })
}

/// The readable start of a line; what follows a broken byte is of no interest.
fn text_of(line: &[u8]) -> Option<&str> {
    match std::str::from_utf8(line) {
        Ok(text) => Some(text),
        Err(error) => std::str::from_utf8(&line[..error.valid_up_to()]).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, head: &str, expected: Option<&str>) {
        let language = detect(&FileKey::from_text(path), head.as_bytes());
        assert_eq!(language.map(|language| language.id), expected, "{path}");
    }

    #[test]
    fn a_whole_name_wins_over_an_extension() {
        check("a/CMakeLists.txt", "", Some("cmake"));
        check("a/notes.txt", "", Some("text"));
        check("Dockerfile", "", Some("dockerfile"));
        check("Dockerfile.dev", "", Some("dockerfile"));
        check("LICENSE-MIT", "", Some("text"));
        check("LICENSE.md", "", Some("markdown"));
        check("docker/dev.Dockerfile", "", Some("dockerfile"));
        check("Makefile", "", Some("makefile"));
        check(".env.local", "", Some("dotenv"));
        check("Cargo.lock", "", Some("toml"));
    }

    #[test]
    fn extensions_count_in_any_case_and_the_longest_first() {
        check("src/MAIN.RS", "", Some("rust"));
        check("a.b.c.py", "", Some("python"));
        check("x.h", "", Some("c"));
        check("x.m", "", Some("objective-c"));
        check("x.d.ts", "", Some("typescript"));
        check(".rs", "", None);
        check("rs", "", None);
    }

    #[test]
    fn scripts_without_extension_are_known_by_their_first_line() {
        check("tool", "#!/bin/sh\n", Some("bash"));
        check("tool", "#!/usr/bin/env -S LANG=C python3.12 -u\n", Some("python"));
        check("tool", "#! /usr/bin/perl -w\n", Some("perl"));
        check("tool", "#!/usr/bin/env Rscript\n", Some("r"));
        check("tool", "#!", None);
        check("tool", "no shebang", None);
    }

    #[test]
    fn headers_are_c_until_they_say_otherwise() {
        check("a.h", "#ifndef A_H\nint namespace_of(void);\n", Some("c"));
        check("a.h", "/* a class of things */\nstruct a;\n", Some("c"));
        check("a.h", "#pragma once\n\nnamespace a {\n", Some("cpp"));
        check("A.H", "// -*- C++ -*-\n", Some("cpp"));
        check("a.c", "class a;\n", Some("c"));
    }

    #[test]
    fn modelines_name_the_language() {
        check("tool", "# -*- mode: ruby; coding: utf-8 -*-\n", Some("ruby"));
        check("tool", "\n\n// -*- C++ -*-\n", Some("cpp"));
        check("tool", "# vim: set ts=4 ft=python :\n", Some("python"));
    }

    #[test]
    fn broken_bytes_in_the_head_are_no_obstacle() {
        let key = FileKey::from_text("tool");
        assert_eq!(detect(&key, b"#!/bin/sh\xff\n").map(|language| language.id), Some("bash"));
        assert_eq!(detect(&key, &[0xff, 0xfe, 0x00]), None);
    }
}
