//! Has the linker write down in few bytes which addresses depend on where the program is loaded.
//!
//! The tables of the grammars hold some seventy thousand of them. In the usual form that is 1.6 MB which every start has
//! to read, a fifth of the time of a short command; in this one it is 20 KB.

use std::env;
use std::process::Command;

/// The first release of the C library that reads this form.
const SINCE: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // What is built for another machine must start there, and its library cannot be asked.
    let is_native = env::var("HOST").ok() == env::var("TARGET").ok();
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|it| it == "gnu")
        && env::var("CARGO_CFG_TARGET_OS").is_ok_and(|it| it == "linux");
    if is_native && is_gnu && c_library().is_some_and(|version| version >= SINCE) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
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
