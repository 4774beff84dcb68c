//! Processes that are stopped in the middle: what a power cut or an impatient user does to a command.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::{Gik, Lines, Rng, Run};

/// How much later than asked a sleeping thread may wake up.
const COARSE: Duration = Duration::from_micros(500);

/// A `gik` process that was started and not waited for. Killed when dropped.
#[derive(Debug)]
pub struct Running<'tree> {
    gik: Gik<'tree>,
    args: Vec<String>,
    child: Option<Child>,
}

/// How a process that was to be killed ended.
#[derive(Debug)]
pub enum Ending {
    /// The signal came first.
    Killed(Run),
    /// It was done before the signal came.
    Finished(Run),
}

impl Ending {
    /// The run, however it ended.
    pub fn into_run(self) -> Run {
        match self {
            Self::Killed(run) | Self::Finished(run) => run,
        }
    }

    /// Whether the signal came first.
    pub fn was_killed(&self) -> bool {
        matches!(self, Self::Killed(_))
    }
}

impl<'tree> Gik<'tree> {
    /// Starts a command and kills it (SIGKILL) after so many microseconds, then waits for its end.
    pub fn kill_after(&self, args: &[&str], microseconds: u64) -> Ending {
        let started = Instant::now();
        let mut running = self.spawn(args);
        let moment = Duration::from_micros(microseconds);
        loop {
            let left = moment.saturating_sub(started.elapsed());
            if left.is_zero() || running.has_ended() {
                break;
            }
            // Sleeping is coarse; the last stretch is waited for actively.
            std::thread::sleep(left.saturating_sub(COARSE).min(COARSE));
        }
        running.kill()
    }

    /// Starts a command and kills it at a random moment before `longest` has passed.
    pub fn kill_at_random(&self, args: &[&str], longest: Duration, rng: &mut Rng) -> Ending {
        let bound = u64::try_from(longest.as_micros()).unwrap_or(u64::MAX).max(1);
        self.kill_after(args, rng.below(bound))
    }
}

impl<'tree> Running<'tree> {
    pub(crate) fn new(gik: Gik<'tree>, args: &[&str], child: Child) -> Self {
        Self { gik, args: args.iter().map(|&arg| arg.to_owned()).collect(), child: Some(child) }
    }

    /// Waits for the end.
    pub fn wait(mut self) -> Run {
        let child = self.child.take().expect("a process is waited for once");
        let output = child.wait_with_output().expect("the binary can be waited for");
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        self.gik.finish(&args, output)
    }

    /// What it prints from here on. [`Running::wait`] has no standard output then.
    pub fn lines(&mut self) -> Lines {
        let child = self.child.as_mut().expect("a process is waited for once");
        Lines::of(child.stdout.take().expect("the lines of a process are taken once"))
    }

    /// The number the system knows the process by.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a process is waited for once").id()
    }

    /// Asks the process to stop, as Ctrl-C does (SIGINT). Does not wait.
    #[cfg(unix)]
    pub fn interrupt(&self) {
        let child = self.child.as_ref().expect("a process is waited for once");
        let status =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "a child of ours may be interrupted");
    }

    /// Whether the process is done; does not wait.
    pub fn has_ended(&mut self) -> bool {
        let child = self.child.as_mut().expect("a process is waited for once");
        child.try_wait().expect("the binary can be waited for").is_some()
    }

    /// Kills now (SIGKILL) and waits for the end.
    pub fn kill(mut self) -> Ending {
        if let Some(child) = &mut self.child {
            child.kill().expect("a child of ours may be killed");
        }
        let run = self.wait();
        // A process that ended by itself has an exit code.
        if run.code.is_some() { Ending::Finished(run) } else { Ending::Killed(run) }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // A failing test is on its way out; errors of the clean-up would hide its message.
            drop(child.kill());
            drop(child.wait());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Tree;

    #[test]
    fn a_long_command_is_killed_and_a_short_one_finishes() {
        let tree = Tree::empty();
        let shell = Gik::new("/bin/sh", &tree);
        assert!(shell.kill_after(&["-c", "while :; do :; done"], 2_000).was_killed());
        let ending = shell.kill_after(&["-c", "exit 4"], 2_000_000);
        assert!(!ending.was_killed());
        assert_eq!(ending.into_run().code, Some(4));
    }

    #[test]
    fn random_moments_come_from_the_seed() {
        let tree = Tree::empty();
        let shell = Gik::new("/bin/sh", &tree);
        let mut rng = Rng::new(7);
        let longest = Duration::from_millis(5);
        for _ in 0..3 {
            let ending = shell.kill_at_random(&["-c", "while :; do :; done"], longest, &mut rng);
            assert!(ending.was_killed());
        }
    }

    #[test]
    fn several_processes_run_at_once() {
        let tree = Tree::empty();
        let shell = Gik::new("/bin/sh", &tree);
        let all: Vec<_> = (0..4).map(|n| shell.spawn(&["-c", &format!("exit {n}")])).collect();
        let codes: Vec<_> = all.into_iter().map(|running| running.wait().code).collect();
        assert_eq!(codes, [Some(0), Some(1), Some(2), Some(3)]);
    }
}
