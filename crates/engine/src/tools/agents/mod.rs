//! `gik agents …`: telling coding agents about gik, and taking it back.

pub mod install;
pub mod status;
pub mod uninstall;

use gik_base::{ErrorCode, Failure, Result, env};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agents::carry_out::{carry_out, lock};
use crate::agents::difference::difference;
use crate::agents::places::{Agent, Folders};
use crate::agents::plan::{Action, Ground, Step, Why};
use crate::agents::record::{Record, What};
use crate::agents::table::AGENTS;
use crate::agents::{Scope, chosen, folders};
use crate::settings::short_path;
use crate::view::{Style, count};
use crate::{Context, Report, View};

/// Which way things go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    In,
    Out,
}

// No documentation: it would take the place of what a tool says of itself.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
struct Request {
    /// Which, comma-separated or repeated; `all` for every known one [default: those in use here, or that have it]
    #[arg(long = "agent", value_name = "AGENT")]
    #[serde(alias = "agent")]
    agents: Vec<String>,
    /// Whose files [default: user]
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
    /// Leave the instructions of the agents alone
    #[arg(long)]
    no_instructions: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// What was done, or would be.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Whose files.
    pub scope: Scope,
    /// Whether nothing was changed because only the plan was asked for.
    pub dry_run: bool,
    /// What the entries start.
    pub command: String,
    /// The agents.
    pub agents: Vec<&'static str>,
    /// A file each.
    pub files: Vec<Done>,
    #[serde(skip)]
    is_in: bool,
}

/// What was done to a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// The file as the agent names it.
    pub path: String,
    /// The file that was written, where that is a link to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `server` for an entry among the servers, `instructions` for a block of instructions.
    pub what: &'static str,
    /// The agents that read it.
    pub agents: Vec<&'static str>,
    /// `created`, `changed`, `removed`, or `unchanged`.
    pub action: &'static str,
    /// Why it stays as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The lines that change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diff: Vec<String>,
}

impl Done {
    fn of(step: &Step) -> Self {
        let target = &step.target;
        let before = target.text.as_deref().unwrap_or_default();
        let (action, after, why) = match &step.action {
            Action::Create { text } => ("created", text.as_str(), None),
            Action::Change { text } => ("changed", text.as_str(), None),
            Action::Remove => ("removed", "", None),
            Action::Nothing(why) => ("unchanged", before, Some(told(why))),
        };
        let real =
            (target.real != target.named).then(|| target.real.to_string_lossy().into_owned());
        Self {
            path: target.named.to_string_lossy().into_owned(),
            target: real.filter(|_| is_link(step)),
            what: match step.what {
                What::Server => "server",
                What::Instructions => "instructions",
            },
            agents: step.agents.clone(),
            action,
            why,
            diff: difference(before, after),
        }
    }

    fn line(&self, tense: &str) -> String {
        let what = match self.what {
            "server" => "server",
            _ => "instructions",
        };
        let path = short_path(self.path.as_ref());
        let target = self.target.as_ref().map(|real| format!(" -> {}", short_path(real.as_ref())));
        let place = format!("{path}{}", target.unwrap_or_default());
        let agents = self.agents.join(", ");
        match &self.why {
            Some(why) => format!("{place}: {why} ({what}; {agents})"),
            None => format!("{place}: {tense}{} ({what}; {agents})", self.action),
        }
    }
}

/// Whether the file itself is named by a link; links above it are the user's business.
fn is_link(step: &Step) -> bool {
    step.target.real.file_name() != step.target.named.file_name()
        || gik_base::fs::symlink_metadata_if_present(&step.target.named)
            .is_ok_and(|it| it.is_some_and(|it| it.is_symlink()))
}

