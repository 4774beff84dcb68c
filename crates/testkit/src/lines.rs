//! What a process prints while it runs, line by line.

use std::io::{BufRead as _, BufReader};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use crate::patience::PATIENCE;

/// The lines of a running process.
#[derive(Debug)]
pub struct Lines(Receiver<String>);

impl Lines {
    pub(crate) fn of(stdout: ChildStdout) -> Self {
        let (sender, receiver) = channel();
        // Ends with the process, or with the next line after nobody wants it.
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            for line in lines {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// Waits for the next line; `None` at the end.
    #[expect(clippy::panic, reason = "the caller is a test that waits for a line")]
    pub fn next_line(&self) -> Option<String> {
        match self.0.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line in {} s", PATIENCE.as_secs()),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::{Gik, Tree};

    #[test]
    fn lines_come_while_the_process_runs() {
        let tree = Tree::empty();
        let script = "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two";
        let mut running = Gik::new("/bin/sh", &tree).spawn(&["-c", script]);
        let lines = running.lines();
        assert_eq!(lines.next_line().as_deref(), Some("one"));
        tree.write("go", "");
        assert_eq!(lines.next_line().as_deref(), Some("two"));
        assert_eq!(lines.next_line(), None);
        running.wait().success();
    }
}
