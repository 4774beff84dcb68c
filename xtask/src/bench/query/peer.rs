//! semble from PyPI, in an environment of its own below the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{QUESTIONS, Row};
use crate::bench::python;
use crate::stop::{Result, Stop};
use crate::{models, process, workspace};

const SCRIPT: &str = "xtask/src/bench/query/peer.py";
const PACKAGES: &[&str] = &["semble==0.7.0"];

/// An environment that has it.
#[derive(Debug)]
pub(super) struct Peer {
    python: PathBuf,
    script: PathBuf,
    tokenizer: PathBuf,
    work: PathBuf,
}

impl Peer {
    /// Installs it where it is missing.
    pub(super) fn prepare(root: &Path) -> Result<Self> {
        let work = root.join("target/semble");
        let python = python::with_packages(&work, PACKAGES)?;
        let tokenizer = models::minilm()?.join("tokenizer.json");
        Ok(Self { python, script: root.join(SCRIPT), tokenizer, work })
    }

    /// Indexes the tree and asks every question in one process.
    pub(super) fn run(&self, tree: &Path, rounds: usize) -> Result<Row> {
        let questions = self.work.join("questions.json");
        workspace::write(&questions, &serde_json::json!(QUESTIONS).to_string())?;
        let mut command = Command::new(&self.python);
        command.arg(&self.script).arg(&self.tokenizer).arg(&self.work).arg(tree);
        let output = process::quiet_output(command.arg(&questions).arg(rounds.to_string()))?;
        let json: Value = serde_json::from_str(output.trim())
            .map_err(|error| Stop::Failed(format!("{SCRIPT}: {error}")))?;
        let millis = json["millis"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        Ok(Row::of("semble 0.7.0, one process", millis.collect(), json["peak_bytes"].as_u64()))
    }
}
