//! The rules for one file, by its path and text alone.

use super::Finding;
use super::lexed::{Kind, Lexed};

const MAX_LINES: usize = 800;

/// Folders whose files are input or expected output of tests, not our text.
const DATA_FOLDERS: &[&str] =
    &["fixtures", "goldens", "samples", "snapshots", "testdata", "corpora", "runs"];
const TEXT_ENDINGS: &[&str] = &[".rs", ".toml", ".md", ".scm", ".yaml", ".yml", ".json"];

/// Crates that are the door to the host, or run on a developer's machine only.
const HOST_CRATES: &[&str] = &["crates/base/", "crates/testkit/", "xtask/"];

/// A phrase that is not allowed in code.
struct Banned {
    rule: &'static str,
    phrases: &'static [&'static str],
    message: &'static str,
    scope: Scope,
}

/// Where a phrase is banned.
enum Scope {
    /// In tests too.
    Everywhere,
    /// Outside tests and outside the crates that are the door to the host.
    BehindTheDoor,
}

const BANNED: &[Banned] = &[
    Banned {
        rule: "host-door",
        phrases: &["std::fs", "std::env", "File::open", "File::create", "File::options"],
        message: "files and variables are reached through `gik_base::fs` and `gik_base::env`",
        scope: Scope::BehindTheDoor,
    },
    Banned {
        rule: "host-door",
        phrases: &["SystemTime::now", "Timestamp::now", "Zoned::now"],
        message: "the time comes from `gik_base::clock`, or as an argument",
        scope: Scope::BehindTheDoor,
    },
    Banned {
        rule: "host-door",
        phrases: &["process::Command"],
        message: "programs are started by `gik_base` only, where trust is checked",
        scope: Scope::BehindTheDoor,
    },
    Banned {
        rule: "unfinished",
        phrases: &["todo!", "unimplemented!"],
        message: "finish it, or return a failure that says what is missing",
        scope: Scope::Everywhere,
    },
    Banned {
        rule: "skipped-test",
        phrases: &["#[ignore", "#[should_panic"],
        message: "a test runs always and asserts what is true: fix it or remove it",
        scope: Scope::Everywhere,
    },
    Banned {
        rule: "unsafe",
        phrases: &["unsafe"],
        message: "write it safely, or list the file in `xtask/tidy.toml` with the reason",
        scope: Scope::Everywhere,
    },
];

/// SQL that starts a statement; in capitals, as we write it.
const SQL: &[&str] = &[
    "SELECT ",
    "INSERT INTO ",
    "INSERT OR ",
    "DELETE FROM ",
    "CREATE TABLE ",
    "CREATE INDEX ",
    "CREATE VIRTUAL ",
    "DROP TABLE ",
    "PRAGMA ",
];

/// Whether the rules apply to a file at all.
pub(super) fn is_text_of_ours(path: &str) -> bool {
    TEXT_ENDINGS.iter().any(|ending| path.ends_with(ending))
        && !path.split('/').any(|part| DATA_FOLDERS.contains(&part))
}

/// Whether a file is compiled for tests only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Product,
    TestModule,
}

/// The files that hold modules declared under `#[cfg(test)]`, whether they exist or not.
pub(super) fn test_modules(path: &str, text: &str) -> Vec<String> {
    let Some(stem) = path.strip_suffix(".rs") else { return Vec::new() };
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let below = if matches!(name, "lib" | "main" | "mod") { folder } else { stem };
    let lines = text.lines().zip(text.lines().skip(1));
    lines
        .filter(|(attribute, _)| attribute.trim().starts_with("#[cfg(test)]"))
        .filter_map(|(_, item)| item.trim().strip_suffix(';')?.rsplit_once("mod "))
        .flat_map(|(_, module)| {
            [format!("{below}/{module}.rs"), format!("{below}/{module}/mod.rs")]
        })
        .collect()
}

