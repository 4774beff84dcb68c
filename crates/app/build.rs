//! Has the linker prepare what every start would do again: a short command is over in milliseconds.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The first release of the C library that reads packed addresses.
const PACKED_SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // What is built for another machine must start there, and its libraries cannot be asked.
    let is_native = env::var("HOST").ok() == env::var("TARGET").ok();
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|it| it == "gnu")
        && env::var("CARGO_CFG_TARGET_OS").is_ok_and(|it| it == "linux");
    if is_native && is_gnu {
        pack_addresses();
        include_unwinder();
    }
}

/// Writes down in few bytes which addresses depend on where the program is loaded.
///
/// The tables of the grammars hold some seventy thousand of them. In the usual form that is 1.6 MB which every start has
/// to read, a fifth of the time of a short command; in this one it is 20 KB.
fn pack_addresses() {
    if c_library().is_some_and(|version| version >= PACKED_SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Takes what unwinds the stack into the program, where the compiler has it as an archive. As a library of its own it
/// has to be found and mapped, and asks the processor a dozen questions, each of which leaves a virtual machine: a tenth
/// of the time of a short command.
fn include_unwinder() {
    if let Some(folder) = unwinder().as_deref().and_then(|archive| archive.parent()) {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static=gcc_eh");
    }
}

/// Its release: `getconf` prints `glibc 2.36`.
fn c_library() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let told = String::from_utf8(told.stdout).ok()?;
    let (major, rest) = told.trim().strip_prefix("glibc ")?.split_once('.')?;
    let minor = rest.split('.').next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Where the archive is. A compiler that has none prints the bare name.
fn unwinder() -> Option<PathBuf> {
    let told = Command::new("cc").arg("-print-file-name=libgcc_eh.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8(told.stdout).ok()?.trim());
    path.is_absolute().then_some(path)
}
