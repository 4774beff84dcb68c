//! The server under test.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::process;
use crate::stop::{Result, Stop};

/// A server that ends with this value.
pub(super) struct Served {
    child: Child,
    address: String,
}

impl Served {
    /// Starts it on a free port of this machine, after the project was indexed.
    pub(super) fn start(binary: &Path, project: &Path, home: &Path) -> Result<Self> {
        let command = || {
            let mut command = Command::new(binary);
            process::clean_environment(&mut command);
            command.arg("-C").arg(project).env("GIK_HOME", home).env("NO_COLOR", "1");
            command
        };
        process::quiet_output(command().args(["index", "-q"]))?;
        let mut child = command()
            .args(["serve", "--port", "0", "--conformance"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Stop::Failed(format!("cannot start the server: {error}")))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            // An empty line is told below.
            drop(BufReader::new(stdout).read_line(&mut line));
        }
        let address = line.trim().strip_prefix("listening on ").unwrap_or_default().to_owned();
        let served = Self { child, address };
        if served.address.is_empty() {
            return Err(Stop::Failed("the server did not say where it listens".to_owned()));
        }
        Ok(served)
    }

    /// The address of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
