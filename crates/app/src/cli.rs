//! The command line: built from the tool table, with the flags that hold for every tool.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use gik_base::{Cancel, ErrorCode, Failure, Result, env};
use gik_engine::tools::{GROUPS, TOOLS};
use gik_engine::{Context, Options, Shape, Tool, Written};
use signal_hook::consts;

use crate::exit::ExitCode;
use crate::output::{ColorChoice, Format, Printer};
use crate::progress::Terminal;
use crate::{catalog, daemon, docs, http, mcp, output};

/// Runs the program and gives its exit status.
pub(crate) fn main() -> ExitCode {
    let arguments = env::arguments();
    let matches = match understood(&arguments) {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    let printer = Printer::new(format_of(&matches), color_of(&matches));
    let result = run(&matches, &printer);
    match result {
        Ok(code) => code,
        Err(failure) => printer.failure(&failure),
    }
}

/// What the words of a command line mean.
pub(crate) fn understood(arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    asked_for(arguments).try_get_matches_from(arguments).or_else(|error| {
        if error.kind() == ErrorKind::DisplayVersion {
            return Err(error);
        }
        // Help and corrections need to know all there is.
        command().try_get_matches_from(arguments)
    })
}

/// The signals that ask a program to stop.
const STOPPING: &[i32] = &[
    consts::SIGINT,
    consts::SIGTERM,
    #[cfg(unix)]
    consts::SIGHUP,
];

/// The whole command tree.
pub(crate) fn command() -> Command {
    let served =
        with_tools(TOOLS.iter().copied()).subcommand(mcp::command()).subcommand(http::command());
    daemon::add_command(served)
        .subcommand(catalog::command())
        .subcommand(completions())
        .subcommand(manual())
        .subcommand(docs::command())
}

/// As much of the command tree as the words ask for: making all of it takes longer than a small answer.
///
/// Flags and their values may stand before the command; where such a value is the name of another one, clap refuses
/// what follows it, and all of the tree is tried.
fn asked_for(arguments: &[OsString]) -> Command {
    let words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let tools_of = |word| TOOLS.iter().copied().filter(move |tool| tool.begins_with(word));
    let named = words.map(tools_of).find(|tools| tools.clone().next().is_some());
    with_tools(named.into_iter().flatten())
}

fn with_tools<'a>(tools: impl Iterator<Item = &'a Tool>) -> Command {
    let mut root = Command::new("gik")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Knows a project: code, documents, notes and decisions, with evidence, offline")
        .after_help(
            "Start here:\n  gik ask \"how does …?\"   asks; indexes the workspace first where needed\n  \
             gik index               indexes the workspace\n  gik help COMMAND        tells more",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .infer_subcommands(false)
        .disable_help_subcommand(false)
        .args(global_arguments());
    for tool in tools {
        root = match tool.path {
            [_] => root.subcommand(with_own_signs(tool.command())),
            [group, ..] => add_to_group(root, group, tool),
            [] => root,
        };
    }
    root
}

fn add_to_group(root: Command, group: &'static str, tool: &Tool) -> Command {
    if root.find_subcommand(group).is_some() {
        return root.mut_subcommand(group, |command| command.subcommand(tool.command()));
    }
    let about = GROUPS.iter().find(|(name, _)| *name == group).map_or("", |(_, about)| *about);
    root.subcommand(
        Command::new(group)
            .about(about)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(tool.command()),
    )
}

const EVERYWHERE: &str = "Everywhere";

/// The folder to work in.
fn workspace_argument() -> Arg {
    Arg::new("workspace")
        .long("workspace")
        .alias("repo")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help("Work in this folder instead of the current one")
        .global(true)
        .help_heading(EVERYWHERE)
}

/// A command that means something else by `-C`, as `grep` does, keeps it: before the command it is still the folder.
fn with_own_signs(command: Command) -> Command {
    let has_own = command.get_arguments().any(|argument| argument.get_short() == Some('C'));
    if has_own { command.arg(workspace_argument()) } else { command }
}

fn global_arguments() -> Vec<Arg> {
    let arguments = [
        workspace_argument().short('C'),
        Arg::new("branch")
            .long("branch")
            .value_name("NAME")
            .help("Use the knowledge of this branch"),
        Arg::new("json")
            .long("json")
            .action(ArgAction::SetTrue)
            .help("Print the answer as one JSON document"),
        Arg::new("jsonl")
            .long("jsonl")
            .action(ArgAction::SetTrue)
            .conflicts_with("json")
            .help("Print a list as one JSON document a line"),
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .value_parser(["text", "json", "jsonl", "md", "compact"])
            .conflicts_with_all(["json", "jsonl"])
            .help("Print the answer as text, as JSON, in few words, or as Markdown where a command can"),
        Arg::new("color")
            .long("color")
            .value_name("WHEN")
            .value_parser(["auto", "always", "never"])
            .help("When to use colours"),
        Arg::new("quiet")
            .short('q')
            .long("quiet")
            .action(ArgAction::SetTrue)
            .help("Say nothing on standard error but errors"),
        Arg::new("threads")
            .long("threads")
            .value_name("N")
            .value_parser(value_parser!(u16).range(1..=256))
            .help("Use that many threads"),
        Arg::new("set")
            .long("set")
            .value_name("KEY=VALUE")
            .action(ArgAction::Append)
            .help("Set a config value for this run"),
        Arg::new("force-root")
            .long("force-root")
            .action(ArgAction::SetTrue)
            .help("Allow `/` and the home folder as a workspace"),
    ];
    arguments.into_iter().map(|argument| argument.global(true).help_heading(EVERYWHERE)).collect()
}

fn completions() -> Command {
    Command::new("completions")
        .about("Print completions for a shell")
        .arg(
            Arg::new("shell")
                .required(true)
                .value_name("SHELL")
                .value_parser(value_parser!(clap_complete::Shell))
                .help("The shell"),
        )
        .after_help(
            "Example:\n  gik completions bash > ~/.local/share/bash-completion/completions/gik",
        )
}

fn manual() -> Command {
    Command::new("man")
        .about("Print the manual page, or write all of them into a folder")
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::DirPath)
                .help("Write a page per command into this folder"),
        )
        .after_help("Example:\n  gik man | man -l -")
}

