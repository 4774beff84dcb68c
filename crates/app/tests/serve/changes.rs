//! Programs propose changes and cannot make them: what they send, what they need, and what they must not get.

use std::collections::BTreeMap;

use gik_testkit::Tree;
use serde_json::{Value, json};

use super::{Http, Mcp};
use crate::cli::{gik, indexed};

const DIFF: &str = "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Greeter\n+# Host\n \n Says hello to people.\n";
const OTHER: &str = "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Greeter\n+# Other\n \n Says hello to people.\n";

/// Every file of the workspace with its bytes.
fn files(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in tree.list() {
        let found = tree.path(&path);
        if !found.is_symlink() {
            files.insert(path, std::fs::read(found).unwrap());
        }
    }
    files
}

fn diff(diff: &str, token: &str) -> Value {
    json!({"diff": diff, "confirmation_token": token})
}

fn confirm(tree: &Tree, id: &str) -> String {
    let run = gik(tree).run(&["changes", "confirm", id, "--json"]).success();
    run.json()["token"].as_str().unwrap().to_owned()
}

/// The data of an answer that did what was asked.
fn data(answer: &Value) -> Value {
    let envelope = &answer["structuredContent"];
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

/// The code of an answer that did not.
fn error(answer: &Value) -> String {
    assert_eq!(answer["isError"], true, "{answer}");
    answer["structuredContent"]["error"].as_str().unwrap().to_owned()
}

#[test]
fn a_change_is_staged_and_then_applied_with_a_token() {
    let tree = indexed();
    let old = files(&tree);
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let staged = data(&mcp.call("apply_unified_diff", diff(DIFF, "")));
    assert_eq!(staged["status"], "staged");
    assert_eq!(files(&tree), old);
    let token = confirm(&tree, staged["change_id"].as_str().unwrap());
    let applied = data(&mcp.call("apply_unified_diff", diff(DIFF, &token)));
    assert_eq!(applied["status"], "applied");
    assert_eq!(applied["diff_hash"], staged["diff_hash"]);
    assert!(tree.read("README.md").starts_with("# Host\n"));
    // The same over HTTP, with edits, and with the end of the lines of the file.
    let http = Http::start(&tree, &[]);
    tree.write("crlf.txt", "\u{feff}one\r\ntwo\r\n");
    let edit = |token: &str| {
        json!({"path": "crlf.txt", "confirmation_token": token, "edits": [
            {"start_line": 1, "start_col": 0, "end_line": 1, "end_col": 3, "replacement": "1\n1.5"}
        ]})
    };
    let staged = http.call("apply_text_edits", &edit("")).json();
    assert_eq!(staged["data"]["status"], "staged", "{staged}");
    let token = confirm(&tree, staged["data"]["change_id"].as_str().unwrap());
    let applied = http.call("apply_text_edits", &edit(&token));
    assert_eq!((applied.status, &applied.json()["data"]["status"]), (200, &json!("applied")));
    assert_eq!(tree.read("crlf.txt"), "\u{feff}1\r\n1.5\r\ntwo\r\n");
    assert_eq!(gik(&tree).run(&["changes", "list", "--json"]).json()["changes"], json!([]));
}

#[test]
fn a_token_opens_one_change_once_and_for_a_minute() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let id = data(&mcp.call("apply_unified_diff", diff(DIFF, "")))["change_id"].clone();
    let id = id.as_str().unwrap();
    let old = files(&tree);
    let mut refused = |text: &str, token: &str| {
        let answer = mcp.call("apply_unified_diff", diff(text, token));
        assert_eq!(error(&answer), "requires_confirmation", "{answer}");
        assert_eq!(files(&tree), old);
        answer["structuredContent"]["meta"]["warnings"][0].as_str().unwrap().to_owned()
    };
    for made_up in ["yes", "gik-", &format!("gik-{}", "0".repeat(64)), "../../etc/passwd", "\0"] {
        assert!(refused(DIFF, made_up).contains("is not known"));
    }
    // For another diff.
    let token = confirm(&tree, id);
    assert!(refused(OTHER, &token).contains("another change"));
    // Of another workspace.
    let elsewhere = indexed();
    let staged = gik(&elsewhere).run(&[
        "tool",
        "apply_unified_diff",
        DIFF,
        "--confirmation-token",
        "",
        "--json",
    ]);
    let there = confirm(&elsewhere, staged.json()["data"]["change_id"].as_str().unwrap());
    assert!(refused(DIFF, &there).contains("is not known"));
    // Too late: the person's own record says so, without anybody waiting a minute.
    let dir = tree.home().join(".gik/confirmations");
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        let mut kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for name in ["mintedAt", "expiresAt"] {
            kept[name] = json!(kept[name].as_i64().unwrap() - 60);
        }
        std::fs::write(&path, kept.to_string()).unwrap();
    }
    assert!(refused(DIFF, &token).contains("no longer good"));
    assert!(refused(DIFF, &token).contains("is not known"));
    // The base changed meanwhile: elsewhere in the file, so that the diff still fits.
    let token = confirm(&tree, id);
    tree.append("README.md", "More.\n");
    let old = files(&tree);
    let answer = mcp.call("apply_unified_diff", diff(DIFF, &token));
    assert_eq!(error(&answer), "requires_confirmation");
    assert_eq!(files(&tree), old);
    // Used twice.
    let id = data(&mcp.call("apply_unified_diff", diff(DIFF, "")))["change_id"].clone();
    let token = confirm(&tree, id.as_str().unwrap());
    data(&mcp.call("apply_unified_diff", diff(DIFF, &token)));
    let old = tree.read("README.md").replace("# Host", "# Greeter");
    tree.write("README.md", &old);
    assert_eq!(error(&mcp.call("apply_unified_diff", diff(DIFF, &token))), "requires_confirmation");
    assert_eq!(tree.read("README.md"), old);
}

