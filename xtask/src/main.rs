//! The chores of the project, as `cargo xtask <command>`.
//!
//! It runs the built binary like a user; of the product it knows only the crates that are measured by themselves.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers talks to their terminal"
)]

mod bench;
mod conformance;
mod corpus;
mod distil;
mod eval;
mod fuzz;
mod generate;
mod lancedb;
mod load;
mod models;
mod process;
mod served;
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
  test --lancedb          the vector backend `lancedb`, which compiles several hundred crates, against Python and a
                          local object storage
  tidy                    house rules that the compiler does not know
  gen [--check]           write the generated documents, or tell whether they are current
  bench lifecycle [--quick] [--files N,...]
                          index, status, update and ask against the bare walk of the same tree
  bench ingest [--quick] [--files N,...]
                          indexing of real packages against reading and parsing them, and other programs
  bench embed [--quick]   texts to vectors, against ONNX Runtime
  bench vectors [--quick | --rows N,...]
                          vectors to neighbours, against usearch and sqlite-vec
  bench query [--quick]   questions to answers, against ripgrep and semble
  bench graph [--quick] [--files N,...]
                          edges of real packages against parsing them, and questions that follow edges
  conformance             the served tools against the suite of MCP, the Inspector, the Python SDK and schemathesis
  load [--clients N] [--seconds N] [--files N] [--dev] [--update]
                          a server under many clients while files change, and after it was killed
  models                  fetch the model that the tests need
  distil [--check | --count]
                          make the table of the built-in embedder from that model
  eval symbols [--language L] [--corpus DIR] [--files N] [--update]
                          definitions found in real packages against universal-ctags
  eval graph [LANGUAGE | PACKAGE] [--update]
                          calls and imports of real packages against Jedi and TypeScript
  eval code [SET.jsonl] [--ablate] [--update] | --gate
                          answers to labelled questions about real packages; what each signal brings
  eval packs [SET.jsonl] [--update]
                          how often a pack of so many tokens holds what answers
  eval formats [--update] how many tokens answers have in each format
  fuzz [--seconds N] [--seed S] [--repeat FILE] [LANGUAGE...]
                          damaged fixtures through the parser, N seconds for each language";

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
        ["test", "--lancedb"] => lancedb::run(),
        ["tidy"] => tidy::run(),
        ["gen"] => generate::run(generate::Mode::Write),
        ["gen", "--check"] => generate::run(generate::Mode::Check),
        ["load", options @ ..] => load::run(options),
        ["conformance", options @ ..] => conformance::run(options),
        ["bench", "lifecycle", options @ ..] => bench::lifecycle(options),
        ["bench", "ingest", options @ ..] => bench::ingest(options),
        ["bench", "embed", options @ ..] => bench::embed(options),
        ["bench", "vectors", options @ ..] => bench::vectors(options),
        ["bench", "query", options @ ..] => bench::query(options),
        ["bench", "graph", options @ ..] => bench::graph(options),
        ["models"] => models::run(),
        ["distil", options @ ..] => distil::run(options),
        ["eval", "symbols", options @ ..] => eval::symbols(options),
        ["eval", "graph", options @ ..] => eval::graph::graph(options),
        ["eval", "code", "--gate"] => eval::answers::gate(&workspace::root()),
        ["eval", "code", options @ ..] => eval::answers::code(options),
        ["eval", "formats", options @ ..] => eval::formats(options),
        ["eval", "packs", options @ ..] => eval::answers::packs(options),
        ["fuzz", options @ ..] => fuzz::run(options),
        other => Err(Stop::Usage(format!("unknown command `{}`\n\n{HELP}", other.join(" ")))),
    }
}
