//! Reference pages, completions and manual pages: all from the tool table and the tables of the crates below.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};
use gik_base::{Result, env, fs};
use gik_contract::{ErrorCode, schema};
use gik_engine::settings::reference_markdown;
use serde_json::Value;

use crate::cli;
use crate::exit::ExitCode;
use crate::output::to_stdout;

const PAGES: [&str; 6] = ["commands", "config", "env", "errors", "languages", "schemas"];

/// Hidden: prints a reference page, for the project's own generator.
pub(crate) fn command() -> Command {
    Command::new("docs")
        .hide(true)
        .about("Print a reference page")
        .arg(Arg::new("page").required(true).value_parser(PAGES))
}

/// Prints a reference page.
pub(crate) fn print(matches: &ArgMatches) -> ExitCode {
    let page = matches.get_one::<String>("page").map(String::as_str).unwrap_or_default();
    let text = match page {
        "commands" => commands(),
        "config" => reference_markdown(),
        "env" => environment(),
        "errors" => errors(),
        "languages" => gik_engine::languages::reference_markdown(),
        _ => schemas(),
    };
    to_stdout(&text)
}

/// Prints completions for a shell.
pub(crate) fn completions(matches: &ArgMatches) -> ExitCode {
    let mut bytes = Vec::new();
    if let Some(shell) = matches.get_one::<clap_complete::Shell>("shell") {
        clap_complete::generate(*shell, &mut cli::command(), "gik", &mut bytes);
    }
    to_stdout(&String::from_utf8_lossy(&bytes))
}

/// Prints the manual page, or writes a page per command.
pub(crate) fn manual(matches: &ArgMatches) -> Result<ExitCode> {
    let root = cli::command();
    let Some(dir) = matches.get_one::<PathBuf>("output") else {
        return Ok(to_stdout(&page_of(&root)));
    };
    fs::create_dir_all(dir)?;
    let mut written = 0;
    for (path, command) in every_command(&root) {
        let file = dir.join(format!("{}.1", path.join("-")));
        fs::write_atomic(&file, page_of(&command).as_bytes(), fs::Durability::Cached)?;
        written += 1;
    }
    Ok(to_stdout(&format!("{written} manual pages written to {}\n", dir.display())))
}

fn page_of(command: &Command) -> String {
    let mut bytes = Vec::new();
    // Rendering writes to memory, which cannot fail.
    drop(clap_mangen::Man::new(command.clone()).render(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every command that is not hidden, with the words that name it.
fn every_command(root: &Command) -> Vec<(Vec<String>, Command)> {
    let mut all = Vec::new();
    let mut open = vec![(vec![root.get_name().to_owned()], root.clone())];
    while let Some((path, command)) = open.pop() {
        for sub in
            command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        {
            let mut below = path.clone();
            below.push(sub.get_name().to_owned());
            let full_name = below.join("-");
            open.push((below, sub.clone().display_name(full_name)));
        }
        all.push((path, command));
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn commands() -> String {
    let mut text = String::from(
        "# Commands\n\n\
         Data goes to standard output, everything else to standard error. `--json` prints one document, `--jsonl` a \
         row of a list a line. Exit status: 0 done, 1 nothing found or a handled failure, 2 wrong usage.\n",
    );
    let mut root = cli::command().term_width(100);
    root.build();
    for (path, command) in every_command(&root) {
        let mut command = command.bin_name(path.join(" ")).term_width(100);
        let help = command.render_long_help();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## `{}`\n\n```text\n{}```\n",
            path.join(" "),
            with_line_end(&help.to_string())
        );
    }
    text
}

fn environment() -> String {
    let mut text = String::from("# Environment\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in env::ALL {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text
}

fn errors() -> String {
    let mut text = String::from(
        "# Error codes\n\nWith `--json` a failure is \
         `{\"error\":{\"code\",\"name\",\"message\",\"hints\"}}` on standard output; `column` says where in a \
         question it is, where that is known. Failures that the contract of context packs names have its name as \
         `stableCode` and its older spelling in `aliases`.\n\n\
         | code | name in the data contract | exit | meaning |\n|---|---|---|---|\n",
    );
    for code in ErrorCode::ALL {
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | {} |",
            code.as_str(),
            code.contract_name(),
            code.exit_status(),
            code.meaning()
        );
    }
    text.push_str("\n| stable code | alias | codes |\n|---|---|---|\n");
    let mut stable: BTreeMap<[&str; 2], Vec<String>> = BTreeMap::new();
    for code in ErrorCode::ALL {
        if let Some(names) = code.stable_names() {
            stable.entry(names).or_default().push(format!("`{code}`"));
        }
    }
    for ([name, alias], codes) in stable {
        let _ = writeln!(text, "| `{name}` | `{alias}` | {} |", codes.join(", "));
    }
    text
}

fn schemas() -> String {
    let all: serde_json::Map<String, Value> = schema::all()
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema.to_value()))
        .collect();
    format!("{:#}\n", Value::Object(all))
}

fn with_line_end(text: &str) -> String {
    let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", trimmed.join("\n").trim_end())
}
