//! Tools for programs: what MCP and HTTP have in common, without either protocol.
//!
//! A call is checked against the schema of its tool, runs in one of the roots, and its answer is cut to a number of
//! tokens. Whatever was left out is said, and a cursor leads to it.

mod build;
mod heard;
mod page;
mod roots;

use std::sync::Arc;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use gik_engine::bound::{self, BYTES_PER_TOKEN, Cut, MOST_BYTES, MOST_TOKENS};
use gik_engine::tools::index;
use gik_engine::{
    Answer, Context, Declaration, Options, Profile, Shape, View, Written, check, declarations,
    lacks_index,
};
use serde_json::{Map, Value, json};

use self::build::{Builds, Progressing};
pub(crate) use self::heard::{Heard, Step};
use self::page::Cursor;
pub(crate) use self::roots::{Root, Roots};

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
    builds: Arc<Builds>,
    stopping: Cancel,
}

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

/// What came of it.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The answer as data.
    pub(crate) json: Value,
    /// The answer in few words.
    pub(crate) text: String,
    /// Whether it is a failure that is told as data.
    pub(crate) is_failure: bool,
    /// Leads to what did not fit.
    pub(crate) next_cursor: Option<String>,
    /// What was cut.
    pub(crate) cuts: Vec<Cut>,
}

impl Service {
    pub(crate) fn new(setup: Setup, roots: Roots, stopping: Cancel) -> Self {
        let mut declarations = declarations(setup.profile);
        declarations.retain(|tool| !setup.read_only || tool.is_read_only());
        Self { setup, declarations, roots, builds: Arc::default(), stopping }
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
            return Asked::default().cut(told, tool);
        }
        let asked = Asked::taken_from(&mut arguments, tool, self.setup.tokens)?;
        let root = self.roots.find(asked.root.as_deref())?;
        let mut options = self.setup.options.clone();
        options.workspace = Some(root.folder.clone());
        if tool.makes_index() && !arguments.contains_key("noInit") {
            options.in_hurry = self.start_index(&root, &options, call.heard)?;
        }
        let ctx = Context {
            options,
            cwd: root.folder,
            progress: call.heard,
            cancel: call.cancel.clone(),
        };
        let answer = tool.tool.run_json(&ctx, Value::Object(arguments))?;
        call.cancel.check()?;
        asked.cut(answer, tool)
    }

    /// Sees to it that an index is being made where there is none, and waits for it as long as anyone likes to wait.
    /// Says whether it is still being made.
    fn start_index(&self, root: &Root, options: &Options, heard: &Heard) -> Result<bool> {
        if let Some(build) = self.builds.running(&root.folder) {
            heard.note(&build.told());
            return Ok(true);
        }
        let context = |heard| Context {
            options: options.clone(),
            cwd: root.folder.clone(),
            progress: heard,
            cancel: self.stopping.clone(),
        };
        let silent = gik_base::progress::Silent;
        let is_missing = |ctx: &Context<'_>| lacks_index(&ctx.open()?);
        if !is_missing(&context(&silent))? {
            return Ok(false);
        }
        let (options, cancel) = (options.clone(), self.stopping.clone());
        let folder = root.folder.clone();
        let build = self.builds.start(&root.folder, move |progress: &Progressing| {
            let ctx = Context { options, cwd: folder, progress, cancel };
            index::TOOL.run_json(&ctx, json!({})).map(drop)
        });
        if build.wait()? {
            return Ok(false);
        }
        heard.note(&build.told());
        if is_missing(&context(&silent))? {
            return Err(Failure::new(ErrorCode::StoreBusy, build.told())
                .hint("nothing can be searched yet; call again in a few seconds"));
        }
        Ok(true)
    }
}

/// What a call asks of the service itself.
struct Asked {
    root: Option<String>,
    bytes: usize,
    cursor: Cursor,
}

impl Default for Asked {
    fn default() -> Self {
        Self { root: None, bytes: MOST_BYTES, cursor: Cursor::default() }
    }
}

impl Asked {
    fn taken_from(
        arguments: &mut Map<String, Value>,
        tool: &Declaration,
        tokens: u64,
    ) -> Result<Self> {
        let mut take = |name: &str| {
            let is_own = tool.input.get("properties").is_some_and(|own| own.get(name).is_some());
            if is_own { None } else { arguments.remove(name) }
        };
        let text = |value: Option<Value>| value.and_then(|it| it.as_str().map(str::to_owned));
        let root = text(take("root"));
        let tokens = take("maxTokens").and_then(|value| value.as_u64()).unwrap_or(tokens);
        let cursor = text(take("cursor"));
        let cursor = Cursor::new(cursor.as_deref(), &tool.name, root.as_deref(), arguments)?;
        let bytes = usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(BYTES_PER_TOKEN);
        Ok(Self { root, bytes: bytes.min(MOST_BYTES), cursor })
    }

    /// The part of an answer that was asked for, as data and as text.
    fn cut(&self, mut answer: Box<dyn Answer>, tool: &Declaration) -> Result<Answered> {
        let rows = answer.rows().filter(|_| tool.tool.shape == Shape::List);
        let mut next_cursor = None;
        if let Some(rows) = rows {
            let page = self.cursor.page(&rows, self.bytes);
            let is_part = page.start > 0 || page.end < rows.len();
            if is_part && answer.keep_rows(page.clone()) && page.end < rows.len() {
                next_cursor = Some(self.cursor.at(page.end));
            }
        }
        let mut json = answer.json()?;
        let mut cuts = bound::fit(&mut json, self.bytes)?;
        let mut text = shown(answer.as_ref());
        let bytes = text.len();
        if bound::fit_text(&mut text, self.bytes) && cuts.is_empty() {
            cuts.push(Cut { at: "text".to_owned(), kept: text.len(), of: bytes });
        }
        let is_failure = answer.is_failure();
        Ok(Answered { json, text, is_failure, next_cursor, cuts })
    }
}

/// An answer in few words.
fn shown(answer: &dyn Answer) -> String {
    const UNLIMITED: usize = 1 << 20;
    let text = answer.written(Written::Compact).unwrap_or_else(|| {
        let mut view = View::new(UNLIMITED, false);
        answer.render(&mut view);
        view.finish()
    });
    if text.trim().is_empty() { "Nothing found.\n".to_owned() } else { text }
}

/// What is said of a tool that is not offered.
pub(crate) fn no_such_tool(name: &str) -> Failure {
    let name: String = name.chars().take(64).collect();
    Failure::new(ErrorCode::ArgumentInvalid, format!("there is no tool `{name}`"))
        .hint("more tools are offered with `--profile full`")
}
