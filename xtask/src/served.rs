//! A server under test, on a free port of this machine.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

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

/// A connection over which one call follows the other; made anew after one that failed.
#[derive(Debug)]
pub(crate) struct Connection {
    host: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Connection {
    /// To a server that the first call connects to.
    pub(crate) fn to(host: &str) -> Self {
        Self { host: host.to_owned(), stream: None }
    }

    /// Calls a tool; gives the status and the answer.
    pub(crate) fn post(&mut self, tool: &str, arguments: &Value) -> std::io::Result<(u16, Value)> {
        let body = arguments.to_string();
        let (host, length) = (self.host.as_str(), body.len());
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(host)?;
                stream.set_read_timeout(Some(Duration::from_secs(120)))?;
                stream.set_nodelay(true)?;
                BufReader::new(stream)
            },
        };
        let request = format!(
            "POST /v1/tools/{tool} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.get_mut().write_all(request.as_bytes())?;
        let answer = read(&mut stream)?;
        self.stream = Some(stream);
        Ok(answer)
    }
}

fn read(stream: &mut BufReader<TcpStream>) -> std::io::Result<(u16, Value)> {
    let wrong = |what: &str| std::io::Error::other(what.to_owned());
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| wrong("no status"))?;
    let mut length = None;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length.ok_or_else(|| wrong("no length"))?];
    stream.read_exact(&mut body)?;
    let value = serde_json::from_slice(&body).map_err(|_| wrong("no JSON"))?;
    Ok((status, value))
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
