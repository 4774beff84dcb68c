//! A process that is spoken to line by line.

use std::io::Write as _;
use std::process::{Child, ChildStdin, ExitStatus};

use crate::Lines;

/// A running process with its standard input open.
#[derive(Debug)]
pub struct Talk {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines,
}

impl Talk {
    pub(crate) fn new(mut child: Child) -> Self {
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        // Nobody reads it, and a full pipe would stop the process.
        drop(child.stderr.take());
        Self { child, stdin, lines: Lines::of(stdout) }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
        self.say_bytes(b"\n");
    }

    /// Says bytes as they are.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the process is still spoken to");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the process listens");
    }

    /// Waits for a line; `None` at the end.
    pub fn hear(&self) -> Option<String> {
        self.lines.next_line()
    }

    /// Says no more, and waits for the end.
    pub fn hang_up(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.child.wait().expect("the process can be waited for")
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // A failing test is on its way out; errors of the clean-up would hide its message.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
