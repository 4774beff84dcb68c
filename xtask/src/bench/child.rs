//! Runs one program to its end and tells its wall time and its peak memory.

#![cfg_attr(unix, expect(unsafe_code, reason = "wait4 is a C function"))]

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::process;
use crate::stop::{Result, Stop};

/// What a finished program used.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) wall: Duration,
    /// Bytes; none where the system does not tell.
    pub(super) peak: Option<u64>,
    pub(super) stdout: String,
}

/// Runs the command and fails with what it said when it does not succeed.
pub(super) fn run(command: &mut Command) -> Result<Finished> {
    let failed = |error: std::io::Error| Stop::Failed(format!("cannot run a child: {error}"));
    // Files instead of pipes: nobody has to read along, so nothing is measured but the program.
    let mut stdout = tempfile::tempfile().map_err(failed)?;
    let mut stderr = tempfile::tempfile().map_err(failed)?;
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?);
    let started = Instant::now();
    let child = command.spawn().map_err(failed)?;
    let ended = wait(child).map_err(failed)?;
    let wall = started.elapsed();
    if !ended.success {
        let line = process::display(command);
        // With `--json` the program tells failures where its answers go.
        let said = [content(&mut stderr).map_err(failed)?, content(&mut stdout).map_err(failed)?];
        let message = said.iter().find(|text| !text.trim().is_empty()).map_or("", String::as_str);
        return Err(Stop::Failed(format!("`{line}` failed:\n{}", message.trim_end())));
    }
    Ok(Finished { wall, peak: ended.peak, stdout: content(&mut stdout).map_err(failed)? })
}

fn content(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

struct Ended {
    success: bool,
    peak: Option<u64>,
}

/// Reaps the child by hand, because the standard library does not hand out its resource usage.
///
/// On Linux a child starts with the peak of its parent, so the number has this program's few megabytes as its floor.
#[cfg(unix)]
fn wait(child: Child) -> std::io::Result<Ended> {
    let pid = libc::pid_t::try_from(child.id()).map_err(std::io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` is a C struct of integers, for which all zeroes is a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live local variables of the right types, and the child has not been reaped:
        // `child` is owned here and nobody has waited for it.
        let reaped = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
        if reaped == pid {
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    Ok(Ended {
        success: libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
        peak: u64::try_from(usage.ru_maxrss).ok().map(|peak| peak * unit),
    })
}

#[cfg(not(unix))]
fn wait(mut child: Child) -> std::io::Result<Ended> {
    Ok(Ended { success: child.wait()?.success(), peak: None })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn time_memory_and_output_of_a_child_are_known() {
        let finished = run(Command::new("/bin/sh").args(["-c", "echo hello"])).unwrap();
        assert_eq!(finished.stdout, "hello\n");
        assert!(finished.wall > Duration::ZERO);
        assert!(finished.peak.unwrap() > 100_000);
    }

    #[test]
    fn a_failing_child_is_quoted() {
        let stop = run(Command::new("/bin/sh").args(["-c", "echo why >&2; exit 3"])).unwrap_err();
        assert!(stop.message().unwrap().ends_with("why"));
    }
}
