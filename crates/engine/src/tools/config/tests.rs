//! The config tools over real files.

use std::path::PathBuf;

use gik_base::ErrorCode;

use super::{Layers, check, init, set, show, trust};
use crate::settings::{Loaded, Severity, Value, load};
use crate::{Report, View};

/// A home and a workspace with a config file of its own.
struct Setup {
    _dir: tempfile::TempDir,
    layers: Layers,
}

impl Setup {
    fn new(project: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("work");
        let layers = Layers::at(root, Some(dir.path().join("home")));
        std::fs::create_dir_all(layers.paths.project.parent().unwrap()).unwrap();
        if !project.is_empty() {
            std::fs::write(&layers.paths.project, project).unwrap();
        }
        Self { _dir: dir, layers }
    }

    fn project(&self) -> String {
        std::fs::read_to_string(&self.layers.paths.project).unwrap()
    }

    fn global_path(&self) -> PathBuf {
        self.layers.paths.global.clone().unwrap()
    }

    fn load(&self) -> Loaded {
        let layers = &self.layers;
        load(&layers.paths, layers.trust().unwrap(), &layers.environment, &layers.flags).unwrap()
    }

    fn set(&self, key: &str, value: &str) -> gik_base::Result<set::Output> {
        let args = set::Args { key: key.to_owned(), value: value.to_owned(), global: false };
        set::set(&self.layers, &args)
    }
}

fn text_of(report: &impl Report) -> String {
    let mut view = View::new(200, false);
    report.render(&mut view);
    view.finish()
}

#[test]
fn check_lists_every_problem_of_both_files_and_the_environment() {
    let mut setup = Setup::new("indexing:\n  threads: many\n  ftz: true\nask: {top_k: 0}\n");
    std::fs::create_dir_all(setup.global_path().parent().unwrap()).unwrap();
    std::fs::write(setup.global_path(), "ask: [\n").unwrap();
    setup.layers.environment = vec![("ASK_LOG".to_owned(), "maybe".to_owned())];
    let output = check::check(&setup.layers, None).unwrap();
    assert!(!output.found());
    assert_eq!((output.errors, output.warnings), (4, 1));
    let places: Vec<(Severity, Option<usize>, Option<&str>)> = output
        .problems
        .iter()
        .map(|problem| (problem.severity, problem.line, problem.key.as_deref()))
        .collect();
    assert_eq!(
        places,
        [
            (Severity::Error, Some(2), None),
            (Severity::Error, Some(2), Some("indexing.threads")),
            (Severity::Warning, Some(3), Some("indexing.ftz")),
            (Severity::Error, Some(4), Some("ask.top_k")),
            (Severity::Error, None, Some("ask.log")),
        ]
    );
    let text = text_of(&output);
    assert!(text.contains("hint: did you mean `indexing.fts`?"), "{text}");
    assert!(text.ends_with("4 errors, 1 warning\n"), "{text}");
    assert_eq!(output.rows().unwrap().len(), 5);
}

#[test]
fn check_of_one_file_looks_at_nothing_else() {
    let setup = Setup::new("ask: {top_k: 0}\n");
    let other = setup.layers.root.join("other.yaml");
    std::fs::write(&other, "sources: {urls: {allow_private: [a]}}\n").unwrap();
    let output = check::check(&setup.layers, Some(other)).unwrap();
    assert!(output.found() && output.problems.is_empty());
    let missing = check::check(&setup.layers, Some(setup.layers.root.join("no.yaml"))).unwrap_err();
    assert_eq!(missing.code(), ErrorCode::PathMissing);
}

#[test]
fn check_without_files_says_how_to_start() {
    let output = check::check(&Setup::new("").layers, None).unwrap();
    assert!(output.found());
    assert!(text_of(&output).contains("gik config init"));
}

#[test]
fn show_prints_one_value_bare_and_many_with_their_keys() {
    let setup = Setup::new("indexing:\n  maxFileBytes: 2048\n");
    let shown = |key: Option<&str>, origin: bool| {
        let args = show::Args { key: key.map(str::to_owned), origin };
        show::show(setup.load(), args)
    };
    assert_eq!(text_of(&shown(Some("indexing.max_file_bytes"), false).unwrap()), "2048\n");
    let group = text_of(&shown(Some("indexing"), false).unwrap());
    assert_eq!(group.lines().count(), 8);
    assert!(!group.contains("ask."));
    let origins = text_of(&shown(None, true).unwrap());
    assert!(origins.contains("config.yaml:2"), "{origins}");
    assert!(origins.contains("(4194304)"), "{origins}");
    assert!(!shown(Some("embeddings.default.provider"), false).unwrap().found());
    let failure = shown(Some("indexing.thread"), false).unwrap_err();
    assert_eq!(failure.hints(), ["did you mean `indexing.threads`?"]);
}

