//! Processes: whose this one is, and another that goes on when this one ends.

use std::ffi::OsString;
use std::io;
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

/// Starts a program that reads nothing, writes nothing and stays when this process ends. It sees these variables and no
/// others, and starts in the root folder, so that it keeps no other one in use.
pub fn start_in_background(
    program: &Path,
    arguments: &[&str],
    variables: Vec<(OsString, OsString)>,
) -> Result<()> {
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
