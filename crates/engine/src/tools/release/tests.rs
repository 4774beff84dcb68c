//! A changelog on disk: made, made anew, grown, and never lost.

use gik_base::progress::Silent;
use gik_base::{Cancel, ErrorCode, Failure};
use gik_contract::RevisionOperation;
use gik_ledger::Knowledge;
use serde_json::{Value, json};

use super::{TOOL, checked_tag};
use crate::{Context, Options};

struct Fixture {
    dir: tempfile::TempDir,
}

impl Fixture {
    fn new(messages: &[&str]) -> Self {
        let fixture = Self { dir: tempfile::tempdir().unwrap() };
        let branch = Knowledge::at(fixture.dir.path()).branch("main");
        let held = branch.lock(std::time::Duration::ZERO, &Cancel::default()).unwrap();
        branch.init(&held, "Init GIK", None, None).unwrap();
        drop(held);
        fixture.commit(messages);
        fixture
    }

    fn commit(&self, messages: &[&str]) {
        let branch = Knowledge::at(self.dir.path()).branch("main");
        let held = branch.lock(std::time::Duration::ZERO, &Cancel::default()).unwrap();
        for message in messages {
            let operation =
                RevisionOperation::Commit { bases: vec!["code".to_owned()], source_count: 1 };
            let mut transaction = branch.transaction(&held);
            transaction.revision(*message, None, vec![operation]);
            transaction.commit().unwrap();
        }
    }

    fn run(&self, arguments: Value) -> Result<Value, Failure> {
        let root = self.dir.path().canonicalize().unwrap();
        let ctx = Context {
            options: Options { workspace: Some(root.clone()), ..Options::default() },
            cwd: root,
            progress: &Silent,
            cancel: Cancel::default(),
        };
        TOOL.run_json(&ctx, arguments)?.json()
    }

    fn write(&self, text: &str) {
        std::fs::write(self.dir.path().join("CHANGELOG.md"), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap()
    }
}

#[test]
fn a_file_of_ours_is_made_anew_and_a_dry_run_writes_nothing() {
    let fixture = Fixture::new(&["feat: one"]);
    let dry = fixture.run(json!({ "dryRun": true })).unwrap();
    assert_eq!(dry["written"], false);
    assert!(!fixture.dir.path().join("CHANGELOG.md").exists());

    fixture.run(json!({})).unwrap();
    assert!(
        fixture
            .read("CHANGELOG.md")
            .starts_with("# Changelog\n\n## [Unreleased]\n\n### Features\n")
    );
    assert_eq!(fixture.run(json!({})).unwrap()["written"], false);
    fixture.commit(&["fix: two"]);
    assert_eq!(fixture.run(json!({ "tag": "v1" })).unwrap()["entryCount"], 2);
    let text = fixture.read("CHANGELOG.md");
    assert!(
        text.contains("## [v1] - ") && text.contains("- two (") && !text.contains("Unreleased")
    );
}

#[test]
fn text_of_others_is_refused_and_kept_aside_by_force() {
    let fixture = Fixture::new(&["feat: one"]);
    fixture.write("# Mine\n");
    let failure = fixture.run(json!({})).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ArgumentInvalid);
    assert_eq!(fixture.read("CHANGELOG.md"), "# Mine\n");
    assert!(fixture.run(json!({ "dryRun": true })).is_ok());
    assert_eq!(fixture.run(json!({ "force": true })).unwrap()["backup"], "CHANGELOG.md.bak");
    assert_eq!(fixture.read("CHANGELOG.md.bak"), "# Mine\n");
    fixture.write("# Mine again\n");
    assert_eq!(fixture.run(json!({ "force": true })).unwrap()["backup"], "CHANGELOG.md.bak2");
}

#[test]
fn each_release_goes_on_where_the_one_before_ended() {
    let fixture = Fixture::new(&["feat: one"]);
    fixture.write("# Mine\n\nKept.\n");
    fixture.run(json!({ "tag": "v1", "append": true })).unwrap();
    fixture.commit(&["fix: two"]);
    let second = fixture.run(json!({ "tag": "v2", "append": true })).unwrap();
    assert_eq!(second["entryCount"], 1);
    let text = fixture.read("CHANGELOG.md");
    let at = |part: &str| text.find(part).unwrap();
    assert!(text.starts_with("# Mine\n\nKept.\n\n## [v2]"));
    assert!(
        at("## [v2]") < at("- two (")
            && at("- two (") < at("## [v1]")
            && at("## [v1]") < at("- one (")
    );

    let again = fixture.run(json!({ "tag": "2", "append": true, "dryRun": true })).unwrap_err();
    assert!(again.to_string().contains("already"));
}

#[test]
fn a_range_may_be_named_and_an_empty_one_writes_nothing() {
    let fixture = Fixture::new(&["feat: one", "feat: two", "feat: three"]);
    let middle = fixture.run(json!({ "from": "HEAD~2", "to": "HEAD~1", "dryRun": true })).unwrap();
    assert_eq!(middle["groups"][0]["entries"][0]["text"], "two");
    assert_eq!(middle["entryCount"], 1);
    let none = fixture.run(json!({ "from": "HEAD" })).unwrap();
    assert_eq!((&none["entryCount"], &none["written"]), (&json!(0), &json!(false)));
    let wrong = fixture.run(json!({ "from": "HEAD", "to": "HEAD~1" })).unwrap_err();
    assert_eq!(wrong.code(), ErrorCode::ArgumentInvalid);
    for output in ["../CHANGELOG.md", ".guided/CHANGELOG.md", ".git/config", "."] {
        assert!(fixture.run(json!({ "output": output })).is_err(), "{output}");
    }
}

#[test]
fn tags_are_one_word() {
    assert_eq!(checked_tag(" v1.2.0 ").unwrap(), "v1.2.0");
    for wrong in ["", " ", "v1 beta", "v1\n## x", "[v1]", "<!--"] {
        assert_eq!(checked_tag(wrong).unwrap_err().code(), ErrorCode::ArgumentInvalid, "{wrong}");
    }
}
