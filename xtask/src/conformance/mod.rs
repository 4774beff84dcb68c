//! `cargo xtask conformance`: the served tools against what others wrote: the official suite of MCP, the Inspector, the
//! Python SDK over both transports, schemathesis. Needs Python and npm beside what the project needs; what is missing is
//! fetched. `cargo xtask test` runs it where that can be had.

mod inspector;
mod report;
mod suite;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::inspector::Inspector;
use self::report::Row;
use self::suite::Suite;
use crate::bench::python;
use crate::process;
use crate::served::{Gik, Served};
use crate::stop::{Result, Stop};
use crate::workspace;

const WORK: &str = "target/conformance";
/// What makes the cases of schemathesis is named as well, so that a seed means the same cases on another day.
const PACKAGES: &[&str] =
    &["mcp==2.3.0", "schemathesis==4.32.5", "hypothesis==6.170.15", "jsonschema-rs==0.60.3"];
const CLIENT: &str = include_str!("client.py");
/// How many cases of each operation are generated, beside those that cover its schema: there are more than fifty
/// operations, and sixty such cases for each.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Extent {
    /// For every run of the tests: two thousand cases and more in all.
    Tests,
    /// For whoever asks for it.
    Full,
}

impl Extent {
    const fn cases(self) -> &'static str {
        match self {
            Self::Tests => "10",
            Self::Full => "60",
        }
    }
}

/// The programs that others wrote.
pub(crate) struct Tools {
    work: PathBuf,
    python: PathBuf,
    suite: Suite,
    inspector: Inspector,
}

impl Tools {
    /// Fetches what is not there yet.
    pub(crate) fn fetched() -> Result<Self> {
        let work = workspace::root().join(WORK);
        let python = python::with_packages(&work, PACKAGES)?;
        let (suite, inspector) = (Suite::fetched(&work)?, Inspector::fetched(&work)?);
        Ok(Self { work, python, suite, inspector })
    }

    /// Runs everything against a server of a small project; fails unless all passes.
    pub(crate) fn try_all(&self, extent: Extent) -> Result<()> {
        let binary = process::build_gik(&workspace::root(), "dev")?;
        let folder = tempfile::tempdir()
            .map_err(|error| Stop::Failed(format!("cannot make a folder: {error}")))?;
        let (project, home) = (project(folder.path())?, folder.path().join("home"));
        let gik = Gik { binary: &binary, project: &project, home: &home };
        let served = Served::start(&gik, &["--conformance"])?;
        let url = served.url("/mcp");
        let mut rows = self.suite.run(&url);
        rows.extend(self.sdk(&gik, &url)?);
        rows.extend(self.inspector.run(&gik, &url));
        rows.push(Row::of("schemathesis".to_owned(), self.schemathesis(&served, extent)));
        drop(served);
        println!("{}", report::table(&rows));
        if rows.iter().any(Row::is_bad) {
            return Err(Stop::Failed("not everything passed".to_owned()));
        }
        Ok(())
    }

    /// The Python SDK as a client over both transports.
    fn sdk(&self, gik: &Gik<'_>, url: &str) -> Result<Vec<Row>> {
        let client = self.work.join("client.py");
        workspace::write(&client, CLIENT)?;
        let row = |transport: &str| {
            let mut command = Command::new(&self.python);
            command.arg(&client).arg(transport).arg(gik.binary).arg(gik.project).arg(url);
            command.env("GIK_HOME", gik.home).env("GIK_NO_DAEMON", "1").env("NO_COLOR", "1");
            command.current_dir(&self.work);
            let has_passed = process::succeeds_loudly(&mut command);
            Row::of(format!("Python SDK over {transport}"), has_passed)
        };
        Ok(["stdio", "http"].map(row).into())
    }

    /// Cases from the description of the server: no failure of the server, nothing that breaks a schema.
    fn schemathesis(&self, served: &Served, extent: Extent) -> bool {
        let mut command = Command::new(self.python.with_file_name("st"));
        command.args([
            "run",
            &served.url("/v1/openapi.json"),
            "--max-examples",
            extent.cases(),
            "--workers",
            "2",
            "--request-timeout",
            "60",
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
        process::succeeds_loudly(command.current_dir(&self.work))
    }
}

/// Runs everything and prints one table.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    if let [unknown, ..] = options {
        return Err(Stop::Usage(format!("there is no option `{unknown}`")));
    }
    Tools::fetched()?.try_all(Extent::Full)
}

/// A small project.
fn project(folder: &Path) -> Result<PathBuf> {
    let project = folder.join("project");
    workspace::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    workspace::write(&project.join("README.md"), "# Greeter\n\nSays hello to people.\n")?;
    workspace::write(
        &project.join("src/main.rs"),
        "//! The program.\n\n/// Makes the greeting.\npub fn greeting(name: &str) -> String {\n    format!(\"Hello, {name}!\")\n}\n\nfn main() {\n    println!(\"{}\", greeting(\"you\"));\n}\n",
    )?;
    Ok(project)
}
