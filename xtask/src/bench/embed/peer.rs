//! ONNX Runtime from PyPI, in an environment of its own below the target folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::Times;
use crate::bench::python;
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

const SCRIPT: &str = "xtask/src/bench/embed/peer.py";
const PACKAGES: &[&str] =
    &["numpy", "onnx", "onnxruntime==1.31.1", "packaging", "safetensors", "sympy", "tokenizers"];

/// A ready ONNX Runtime with the model in both precisions.
#[derive(Debug)]
pub(super) struct Peer {
    python: PathBuf,
    script: PathBuf,
    model: PathBuf,
    work: PathBuf,
}

impl Peer {
    /// Installs it and makes its files where they are missing.
    pub(super) fn prepare(root: &Path, model: &Path) -> Result<Self> {
        let work = root.join("target/onnx");
        let python = python::with_packages(&work, PACKAGES)?;
        let peer = Self { python, script: root.join(SCRIPT), model: model.to_owned(), work };
        if !peer.work.join("int8.onnx").exists() {
            process::quiet_output(peer.command().arg("prepare"))?;
        }
        Ok(peer)
    }

    /// Embeds the texts once.
    pub(super) fn run(&self, kind: &str, threads: usize, texts: &[String]) -> Result<Times> {
        let path = self.work.join("texts.json");
        workspace::write(&path, &serde_json::json!(texts).to_string())?;
        let mut command = self.command();
        command.args(["run", kind, &threads.to_string()]).arg(&path).arg("2");
        let output = process::quiet_output(&mut command)?;
        let json: Value = serde_json::from_str(output.trim())
            .map_err(|error| Stop::Failed(format!("{SCRIPT}: {error}")))?;
        // The first round warms up.
        let number = |name: &str| json[name][1].as_f64();
        let times = number("wall").zip(number("processor"));
        let (wall, processor) =
            times.ok_or_else(|| Stop::Failed(format!("{SCRIPT} printed no times")))?;
        Ok(Times { wall, processor: Some(processor) })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(&self.script).arg(&self.model).arg(&self.work);
        command
    }
}
