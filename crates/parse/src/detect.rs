//! Which language a file is in: by its name, then its extension, then its first lines.

use gik_base::FileKey;

use crate::language::{self, Language, language_by_tag};

/// How many of the first lines may hold a modeline.
const MODELINE_LINES: usize = 5;

/// What lines of Objective-C start with and lines of C, C++ and MATLAB never do.
const OBJECTIVE_C_STARTS: [&str; 9] = [
    "@interface",
    "@protocol",
    "@implementation",
    "@class ",
    "@import ",
    "@end",
    "#import ",
    "NS_ASSUME_NONNULL_BEGIN",
    "typedef NS_",
];

/// What lines of C, and so of Objective-C, start with and lines of MATLAB never do.
const C_STARTS: [&str; 9] =
    ["//", "/*", "#include", "#define", "#if", "#pragma", "static ", "typedef ", "extern "];

/// What lines of MATLAB or Octave start with.
const MATLAB_STARTS: [&str; 8] =
    ["%", "function ", "function[", "classdef ", "clear", "close all", "clc", "addpath"];

/// What lines of Prolog start with and lines of Perl never do.
const PROLOG_STARTS: [&str; 5] = [":-", "?-", "/*", "%%", "% "];

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
    let by_name = detect_by_name(path);
    match by_name.and_then(|_| shared_extension(path)) {
        Some(shared) => by_shebang(head)
            .or_else(|| by_modeline(head))
            .or_else(|| language::language_by_id(by_content(shared, head)?))
            .or(by_name),
        None => by_name.or_else(|| by_shebang(head)).or_else(|| by_modeline(head)),
    }
}

/// The extension of a file, if several languages use it.
fn shared_extension(path: &FileKey) -> Option<&'static str> {
    let (_, extension) = path.file_name().rsplit_once('.')?;
    let is_it = |shared: &&str| extension.eq_ignore_ascii_case(shared);
    ["h", "m", "pl", "ts"].into_iter().find(is_it)
}

/// Which of the languages with an extension the first lines are in; `None` for the usual one.
fn by_content(extension: &str, head: &[u8]) -> Option<&'static str> {
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .filter_map(text_of)
        .map(|line| line.trim_start_matches('\u{feff}').trim())
        .filter(|line| !line.is_empty());
    let starts = |line: &str, words: &[&str]| words.iter().any(|word| line.starts_with(word));
    match extension {
        "h" => lines.find_map(|line| {
            if starts(line, &OBJECTIVE_C_STARTS) {
                Some("objective-c")
            } else {
                starts(line, &CPP_STARTS).then_some("cpp")
            }
        }),
        // The first line that says anything decides. `#` starts a comment in Octave and a directive in C.
        "m" => lines.find_map(|line| {
            if starts(line, &OBJECTIVE_C_STARTS) || starts(line, &C_STARTS) {
                Some("objective-c")
            } else {
                let is_matlab = starts(line, &MATLAB_STARTS) || line.starts_with('#');
                is_matlab.then_some("matlab")
            }
        }),
        "pl" => {
            let mut lines = lines.peekable();
            let first = lines.peek().copied().unwrap_or_default();
            let is_prolog = |line: &str| {
                line.starts_with(":-") || (line.contains(") :-") && !line.contains('$'))
            };
            (starts(first, &PROLOG_STARTS) || lines.any(is_prolog)).then_some("prolog")
        },
        // Translations of Qt.
        "ts" => lines
            .next()
            .and_then(|first| starts(first, &["<?xml", "<!DOCTYPE TS", "<TS"]).then_some("xml")),
        _ => None,
    }
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
        check("a.h", "// A.\n#import <B/B.h>\n", Some("objective-c"));
        check("a.h", "#include <a.h>\n\n@interface A : B\n", Some("objective-c"));
        check("a.h", "@protocol A;\nclass b;\n", Some("objective-c"));
        check("a.hpp", "#import <a>\n", Some("cpp"));
    }

    #[test]
    fn languages_with_one_extension_are_told_apart_by_their_first_lines() {
        check("a.m", "// A.\n\n@implementation A\n", Some("objective-c"));
        check("a.m", "/*\n % b\n */\n", Some("objective-c"));
        check("a.m", "#include <stdio.h>\nint main() {}\n", Some("objective-c"));
        check("a.m", "\nfunction y = a(x)\n", Some("matlab"));
        check("a.m", "x = 1;\n% plots x\n", Some("matlab"));
        check("a.m", "## Copyright\n", Some("matlab"));
        check("a.m", "", Some("objective-c"));
        check("a.pl", "use strict;\nmy %a;\n", Some("perl"));
        check("a.pl", "%a = (1, 2);\nprint f($b) ? f($a) :-1;\n", Some("perl"));
        check("a.pl", "#!/usr/bin/perl\n% a :- b\n", Some("perl"));
        check("a.pl", "% facts\n", Some("prolog"));
        check("a.pl", "parent(a, b).\nold(X) :- parent(X, _).\n", Some("prolog"));
        check("a.pl", ":- module(a, [b/1]).\n", Some("prolog"));
        check("a.ts", "import a from 'b';\n", Some("typescript"));
        check("a.ts", "\u{feff}<?xml version=\"1.0\"?>\n<TS>\n", Some("xml"));
        check("a.d.ts", "<!DOCTYPE TS>\n", Some("xml"));
        check("A.M", "@end\n", Some("objective-c"));
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
