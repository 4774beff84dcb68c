//! The walk over real trees: precedence, names, links, scopes, threads.

use super::*;
use crate::explain::{Verdict, explain_path, forced_by};

struct Tree {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let tree = Self { _dir: dir, root };
        for (path, text) in files {
            tree.write(path, text.as_bytes());
        }
        tree
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn walk(&self, scopes: &[&str], explain: Explain) -> Walked {
        let scopes: Vec<_> = scopes.iter().map(|scope| FileKey::from_text(*scope)).collect();
        let options = WalkOptions { explain, ..WalkOptions::default() };
        walk(&self.root, &scopes, &options, &Cancel::default()).unwrap()
    }

    fn files(&self) -> Vec<String> {
        keys(&self.walk(&[""], Explain::Quiet))
    }

    fn skipped(&self) -> Vec<(String, String)> {
        reasons(&self.walk(&[""], Explain::WithSkipped))
    }

    fn explain(&self, key: &str) -> String {
        match explain_path(&self.root, &FileKey::from_text(key), &WalkOptions::default()) {
            Ok(Verdict::Taken { because: None }) => "taken".to_owned(),
            Ok(Verdict::Taken { because: Some(rule) }) => format!("taken: {rule}"),
            Ok(Verdict::Skipped(reason)) => reason.to_string(),
            Err(failure) => failure.code().as_str().to_owned(),
        }
    }
}

fn keys(walked: &Walked) -> Vec<String> {
    walked.files.iter().map(|found| found.key.as_str().to_owned()).collect()
}

fn reasons(walked: &Walked) -> Vec<(String, String)> {
    let pair = |skipped: &Skipped| (skipped.key.to_string(), skipped.reason.to_string());
    walked.skipped.iter().map(pair).collect()
}

#[test]
fn hidden_files_are_taken_and_version_control_is_not() {
    let tree = Tree::new(&[
        (".github/workflows/ci.yml", ""),
        (".env.example", ""),
        (".git/config", ""),
        (".jj/repo/x", ""),
        (".hg/x", ""),
        (".svn/x", ""),
        (".guided/knowledge/config.yaml", ""),
        ("src/.git", "gitdir: nowhere"),
        ("src/main.rs", ""),
    ]);
    assert_eq!(tree.files(), [".env.example", ".github/workflows/ci.yml", "src/main.rs"]);
}

#[test]
fn derived_folders_and_lock_files_are_left_out_with_the_rule_named() {
    let tree = Tree::new(&[
        ("a/node_modules/x/index.js", ""),
        ("Cargo.lock", ""),
        ("app.min.js", ""),
        ("venv/own.py", ""),
        ("a/b.js", ""),
    ]);
    assert_eq!(tree.files(), ["a/b.js", "venv/own.py"]);
    let expected = [
        ("Cargo.lock", "left out by the built-in rule `Cargo.lock`"),
        ("a/node_modules", "left out by the built-in rule `node_modules/`"),
        ("app.min.js", "left out by the built-in rule `*.min.js`"),
    ];
    assert_eq!(tree.skipped(), expected.map(|(key, why)| (key.to_owned(), why.to_owned())));
    assert_eq!(tree.explain("a/node_modules/x/index.js"), expected[1].1);
}

#[test]
fn ignore_files_count_without_git_and_nested_ones_are_stronger() {
    let tree = Tree::new(&[
        (".gitignore", "*.log\nbuild/\n/top.txt\n"),
        ("sub/.gitignore", "!keep.log\n"),
        ("sub/keep.log", ""),
        ("sub/other.log", ""),
        ("sub/top.txt", ""),
        ("top.txt", ""),
        ("build/out.txt", ""),
        (".ignore", "notes.txt\n"),
        ("notes.txt", ""),
    ]);
    let expected = [".gitignore", ".ignore", "sub/.gitignore", "sub/keep.log", "sub/top.txt"];
    assert_eq!(tree.files(), expected);
    assert_eq!(tree.explain("sub/keep.log"), "taken: `!keep.log` (sub/.gitignore:1)");
    assert_eq!(tree.explain("build/out.txt"), "ignored by `build/` in .gitignore, line 2");
    assert_eq!(tree.explain("sub/top.txt"), "taken");
    assert_eq!(tree.explain("no/such"), "path-not-found");
    assert_eq!(tree.explain("top.txt/below"), "ignored by `/top.txt` in .gitignore, line 3");
}

