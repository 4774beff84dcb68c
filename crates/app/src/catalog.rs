//! `gik tools`: what programs are offered, for people and as a list for models.

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use gik_engine::{Declaration, Profile, declarations};
use serde_json::{Value, json};

use crate::output::{Format, to_stdout};

/// The command.
pub(crate) fn command() -> Command {
    Command::new("tools")
        .about("List the tools that programs are offered")
        .arg(
            Arg::new("openai")
                .long("openai")
                .action(ArgAction::SetTrue)
                .help("Print the list in the form that OpenAI's and compatible interfaces take"),
        )
        .arg(
            Arg::new("profile")
                .long("profile")
                .value_name("PROFILE")
                .value_parser(Profile::NAMES)
                .default_value("full")
                .help("List the few tools that do most of the work, or all"),
        )
        .after_help("Example:\n  gik tools --openai --profile few")
}

/// Prints the list.
pub(crate) fn run(matches: &ArgMatches, format: Format) -> ExitCode {
    let profile = matches.get_one::<String>("profile").and_then(|name| Profile::named(name));
    let tools = declarations(profile.unwrap_or(Profile::Full));
    let text = if matches.get_flag("openai") {
        format!("{:#}\n", tools.iter().map(for_openai).collect::<Value>())
    } else {
        match format {
            Format::Json => {
                format!("{:#}\n", json!({"tools": tools.iter().map(described).collect::<Value>()}))
            },
            Format::Jsonl => tools.iter().map(|tool| format!("{}\n", described(tool))).collect(),
            Format::Text | Format::Written(_) => listed(&tools),
        }
    };
    to_stdout(&text)
}

fn for_openai(tool: &Declaration) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": *tool.input,
        },
    })
}

fn described(tool: &Declaration) -> Value {
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "readOnly": tool.is_read_only(),
        "destructive": tool.tool.destroys,
        "inputSchema": *tool.input,
        "outputSchema": *tool.output,
    })
}

fn listed(tools: &[Declaration]) -> String {
    let widest = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    tools.iter().map(|tool| format!("{:widest$}  {}\n", tool.name, tool.title)).collect()
}
