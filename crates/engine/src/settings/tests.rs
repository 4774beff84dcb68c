//! The configuration as a whole: layers, places, trust, and files that mean harm.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Failure, Result};

use super::*;

/// A home and a workspace, each with a config file or none.
struct Setup {
    dir: tempfile::TempDir,
}

impl Setup {
    fn new(global: &str, project: &str) -> Self {
        let setup = Self { dir: tempfile::tempdir().unwrap() };
        for (path, text) in [(setup.global(), global), (setup.project(), project)] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            if !text.is_empty() {
                std::fs::write(path, text).unwrap();
            }
        }
        setup
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    fn global(&self) -> PathBuf {
        self.home().join("config.yaml")
    }

    fn project(&self) -> PathBuf {
        self.root().join(".guided/knowledge/config.yaml")
    }

    fn paths(&self) -> LayerPaths {
        LayerPaths { global: Some(self.global()), project: self.project() }
    }

    fn trust(&self) -> Trust {
        Trust::of(&self.root(), &self.project(), Some(&self.home())).unwrap()
    }

    fn load(&self) -> Result<Loaded> {
        self.load_with(&[], &[])
    }

    fn load_with(&self, environment: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Loaded> {
        let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        load(&self.paths(), self.trust(), &owned(environment), &owned(flags))
    }

    fn accept(&self) -> Result<String> {
        let config = std::fs::read(self.project()).unwrap();
        record_trust(&self.home(), &self.root(), &config, &Cancel::default())
    }
}

fn project_failure(text: &str) -> Failure {
    Setup::new("", text).load().unwrap_err()
}

fn warnings(loaded: &Loaded) -> Vec<String> {
    loaded
        .warnings
        .iter()
        .map(|warning| {
            let (_, message) =
                warning.message.rsplit_once("config.yaml").unwrap_or(("", &warning.message));
            format!("{message} / {}", warning.hint.as_deref().unwrap_or_default())
        })
        .collect()
}

#[test]
fn without_files_the_defaults_hold() {
    let loaded = Setup::new("", "").load().unwrap();
    assert_eq!(loaded.settings.indexing.max_file_bytes, 4_194_304);
    assert_eq!(loaded.settings.indexing.projection_text_bytes, 8_388_608);
    assert_eq!(loaded.settings.sources.urls.allow_private, Vec::<String>::new());
    assert_eq!(loaded.settings.sources.archives.max_members, 100_000);
    assert_eq!(loaded.settings.ask.top_k, 8);
    assert!(loaded.settings.ask.log);
    assert_eq!(loaded.settings.lock.patience_seconds, 30);
    assert!(loaded.values.values().all(|valued| valued.origin == Origin::Default));
    assert_eq!(loaded.warnings, []);
}

#[test]
fn a_later_layer_wins_and_the_weaker_values_are_remembered() {
    let setup = Setup::new(
        "ask:\n  top_k: 1\n  log: false\nindexing:\n  threads: 1\n",
        "ask:\n  top_k: 2\nindexing:\n  threads: 2\n",
    );
    let environment = [("INDEXING_THREADS", "3"), ("ASK_MAX_SNIPPET_LINES", "5")];
    let flags = [("ask.maxSnippetLines", "6"), ("ask.max_snippet_lines", "7")];
    let loaded = setup.load_with(&environment, &flags).unwrap();
    let held = |key: &str| {
        let valued = &loaded.values[key];
        let shadowed: Vec<String> = valued
            .shadowed
            .iter()
            .map(|(origin, value)| format!("{}={value}", origin.layer()))
            .collect();
        format!("{}={} over {}", valued.origin.layer(), valued.value, shadowed.join(" "))
    };
    assert_eq!(held("ask.top_k"), "project=2 over global=1 default=8");
    assert_eq!(held("ask.log"), "global=false over default=true");
    assert_eq!(held("indexing.threads"), "environment=3 over project=2 global=1 default=0");
    assert_eq!(held("ask.max_snippet_lines"), "flag=7 over environment=5 default=40");
    assert_eq!(held("lock.patience_seconds"), "default=30 over ");
    assert_eq!(loaded.settings.indexing.threads, 3);
    assert_eq!(loaded.settings.ask.max_snippet_lines, 7);
    let project = Origin::Project { file: setup.project(), line: 2 };
    assert_eq!(loaded.values["ask.top_k"].origin, project);
}

#[test]
fn camel_case_is_read_and_snake_case_is_shown() {
    let text = "indexing: {maxFileBytes: 2048}\nembeddings:\n  bases:\n    docs: {modelId: m}\n";
    let loaded = Setup::new("", text).load().unwrap();
    assert_eq!(loaded.settings.indexing.max_file_bytes, 2048);
    assert!(loaded.values.contains_key("embeddings.bases.docs.model_id"));
}

#[test]
fn unknown_keys_are_left_out_with_a_suggestion() {
    let text = "indexing:\n  thread: 4\nindxing:\n  a: 1\n  b: 2\nfuture: {x: y}\n";
    let loaded = Setup::new("", text).load().unwrap();
    assert_eq!(
        warnings(&loaded),
        [
            ":2: `indexing.thread` is not a known key / did you mean `indexing.threads`?",
            ":3: `indxing` is not a known key / did you mean `indexing`?",
            ":6: `future` is not a known key / ",
        ]
    );
    assert_eq!(loaded.settings.indexing.threads, 0);
}

#[test]
fn wrong_values_name_file_line_key_and_what_is_allowed() {
    let failure = project_failure("# top\nindexing:\n  threads: many\n  fts: yes\n");
    assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
    let message = failure.message();
    assert!(
        message.ends_with(
            "config.yaml:3: `indexing.threads` is `many`, but must be a whole number from 0 to 256"
        ),
        "{message}"
    );
    assert_eq!(failure.hints(), ["`gik config check` shows one more error"]);
    let failure = project_failure("embeddings:\n  default:\n    provider: Olama\n");
    assert!(failure.message().contains("`static`, `candle`, `ollama` or `openai`"));
    assert_eq!(failure.hints(), ["write `ollama`"]);
}

#[test]
fn a_group_with_a_value_and_a_key_with_a_mapping_are_wrong() {
    let message = |text: &str| project_failure(text).message().to_owned();
    assert!(message("indexing: fast\n").contains(":1: `indexing` is `fast`, but must be keys"));
    assert!(message("- a\n").contains(":1: the file is a list"));
    assert!(message("ask:\n  top_k:\n    a: 1\n").contains(":3: `ask.top_k` is a mapping"));
}

#[test]
fn keys_without_a_value_change_nothing() {
    let loaded = Setup::new("", "indexing:\n  threads:\nask:\n").load().unwrap();
    assert_eq!(loaded.settings.indexing.threads, 0);
    assert_eq!(
        warnings(&loaded),
        [
            ":2: `indexing.threads` has no value and is left out / give it a value or remove the line"
        ]
    );
}

#[test]
fn a_key_that_stands_twice_is_wrong_in_either_casing() {
    let failure = project_failure("indexing:\n  max_file_bytes: 2048\n  maxFileBytes: 4096\n");
    assert!(failure.message().contains(":3: `indexing.max_file_bytes` stands here again; line 2"));
    let failure = project_failure("ask:\n  log: true\nask:\n  top_k: 3\n");
    assert!(failure.message().contains(":3: `ask` stands here again; line 1"));
}

#[test]
fn malformed_yaml_names_its_line() {
    let failure = project_failure("ask:\n  top_k: 3\n log: [true\n");
    assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
    assert!(failure.message().contains("not valid YAML"), "{failure}");
    let failure = project_failure("ask:\n\ttop_k: 3\n");
    assert!(failure.message().contains(":2: not valid YAML"), "{failure}");
    assert_eq!(failure.hints(), ["indent with spaces; YAML does not allow tabs there"]);
}

#[test]
fn yaml_that_no_config_needs_is_refused_by_line() {
    let message = |text: &str| project_failure(text).message().to_owned();
    assert!(message("ask: &a {top_k: 3}\nindexing: *a\n").contains(":2: aliases"));
    assert!(message("ask:\n  <<: {top_k: 3}\n").contains(":2: merge keys"));
    assert!(message("ask:\n  top_k: !!int 3\n").contains(":2: tags"));
    assert!(message("ask:\n  top_k: 3\n---\nask:\n").contains(":3: a second document"));
    assert!(message("? [a, b]\n: c\n").contains(":1: a key is a list"));
}

#[test]
fn byte_order_marks_and_windows_line_ends_are_read() {
    let loaded = Setup::new("", "\u{feff}ask:\r\n  top_k: 3\r\n").load().unwrap();
    assert_eq!(loaded.settings.ask.top_k, 3);
}

#[test]
fn bytes_that_are_no_text_name_their_line() {
    let setup = Setup::new("", "");
    std::fs::write(setup.project(), b"ask:\n  log: true\n# \xff\n").unwrap();
    assert!(setup.load().unwrap_err().message().ends_with(":3: not valid UTF-8"));
}

#[test]
fn hostile_files_are_refused_at_once() {
    let bomb: String = (1..60)
        .map(|level| format!("a{level}: &a{level} [*a{}, *a{}]\n", level - 1, level - 1))
        .collect();
    let bomb = format!("a0: &a0 [x, x]\n{bomb}");
    let block: String = (0..400).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    let texts = [
        bomb,
        "[".repeat(200_000),
        "{a: ".repeat(60_000),
        "- ".repeat(120_000),
        "? ".repeat(120_000),
        "a: ".repeat(80_000),
        "[], ".repeat(60_000),
        format!("x: [{}]\n", "[], ".repeat(60_000)),
        format!("x: {{{}}}\n", "a, ".repeat(60_000)),
        "x: \"".to_owned() + &"\\n".repeat(100_000),
        "&a ".repeat(80_000),
        "!a ".repeat(80_000),
        "%TAG ! a\n".repeat(20_000),
        "a".repeat(1 << 20),
        block,
    ];
    for text in texts {
        let started = Instant::now();
        // Unknown keys are only a warning, so some of these load; none may take long or overflow the stack.
        drop(Setup::new("", &text).load());
        let start = &text[..20];
        assert!(started.elapsed() < Duration::from_secs(5), "{start}");
    }
}

#[test]
fn the_environment_and_flags_are_checked_too() {
    let setup = Setup::new("", "");
    let loaded = setup
        .load_with(
            &[
                ("SOURCES_URLS_ALLOW_PRIVATE", "a.local, 10.0.0.0/8"),
                ("INDEXING_THREAD", "3"),
                ("ASK_LOG", ""),
            ],
            &[],
        )
        .unwrap();
    assert_eq!(loaded.settings.sources.urls.allow_private, ["a.local", "10.0.0.0/8"]);
    let variable = "GIK_CONFIG_SOURCES_URLS_ALLOW_PRIVATE";
    assert_eq!(loaded.values["sources.urls.allow_private"].origin.to_string(), variable);
    assert_eq!(
        warnings(&loaded),
        ["GIK_CONFIG_INDEXING_THREAD: the variable names no known key / \
          did you mean `GIK_CONFIG_INDEXING_THREADS`?"]
    );
    let failure = setup.load_with(&[("ASK_LOG", "0")], &[]).unwrap_err();
    assert_eq!(
        failure.message(),
        "GIK_CONFIG_ASK_LOG: `ask.log` is `0`, but must be `true` or `false`"
    );
    assert_eq!(failure.hints(), ["write `false`"]);
    let failure = setup.load_with(&[], &[("ask.topk", "3")]).unwrap_err();
    assert_eq!(failure.message(), "--set: `ask.topk` is not a known key");
    assert_eq!(failure.hints(), ["did you mean `ask.top_k`?"]);
}

#[test]
fn a_project_decides_nothing_that_needs_trust_until_it_is_trusted() {
    let text = "sources:\n  urls:\n    allow_private: [10.0.0.1]\n    max_redirects: 1\n\
                embeddings:\n  default:\n    provider: openai\n  bases:\n    code:\n      provider: candle\n";
    let setup = Setup::new("", text);
    let loaded = setup.load().unwrap();
    assert_eq!(loaded.settings.sources.urls.allow_private, Vec::<String>::new());
    assert_eq!(loaded.settings.sources.urls.max_redirects, 1);
    assert!(!loaded.values.contains_key("embeddings.default.provider"));
    assert!(loaded.values.contains_key("embeddings.bases.code.provider"));
    let shown = warnings(&loaded);
    assert_eq!(shown.len(), 2);
    assert!(
        shown[0].starts_with(
            ":3: `sources.urls.allow_private` is ignored: the workspace is not trusted"
        )
    );

    setup.accept().unwrap();
    let loaded = setup.load().unwrap();
    assert_eq!(loaded.settings.sources.urls.allow_private, ["10.0.0.1"]);
    assert_eq!(loaded.warnings, []);

    std::fs::write(setup.project(), text.replace("10.0.0.1", "10.0.0.2")).unwrap();
    let loaded = setup.load().unwrap();
    assert_eq!(loaded.settings.sources.urls.allow_private, Vec::<String>::new());
    assert!(warnings(&loaded)[0].contains("the file changed since the workspace was trusted"));
}

#[test]
fn a_file_that_changes_after_trust_was_looked_up_is_not_trusted() {
    let setup = Setup::new("", "sources: {urls: {allow_private: [a]}}\n");
    setup.accept().unwrap();
    let trust = setup.trust();
    std::fs::write(setup.project(), "sources: {urls: {allow_private: [b]}}\n").unwrap();
    let loaded = load(&setup.paths(), trust, &[], &[]).unwrap();
    assert_eq!(loaded.settings.sources.urls.allow_private, Vec::<String>::new());
}

#[test]
fn only_the_users_own_file_lets_tools_write_alone() {
    let setup = Setup::new("", "changes: {autonomous: true}\n");
    assert!(!setup.load().unwrap().settings.autonomous_changes);
    setup.accept().unwrap();
    let loaded = setup.load().unwrap();
    assert!(!loaded.settings.autonomous_changes);
    assert!(warnings(&loaded)[0].contains("only your own config may set it"));
    let setup = Setup::new("", "");
    for (environment, flags) in
        [(&[("CHANGES_AUTONOMOUS", "true")][..], &[][..]), (&[], &[("changes.autonomous", "true")])]
    {
        let failure = setup.load_with(environment, flags).unwrap_err();
        assert!(failure.message().contains("only be set in your own config file"), "{failure}");
    }
    let setup = Setup::new("changes: {autonomous: true}\n", "");
    assert!(setup.load().unwrap().settings.autonomous_changes);
}

#[test]
fn the_users_own_file_needs_no_trust() {
    let setup = Setup::new("sources: {urls: {allow_private: [a]}}\n", "");
    assert_eq!(setup.load().unwrap().settings.sources.urls.allow_private, ["a"]);
}

#[test]
fn the_trust_record_keeps_what_it_does_not_know() {
    let setup = Setup::new("", "ask:\n  log: true\n");
    let record = setup.home().join("trust.json");
    std::fs::write(&record, r#"{"note":1,"workspaces":{"/other":{"configSha256":"x","y":2}}}"#)
        .unwrap();
    setup.accept().unwrap();
    let cancel = Cancel::default();
    assert!(revoke_trust(&setup.home(), &setup.root(), &cancel).unwrap());
    assert!(!revoke_trust(&setup.home(), &setup.root(), &cancel).unwrap());
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    let expected = serde_json::json!({
        "note": 1, "workspaces": {"/other": {"configSha256": "x", "y": 2}}
    });
    assert_eq!(kept, expected);
}

#[test]
fn a_damaged_trust_record_is_told_and_not_replaced() {
    let setup = Setup::new("", "ask:\n  log: true\n");
    let record = setup.home().join("trust.json");
    std::fs::write(&record, "[").unwrap();
    assert_eq!(setup.accept().unwrap_err().code(), ErrorCode::ConfigInvalid);
    assert_eq!(std::fs::read(&record).unwrap(), b"[");
}

#[test]
fn a_config_path_that_is_no_file_is_refused() {
    let setup = Setup::new("", "");
    std::fs::create_dir_all(setup.project()).unwrap();
    assert!(setup.load().unwrap_err().message().ends_with("is not a file"));
}

#[test]
fn any_text_is_read_without_a_panic() {
    let pieces = [
        "ask",
        ":",
        " ",
        "\n",
        "  ",
        "top_k",
        "[",
        "]",
        "{",
        "}",
        ",",
        "- ",
        "? ",
        "&a ",
        "*a",
        "!t ",
        "|",
        ">",
        "\"",
        "'",
        "#",
        "---",
        "...",
        "%",
        "\t",
        "\r\n",
        "é",
        "<<",
        "~",
        "3",
        "\u{feff}",
        "\\",
        "indexing:",
    ];
    let mut state: u64 = 7;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for _ in 0..3000 {
        let text: String = (0..next(24)).map(|_| pieces[next(pieces.len())]).collect();
        drop(document::read_document(text.as_bytes(), Path::new("x"), document::Layer::Project));
        drop(edit::set_value(&text, "ask.top_k", &Value::Integer(3)));
    }
}
