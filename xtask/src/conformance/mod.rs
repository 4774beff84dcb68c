//! `cargo xtask conformance`: the served tools against what others wrote: the official suite of MCP, the Python SDK over
//! both transports, schemathesis. Needs Python and Node beside what the project needs; what is missing is fetched.

mod inspector;
mod report;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::report::Row;
use crate::bench::python;
use crate::process;
use crate::served::{Gik, Served};
use crate::stop::{Result, Stop};
use crate::workspace;

const WORK: &str = "target/conformance";
const CLIENT: &str = include_str!("client.py");
/// So many cases of each operation are generated; there are more than sixty operations.
const CASES: &str = "60";

/// Runs everything and prints one table.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    if let [unknown, ..] = options {
        return Err(Stop::Usage(format!("there is no option `{unknown}`")));
    }
    let root = workspace::root();
    let work = root.join(WORK);
    let binary = process::build_gik(&root, "dev")?;
    let project = project(&work)?;
    let python = python::with_packages(&work, &["mcp==2.3.0", "schemathesis==4.32.5"])?;
    let home = work.join("home");
    let gik = Gik { binary: &binary, project: &project, home: &home };
    let served = Served::start(&gik, &["--conformance"])?;

    let mut rows = suite::run(&work, &served.url("/mcp"))?;
    let client = work.join("client.py");
    workspace::write(&client, CLIENT)?;
    for transport in ["stdio", "http"] {
        let mut command = Command::new(&python);
        command.arg(&client).arg(transport).arg(&binary).arg(&project).arg(served.url("/mcp"));
        command.env("GIK_HOME", &home).env("GIK_NO_DAEMON", "1").env("NO_COLOR", "1");
        command.current_dir(&work);
        rows.push(Row::of(
            format!("Python SDK over {transport}"),
            process::succeeds_loudly(&mut command),
        ));
    }
    rows.extend(inspector::run(&work, &gik, &served.url("/mcp"))?);
    rows.push(Row::of("schemathesis".to_owned(), schemathesis(&python, &served, &work)));
    drop(served);
    println!("{}", report::table(&rows));
    if rows.iter().any(Row::is_bad) {
        return Err(Stop::Failed("not everything passed".to_owned()));
    }
    Ok(())
}

/// Cases from the description of the server: no failure of the server, nothing that breaks a schema.
fn schemathesis(python: &Path, served: &Served, work: &Path) -> bool {
    let mut command = Command::new(python.with_file_name("st"));
    command.args([
        "run",
        &served.url("/v1/openapi.json"),
        "--max-examples",
        CASES,
        "--workers",
        "2",
    ]);
    command.args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection"]);
    command.args([
        "--suppress-health-check",
        "all",
        "--phases",
        "coverage,fuzzing",
        "--seed",
        "7",
        "--continue-on-failure",
    ]);
    // These change or read everything there is; their schemas are the same kind as those of the others.
    command.args(["--exclude-path-regex", "/v1/tools/(index|reindex|add|rm|commit|init|branch|verify|doctor|model_verify|memory_prune)$"]);
    process::succeeds_loudly(command.current_dir(work))
}

/// A small project, indexed anew by the server.
fn project(work: &Path) -> Result<PathBuf> {
    let project = work.join("project");
    if project.exists() {
        std::fs::remove_dir_all(&project)
            .map_err(|error| Stop::on_path("remove", &project, error))?;
    }
    workspace::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    workspace::write(&project.join("README.md"), "# Greeter\n\nSays hello to people.\n")?;
    workspace::write(
        &project.join("src/main.rs"),
        "//! The program.\n\n/// Makes the greeting.\npub fn greeting(name: &str) -> String {\n    format!(\"Hello, {name}!\")\n}\n\nfn main() {\n    println!(\"{}\", greeting(\"you\"));\n}\n",
    )?;
    Ok(project)
}
