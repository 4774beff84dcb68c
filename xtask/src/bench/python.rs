//! Peers that come from PyPI: an environment of their own, made where it is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::stop::Result;
use crate::workspace;

/// The interpreter of an environment below `work` that has the packages.
pub(crate) fn with_packages(work: &Path, packages: &[&str]) -> Result<PathBuf> {
    workspace::create_folder(work)?;
    let python = work.join("venv/bin/python");
    if !python.exists() {
        let mut command = Command::new("python3");
        process::run(command.args(["-m", "venv"]).arg(work.join("venv")))?;
    }
    let mut command = Command::new(&python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    process::run(command.args(packages))?;
    Ok(python)
}
