//! Tools for programs: what MCP and HTTP have in common, without either protocol.
//!
//! A call is checked against the schema of its tool, runs in one of the roots, and its answer is cut to a number of
//! tokens. Whatever was left out is said, and a cursor leads to it.

mod answered;
mod build;
mod heard;
mod page;
mod roots;
mod worker;

use std::sync::Arc;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use gik_engine::bound::{self, MOST_TOKENS};
use gik_engine::{Declaration, Options, Profile, Shape, check, declarations};
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) use self::answered::Answered;
use self::answered::Asked;
pub(crate) use self::heard::{Heard, Step};
pub(crate) use self::roots::Roots;
pub(crate) use self::worker::{Job, Worker};
use crate::daemon::Helper;

/// What holds for every call.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    /// Choices of the command line.
    pub(crate) options: Options,
    /// How many tools are offered.
    pub(crate) profile: Profile,
    /// Whether tools that change anything are left out.
    pub(crate) read_only: bool,
    /// So many tokens an answer has where a call does not say.
    pub(crate) tokens: u64,
}

/// Tools for programs.
#[derive(Debug)]
pub(crate) struct Service {
    setup: Setup,
    declarations: Vec<Declaration>,
    roots: Roots,
    worker: Worker,
    /// Asks the warm process, where the user has one.
    helper: Option<Helper>,
    /// So many calls are under way, by whichever protocol they came.
    turns: Arc<Semaphore>,
}

/// So many calls are under way at once, each with a thread. Few of them work; the others wait for one look at the files.
pub(crate) const MOST_UNDER_WAY: usize = 64;

/// One call of a tool.
pub(crate) struct Call<'a> {
    /// The tool.
    pub(crate) name: &'a str,
    /// Its arguments, and those of the service.
    pub(crate) arguments: Map<String, Value>,
    /// Hears how far it is, and what there is to say.
    pub(crate) heard: &'a Heard,
    /// Asks it to stop.
    pub(crate) cancel: Cancel,
}

impl Service {
    pub(crate) fn new(
        setup: Setup,
        roots: Roots,
        helper: Option<Helper>,
        stopping: Cancel,
    ) -> Self {
        let mut declarations = declarations(setup.profile);
        declarations.retain(|tool| !setup.read_only || tool.is_read_only());
        let (worker, turns) = (Worker::new(stopping), Arc::new(Semaphore::new(MOST_UNDER_WAY)));
        Self { setup, declarations, roots, worker, helper, turns }
    }

    /// The turn of a call, which ends when this is dropped. Comes at once unless too many calls are under way.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        Arc::clone(&self.turns).acquire_owned().await.map_err(|error| {
            Failure::new(ErrorCode::Interrupted, "the server is stopping").caused_by(error)
        })
    }

    /// The tools, in the order in which they are offered.
    pub(crate) fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// The folders that are served.
    pub(crate) fn roots(&self) -> &Roots {
        &self.roots
    }

    /// The tool of that name, or of another name of it. `context_pack.create` and `context_pack.get` are one tool here:
    /// its arguments tell which is meant.
    pub(crate) fn find(&self, name: &str) -> Option<&Declaration> {
        let plain = name.replace(['.', '-'], "_");
        let is_alias = |alias: &&str| {
            let rest = plain.strip_prefix(&alias.replace('-', "_"));
            rest.is_some_and(|rest| ["", "_create", "_get"].contains(&rest))
        };
        self.declarations.iter().find(|tool| {
            tool.name == name || tool.name == plain || tool.tool.aliases.iter().any(&is_alias)
        })
    }

    /// The schema of a tool's arguments together with those of the service.
    pub(crate) fn input_schema(&self, tool: &Declaration) -> Map<String, Value> {
        let mut schema = (*tool.input).clone();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return schema };
        if tool.tool.shape == Shape::List {
            properties.insert(
                "maxTokens".to_owned(),
                json!({"type": "integer", "minimum": bound::LEAST_TOKENS, "maximum": MOST_TOKENS,
                    "description": format!("About how many tokens the answer may have [default: {}]", self.setup.tokens)}),
            );
            properties.insert(
                "cursor".to_owned(),
                json!({"type": "string", "maxLength": 64,
                    "description": "Goes on where an answer of the same call ended"}),
            );
        }
        let names = self.roots.names();
        if names.len() > 1 {
            properties.insert(
                "root".to_owned(),
                json!({"type": "string", "enum": names,
                    "description": "The folder to work in; the first one where it is not given"}),
            );
        }
        schema
    }

    /// Calls a tool that is offered. Takes as long as the tool does, on the thread of the caller.
    pub(crate) fn call(&self, call: Call<'_>) -> Result<Answered> {
        let tool = self.find(call.name).ok_or_else(|| no_such_tool(call.name))?;
        self.run(tool, call)
    }

    /// Calls a tool that only reads, whether it is offered or not: resources stand on those.
    pub(crate) fn call_any(&self, call: Call<'_>) -> Result<Answered> {
        let all = declarations(Profile::Full);
        let tool = all.iter().find(|tool| tool.name == call.name && tool.is_read_only());
        self.run(tool.ok_or_else(|| no_such_tool(call.name))?, call)
    }

    fn run(&self, tool: &Declaration, call: Call<'_>) -> Result<Answered> {
        let mut arguments = call.arguments;
        if let Err(failure) = check(&self.input_schema(tool), &arguments) {
            let told = tool.tool.failure_as_answer(&failure).ok_or(failure)?;
            return Asked::default().cut(told, tool.tool.shape);
        }
        let root_name = Asked::root(&mut arguments, tool);
        let asked =
            Asked::taken_from(&mut arguments, tool, root_name.as_deref(), self.setup.tokens)?;
        let root = self.roots.find(root_name.as_deref())?;
        let options =
            Options { workspace: Some(root.folder.clone()), ..self.setup.options.clone() };
        let starts_index = tool.makes_index() && !arguments.contains_key("noInit");
        let job = Job {
            tool: tool.name.clone(),
            arguments,
            options,
            folder: root.folder,
            starts_index,
            asked,
        };
        let answered = self.helper.as_ref().and_then(|helper| {
            tool.tool
                .can_be_asked_elsewhere()
                .then(|| helper.ask(&job, call.heard, &call.cancel))?
        });
        answered.unwrap_or_else(|| self.worker.run(tool.tool, job, call.heard, &call.cancel))
    }
}

/// What is said of a tool that is not offered.
pub(crate) fn no_such_tool(name: &str) -> Failure {
    let name: String = name.chars().take(64).collect();
    Failure::new(ErrorCode::ArgumentInvalid, format!("there is no tool `{name}`"))
        .hint("more tools are offered with `--profile full`")
}
