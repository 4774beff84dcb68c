//! The least that a command can do which looks at all files: it starts, walks, asks for sizes and times, and ends.
//!
//! `cargo xtask bench lifecycle` runs it beside `gik status`, so that both sides of the ratio are commands.

#![expect(
    clippy::print_stdout,
    reason = "what was seen is told, so that looking cannot be left out"
)]

#[path = "../bench/bare.rs"]
mod bare;

use std::path::PathBuf;

fn main() {
    let root = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let seen = bare::walk(&root, bare::THREADS, bare::stat);
    println!("{} files, {} bytes", seen.files, seen.bytes);
}
