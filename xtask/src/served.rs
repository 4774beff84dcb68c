//! A server under test, on a free port of this machine.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::process;
use crate::stop::{Result, Stop};

/// A server that ends with this value.
pub(crate) struct Served {
    child: Child,
    address: String,
}

impl Served {
    /// Starts it on a free port of this machine, after the project was indexed.
    pub(crate) fn start(gik: &Gik<'_>, more: &[&str]) -> Result<Self> {
        process::quiet_output(gik.command().args(["index", "-q"]))?;
        let mut child = gik
            .command()
            .args(["serve", "--port", "0"])
            .args(more)
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

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Host and port.
    pub(crate) fn host(&self) -> &str {
        self.address.trim_start_matches("http://")
    }

    /// Ends it at once, as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

/// The binary, where it works, and the home of its user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gik<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) project: &'a Path,
    pub(crate) home: &'a Path,
}

impl Gik<'_> {
    /// A command in the project, untouched by what the developer has set.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(self.binary);
        process::clean_environment(&mut command);
        command
            .arg("-C")
            .arg(self.project)
            .env("GIK_HOME", self.home)
            .env("GIK_NO_DAEMON", "1")
            .env("NO_COLOR", "1");
        command
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}
