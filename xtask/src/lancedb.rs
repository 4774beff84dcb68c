//! `cargo xtask test --lancedb`: the vector backend that is not part of the usual build, because it compiles several
//! hundred crates.
//!
//! Lints of the code behind the feature; the suite that every backend passes and what is told of tables alone, among it
//! that the package `lancedb` of PyPI reads them and that a server of object storage holds them; the commands with it.

use std::process::Command;

use crate::bench::python;
use crate::process;
use crate::stop::Result;
use crate::workspace;

/// What Python needs: the reader of tables, and a server of object storage.
const PACKAGES: &[&str] = &["lancedb==0.40.0", "moto[server]==5.2.5"];

/// Runs everything; the first step that fails ends it with its exit code.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let python = python::with_packages(&root.join("target/lancedb"), PACKAGES)?;
    let cargo = |args: &[&str]| {
        let mut command = process::cargo(&root);
        command.args(args);
        process::clean_environment(&mut command);
        command.env("GIK_TEST_LANCEDB_PYTHON", &python);
        // The server takes any keys, and the library wants some.
        command.env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
        command
    };
    const FEATURE: &[&str] =
        &["-p", "gik-store", "-p", "gik-engine", "-p", "gik", "--features", "gik/lancedb"];
    let mut steps: Vec<Command> =
        vec![cargo(&["clippy", "--all-targets"]), cargo(&["test", "--lib", "--bins", "--tests"])];
    steps[0].args(FEATURE).args(["--", "-D", "warnings"]);
    steps[1].args(FEATURE).args(["--", "vectors"]);
    for step in &mut steps {
        eprintln!("xtask: {}", process::display(step));
        process::run(step)?;
    }
    Ok(())
}
