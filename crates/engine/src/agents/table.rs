//! Which coding agents there are, and where each keeps its servers and its instructions: data, no code per agent.
//!
//! A row is all there is to know about an agent. What an agent cannot be told by a file of that scope is left out.

use gik_base::env;

use super::entry::Form;
use super::places::Base::{self, Code, Config, Home, Named, Project};
use super::places::{Agent, At, Files, Server};

const fn files(server: Server, instructions: At) -> Files {
    Files { server: Some(server), instructions: Some(instructions) }
}

const fn server_only(server: Server) -> Files {
    Files { server: Some(server), instructions: None }
}

const fn instructions_only(instructions: At) -> Files {
    Files { server: None, instructions: Some(instructions) }
}

const fn listed(files: &'static [At], keys: &'static [&'static str], form: Form) -> Server {
    Server { files, keys, form }
}

const CLAUDE: Base = Named(env::CLAUDE_CONFIG_DIR, ".claude");
/// The main file of Claude Code is beside its folder, unless the folder was moved.
const CLAUDE_MAIN: Base = Named(env::CLAUDE_CONFIG_DIR, "");
const CODEX: Base = Named(env::CODEX_HOME, ".codex");
const SERVERS: &[&str] = &["mcpServers"];
const TABLES: &[&str] = &["mcp_servers"];
const AGENTS_MD: At = At(Project, "AGENTS.md");
/// A file of the project that several agents read.
const SHARED: Server = listed(&[At(Project, ".mcp.json")], SERVERS, Form::Stdio);

/// All of them, in the order of the list.
pub(crate) static AGENTS: &[Agent] = &[
    Agent {
        id: "claude",
        name: "Claude Code",
        program: Some("claude"),
        traces: &[At(CLAUDE, "")],
        user: files(
            listed(&[At(CLAUDE_MAIN, ".claude.json")], SERVERS, Form::Stdio),
            At(CLAUDE, "CLAUDE.md"),
        ),
        project: files(SHARED, At(Project, "CLAUDE.md")),
    },
    Agent {
        id: "codex",
        name: "Codex",
        program: Some("codex"),
        traces: &[At(CODEX, "")],
        user: files(
            listed(&[At(CODEX, "config.toml")], TABLES, Form::Plain),
            At(CODEX, "AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, ".codex/config.toml")], TABLES, Form::Plain),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "cursor",
        name: "Cursor",
        program: Some("cursor"),
        traces: &[At(Home, ".cursor")],
        user: server_only(listed(&[At(Home, ".cursor/mcp.json")], SERVERS, Form::Stdio)),
        project: files(listed(&[At(Project, ".cursor/mcp.json")], SERVERS, Form::Stdio), AGENTS_MD),
    },
    Agent {
        id: "gemini",
        name: "Gemini CLI",
        program: Some("gemini"),
        traces: &[At(Home, ".gemini/settings.json")],
        user: files(
            listed(&[At(Home, ".gemini/settings.json")], SERVERS, Form::Plain),
            At(Home, ".gemini/GEMINI.md"),
        ),
        project: files(
            listed(&[At(Project, ".gemini/settings.json")], SERVERS, Form::Plain),
            At(Project, "GEMINI.md"),
        ),
    },
    Agent {
        id: "opencode",
        name: "OpenCode",
        program: Some("opencode"),
        traces: &[At(Config, "opencode")],
        user: files(
            listed(
                &[At(Config, "opencode/opencode.json"), At(Config, "opencode/opencode.jsonc")],
                &["mcp"],
                Form::Words,
            ),
            At(Config, "opencode/AGENTS.md"),
        ),
        project: files(
            listed(
                &[At(Project, "opencode.json"), At(Project, "opencode.jsonc")],
                &["mcp"],
                Form::Words,
            ),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "vscode",
        name: "Visual Studio Code",
        program: Some("code"),
        traces: &[At(Code, "")],
        user: server_only(listed(&[At(Code, "mcp.json")], &["servers"], Form::Stdio)),
        project: files(
            listed(&[At(Project, ".vscode/mcp.json")], &["servers"], Form::Stdio),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "copilot",
        name: "GitHub Copilot CLI",
        program: Some("copilot"),
        traces: &[At(Home, ".copilot")],
        user: files(
            listed(&[At(Home, ".copilot/mcp-config.json")], SERVERS, Form::Local),
            At(Home, ".copilot/copilot-instructions.md"),
        ),
        project: files(SHARED, AGENTS_MD),
    },
    Agent {
        id: "windsurf",
        name: "Windsurf",
        program: Some("windsurf"),
        traces: &[At(Home, ".codeium/windsurf")],
        user: files(
            listed(&[At(Home, ".codeium/windsurf/mcp_config.json")], SERVERS, Form::Plain),
            At(Home, ".codeium/windsurf/memories/global_rules.md"),
        ),
        project: instructions_only(AGENTS_MD),
    },
    Agent {
        id: "zed",
        name: "Zed",
        program: Some("zed"),
        traces: &[At(Config, "zed")],
        user: files(
            listed(&[At(Config, "zed/settings.json")], &["context_servers"], Form::Custom),
            At(Config, "zed/AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, ".zed/settings.json")], &["context_servers"], Form::Custom),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "kiro",
        name: "Kiro",
        program: Some("kiro"),
        traces: &[At(Home, ".kiro")],
        user: files(
            listed(&[At(Home, ".kiro/settings/mcp.json")], SERVERS, Form::Plain),
            At(Home, ".kiro/steering/gik.md"),
        ),
        project: files(
            listed(&[At(Project, ".kiro/settings/mcp.json")], SERVERS, Form::Plain),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "cline",
        name: "Cline",
        program: Some("cline"),
        traces: &[At(Home, ".cline")],
        user: server_only(listed(
            &[At(Home, ".cline/data/settings/cline_mcp_settings.json")],
            SERVERS,
            Form::Transport,
        )),
        project: instructions_only(AGENTS_MD),
    },
    Agent {
        id: "qwen",
        name: "Qwen Code",
        program: Some("qwen"),
        traces: &[At(Home, ".qwen")],
        user: files(
            listed(&[At(Home, ".qwen/settings.json")], SERVERS, Form::Plain),
            At(Home, ".qwen/QWEN.md"),
        ),
        project: files(
            listed(&[At(Project, ".qwen/settings.json")], SERVERS, Form::Plain),
            At(Project, "QWEN.md"),
        ),
    },
    Agent {
        id: "kilo",
        name: "Kilo Code",
        program: Some("kilo"),
        traces: &[At(Config, "kilo")],
        user: files(
            listed(
                &[At(Config, "kilo/kilo.jsonc"), At(Config, "kilo/kilo.json")],
                &["mcp"],
                Form::Words,
            ),
            At(Config, "kilo/AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, "kilo.jsonc"), At(Project, "kilo.json")], &["mcp"], Form::Words),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "grok",
        name: "Grok",
        program: Some("grok"),
        traces: &[At(Home, ".grok")],
        user: server_only(listed(&[At(Home, ".grok/config.toml")], TABLES, Form::Plain)),
        project: files(listed(&[At(Project, ".grok/config.toml")], TABLES, Form::Plain), AGENTS_MD),
    },
    Agent {
        id: "antigravity",
        name: "Antigravity",
        program: Some("agy"),
        traces: &[At(Home, ".gemini/config")],
        user: files(
            listed(&[At(Home, ".gemini/config/mcp_config.json")], SERVERS, Form::Plain),
            At(Home, ".gemini/config/AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, ".agents/mcp_config.json")], SERVERS, Form::Plain),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "pi",
        name: "Pi",
        program: Some("pi"),
        traces: &[At(Home, ".pi/agent")],
        user: files(
            listed(&[At(Home, ".pi/agent/mcp.json")], SERVERS, Form::Plain),
            At(Home, ".pi/agent/AGENTS.md"),
        ),
        project: files(listed(&[At(Project, ".pi/mcp.json")], SERVERS, Form::Plain), AGENTS_MD),
    },
    Agent {
        id: "reasonix",
        name: "Reasonix",
        program: Some("reasonix"),
        traces: &[At(Home, ".reasonix"), At(Config, "reasonix")],
        user: files(
            listed(&[At(Home, ".reasonix/config.json")], SERVERS, Form::Plain),
            At(Config, "reasonix/REASONIX.md"),
        ),
        project: files(SHARED, AGENTS_MD),
    },
    Agent {
        id: "zcode",
        name: "ZCode",
        program: Some("zcode"),
        traces: &[At(Home, ".zcode")],
        user: files(
            listed(&[At(Home, ".zcode/cli/config.json")], &["mcp", "servers"], Form::Plain),
            At(Home, ".zcode/AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, ".zcode/config.json")], &["mcp", "servers"], Form::Plain),
            AGENTS_MD,
        ),
    },
    Agent {
        id: "commandcode",
        name: "Command Code",
        program: None,
        traces: &[At(Home, ".commandcode")],
        user: files(
            listed(&[At(Home, ".commandcode/mcp.json")], SERVERS, Form::Plain),
            At(Home, ".commandcode/AGENTS.md"),
        ),
        project: files(
            listed(&[At(Project, ".commandcode/mcp.json")], SERVERS, Form::Plain),
            AGENTS_MD,
        ),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_no_path_leaves_its_folder() {
        let mut ids: Vec<&str> = AGENTS.iter().map(|agent| agent.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), AGENTS.len());
        for agent in AGENTS {
            let scopes = [&agent.user, &agent.project];
            let paths = scopes.iter().flat_map(|scope| {
                scope.server.iter().flat_map(|it| it.files).chain(&scope.instructions)
            });
            for At(_, path) in paths {
                assert!(!path.is_empty() && !path.starts_with('/'), "{}", agent.id);
                assert!(!path.split('/').any(|part| part == ".."), "{}", agent.id);
            }
            let is_of_project = |At(base, _): &At| matches!(base, Project);
            assert!(agent.user.instructions.iter().all(|at| !is_of_project(at)));
            assert!(agent.project.instructions.iter().all(is_of_project));
            let files = |scope: &'static Files| scope.server.iter().flat_map(|it| it.files);
            assert!(files(&agent.user).all(|at| !is_of_project(at)));
            assert!(files(&agent.project).all(is_of_project));
        }
    }
}
