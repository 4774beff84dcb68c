//! Manifests that are stale, vendored, broken or hostile.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::*;
use crate::inventory::inventory;

/// One name per reader.
const NAMES: &[&str] = &[
    "Gemfile",
    "app.gemspec",
    "Cargo.toml",
    "CMakeLists.txt",
    "composer.json",
    "conanfile.txt",
    "conanfile.py",
    "compose.yaml",
    "Dockerfile",
    "go.mod",
    "build.gradle",
    "build.gradle.kts",
    "gradle.properties",
    "libs.versions.toml",
    "pom.xml",
    "mix.exs",
    "package.json",
    "pnpm-workspace.yaml",
    "App.csproj",
    "Directory.Packages.props",
    "packages.config",
    "pubspec.yaml",
    "Pipfile",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "Package.swift",
    "vcpkg.json",
];

fn read_text(name: &str, text: &str) -> Manifest {
    let path = FileKey::from_text(name);
    let manifest = read_manifest(&path, text.as_bytes());
    let manifests = Manifests::from([(path.clone(), manifest.clone())]);
    inventory(&[StackFile { path: &path, language: None }], &manifests);
    manifest
}

#[test]
fn every_reader_is_found_by_name_in_any_folder() {
    for name in NAMES {
        assert!(is_manifest(&FileKey::from_text(format!("a/b/{name}"))), "{name}");
        assert!(!is_manifest(&FileKey::from_text(format!("node_modules/x/{name}"))), "{name}");
    }
    for other in ["main.rs", "package-lock.json", "FindFoo.cmake", "notes.txt", "vendor/x/go.mod"] {
        assert!(!is_manifest(&FileKey::from_text(other)), "{other}");
    }
}

#[test]
fn bytes_that_cannot_be_a_manifest_are_problems() {
    let path = FileKey::from_text("Cargo.toml");
    let problem = |bytes: &[u8]| read_manifest(&path, bytes).problems.remove(0).message;
    assert_eq!(problem(b"\xff\xfe"), "not valid UTF-8");
    assert_eq!(problem(b"[dependencies\n"), "unclosed table, expected `]` at line 1");
    assert!(problem(&vec![b' '; MAX_MANIFEST_BYTES + 1]).starts_with("larger than"));
    assert!(read_manifest(&path, "\u{feff}[dependencies]\n".as_bytes()).problems.is_empty());
    assert_eq!(read_manifest(&FileKey::from_text("x.txt"), b"").problems.len(), 1);
}

#[test]
fn only_changed_manifests_are_parsed_again() {
    let [a, b] = ["a/Cargo.toml", "b/Cargo.toml"].map(FileKey::from_text);
    let files = [&a, &b].map(|path| StackFile { path, language: None });
    let mut manifests = Manifests::new();
    refresh(&mut manifests, &files, &|_| Some(b"[dependencies]\nx = '1'".to_vec()));
    // A mark that parsing would not make shows which manifest was kept.
    for manifest in manifests.values_mut() {
        manifest.images.push("kept".to_owned());
    }
    refresh(&mut manifests, &files, &|key| {
        Some(if *key == a { b"[dependencies]\nx = '1'".to_vec() } else { b"".to_vec() })
    });
    let kept: Vec<bool> = manifests.values().map(|manifest| !manifest.images.is_empty()).collect();
    assert_eq!(kept, [true, false]);

    refresh(&mut manifests, &files[..1], &|_| None);
    let problems: Vec<_> = manifests.values().flat_map(|manifest| &manifest.problems).collect();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].message, "cannot be read");
}

#[test]
fn manifests_of_files_that_are_gone_do_not_count() {
    let path = FileKey::from_text("Cargo.toml");
    let manifests =
        Manifests::from([(path.clone(), read_manifest(&path, b"[dependencies]\nx = '1'"))]);
    assert!(inventory(&[], &manifests).dependencies.is_empty());
}

#[test]
fn hostile_texts_neither_panic_nor_take_long() {
    let size = 30_000;
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let texts = [
        fill("["),
        fill("{"),
        fill("("),
        fill("<a>"),
        fill("{\"a\":"),
        fill("a = ["),
        fill("- "),
        fill("a:\n "),
        fill("'"),
        fill("\""),
        fill("\\"),
        fill("gem 'a',\n"),
        fill(".package("),
        fill("{:a, "),
        fill("requires=["),
        fill("find_package("),
        fill("dependencies {\n"),
        fill("dependencies { implementation 'a:b:1',\n"),
        fill("#[["),
        fill("/*"),
        fill("${"),
        fill("é\u{301}\u{200b}🦀"),
        fill("\0"),
        fill("require (\n"),
        fill("FROM a AS a\n"),
    ];
    let started = Instant::now();
    for name in NAMES {
        for text in &texts {
            read_text(name, text);
        }
    }
    let limit = Duration::from_secs(30);
    assert!(started.elapsed() < limit, "{:?}", started.elapsed());
}

#[test]
fn texts_cut_anywhere_do_not_panic() {
    let text = "\
[dependencies]\na = { version = \"1\", path = 'é' }\n\
{\"dependencies\": {\"a\": \"1\"}, \"é\": [1]}\n\
<project><dependencies><dependency a='é'>x</dependency></dependencies></project>\n\
plugins { id(\"x\") version \"$y\" }\ndependencies { implementation(\"a:b:${c}\") }\n\
gem 'a', '~> 1', group: :test\ngroup :dev do\n  gem(\"b\")\nend\n\
defp deps do\n [{:a, \"~> 1\", only: [:dev]}, {:b, path: \"é\"}]\nend\n\
.package(url: \"https://é/x.git\", .upToNextMajor(from: \"1\"))\n\
find_package(Boost 1.8 REQUIRED) FetchContent_Declare(x URL \"é\") #[[ c ]]\n\
services:\n  web: &a {image: \"é:1\"}\n  b: *a\n\
pkg[extra]>=1 ; marker\n-e git+https://é@h/x@v#egg=x\nself.requires(\"a/1@é\")\n";
    for (at, _) in text.char_indices() {
        for name in NAMES {
            read_text(name, &text[..at]);
            read_text(name, &text[at..]);
        }
    }
}

#[test]
fn values_that_multiply_are_cut() {
    let mut pom = "<project><properties><p0>xxxxxxxxxx</p0>".to_owned();
    for level in 1..30 {
        let lower = format!("${{p{}}}", level - 1).repeat(10);
        write!(pom, "<p{level}>{lower}</p{level}>").unwrap();
    }
    pom.push_str("</properties><dependencies><dependency><groupId>g</groupId>");
    pom.push_str("<artifactId>a</artifactId><version>${p29}</version></dependency>");
    pom.push_str("</dependencies></project>");
    let path = FileKey::from_text("pom.xml");
    let manifests = Manifests::from([(path.clone(), read_manifest(&path, pom.as_bytes()))]);
    let found = inventory(&[StackFile { path: &path, language: None }], &manifests);
    assert_eq!(found.dependencies.len(), 1);
    assert!(found.dependencies[0].version.len() <= 256);
}