#[test]
fn gikignore_reaches_into_folders_that_others_leave_out() {
    let tree = Tree::new(&[
        (".gitignore", "build/\n*.secret\n"),
        (".gikignore", "!build/keep/*.txt\n!node_modules/own/\n!/a.secret\ndocs/\n"),
        ("a.secret", ""),
        ("b.secret", ""),
        ("build/keep/x.txt", ""),
        ("build/keep/y.bin", ""),
        ("build/z.txt", ""),
        ("docs/x.md", ""),
        ("node_modules/own/index.js", ""),
        ("node_modules/own/node_modules/dep/index.js", ""),
        ("node_modules/other/index.js", ""),
    ]);
    let expected =
        [".gikignore", ".gitignore", "a.secret", "build/keep/x.txt", "node_modules/own/index.js"];
    assert_eq!(tree.files(), expected);
    let build = "ignored by `build/` in .gitignore, line 1";
    assert_eq!(tree.explain("build/z.txt"), build);
    assert_eq!(tree.explain("build"), build);
    assert_eq!(tree.explain("build/keep/x.txt"), "taken: `!build/keep/*.txt` (.gikignore:1)");
    assert_eq!(tree.explain("docs/x.md"), "ignored by `docs/` in .gikignore, line 4");
    assert!(tree.skipped().contains(&("build/z.txt".to_owned(), build.to_owned())));
    assert_eq!(keys(&tree.walk(&["build"], Explain::Quiet)), ["build/keep/x.txt"]);
}

#[test]
fn what_gikignore_asks_for_is_taken_though_a_program_wrote_it() {
    let generated = "// @generated\n";
    let tree =
        Tree::new(&[(".gikignore", "!api/\n"), ("api/a.rs", generated), ("b.rs", generated)]);
    assert_eq!(tree.explain("api/a.rs"), "taken: `!api/` (.gikignore:1)");
    assert_eq!(tree.explain("b.rs"), "written by a program: `@generated`");
    let forced = |key: &str| forced_by(&tree.root, &FileKey::from_text(key)).unwrap().is_some();
    assert!(forced("api/a.rs"));
    assert!(!forced("b.rs"));
}

#[test]
fn a_nested_repository_has_rules_of_its_own() {
    let tree = Tree::new(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/info/exclude", "*.tmp\n"),
        (".gitignore", "*.log\n"),
        (".ignore", "*.bak\n"),
        ("a.log", ""),
        ("a.tmp", ""),
        ("nested/.git/HEAD", "ref: refs/heads/main\n"),
        ("nested/.gitignore", "*.out\n"),
        ("nested/a.log", ""),
        ("nested/a.tmp", ""),
        ("nested/a.out", ""),
        ("nested/a.bak", ""),
    ]);
    let expected = [".gitignore", ".ignore", "nested/.gitignore", "nested/a.log", "nested/a.tmp"];
    assert_eq!(tree.files(), expected);
    assert_eq!(tree.explain("a.tmp"), "ignored by `*.tmp` in .git/info/exclude, line 1");
}

#[test]
fn a_large_file_is_always_told_of() {
    let tree = Tree::new(&[("small", "12345")]);
    tree.write("large", &vec![b'x'; (4 << 20) + 1]);
    let walked = tree.walk(&[""], Explain::Quiet);
    assert_eq!(keys(&walked), ["small"]);
    let reason = "too large: 4194305 bytes, the limit is 4194304";
    assert_eq!(reasons(&walked), [("large".to_owned(), reason.to_owned())]);
    assert_eq!(tree.explain("large"), reason);
    assert_eq!(reasons(&tree.walk(&["large"], Explain::Quiet)).len(), 1);
    assert_eq!(walked.files[0].stat.size, 5);
    assert!(walked.files[0].stat.mtime_ns > 1_600_000_000_000_000_000);
}

#[test]
fn scopes_narrow_the_walk_and_may_overlap() {
    let tree = Tree::new(&[
        (".gitignore", "ignored/\n"),
        ("src/.gitignore", "*.out\n"),
        ("src/a/x.rs", ""),
        ("src/a/x.out", ""),
        ("src/b.rs", ""),
        ("src2/c.rs", ""),
        ("ignored/d.rs", ""),
        ("e.rs", ""),
    ]);
    let scoped = |scopes: &[&str]| keys(&tree.walk(scopes, Explain::Quiet));
    assert_eq!(scoped(&["src/a", "src/a/x.rs", "e.rs", "e.rs"]), ["e.rs", "src/a/x.rs"]);
    assert_eq!(scoped(&["src"]), ["src/.gitignore", "src/a/x.rs", "src/b.rs"]);
    assert_eq!(scoped(&["gone", "e.rs/x"]), [""; 0]);
    assert_eq!(scoped(&[]), [""; 0]);
    let walked = tree.walk(&["ignored/d.rs", "src/a/x.out"], Explain::Quiet);
    let codes: Vec<_> = walked.skipped.iter().map(|skipped| skipped.reason.code()).collect();
    assert_eq!((keys(&walked).len(), codes), (0, vec!["ignored", "ignored"]));
}