/// Every breach in one file.
pub(super) fn check(path: &str, text: &str, role: Role) -> Vec<Finding> {
    let in_test_module = role == Role::TestModule;
    let mut report = Report { path, in_test_module, findings: Vec::new() };
    for (idx, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t']) {
            report.add(idx + 1, "trailing-space", "remove the space at the end of the line");
        }
    }
    if !path.ends_with(".rs") {
        return report.findings;
    }
    if !text.starts_with("//!") {
        let message = "open the file with a `//!` line that says which question it answers";
        report.add(1, "module-doc", message);
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        let message = format!("{lines} lines, {MAX_LINES} at most: split it by question");
        report.add(lines, "file-length", &message);
    }
    let lexed = Lexed::new(text);
    for banned in BANNED {
        check_banned(banned, &lexed, &mut report);
    }
    check_grouped_imports(&lexed, text, &mut report);
    check_sql(&lexed, &mut report);
    report.findings
}

struct Report<'path> {
    path: &'path str,
    in_test_module: bool,
    findings: Vec<Finding>,
}

impl Report<'_> {
    fn add(&mut self, line: usize, rule: &'static str, message: &str) {
        let path = self.path.to_owned();
        self.findings.push(Finding { path, line, rule, message: message.to_owned() });
    }

    /// Whether no line of the file is part of the product.
    fn is_test_file(&self) -> bool {
        self.in_test_module
            || self.path.split('/').any(|part| matches!(part, "tests" | "benches" | "build.rs"))
    }

    fn is_behind_the_door(&self) -> bool {
        !self.is_test_file() && !HOST_CRATES.iter().any(|folder| self.path.starts_with(folder))
    }
}

fn check_banned(banned: &Banned, lexed: &Lexed<'_>, report: &mut Report<'_>) {
    for phrase in banned.phrases {
        for (line, rest) in lexed.find(phrase, Kind::Code) {
            if *phrase == "std::fs" && names_a_type(rest) {
                continue;
            }
            let applies = match banned.scope {
                Scope::Everywhere => true,
                Scope::BehindTheDoor => report.is_behind_the_door() && !lexed.is_test(line),
            };
            if applies {
                report.add(line, banned.rule, &format!("`{phrase}`: {}", banned.message));
            }
        }
    }
}

/// `std::fs::File` as a type is what `gik_base::fs::open` returns; only its functions are a door.
fn names_a_type(rest: &str) -> bool {
    ["::File", "::FileType", "::Metadata"].iter().any(|name| {
        let after = rest.strip_prefix(name).and_then(|after| after.chars().next());
        after.is_some_and(|letter| letter != ':' && !letter.is_alphanumeric())
    })
}

/// `use std::{env, fs}` and `use std::process::{Child, Command}` hide the phrases of the table.
fn check_grouped_imports(lexed: &Lexed<'_>, text: &str, report: &mut Report<'_>) {
    const HIDDEN: &[(&str, &[&str])] =
        &[("use std::{", &["fs", "env"]), ("use std::process::{", &["Command"])];
    if !report.is_behind_the_door() {
        return;
    }
    for (opening, names) in HIDDEN {
        for line in lexed.lines_with(opening, Kind::Code) {
            let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
            let group = text[start..].split(';').next().unwrap_or_default();
            let is_named = |name: &&&str| {
                group.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == **name)
            };
            if let Some(name) = names.iter().find(is_named)
                && !lexed.is_test(line)
            {
                let message = format!("`{name}` of the standard library: use `gik_base` instead");
                report.add(line, "host-door", &message);
            }
        }
    }
}

