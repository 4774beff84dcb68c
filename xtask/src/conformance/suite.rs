//! The official conformance suite, scenario by scenario.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::report::Row;
use crate::process;
use crate::stop::Result;
use crate::workspace;

const PACKAGES: [&str; 2] = ["node@22", "@modelcontextprotocol/conformance@0.1.16"];
const SCRIPT: &str = "@modelcontextprotocol/conformance/dist/index.js";

/// What the suite asks of servers and this one offers.
const SCENARIOS: &[&str] = &[
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "server-sse-multiple-streams",
    "server-sse-polling",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "dns-rebinding-protection",
];

/// What it asks and this one does not offer, with the reason.
const NOT_OFFERED: &[(&str, &str)] = &[
    ("logging-set-level", "no log messages: notes are part of answers"),
    ("tools-call-with-logging", "the same"),
    ("completion-complete", "no completion of arguments"),
    ("tools-call-sampling", "the model of the client is not used"),
    ("tools-call-elicitation", "the person is not asked through the client"),
    ("elicitation-sep1034-defaults", "the same"),
    ("elicitation-sep1330-enums", "the same"),
    ("resources-subscribe", "no subscriptions: every read looks at the files"),
    ("resources-unsubscribe", "the same"),
];

/// The suite and what runs it.
pub(super) struct Suite {
    node: PathBuf,
    script: PathBuf,
}

impl Suite {
    /// Fetches it where it is missing.
    pub(super) fn fetched(work: &Path) -> Result<Self> {
        let modules = with_modules(work, &PACKAGES, SCRIPT)?;
        Ok(Self { node: modules.join("node/bin/node"), script: modules.join(SCRIPT) })
    }

    /// Runs it against a server.
    pub(super) fn run(&self, url: &str) -> Vec<Row> {
        let mut rows = Vec::new();
        for scenario in SCENARIOS {
            let mut command = Command::new(&self.node);
            command.arg(&self.script).args(["server", "--url", url, "--scenario", scenario]);
            let said = process::quiet_output(&mut command);
            if let Err(stop) = &said {
                eprintln!("{}", stop.message().unwrap_or_default());
            }
            rows.push(Row::of(format!("suite: {scenario}"), said.is_ok()));
        }
        let left_out =
            |(name, why): &(&str, &'static str)| Row::left_out(format!("suite: {name}"), why);
        rows.extend(NOT_OFFERED.iter().map(left_out));
        rows
    }
}

/// The folder with packages of npm, fetched where one of their files is missing.
pub(super) fn with_modules(folder: &Path, packages: &[&str], file: &str) -> Result<PathBuf> {
    let modules = folder.join("node_modules");
    if !modules.join(file).exists() {
        workspace::write(&folder.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-audit",
            "--no-fund",
            "--loglevel",
            "error",
            "--fetch-retries",
            "1",
        ]);
        process::run(npm.args(packages).current_dir(folder))?;
    }
    Ok(modules)
}