#[test]
fn explaining_looks_at_the_content_too() {
    let tree = Tree::new(&[("text.bin", "plain"), ("folder/x", "")]);
    tree.write("image.txt", b"\x89PNG\0\0");
    assert_eq!(tree.explain("text.bin"), "taken");
    assert_eq!(tree.explain("folder"), "taken");
    assert_eq!(tree.explain("image.txt"), "not text");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let tree = Tree::new(&[(".gitignore", "*.tmp\n")]);
    for number in 0..200 {
        tree.write(&format!("d{}/e{}/f{number}.rs", number % 7, number % 3), b"");
        tree.write(&format!("d{}/f{number}.tmp", number % 7), b"");
    }
    let with = |threads| {
        let options =
            WalkOptions { threads, explain: Explain::WithSkipped, ..WalkOptions::default() };
        walk(&tree.root, &[FileKey::default()], &options, &Cancel::default()).unwrap()
    };
    let one = with(1);
    assert_eq!(one.files.len(), 201);
    assert_eq!(one.skipped.len(), 200);
    assert!(one.files.is_sorted_by(|a, b| a.key < b.key));
    assert_eq!(with(0), one);
    assert_eq!(with(8), one);
}

#[test]
fn a_cancelled_walk_is_a_failure() {
    let tree = Tree::new(&[("a", "")]);
    let cancel = Cancel::default();
    cancel.cancel();
    let failure =
        walk(&tree.root, &[FileKey::default()], &WalkOptions::default(), &cancel).unwrap_err();
    assert_eq!(failure.code(), gik_base::ErrorCode::Interrupted);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn every_name_has_a_key_that_leads_back_to_the_file() {
        let tree = Tree::new(&[("a b/new\nline.rs", ""), ("crab 🦀.md", ""), ("%raw%/x", "")]);
        let odd = tree.root.join(OsStr::from_bytes(b"od\xffd"));
        if std::fs::create_dir(&odd).is_err() {
            // This file system takes Unicode names only.
            return;
        }
        std::fs::write(odd.join("plain.rs"), "").unwrap();
        std::fs::write(tree.root.join(OsStr::from_bytes(b"\xfe.txt")), "").unwrap();
        let walked = tree.walk(&[""], Explain::Quiet);
        let found = keys(&walked);
        assert_eq!(found.len(), 5);
        for name in ["%raw%/od%FFd/plain.rs", "%raw%/%FE.txt", "a b/new\nline.rs", "crab 🦀.md"] {
            assert!(found.iter().any(|key| key == name), "{name:?} in {found:?}");
            assert!(FileKey::from_text(name).to_path(&tree.root).exists());
        }
        assert_eq!(tree.explain("%raw%/od%FFd/plain.rs"), "taken");
        assert_eq!(keys(&tree.walk(&["%raw%/od%FFd"], Explain::Quiet)), ["%raw%/od%FFd/plain.rs"]);
    }

    #[test]
    fn links_are_not_followed_and_loops_do_no_harm() {
        let tree = Tree::new(&[("real/x.rs", "")]);
        symlink(&tree.root, tree.root.join("real/loop")).unwrap();
        symlink(tree.root.join("real/x.rs"), tree.root.join("alias.rs")).unwrap();
        symlink("nowhere", tree.root.join("broken")).unwrap();
        assert_eq!(tree.files(), ["real/x.rs"]);
        let skipped: Vec<_> = tree.skipped().into_iter().map(|(key, _)| key).collect();
        assert_eq!(skipped, ["alias.rs", "broken", "real/loop"]);
        let link = SkipReason::SymbolicLink.to_string();
        assert_eq!(tree.explain("alias.rs"), link);
        assert_eq!(tree.explain("real/loop/real/x.rs"), link);
        assert_eq!(reasons(&tree.walk(&["real/loop"], Explain::Quiet)).len(), 1);
    }

    #[test]
    fn pipes_and_sockets_are_no_files() {
        let tree = Tree::new(&[("a", "")]);
        let _listener = std::os::unix::net::UnixListener::bind(tree.root.join("socket")).unwrap();
        assert_eq!(tree.files(), ["a"]);
        assert_eq!(tree.explain("socket"), SkipReason::NotAFile.to_string());
    }

    #[test]
    fn what_may_not_be_read_is_told_of_and_the_rest_is_found() {
        let tree =
            Tree::new(&[("closed/x", ""), ("file", "text"), ("names/x", ""), ("open/x", "")]);
        let close = |path: &str, mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(tree.root.join(path), permissions).unwrap();
        };
        close("closed", 0o000);
        close("file", 0o000);
        close("names", 0o444);
        let walked = tree.walk(&[""], Explain::Quiet);
        let file = tree.explain("file");
        close("closed", 0o755);
        close("names", 0o755);
        if keys(&walked).contains(&"closed/x".to_owned()) {
            // The superuser may read everything.
            return;
        }
        assert_eq!(keys(&walked), ["file", "open/x"]);
        let skipped: Vec<_> = walked.skipped.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(skipped, ["closed", "names/x"]);
        assert!(walked.skipped.iter().all(|one| one.reason.code() == "unreadable"));
        assert!(file.starts_with("cannot be read: "), "{file}");
    }
}
