//! The official conformance suite, scenario by scenario.

use std::path::Path;
use std::process::Command;

use super::report::Row;
use crate::process;
use crate::stop::Result;
use crate::workspace;

const PACKAGES: [&str; 2] = ["node@22", "@modelcontextprotocol/conformance@0.1.16"];

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

/// Runs it against a server.
pub(super) fn run(work: &Path, url: &str) -> Result<Vec<Row>> {
    workspace::create_folder(work)?;
    let modules = work.join("node_modules");
    if !modules.join(".bin/conformance").exists() {
        workspace::write(&work.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel", "error"]).args(PACKAGES);
        process::run(npm.current_dir(work))?;
    }
    let node = modules.join("node/bin/node");
    let suite = modules.join("@modelcontextprotocol/conformance/dist/index.js");
    let mut rows = Vec::new();
    for scenario in SCENARIOS {
        let mut command = Command::new(&node);
        command.arg(&suite).args(["server", "--url", url, "--scenario", scenario]);
        rows.push(Row::of(format!("suite: {scenario}"), process::succeeds(&mut command)));
    }
    rows.extend(NOT_OFFERED.iter().map(|(name, why)| Row::left_out(format!("suite: {name}"), why)));
    Ok(rows)
}