#[test]
fn show_gives_programs_values_with_their_places() {
    let setup = Setup::new("ask:\n  top_k: 3\n");
    let args = show::Args { key: Some("ask.topK".to_owned()), origin: false };
    let json = serde_json::to_value(show::show(setup.load(), args).unwrap()).unwrap();
    let row = &json["values"][0];
    assert_eq!(row["key"], "ask.top_k");
    assert_eq!(row["value"], 3);
    assert_eq!(row["origin"]["layer"], "project");
    assert_eq!(row["origin"]["line"], 2);
    assert_eq!(row["shadowed"][0], serde_json::json!({"value": 8, "origin": {"layer": "default"}}));
}

#[test]
fn init_writes_a_template_and_replaces_nothing_unasked() {
    let setup = Setup::new("");
    let mut args = init::Args { global: false, force: false };
    assert!(!init::init(&setup.layers, &args).unwrap().replaced);
    assert!(setup.project().contains("#   max_file_bytes: 4194304\n"));
    assert!(setup.load().warnings.is_empty());
    let failure = init::init(&setup.layers, &args).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
    args.force = true;
    assert!(init::init(&setup.layers, &args).unwrap().replaced);
    args = init::Args { global: true, force: false };
    init::init(&setup.layers, &args).unwrap();
    assert!(setup.global_path().is_file());
}

#[test]
fn set_checks_the_value_and_keeps_comments() {
    let setup = Setup::new("# mine\nindexing:\n  threads: 2 # laptop\n");
    let output = setup.set("indexing.threads", "4").unwrap();
    assert!(output.changed);
    assert_eq!(setup.project(), "# mine\nindexing:\n  threads: 4 # laptop\n");
    assert!(!setup.set("indexing.threads", "4").unwrap().changed);
    let failure = setup.set("indexing.threads", "-1").unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
    assert_eq!(failure.hints(), ["write `0`, the least allowed"]);
    assert!(setup.set("indexing", "4").unwrap_err().message().contains("group"));
    assert_eq!(setup.load().values["indexing.threads"].value, Value::Integer(4));
}

#[test]
fn set_works_from_nothing_and_from_the_template() {
    let setup = Setup::new("");
    setup.set("ask.log", "false").unwrap();
    assert_eq!(setup.project(), "ask:\n  log: false\n");
    init::init(&setup.layers, &init::Args { global: false, force: true }).unwrap();
    setup.set("sources.urls.timeoutSeconds", "5").unwrap();
    assert_eq!(setup.load().settings.sources.urls.timeout_seconds, 5);
    let args = set::Args { key: "ask.top_k".into(), value: "3".into(), global: true };
    set::set(&setup.layers, &args).unwrap();
    assert_eq!(setup.load().settings.ask.top_k, 3);
}

#[test]
fn set_leaves_a_broken_file_alone_and_names_the_line() {
    let setup = Setup::new("ask:\n  top_k: [1\n");
    let failure = setup.set("ask.log", "true").unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
    assert!(failure.message().contains("config.yaml:3: not valid YAML"), "{failure}");
    assert_eq!(setup.project(), "ask:\n  top_k: [1\n");
}

#[test]
fn trust_shows_what_is_accepted_and_lapses_with_a_change() {
    let setup = Setup::new("sources:\n  urls:\n    max_redirects: 1\n");
    let output = setup.set("sources.urls.allow_private", "10.0.0.0/8,wiki.local").unwrap();
    assert!(output.needs_trust);
    let private = || setup.load().settings.sources.urls.allow_private;
    assert!(private().is_empty());

    let output = trust::trust(&setup.layers).unwrap();
    assert!(output.trusted && output.changed);
    let accepted = trust::Trusted {
        key: "sources.urls.allow_private".to_owned(),
        value: Value::List(vec!["10.0.0.0/8".to_owned(), "wiki.local".to_owned()]),
        line: 4,
    };
    assert_eq!(output.values, [accepted]);
    assert!(text_of(&output).contains("[10.0.0.0/8, wiki.local]"));
    assert_eq!(private(), ["10.0.0.0/8", "wiki.local"]);
    assert!(!trust::trust(&setup.layers).unwrap().changed);

    setup.set("sources.urls.max_redirects", "2").unwrap();
    assert!(private().is_empty());
    trust::trust(&setup.layers).unwrap();
    assert!(trust::revoke(&setup.layers).unwrap().changed);
    assert!(private().is_empty());
    assert!(!trust::revoke(&setup.layers).unwrap().changed);
}

#[test]
fn nothing_is_trusted_unseen() {
    let missing = trust::trust(&Setup::new("").layers).unwrap_err();
    assert_eq!(missing.code(), ErrorCode::PathMissing);
    let broken = trust::trust(&Setup::new("ask: [\n").layers).unwrap_err();
    assert_eq!(broken.code(), ErrorCode::ConfigInvalid);
}