fn check_sql(lexed: &Lexed<'_>, report: &mut Report<'_>) {
    if report.path.starts_with("crates/store/") || report.path.starts_with("xtask/") {
        return;
    }
    for line in lexed.lines_with("rusqlite", Kind::Code) {
        report.add(line, "sql", "`rusqlite`: only `store` opens the database");
    }
    if report.is_test_file() {
        return;
    }
    for statement in SQL {
        for line in lexed.lines_with(statement, Kind::Quoted) {
            if !lexed.is_test(line) {
                report.add(line, "sql", "SQL: only `store` speaks to the database");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(path: &str, text: &str) -> Vec<(usize, &'static str)> {
        check(path, text, Role::Product)
            .into_iter()
            .map(|finding| (finding.line, finding.rule))
            .collect()
    }

    #[test]
    fn a_file_opens_with_its_question_and_has_no_trailing_space() {
        assert_eq!(
            breaches("crates/x/src/a.rs", "fn a() {} \n"),
            [(1, "trailing-space"), (1, "module-doc")]
        );
        assert_eq!(breaches("docs/a.md", "a\nb \n"), [(2, "trailing-space")]);
    }

    #[test]
    fn long_files_are_named() {
        let text = format!("//! Long.\n{}", "\n".repeat(800));
        assert_eq!(breaches("crates/x/src/a.rs", &text), [(801, "file-length")]);
    }

    #[test]
    fn the_host_is_reached_through_base() {
        let text = "//! A.\nuse std::fs;\nuse std::{\n    env,\n    io,\n};\nstd::process::Command::new();\n";
        let all: Vec<usize> =
            breaches("crates/x/src/a.rs", text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(all, [2, 7, 3]);
        assert_eq!(breaches("crates/base/src/a.rs", text), []);
        assert_eq!(breaches("crates/x/build.rs", text), []);
        assert_eq!(check("crates/x/src/tests.rs", text, Role::TestModule), []);
        let in_test = "//! A.\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
        assert_eq!(breaches("crates/x/src/a.rs", in_test), []);
        let other_import = "//! A.\nuse std::{io, path};\nuse gik_base::env;\n";
        assert_eq!(breaches("crates/x/src/a.rs", other_import), []);
    }

    #[test]
    fn naming_the_type_of_a_file_is_fine_and_opening_one_is_not() {
        let text = "//! A.\nuse std::fs::File;\nfn f(m: &std::fs::Metadata) {}\nFile::open(p);\nstd::fs::File::open(p);\n";
        let all: Vec<usize> =
            breaches("crates/x/src/a.rs", text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(all, [5, 4, 5]);
    }

    #[test]
    fn modules_declared_for_tests_are_found_beside_or_below() {
        let text =
            "#[cfg(test)]\nmod tests;\npub mod other;\n#[cfg(test)]\npub(crate) mod oracle;\n";
        let beside = test_modules("crates/x/src/lib.rs", text);
        assert!(beside.contains(&"crates/x/src/tests.rs".to_owned()));
        assert!(beside.contains(&"crates/x/src/oracle.rs".to_owned()));
        let below = test_modules("crates/x/src/walk.rs", text);
        assert_eq!(below[..2], ["crates/x/src/walk/tests.rs", "crates/x/src/walk/tests/mod.rs"]);
        assert_eq!(below.len(), 4);
    }

    #[test]
    fn unfinished_work_and_skipped_tests_are_found_also_in_tests() {
        let text = "//! A.\n#[cfg(test)]\nmod tests {\n    #[ignore]\n    fn a() { todo!() }\n}\n";
        assert_eq!(breaches("xtask/src/a.rs", text), [(5, "unfinished"), (4, "skipped-test")]);
    }

    #[test]
    fn sql_stays_in_the_store() {
        let text = "//! A.\n// SELECT is fine here\nlet a = \"SELECT id FROM x\";\n";
        assert_eq!(breaches("crates/engine/src/a.rs", text), [(3, "sql")]);
        assert_eq!(breaches("crates/store/src/a.rs", text), []);
    }

    #[test]
    fn data_of_tests_is_not_our_text() {
        assert!(is_text_of_ours("crates/parse/languages/rust/language.toml"));
        assert!(!is_text_of_ours("crates/parse/languages/rust/fixtures/a.rs"));
        assert!(!is_text_of_ours("logo.png"));
    }
}
