//! The command line of the official Inspector as a client, over both transports.

use std::path::Path;
use std::process::Command;

use super::report::Row;
use crate::process;
use crate::served::Gik;
use crate::stop::Result;
use crate::workspace;

const PACKAGES: [&str; 2] = ["node@22", "@modelcontextprotocol/inspector@2.12.0"];
const LAUNCHER: &str =
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/// What is asked for, and a word that the answer must have.
const CALLS: &[(&[&str], &str)] = &[
    // Also whether schemas are understood by all clients.
    (&["--method", "tools/list", "--strict"], "\"search\""),
    (
        &["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=greeting"],
        "main.rs",
    ),
    (&["--method", "resources/list"], "gik://status"),
    (&["--method", "resources/read", "--uri", "gik://status"], "branch"),
    (&["--method", "prompts/list"], "onboard"),
];

/// Runs it against the server at a url, and against one that it starts itself.
pub(super) fn run(work: &Path, gik: &Gik<'_>, url: &str) -> Result<Vec<Row>> {
    let folder = work.join("inspector");
    let launcher = folder.join(LAUNCHER);
    if !launcher.exists() {
        workspace::write(&folder.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel", "error"]).args(PACKAGES);
        process::run(npm.current_dir(&folder))?;
    }
    let mut rows = Vec::new();
    for transport in ["stdio", "http"] {
        for (call, expected) in CALLS {
            let mut command = Command::new(folder.join("node_modules/node/bin/node"));
            command.arg(&launcher).arg("--cli");
            if transport == "stdio" {
                command.arg(gik.binary).arg("mcp").arg("--cwd").arg(gik.project);
                command.arg("-e").arg(format!("GIK_HOME={}", gik.home.display()));
                command.args(["-e", "GIK_NO_DAEMON=1"]);
            } else {
                command.args([url, "--transport", "http"]);
            }
            command.args(*call).env("MCP_CATALOG_PATH", folder.join("catalog.json"));
            let answer = process::quiet_output(&mut command);
            if let Err(stop) = &answer {
                eprintln!("{}", stop.message().unwrap_or_default());
            }
            let has_passed = answer.is_ok_and(|answer| answer.contains(expected));
            rows.push(Row::of(format!("Inspector over {transport}: {}", call[1]), has_passed));
        }
    }
    Ok(rows)
}
