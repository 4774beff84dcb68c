//! `gik agents status`: which coding agents there are, and which know of gik.

use gik_base::{Result, env};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agents::edit::{Standing, standing};
use crate::agents::plan::Ground;
use crate::agents::record::{Record, What};
use crate::agents::table::AGENTS;
use crate::agents::{Scope, chosen, folders};
use crate::settings::short_path;
use crate::tool::{Runs, rows_of};
use crate::view::{Cell, Style};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// List the coding agents that gik can be told to, and which of them know of it
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Which, comma-separated or repeated [default: all]
    #[arg(long = "agent", value_name = "AGENT")]
    #[serde(alias = "agent")]
    pub agents: Vec<String>,
    /// Whose files [default: user]
    #[arg(long, value_name = "SCOPE")]
    pub scope: Option<Scope>,
}

/// The agents.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Whose files.
    pub scope: Scope,
    /// One each.
    pub agents: Vec<Row>,
}

/// One agent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// What `--agent` calls it.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whether it seems to be in use here.
    pub detected: bool,
    /// The entry among its servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<Part>,
    /// The block in its instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Part>,
}

/// One file of an agent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The file.
    pub path: String,
    /// `installed`, `outdated`, `missing`, `foreign` for an entry that is not ours, or `broken`.
    pub state: &'static str,
    /// What is wrong with the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let cell = |part: &Option<Part>| match part {
            None => Cell::styled(Style::Faint, "-"),
            Some(part) => match part.state {
                "installed" => Cell::styled(Style::Good, part.state),
                "missing" => Cell::styled(Style::Faint, part.state),
                state => Cell::styled(Style::Warning, state),
            },
        };
        let rows: Vec<Vec<Cell>> = self
            .agents
            .iter()
            .map(|row| {
                let file = row.server.as_ref().or(row.instructions.as_ref());
                vec![
                    Cell::styled(Style::Name, row.id),
                    Cell::text(if row.detected { "yes" } else { "no" }),
                    cell(&row.server),
                    cell(&row.instructions),
                    Cell::text(file.map_or_else(String::new, |it| short_path(it.path.as_ref()))),
                ]
            })
            .collect();
        view.table(&["agent", "here", "server", "instructions", "file"], &rows);
        let parts = self.agents.iter().flat_map(|row| row.server.iter().chain(&row.instructions));
        for problem in parts.filter_map(|part| part.problem.as_ref()) {
            let label = view.paint(Style::Warning, "broken:");
            let problem = view.plain(problem);
            view.line(format!("{label} {problem}"));
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.agents)
    }
}

struct Status;

impl Runs for Status {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let scope = args.scope.unwrap_or_default();
        let folders = folders(ctx, scope)?;
        let record = match env::gik_home() {
            Some(home) => Record::read(&home)?,
            None => Record::default(),
        };
        let command = scope.command()?;
        let ground = Ground { scope, folders: &folders, command: &command, record: &record };
        let agents = match args.agents.as_slice() {
            [] => AGENTS.iter().collect(),
            names => chosen(names, &folders)?,
        };
        let mut rows = Vec::new();
        for agent in agents {
            let mut row = Row {
                id: agent.id,
                name: agent.name,
                detected: agent.is_present(&folders),
                server: None,
                instructions: None,
            };
            for (named, what, wanted) in ground.files_of(agent) {
                let found = ground.target(&named).and_then(|target| {
                    standing(&named, target.text.as_deref().unwrap_or_default(), &wanted)
                });
                let (state, problem) = match found {
                    Ok(Standing::Absent) => ("missing", None),
                    Ok(Standing::Current) => ("installed", None),
                    Ok(Standing::Older) => ("outdated", None),
                    Ok(Standing::Foreign) => ("foreign", None),
                    Err(failure) => ("broken", Some(failure.to_string())),
                };
                let path = named.to_string_lossy().into_owned();
                let part = Some(Part { path, state, problem });
                match what {
                    What::Server => row.server = part,
                    What::Instructions => row.instructions = part,
                }
            }
            rows.push(row);
        }
        Ok(Output { scope, agents: rows })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Status>(&["agents", "status"], Effect::Reads, Shape::List, "gik agents status")
        .for_people();
