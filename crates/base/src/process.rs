//! Processes: whose this one is, and another that goes on when this one ends.

use std::ffi::OsString;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{ErrorCode, Failure, Result};

/// The number of the user whose rights this process has.
pub fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Connects to a socket behind which a process of the same user is, at once or not at all: one that was stopped takes
/// nobody in.
pub fn connect_to_own(socket: &Path) -> io::Result<UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let own = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&own, &SocketAddrUnix::new(socket)?)?;
    #[cfg(target_os = "linux")]
    if rustix::net::sockopt::socket_peercred(&own)?.uid.as_raw() != user_id() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let stream = UnixStream::from(own);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// Leaves the terminal and the session that this process was started in, so that their end is not its own. What a person
/// started from a shell stays, so that Ctrl-C reaches it.
pub fn leave_session() {
    // It fails for the first process of a group: that of a shell's job, or one that left already.
    let _ = rustix::process::setsid();
}

/// Has nothing that this process was given by whoever started it, but the three standard streams, reach the programs that
/// it starts.
fn keep_descriptors() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else { return };
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| *number > 2) {
        #[expect(unsafe_code, reason = "a number is all that is known of what was handed down")]
        // SAFETY: nothing is read, written or closed through it. A number that was closed meanwhile is refused by the
        // system, and one that was given out again is one of ours, which has the flag already.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC);
    }
}

/// Starts a program that reads nothing, writes nothing and stays when this process ends. It sees these variables and no
/// others, has none of the files that are open here (a lock that a shell holds would be held on), and starts in the root
/// folder, so that it keeps no other one in use.
pub fn start_in_background(
    program: &Path,
    arguments: &[&str],
    variables: Vec<(OsString, OsString)>,
) -> Result<()> {
    keep_descriptors();
    let started = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(variables)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| {
        Failure::new(ErrorCode::Io, format!("`{}` cannot be started", program.display()))
            .caused_by(error)
    })?;
    // A child that nobody waits for stays in the table of processes when it ends.
    let waiting = std::thread::Builder::new().name("child".to_owned()).spawn(move || child.wait());
    drop(waiting);
    Ok(())
}
