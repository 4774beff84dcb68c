//! Files of agents as people have them: what is put in comes out again, and nothing else changes.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::carry_out::carry_out;
use super::places::{Agent, Folders};
use super::plan::{Action, Ground, Why};
use super::record::Record;
use super::table::AGENTS;
use super::{Scope, jsonc};

/// A home and a project in a folder of their own.
struct Machine {
    _dir: tempfile::TempDir,
    folders: Folders,
    gik: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        let home = root.join("home");
        let project = root.join("project");
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(&project).unwrap();
        let folders = Folders {
            config: home.join(".config"),
            home,
            moved: Vec::new(),
            project: Some(project),
        };
        Self { gik: root.join("gik"), _dir: dir, folders }
    }

    fn home(&self, path: &str) -> PathBuf {
        self.folders.home.join(path)
    }

    fn run(&self, scope: Scope, way: &str, ids: &[&str]) -> gik_base::Result<Vec<Action>> {
        let mut record = Record::read(&self.gik)?;
        let agents: Vec<&'static Agent> =
            AGENTS.iter().filter(|agent| ids.contains(&agent.id) || ids == ["all"]).collect();
        let command = "/opt/bin/gik";
        let ground = Ground { scope, folders: &self.folders, command, record: &record };
        let steps = match way {
            "in" => ground.install(&agents)?,
            _ => ground.uninstall(&agents)?,
        };
        carry_out(&steps, &mut record, &self.gik)?;
        Ok(steps.into_iter().map(|step| step.action).collect())
    }

    /// Every file with its bytes, and every folder.
    fn all(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn walk(folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    found.push((path.clone(), None));
                    walk(&path, found);
                } else {
                    found.push((path.clone(), Some(fs::read(&path).unwrap())));
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.folders.home, &mut found);
        walk(self.folders.project.as_ref().unwrap(), &mut found);
        found.sort();
        found
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Configs as they are found on machines.
const REALISTIC: &[(&str, &str)] = &[
    (
        ".claude.json",
        "{\n  \"numStartups\": 184,\n  \"mcpServers\": {\n    \"github\": {\n      \"type\": \"http\",\n      \"url\": \"https://x.invalid\"\n    }\n  },\n  \"projects\": {\"/home/me/a\": {\"mcpServers\": {}}}\n}",
    ),
    (".claude/CLAUDE.md", "# Mine\n\nBe short.\n"),
    (
        ".codex/config.toml",
        "# my settings\nmodel = \"o5\"\n\n[mcp_servers.docs]\ncommand = \"npx\" # slow\nargs = [\n  \"-y\",\n  \"docs\",\n]\n\n[projects.\"/home/me/a\"]\ntrust_level = \"trusted\"\n",
    ),
    (".codex/AGENTS.md", "no newline at the end"),
    (".cursor/mcp.json", "{\n\t\"mcpServers\": {}\n}\n"),
    (".gemini/settings.json", "{ \"theme\": \"dark\", }\n"),
    (".gemini/GEMINI.md", "# Rules\r\n\r\n- one\r\n"),
    (
        ".config/opencode/opencode.jsonc",
        "{\r\n  // the schema\r\n  \"$schema\": \"https://opencode.ai/config.json\",\r\n  \"mcp\": {\r\n    // \"old\": {},\r\n    \"b\": {\"type\": \"local\", \"command\": [\"b\"]}, /* keep */\r\n  },\r\n}\r\n",
    ),
    (".config/Code/User/mcp.json", "{\"servers\":{\"a\":{\"command\":\"a\"}},\"inputs\":[]}"),
    (".copilot/mcp-config.json", ""),
    (".codeium/windsurf/mcp_config.json", "{}"),
    (
        ".config/zed/settings.json",
        "// Zed settings\n//\n// see the documentation\n{\n  \"ui_font_size\": 16, // px\n  \"theme\": {\n    \"mode\": \"system\",\n  },\n}\n",
    ),
    (".kiro/settings/mcp.json", "{\n  \"mcpServers\": {\n  }\n}\n"),
    (
        ".cline/data/settings/cline_mcp_settings.json",
        "{\n  \"mcpServers\": { \"a\": { \"transport\": { \"type\": \"stdio\", \"command\": \"a\" } } }\n}\n",
    ),
    (
        ".qwen/settings.json",
        "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": { \"command\": \"a\" }\r\n  }\r\n}\r\n",
    ),
    (".config/kilo/kilo.jsonc", "{\n  /* a\n     b */ \"mcp\": { /* none */ }\n}\n"),
    (".grok/config.toml", "[cli]\nauto_update = true"),
    (
        ".gemini/config/mcp_config.json",
        "{\n  \"mcpServers\": {\n    \"x\": {\"url\": \"https://x.invalid\"},\n  }\n}\n",
    ),
    (".zcode/cli/config.json", "{\n    \"mcp\": {\n        \"other\": 1\n    }\n}\n"),
    (".pi/agent/mcp.json", "{\n}\n"),
];

#[test]
fn every_agent_is_told_and_forgets_again() {
    let machine = Machine::new();
    for (path, text) in REALISTIC {
        write(&machine.home(path), text);
    }
    for scope in [Scope::User, Scope::Project] {
        let before = machine.all();
        let done = machine.run(scope, "in", &["all"]).unwrap();
        assert!(done.iter().all(|action| !matches!(action, Action::Nothing(_))), "{done:?}");
        let installed = machine.all();
        let again = machine.run(scope, "in", &["all"]).unwrap();
        assert!(again.iter().all(|action| *action == Action::Nothing(Why::Current)), "{again:?}");
        assert!(machine.all() == installed);
        machine.run(scope, "out", &["all"]).unwrap();
        for ((path, text), (now_path, now)) in before.iter().zip(machine.all()) {
            let told = |text: &Option<Vec<u8>>| {
                text.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            assert_eq!((path, told(text)), (&now_path, told(&now)));
        }
        assert_eq!(before.len(), machine.all().len());
    }
    assert!(!machine.gik.join("agents.json").exists());
}

#[test]
fn the_rest_of_a_config_stays_when_others_write_to_it_meanwhile() {
    let machine = Machine::new();
    let file = machine.home(".cursor/mcp.json");
    machine.run(Scope::User, "in", &["cursor"]).unwrap();
    // Programs write their configs anew, in their own layout.
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    value["mcpServers"]["other"] = serde_json::json!({"command": "other"});
    fs::write(&file, serde_json::to_string(&value).unwrap()).unwrap();
    machine.run(Scope::User, "out", &["cursor"]).unwrap();
    let now = jsonc::value(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(now, serde_json::json!({"mcpServers": {"other": {"command": "other"}}}));
    // Nothing but our own skeleton left: the file was made for us and goes.
    machine.run(Scope::User, "in", &["kiro"]).unwrap();
    let file = machine.home(".kiro/settings/mcp.json");
    let text = fs::read_to_string(&file).unwrap().replace("  ", "\t");
    fs::write(&file, text).unwrap();
    machine.run(Scope::User, "out", &["kiro"]).unwrap();
    assert!(!machine.home(".kiro").exists());
}

#[test]
fn an_entry_of_somebody_else_and_a_broken_file_are_left_alone() {
    let machine = Machine::new();
    let file = machine.home(".cursor/mcp.json");
    let foreign = "{\"mcpServers\": {\"gik\": {\"command\": \"docker\", \"args\": [\"run\"]}}}";
    write(&file, foreign);
    for way in ["in", "out"] {
        let done = machine.run(Scope::User, way, &["cursor"]).unwrap();
        assert_eq!(done, [Action::Nothing(Why::Foreign)]);
        assert_eq!(fs::read_to_string(&file).unwrap(), foreign);
    }
    for broken in ["{\"mcpServers\": {\"a\": 1}", "{\"mcpServers\": []}", "[1]", "{\"a\" 1}"] {
        write(&file, broken);
        // The other agent comes first and would be fine, but nothing is done by halves.
        let failure = machine.run(Scope::User, "in", &["claude", "cursor"]).unwrap_err();
        assert!(failure.to_string().contains(".cursor/mcp.json"), "{failure}");
        assert!(!machine.home(".claude.json").exists());
        assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    }
    fs::write(&file, b"\xff\xfe{}").unwrap();
    assert!(machine.run(Scope::User, "in", &["cursor"]).is_err());
    write(&machine.home(".grok/config.toml"), "mcp_servers = {}\n");
    let failure = machine.run(Scope::User, "in", &["grok"]).unwrap_err();
    assert!(failure.to_string().contains("cannot be changed safely"), "{failure}");
}

#[test]
fn an_older_entry_is_replaced_and_what_was_there_first_comes_back() {
    let machine = Machine::new();
    let file = machine.home(".cursor/mcp.json");
    let before = "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"a\"}\n  }\n}\n";
    write(&file, before);
    machine.run(Scope::User, "in", &["cursor"]).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("/opt/bin/gik", "/old/gik")).unwrap();
    let done = machine.run(Scope::User, "in", &["cursor"]).unwrap();
    assert!(matches!(done.as_slice(), [Action::Change { .. }]), "{done:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    machine.run(Scope::User, "out", &["cursor"]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn a_file_that_several_agents_read_stays_until_the_last_of_them_goes() {
    let machine = Machine::new();
    let file = machine.folders.project.as_ref().unwrap().join("AGENTS.md");
    machine.run(Scope::Project, "in", &["codex", "cursor"]).unwrap();
    machine.run(Scope::Project, "in", &["zed"]).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap().matches("gik:start").count(), 1);
    machine.run(Scope::Project, "out", &["codex"]).unwrap();
    machine.run(Scope::Project, "out", &["cursor"]).unwrap();
    assert!(file.exists());
    machine.run(Scope::Project, "out", &["zed"]).unwrap();
    assert!(!file.exists());
    assert_eq!(machine.all(), []);
}

#[cfg(unix)]
#[test]
fn links_are_followed_for_the_user_and_not_out_of_a_project() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let machine = Machine::new();
    let real = machine.home("dotfiles/cursor.json");
    write(&real, "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = machine.home(".cursor/mcp.json");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&real, &link).unwrap();
    machine.run(Scope::User, "in", &["cursor"]).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("/opt/bin/gik"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    machine.run(Scope::User, "out", &["cursor"]).unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");

    let project = machine.folders.project.clone().unwrap();
    for (name, to) in [(".mcp.json", "dotfiles/cursor.json"), (".cursor", "dotfiles")] {
        symlink(machine.home(to), project.join(name)).unwrap();
        let agent = if name == ".cursor" { "cursor" } else { "claude" };
        let failure = machine.run(Scope::Project, "in", &[agent]).unwrap_err();
        assert_eq!(failure.code(), gik_base::ErrorCode::PathOutside);
    }
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
    assert!(!machine.home("dotfiles/mcp.json").exists());
    // Inside of the project a link is as good as a file, and one block serves both names.
    fs::remove_file(project.join(".mcp.json")).unwrap();
    write(&project.join("AGENTS.md"), "# Both\n");
    symlink("AGENTS.md", project.join("CLAUDE.md")).unwrap();
    machine.run(Scope::Project, "in", &["claude", "codex"]).unwrap();
    let text = fs::read_to_string(project.join("AGENTS.md")).unwrap();
    assert_eq!(text.matches("gik:start").count(), 1);
}

#[test]
fn a_folder_that_was_moved_is_found_where_it_is() {
    let mut machine = Machine::new();
    let moved = machine.home("elsewhere");
    machine.folders.moved = vec![("CLAUDE_CONFIG_DIR", moved.clone())];
    machine.run(Scope::User, "in", &["claude"]).unwrap();
    assert!(moved.join(".claude.json").exists() && moved.join("CLAUDE.md").exists());
    assert!(!machine.home(".claude.json").exists());
    machine.run(Scope::User, "out", &["claude"]).unwrap();
    assert_eq!(fs::read_dir(&machine.folders.home).unwrap().count(), 0);
}

#[test]
fn a_file_that_changes_between_plan_and_deed_is_not_written() {
    let machine = Machine::new();
    let file = machine.home(".cursor/mcp.json");
    write(&file, "{}");
    let mut record = Record::default();
    let agents: Vec<&'static Agent> = AGENTS.iter().filter(|agent| agent.id == "cursor").collect();
    let ground = Ground {
        scope: Scope::User,
        folders: &machine.folders,
        command: "gik",
        record: &Record::default(),
    };
    let steps = ground.install(&agents).unwrap();
    fs::write(&file, "{\"other\": 1}").unwrap();
    let failure = carry_out(&steps, &mut record, &machine.gik).unwrap_err();
    assert!(failure.to_string().contains("changed in the meantime"), "{failure}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"other\": 1}");
}
