//! `gik tools`: what programs are offered, for people and as a list for models.

use std::io::Read as _;

use clap::{Arg, ArgAction, ArgMatches, Command};
use gik_base::{ErrorCode, Failure, Result};
use gik_engine::tool_calls::{self, Said};
use gik_engine::{Context, Declaration, Profile, declarations};
use serde_json::{Value, json};

use crate::exit::ExitCode;
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
        .subcommand(
            Command::new("call")
                .about("Make the calls that a model wrote, read from standard input")
                .long_about(
                    "Make the calls that a model wrote, read from standard input\n\nThe text is \
                     {\"type\":\"tool_call\",\"calls\":[{\"id\":\"call_1\",\"name\":\"read_file\",\"arguments\":{}}]} and nothing \
                     else; any other text is the model's answer and is printed as it is. Each result comes in \
                     <tool_result>.",
                )
                .arg(
                    Arg::new("list")
                        .long("list")
                        .action(ArgAction::SetTrue)
                        .help("Print the calls as OpenAI's and compatible interfaces have them, and make none"),
                )
                .after_help("Example:\n  gik tools call < said.json"),
        )
        .after_help("Example:\n  gik tools --openai --profile few")
}

/// Makes the calls that are on standard input.
pub(crate) fn call(matches: &ArgMatches, format: Format, ctx: &Context<'_>) -> Result<ExitCode> {
    /// More is no answer of a model.
    const MOST_BYTES: u64 = 16 << 20;
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| {
        Failure::new(ErrorCode::Io, "standard input cannot be read").caused_by(error)
    })?;
    let said = tool_calls::read(&String::from_utf8_lossy(&bytes))?;
    let is_data = matches!(format, Format::Json | Format::Jsonl);
    let text = match said {
        Said::Final(text) if is_data => format!("{}\n", json!({"type": "final", "text": text})),
        Said::Final(text) => text,
        Said::Calls(calls) if matches.get_flag("list") => {
            format!("{:#}\n", json!({"toolCalls": calls}))
        },
        Said::Calls(calls) => {
            let results = tool_calls::run(ctx, &calls)?;
            if is_data {
                format!("{:#}\n", json!({"toolCalls": calls, "results": results}))
            } else {
                results.iter().map(tool_calls::written).collect()
            }
        },
    };
    Ok(to_stdout(&text))
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
