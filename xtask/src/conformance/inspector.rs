//! The command line of the official Inspector as a client, over both transports.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::report::Row;
use super::suite::with_modules;
use crate::process;
use crate::served::Gik;
use crate::stop::Result;

const PACKAGES: [&str; 2] = ["node@22", "@modelcontextprotocol/inspector@2.12.0"];
const LAUNCHER: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

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

/// The Inspector and what runs it.
pub(super) struct Inspector {
    folder: PathBuf,
    node: PathBuf,
    launcher: PathBuf,
}

impl Inspector {
    /// Fetches it where it is missing.
    pub(super) fn fetched(work: &Path) -> Result<Self> {
        let folder = work.join("inspector");
        let modules = with_modules(&folder, &PACKAGES, LAUNCHER)?;
        let (node, launcher) = (modules.join("node/bin/node"), modules.join(LAUNCHER));
        Ok(Self { folder, node, launcher })
    }

    /// Runs it against the server at a url, and against one that it starts itself.
    pub(super) fn run(&self, gik: &Gik<'_>, url: &str) -> Vec<Row> {
        let mut rows = Vec::new();
        for transport in ["stdio", "http"] {
            for (call, expected) in CALLS {
                let mut command = Command::new(&self.node);
                command.arg(&self.launcher).arg("--cli");
                if transport == "stdio" {
                    command.arg(gik.binary).arg("mcp").arg("--cwd").arg(gik.project);
                    command.arg("-e").arg(format!("GIK_HOME={}", gik.home.display()));
                    command.args(["-e", "GIK_NO_DAEMON=1"]);
                } else {
                    command.args([url, "--transport", "http"]);
                }
                command.args(*call).env("MCP_CATALOG_PATH", self.folder.join("catalog.json"));
                let answer = process::quiet_output(&mut command);
                if let Err(stop) = &answer {
                    eprintln!("{}", stop.message().unwrap_or_default());
                }
                let has_passed = answer.is_ok_and(|answer| answer.contains(expected));
                rows.push(Row::of(format!("Inspector over {transport}: {}", call[1]), has_passed));
            }
        }
        rows
    }
}