fn run(matches: &ArgMatches, printer: &Printer) -> Result<ExitCode> {
    let (name, sub) = matches.subcommand().unwrap_or_default_pair();
    match name {
        "completions" => return Ok(docs::completions(sub)),
        "man" => return docs::manual(sub),
        "docs" => return Ok(docs::print(sub)),
        "tools" if sub.subcommand().is_none() => {
            return Ok(catalog::run(sub, format_of(matches)));
        },
        _ => {},
    }
    let cancel = Cancel::default();
    for &signal in STOPPING {
        // Without a handler Ctrl-C ends the process at once, which the commit protocol survives just as well.
        drop(signal_hook::flag::register(signal, cancel.flag()));
    }
    match name {
        "mcp" => return mcp::run(sub, options_of(matches)?, cancel),
        "serve" => return http::run(sub, options_of(matches)?, cancel),
        "daemon" => return daemon::run(sub, format_of(matches), cancel),
        _ => {},
    }
    let tool = if name == "tools" { None } else { Some(find_tool(name, sub)?) };
    if format_of(matches) == Format::Jsonl && tool.is_some_and(|(tool, _)| tool.shape == Shape::One)
    {
        return Err(output::not_a_list());
    }
    let progress = terminal(matches, printer);
    let cwd = env::current_dir().map_err(|error| {
        Failure::new(ErrorCode::WorkspaceMissing, "the current folder does not exist")
            .caused_by(error)
    })?;
    let ctx = Context { options: options_of(matches)?, cwd, progress: &progress, cancel };
    let Some((tool, tool_matches)) = tool else {
        let call = sub.subcommand().map_or(sub, |(_, call)| call);
        return catalog::call(call, format_of(matches), &ctx);
    };
    if let Some(printed) = daemon::print(tool, &ctx, printer.look()) {
        progress.clear();
        let (text, is_found) = printed?;
        return Ok(output::print_answer(&text, is_found));
    }
    let root = ctx.root().ok();
    let mut status = ExitCode::SUCCESS;
    tool.run(&ctx, tool_matches, &mut |answer| {
        progress.clear();
        let (printed, flow) = printer.answer(answer.as_ref(), tool.shape, root.as_deref())?;
        status = printed;
        Ok(flow)
    })?;
    Ok(status)
}

fn terminal(matches: &ArgMatches, printer: &Printer) -> Terminal {
    if matches.get_flag("quiet") {
        return Terminal::silent();
    }
    Terminal::new(printer.color_on_stderr())
}

