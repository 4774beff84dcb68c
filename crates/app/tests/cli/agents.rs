//! `gik agents`: real runs against files of agents, as a new user would try it.

use std::path::PathBuf;

use gik_testkit::{Gik, Tree};
use serde_json::Value;

use super::{assert_transcript, gik, project};

/// No agent of this machine is found on `PATH`.
fn alone(tree: &Tree) -> Gik<'_> {
    gik(tree).env("PATH", "/nowhere")
}

fn home(tree: &Tree, path: &str) -> PathBuf {
    tree.home().join(path)
}

fn write(tree: &Tree, path: &str, text: &str) {
    let path = home(tree, path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn agents_are_told_and_forget_again() {
    let tree = project();
    let gik = alone(&tree);
    let project_agents = ["--scope", "project", "--agent", "claude,codex"];
    let with = |first: &[&str], more: &[&str]| -> Vec<String> {
        [first, &project_agents, more].concat().iter().map(|word| (*word).to_owned()).collect()
    };
    let run = |words: Vec<String>| gik.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let nobody = gik.run(&["agents", "install", "--yes"]).exit(1);
    tree.write("AGENTS.md", "# Rules\n\nBe short.\n");
    tree.write(".mcp.json", "{\n  // shared\n  \"mcpServers\": {},\n}\n");
    assert_transcript(
        "agents",
        &[
            nobody,
            gik.run(&["agents", "status", "--scope", "project"]).success(),
            run(with(&["agents", "install"], &["--dry-run"])).success(),
            run(with(&["agents", "install"], &[])).exit(2),
            run(with(&["agents", "install"], &["--yes"])).success(),
            run(with(&["agents", "install"], &["--yes"])).success(),
            run(with(&["agents", "status"], &[])).success(),
            run(with(&["agents", "uninstall"], &["--yes", "--json"])).success(),
            run(with(&["agents", "uninstall"], &["--yes"])).success(),
            gik.run(&["agents", "install", "--agent", "cursr"]).exit(2),
        ],
    );
    assert_eq!(tree.read("AGENTS.md"), "# Rules\n\nBe short.\n");
    assert_eq!(tree.read(".mcp.json"), "{\n  // shared\n  \"mcpServers\": {},\n}\n");
    assert!(!tree.exists(".codex") && !tree.exists("CLAUDE.md"));
}

#[test]
fn a_user_gets_an_entry_that_starts_this_very_program() {
    let tree = project();
    let gik = alone(&tree);
    write(&tree, ".cursor/mcp.json", "{ /* none */ }\r\n");
    let done = gik.run(&["agents", "install", "--yes", "--json"]).success().json();
    assert_eq!(done["agents"], serde_json::json!(["cursor"]));
    assert_eq!(done["files"][0]["action"], "changed");
    let text = std::fs::read_to_string(home(&tree, ".cursor/mcp.json")).unwrap();
    let value: Value = serde_json::from_str(&text.replace("/* none */", "")).unwrap();
    let entry = &value["mcpServers"]["gik"];
    assert_eq!(entry["args"], serde_json::json!(["mcp"]));
    let program = PathBuf::from(entry["command"].as_str().unwrap());
    assert_eq!(program, std::fs::canonicalize(env!("CARGO_BIN_EXE_gik")).unwrap());
    let status = gik.run(&["agents", "status", "--agent", "cursor", "--json"]).success().json();
    assert_eq!(status["agents"][0]["server"]["state"], "installed");
    gik.run(&["agents", "uninstall", "--yes"]).success();
    let text = std::fs::read_to_string(home(&tree, ".cursor/mcp.json")).unwrap();
    assert_eq!(text, "{ /* none */ }\r\n");
}

#[test]
fn a_broken_config_is_told_and_nothing_is_written() {
    let tree = project();
    let gik = alone(&tree);
    write(&tree, ".cursor/mcp.json", "{\n  \"mcpServers\": {\n    \"a\" 1\n  }\n}\n");
    write(&tree, ".kiro/settings/mcp.json", "{}");
    let run = gik.run(&["agents", "install", "--yes"]).exit(2);
    assert!(run.stderr.contains("mcp.json`, line 3: a colon is missing"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(home(&tree, ".kiro/settings/mcp.json")).unwrap(), "{}");
    let status = gik.run(&["agents", "status", "--agent", "cursor,kiro", "--json"]).success();
    assert_eq!(status.json()["agents"][0]["server"]["state"], "broken");
    let run = gik.run(&["agents", "install", "--agent", "kiro", "--no-instructions", "--yes"]);
    run.success();
    assert!(!home(&tree, ".kiro/steering").exists());
}

#[test]
fn help_does_nothing() {
    let tree = project();
    let gik = alone(&tree);
    write(&tree, ".cursor/mcp.json", "{}");
    for word in ["install", "uninstall"] {
        gik.run(&["agents", word, "--help"]).success();
    }
    assert_eq!(std::fs::read_to_string(home(&tree, ".cursor/mcp.json")).unwrap(), "{}");
    assert!(!home(&tree, ".gik/agents.json").exists());
}
