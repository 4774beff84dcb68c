//! The chores of the project, as `cargo xtask <command>`.
//!
//! Kept small so that it builds in seconds: it knows no crate of the product and runs the built binary instead.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers talks to their terminal"
)]

mod bench;
mod generate;
mod process;
mod stop;
mod test;
mod tidy;
mod tree;
mod workspace;

use std::process::ExitCode;

use stop::{Result, Stop};

const HELP: &str = "\
Usage: cargo xtask <command>

  test [-- FILTER]        format check, lints, tests: what runs before a change lands
  tidy                    house rules that the compiler does not know
  gen [--check]           write the generated documents, or tell whether they are current
  bench lifecycle [--quick] [--files N,...]
                          index, status, update and ask against the bare walk of the same tree";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            if let Some(message) = stop.message() {
                eprintln!("{message}");
            }
            ExitCode::from(stop.code())
        },
    }
}

fn run(args: &[&str]) -> Result<()> {
    match args {
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        },
        ["test"] => test::run(&[]),
        ["test", "--", filter @ ..] => test::run(filter),
        ["tidy"] => tidy::run(),
        ["gen"] => generate::run(generate::Mode::Write),
        ["gen", "--check"] => generate::run(generate::Mode::Check),
        ["bench", "lifecycle", options @ ..] => bench::lifecycle(options),
        other => Err(Stop::Usage(format!("unknown command `{}`\n\n{HELP}", other.join(" ")))),
    }
}