/// The tool that was named, and its own arguments.
pub(crate) fn find_tool<'m>(
    name: &str,
    sub: &'m ArgMatches,
) -> Result<(&'static Tool, &'m ArgMatches)> {
    let second = sub.subcommand();
    let matches = second.map_or(sub, |(_, inner)| inner);
    let tool = TOOLS.iter().find(|tool| match (tool.path, second) {
        ([only], None) => *only == name,
        ([group, word], Some((inner, _))) => *group == name && *word == inner,
        _ => false,
    });
    tool.map(|tool| (*tool, matches)).ok_or_else(|| {
        Failure::new(ErrorCode::Internal, format!("the command `{name}` is not in the table"))
    })
}

fn options_of(matches: &ArgMatches) -> Result<Options> {
    let mut set = Vec::new();
    if let Some(threads) = matches.get_one::<u16>("threads") {
        set.push(("indexing.threads".to_owned(), threads.to_string()));
    } else if let Some(threads) = env::var(env::GIK_THREADS) {
        set.push(("indexing.threads".to_owned(), threads));
    }
    for pair in matches.get_many::<String>("set").unwrap_or_default() {
        let (key, value) = pair.split_once('=').ok_or_else(|| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("`--set {pair}` has no `=`"))
                .hint("write `--set indexing.max_file_bytes=1000000`")
        })?;
        set.push((key.trim().to_owned(), value.to_owned()));
    }
    Ok(Options {
        workspace: matches
            .get_one::<PathBuf>("workspace")
            .cloned()
            .or_else(|| env::var_os(env::GIK_WORKSPACE).map(PathBuf::from)),
        branch: matches.get_one::<String>("branch").cloned(),
        force_root: matches.get_flag("force-root"),
        set,
        in_hurry: false,
    })
}

pub(crate) fn format_of(matches: &ArgMatches) -> Format {
    // A tool may have formats of its own under that name.
    let format = matches.try_get_one::<String>("format").ok().flatten();
    match format.map(String::as_str) {
        Some("json") => return Format::Json,
        Some("jsonl") => return Format::Jsonl,
        Some("md") => return Format::Written(Written::Markdown),
        Some("compact") => return Format::Written(Written::Compact),
        _ => {},
    }
    if matches.get_flag("json") {
        Format::Json
    } else if matches.get_flag("jsonl") {
        Format::Jsonl
    } else if asks_for_markdown(matches) {
        Format::Written(Written::Markdown)
    } else {
        Format::Text
    }
}

/// Whether the command has a `--md` of its own, and it was given.
fn asks_for_markdown(matches: &ArgMatches) -> bool {
    let own = matches.subcommand().and_then(|(_, own)| own.try_get_one::<bool>("md").ok());
    own.flatten() == Some(&true)
}

fn color_of(matches: &ArgMatches) -> ColorChoice {
    let chosen = matches.get_one::<String>("color").cloned().or_else(|| env::var(env::GIK_COLOR));
    match chosen.as_deref() {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// Help and version go to standard output; wrong usage to standard error with status 2.
fn usage(error: &clap::Error) -> ExitCode {
    let color = if error.use_stderr() {
        std::io::stderr().is_terminal()
    } else {
        std::io::stdout().is_terminal()
    };
    let text = if color && env::var(env::NO_COLOR).is_none() {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    };
    if error.use_stderr() {
        output::to_stderr(&text);
        ExitCode::from(2)
    } else {
        output::to_stdout(&text)
    }
}

pub(crate) trait SubcommandPair<'m> {
    fn unwrap_or_default_pair(self) -> (&'m str, &'m ArgMatches);
}

impl<'m> SubcommandPair<'m> for Option<(&'m str, &'m ArgMatches)> {
    fn unwrap_or_default_pair(self) -> (&'m str, &'m ArgMatches) {
        self.expect("clap requires a subcommand")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn flags_before_a_command_leave_the_tree_small() {
        let tree = asked_for(&words("gik -C somewhere --json status"));
        let names: Vec<&str> = tree.get_subcommands().map(Command::get_name).collect();
        assert_eq!(names, ["status"]);
    }

    #[test]
    fn a_folder_may_have_the_name_of_a_command() {
        let matches = understood(&words("gik -C ask status")).unwrap();
        assert_eq!(matches.subcommand_name(), Some("status"));
        assert_eq!(matches.get_one::<PathBuf>("workspace"), Some(&PathBuf::from("ask")));
    }
}