#[test]
fn programs_are_not_offered_what_people_decide() {
    let tree = indexed();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let http = Http::start(&tree, &[]);
    let id = data(&mcp.call("apply_unified_diff", diff(DIFF, "")))["change_id"].clone();
    let old = files(&tree);
    for name in [
        "changes_apply",
        "changes_confirm",
        "changes_discard",
        "changes.apply",
        "confirm",
        "apply",
        // They read whatever file they are given.
        "config_check",
        "graph_import",
        "model_add",
        "eval",
    ] {
        let posted = http.call(name, &json!({"id": id, "yes": true}));
        assert_eq!(posted.status, 404, "{name}");
    }
    let tools = http.get("/v1/tools").json();
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"changes_list") && names.contains(&"apply_unified_diff"));
    assert!(
        !names
            .iter()
            .any(|name| ["changes_apply", "changes_confirm", "changes_discard"].contains(name))
    );
    assert_eq!(files(&tree), old);
    // A server that only reads does not even stage.
    let reading = Http::start(&tree, &["--read-only"]);
    assert_eq!(reading.call("apply_unified_diff", &diff(DIFF, "")).status, 404);
}

#[cfg(unix)]
#[test]
fn no_diff_and_no_edit_leads_out_of_the_workspace() {
    let tree = indexed();
    tree.write(".env", "TOKEN=1\n");
    tree.write("binary.bin", [0xff_u8, 0, 1]);
    let outside = tree.outside().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("file.txt"), "theirs\n").unwrap();
    tree.link("link-out", outside.to_str().unwrap());
    tree.link("link-file", outside.join("file.txt").to_str().unwrap());
    tree.link("link-in", "src");
    std::fs::create_dir_all(tree.path(".git/hooks")).unwrap();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    let old = files(&tree);
    let names = [
        ("../outside/file.txt", "permission_denied"),
        ("src/../../outside/file.txt", "permission_denied"),
        ("/etc/passwd", "permission_denied"),
        ("link-out/file.txt", "permission_denied"),
        ("link-out/new.txt", "permission_denied"),
        ("link-file", "permission_denied"),
        ("link-in/text.rs", "permission_denied"),
        (".git/hooks/pre-commit", "permission_denied"),
        (".GIT/hooks/pre-commit", "permission_denied"),
        (".guided/knowledge/config.yaml", "permission_denied"),
        (".env", "permission_denied"),
        ("deploy/id_rsa", "permission_denied"),
        (".gikignore", "permission_denied"),
        ("src/text.rs\0.png", "invalid_arguments"),
        ("src/\u{202e}sr.txet", "invalid_arguments"),
        ("\u{2024}\u{2024}/outside/file.txt", "invalid_arguments"),
        ("\u{ff0e}\u{ff0e}/outside/file.txt", "invalid_arguments"),
        ("..\u{2215}outside\u{2215}file.txt", "invalid_arguments"),
        ("..\\outside\\file.txt", "invalid_arguments"),
        (".g\u{200c}it/hooks/pre-commit", "invalid_arguments"),
        ("", "invalid_arguments"),
    ];
    for (name, code) in names {
        let create = format!("--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+evil\n");
        let change = format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-theirs\n+evil\n");
        let remove = format!("--- a/{name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-theirs\n");
        let moved =
            format!("diff --git a/README.md b/x\nrename from README.md\nrename to {name}\n");
        for text in [create, change, remove, moved] {
            let answer = mcp.call("apply_unified_diff", diff(&text, ""));
            let said = error(&answer);
            // A name that is no name is a diff that cannot be read.
            assert!(said == code || name.is_empty(), "{name:?}: {answer}");
        }
        let edit = json!({"start_line": 1, "start_col": 0, "end_line": 1, "end_col": 0, "replacement": "evil"});
        let edits = json!({"path": name, "edits": [edit], "confirmation_token": ""});
        let answer = mcp.call("apply_text_edits", edits);
        assert_eq!(error(&answer), code, "{name:?}: {answer}");
    }
    let link =
        "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n";
    assert_eq!(error(&mcp.call("apply_unified_diff", diff(link, ""))), "permission_denied");
    let binary = "--- a/binary.bin\n+++ b/binary.bin\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(error(&mcp.call("apply_unified_diff", diff(binary, ""))), "invalid_arguments");
    let missing = "--- a/none.rs\n+++ b/none.rs\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(error(&mcp.call("apply_unified_diff", diff(missing, ""))), "not_found");
    let long = format!("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+{}\n", "x".repeat(1 << 20));
    assert_eq!(error(&mcp.call("apply_unified_diff", diff(&long, ""))), "too_large");
    assert_eq!(files(&tree), old);
    assert_eq!(std::fs::read_to_string(outside.join("file.txt")).unwrap(), "theirs\n");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(tree.path(".git/hooks")).unwrap().count(), 0);
    let listed = gik(&tree).run(&["changes", "list", "--json"]).json();
    assert_eq!(listed["changes"], json!([]), "nothing is proposed either");
}