fn told(why: &Why) -> String {
    match why {
        Why::Current => "already there".to_owned(),
        Why::Absent => "nothing there".to_owned(),
        Why::Foreign => "left alone: its entry `gik` is not from this program".to_owned(),
        Why::Needed(agents) => format!("kept for {}", agents.join(", ")),
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        if self.agents.is_empty() {
            view.line("No coding agent was found.");
            view.hint("name one with `--agent`; `gik agents status` lists them");
            return;
        }
        let tense = if self.dry_run { "would be " } else { "" };
        for file in &self.files {
            let line = view.plain(file.line(tense));
            view.line(line);
            if self.dry_run {
                for line in &file.diff {
                    let style = if line.starts_with('+') { Style::Good } else { Style::Faint };
                    let line = view.paint(style, line);
                    view.line(format!("  {line}"));
                }
            }
        }
        let changed = self.files.iter().filter(|file| file.why.is_none()).count() as u64;
        let files = count(changed, "file", "files");
        view.line(format!("{files} {tense}changed"));
        if changed > 0 && !self.dry_run && self.is_in {
            view.hint("restart the agents; `gik agents uninstall` takes everything out again");
        }
    }

    fn found(&self) -> bool {
        !self.agents.is_empty()
    }
}

fn run(ctx: &Context<'_>, direction: Direction, request: &Request) -> Result<Output> {
    let scope = request.scope.unwrap_or_default();
    let folders = folders(ctx, scope)?;
    let home = env::gik_home().ok_or_else(|| {
        Failure::new(ErrorCode::ConfigInvalid, "there is no home folder")
            .hint(format!("set `{}` to a folder of yours", env::GIK_HOME))
    })?;
    let _lock = if request.dry_run { None } else { Some(lock(&home, &ctx.cancel)?) };
    let mut record = Record::read(&home)?;
    let agents = agents_of(direction, request, &folders, &record)?;
    let command = scope.command()?;
    let ground = Ground { scope, folders: &folders, command: &command, record: &record };
    let mut steps = match direction {
        Direction::In => ground.install(&agents)?,
        Direction::Out => ground.uninstall(&agents)?,
    };
    steps.retain(|step| {
        let is_wanted = !request.no_instructions || step.what == What::Server;
        is_wanted && step.action != Action::Nothing(Why::Absent)
    });
    let output = Output {
        scope,
        dry_run: request.dry_run,
        agents: agents.iter().map(|agent| agent.id).collect(),
        files: steps.iter().map(Done::of).collect(),
        is_in: direction == Direction::In,
        command,
    };
    if request.dry_run {
        return Ok(output);
    }
    if output.files.iter().any(|file| file.why.is_none()) && !request.yes {
        ask(ctx, &output)?;
    }
    carry_out(&steps, &mut record, &home)?;
    Ok(output)
}

fn agents_of(
    direction: Direction,
    request: &Request,
    folders: &Folders,
    record: &Record,
) -> Result<Vec<&'static Agent>> {
    let mut agents = chosen(&request.agents, folders)?;
    if request.agents.is_empty() && direction == Direction::Out {
        let is_recorded =
            |id: &str| record.files.iter().any(|kept| kept.agents.iter().any(|it| it == id));
        let is_meant = |agent: &&'static Agent| {
            agents.iter().any(|it| it.id == agent.id) || is_recorded(agent.id)
        };
        agents = AGENTS.iter().filter(is_meant).collect();
    }
    Ok(agents)
}

/// Shows the plan to whoever is there, and goes on only with a yes.
fn ask(ctx: &Context<'_>, output: &Output) -> Result<()> {
    let shown = |color: bool| {
        let mut view = View::new(100, color);
        for file in &output.files {
            let line = view.plain(file.line("to be "));
            view.line(line);
        }
        view.finish()
    };
    let refused = |message: &str| Failure::new(ErrorCode::ArgumentInvalid, message.to_owned());
    match ctx.progress.ask(&shown, "Change these files?") {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::new(ErrorCode::Interrupted, "nothing was changed")),
        None => Err(refused("nobody is there to agree to the changes; nothing was changed")
            .hint("`--dry-run` shows them, `--yes` makes them")),
    }
}
