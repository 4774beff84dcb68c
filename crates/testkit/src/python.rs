//! Programs of PyPI that tests need: an interpreter that has them, and a server of object storage.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Names an interpreter with the packages `lancedb` and `moto`; `cargo xtask test --lancedb` sets it.
pub const VARIABLE: &str = "GIK_TEST_LANCEDB_PYTHON";

/// The bucket that is there.
pub const BUCKET: &str = "tables";

fn interpreter() -> PathBuf {
    std::env::var_os(VARIABLE).expect("`cargo xtask test --lancedb` names the interpreter").into()
}

/// What a script prints, given one argument.
pub fn output_of(script: &str, argument: &str) -> String {
    let output = Command::new(interpreter())
        .args(["-c", script, argument])
        .stderr(Stdio::inherit())
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "the script failed: {}", output.status);
    String::from_utf8(output.stdout).expect("Python prints UTF-8")
}

/// A server of object storage on this machine, empty but for a bucket. It ends with this value.
#[derive(Debug)]
pub struct ObjectStorage {
    server: Child,
    /// Where it listens, as a url.
    pub endpoint: String,
}

impl ObjectStorage {
    /// Starts it.
    pub fn start() -> Self {
        let mut server = Command::new(interpreter())
            .args(["-c", include_str!("object_storage.py"), BUCKET])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let said = server.stdout.take().expect("standard output is a pipe");
        let mut endpoint = String::new();
        BufReader::new(said).read_line(&mut endpoint).expect("the server says where it is");
        assert!(endpoint.starts_with("http://127.0.0.1:"), "no server of object storage");
        Self { server, endpoint: endpoint.trim_end().to_owned() }
    }
}

impl Drop for ObjectStorage {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}