#[test]
fn arguments_are_those_that_models_are_taught() {
    let tree = indexed();
    let http = Http::start(&tree, &[]);
    let tools = http.get("/v1/tools").json();
    let schema = |name: &str| {
        let tools = tools["tools"].as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["inputSchema"].clone()
    };
    let required = |schema: &Value| {
        let mut names: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap();
        names.sort();
        names
    };
    assert_eq!(required(&schema("apply_unified_diff")), ["confirmation_token", "diff"]);
    let edits = schema("apply_text_edits");
    assert_eq!(required(&edits), ["confirmation_token", "edits", "path"]);
    let edit = &edits["properties"]["edits"]["items"];
    assert_eq!(required(edit), ["end_col", "end_line", "replacement", "start_col", "start_line"]);
    assert_eq!(edit["properties"]["start_line"]["minimum"], 1);
    assert_eq!(edit["properties"]["start_col"]["minimum"], 0);
    assert_eq!(edit["additionalProperties"], false);
    let place = |line: i64| json!({"start_line": line, "start_col": 0, "end_line": 1, "end_col": 0, "replacement": ""});
    for wrong in
        [json!([place(0)]), json!([place(-1)]), json!([{"start_line": 1}]), json!("x"), json!([])]
    {
        let arguments = json!({"path": "README.md", "edits": wrong, "confirmation_token": ""});
        let answer = http.call("apply_text_edits", &arguments);
        assert_eq!(answer.json()["error"], "invalid_arguments", "{}", answer.body);
        assert_eq!(answer.status, 400);
    }
    let answer = http.call("apply_unified_diff", &json!({"diff": DIFF}));
    assert_eq!(answer.json()["error"], "invalid_arguments");
}

#[test]
fn only_the_users_own_config_lets_tools_write_alone() {
    let tree = indexed();
    let old = files(&tree);
    tree.write(".guided/knowledge/config.yaml", "changes:\n  autonomous: true\n");
    gik(&tree).run(&["config", "trust"]).success();
    let mut mcp = Mcp::start(&tree, &["--profile", "full"]);
    assert_eq!(data(&mcp.call("apply_unified_diff", diff(DIFF, "")))["status"], "staged");
    assert_eq!(files(&tree), old);
    let set = [
        "tool",
        "apply_unified_diff",
        DIFF,
        "--confirmation-token",
        "",
        "--set",
        "changes.autonomous=true",
    ];
    gik(&tree).run(&set).exit(1);
    assert_eq!(files(&tree), old);
    // A home inside the workspace is not the user's own.
    tree.write("fake/config.yaml", "changes:\n  autonomous: true\n");
    let old = files(&tree);
    let fake = gik(&tree).env("GIK_HOME", tree.path("fake").to_str().unwrap());
    let run = fake.run(&["tool", "apply_unified_diff", DIFF, "--confirmation-token", "", "--json"]);
    assert_eq!(run.json()["data"]["status"], "staged");
    assert_eq!(files(&tree), old);
    gik(&tree).run(&["config", "set", "--global", "changes.autonomous", "true"]).success();
    assert_eq!(data(&mcp.call("apply_unified_diff", diff(DIFF, "")))["status"], "applied");
    assert!(tree.read("README.md").starts_with("# Host\n"));
}

#[test]
fn of_two_who_apply_at_once_one_wins() {
    for _ in 0..10 {
        let tree = indexed();
        let staged = gik(&tree).run(&[
            "tool",
            "apply_unified_diff",
            DIFF,
            "--confirmation-token",
            "",
            "--json",
        ]);
        let id = staged.json()["data"]["change_id"].as_str().unwrap().to_owned();
        let token = confirm(&tree, &id);
        let typed = ["changes", "apply", &id, "--yes"];
        let called = ["tool", "apply_unified_diff", DIFF, "--confirmation-token", &token];
        let gik = gik(&tree);
        let running =
            [gik.spawn(&typed), gik.spawn(&called), gik.spawn(&typed), gik.spawn(&called)];
        let codes: Vec<_> = running.into_iter().map(|it| it.wait().code).collect();
        assert_eq!(codes.iter().filter(|code| **code == Some(0)).count(), 1, "{codes:?}");
        assert!(tree.read("README.md").starts_with("# Host\n\nSays"));
    }
}
