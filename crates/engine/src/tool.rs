//! What a tool is: one declaration from which the command line, its help, its manual page and every other surface come.
//!
//! A tool is a file in `tools/` with `Args` (doc comments are the help text everywhere), an output that implements
//! [`Report`], a `run` function and a [`Tool`] constant, and one row in [`crate::tools::TOOLS`]. Nearly every tool has
//! one answer ([`Runs`]); one that goes on until it is stopped hands them out as they come ([`Streams`]).

use std::ops::{ControlFlow, Range};

use clap::{ArgMatches, Command};
use gik_base::{ErrorCode, Failure, Result};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::arguments::plain_schema;
use crate::heal::healing;
use crate::{Context, View, Written};

/// What a tool gives back: data for programs, and a way to show it to people.
pub trait Report {
    /// Shows the output to a person.
    fn render(&self, view: &mut View);

    /// The rows of a list, for `--jsonl`; `None` where the output is not a list.
    fn rows(&self) -> Option<Vec<Value>> {
        None
    }

    /// Whether there is anything: an empty answer exits with 1, as `grep` does.
    fn found(&self) -> bool {
        true
    }

    /// The output as a document; `None` where it has no such form.
    fn written(&self, _: Written) -> Option<String> {
        None
    }

    /// Keeps these rows of a list and drops the others; `false` where that cannot be done.
    fn keep_rows(&mut self, _: Range<usize>) -> bool {
        false
    }

    /// Whether the answer is a failure that is told as data.
    fn is_failure(&self) -> bool {
        false
    }
}

/// Keeps these items of a list and drops the others, for [`Report::keep_rows`].
pub(crate) fn keep<T>(items: &mut Vec<T>, rows: Range<usize>) -> bool {
    items.truncate(rows.end);
    items.drain(..rows.start.min(items.len()));
    true
}

/// The rows of a list as JSON.
pub(crate) fn rows_of<T: Serialize>(items: &[T]) -> Option<Vec<Value>> {
    items.iter().map(|item| serde_json::to_value(item).ok()).collect()
}

/// An output whose type is forgotten.
pub trait Answer {
    /// The whole output as data.
    fn json(&self) -> Result<Value>;
    /// See [`Report::rows`].
    fn rows(&self) -> Option<Vec<Value>>;
    /// See [`Report::found`].
    fn found(&self) -> bool;
    /// See [`Report::render`].
    fn render(&self, view: &mut View);
    /// See [`Report::written`].
    fn written(&self, written: Written) -> Option<String>;
    /// See [`Report::keep_rows`].
    fn keep_rows(&mut self, rows: Range<usize>) -> bool;
    /// See [`Report::is_failure`].
    fn is_failure(&self) -> bool;
}

impl<T: Report + Serialize> Answer for T {
    fn json(&self) -> Result<Value> {
        serde_json::to_value(self).map_err(|error| {
            Failure::new(ErrorCode::Internal, "the output cannot be written as JSON")
                .caused_by(error)
        })
    }

    fn rows(&self) -> Option<Vec<Value>> {
        Report::rows(self)
    }

    fn found(&self) -> bool {
        Report::found(self)
    }

    fn render(&self, view: &mut View) {
        Report::render(self, view);
    }

    fn written(&self, written: Written) -> Option<String> {
        Report::written(self, written)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        Report::keep_rows(self, rows)
    }

    fn is_failure(&self) -> bool {
        Report::is_failure(self)
    }
}

/// Whether a tool changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It answers; at most the derived index is brought up to date.
    Reads,
    /// It changes the knowledge repository or other files.
    Writes,
}

/// Who may use a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Whoever asks, by any surface.
    Everyone,
    /// Whoever types: what decides for the user, or never ends, is not for programs that were asked to help.
    People,
}

/// What the output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One object.
    One,
    /// A list: `--jsonl` prints a row a line.
    List,
    /// Objects as they come, until the tool is stopped: `--json` and `--jsonl` print one a line.
    Stream,
}

/// Takes answers as they come, and says whether more are wanted.
pub type Hear<'a, T> = &'a mut dyn FnMut(T) -> Result<ControlFlow<()>>;

type TellFailure = fn(&Failure) -> Box<dyn Answer>;
type Run<I> = fn(&Context<'_>, I, Hear<'_, Box<dyn Answer>>) -> Result<()>;
type RunMatches = fn(&Context<'_>, &ArgMatches, Hear<'_, Box<dyn Answer>>) -> Result<()>;

/// One row of the table.
pub struct Tool {
    /// The words typed after `gik`: `["memory", "add"]`.
    pub path: &'static [&'static str],
    /// Other names for the last of them.
    pub aliases: &'static [&'static str],
    /// Whether it changes anything.
    pub effect: Effect,
    /// What its output is.
    pub shape: Shape,
    /// An example of its use, printed below the help.
    pub example: &'static str,
    /// Who may use it.
    pub audience: Audience,
    /// Whether it may take away what cannot be made again.
    pub destroys: bool,
    /// Whether it may speak to other machines.
    pub reaches_out: bool,
    /// Whether it tells of the very process that was asked, so that no other one can answer.
    pub is_about_here: bool,
    wire_name: Option<&'static str>,
    tell_failure: Option<TellFailure>,
    augment: fn(Command) -> Command,
    run_matches: RunMatches,
    run_json: Run<Value>,
    args_schema: fn() -> Schema,
    output_schema: fn() -> Schema,
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The arguments of a tool.
pub trait Arguments: clap::Args + DeserializeOwned + JsonSchema {}
impl<T: clap::Args + DeserializeOwned + JsonSchema> Arguments for T {}

/// A function that a tool with one answer runs, tied to its types so that the table can forget them.
pub trait Runs {
    /// Its arguments.
    type Args: Arguments;
    /// Its output.
    type Output: Report + Serialize + JsonSchema + 'static;
    /// Does the work.
    fn run(ctx: &Context<'_>, args: Self::Args) -> Result<Self::Output>;
}

/// The same for a tool with any number of answers.
pub trait Streams {
    /// Its arguments.
    type Args: Arguments;
    /// One of its answers.
    type Output: Report + Serialize + JsonSchema + 'static;
    /// Does the work, until it is done or no more answers are wanted.
    fn stream(ctx: &Context<'_>, args: Self::Args, hear: Hear<'_, Self::Output>) -> Result<()>;
}

impl<R: Runs> Streams for R {
    type Args = R::Args;
    type Output = R::Output;

    fn stream(ctx: &Context<'_>, args: R::Args, hear: Hear<'_, R::Output>) -> Result<()> {
        hear(R::run(ctx, args)?).map(drop)
    }
}

impl Tool {
    /// A row made from the type that runs it.
    pub const fn new<S: Streams>(
        path: &'static [&'static str],
        effect: Effect,
        shape: Shape,
        example: &'static str,
    ) -> Self {
        Self {
            path,
            aliases: &[],
            effect,
            shape,
            example,
            audience: Audience::Everyone,
            destroys: false,
            reaches_out: false,
            is_about_here: false,
            wire_name: None,
            tell_failure: None,
            augment: <S::Args as clap::Args>::augment_args,
            run_matches: run_matches::<S>,
            run_json: run_json::<S>,
            args_schema: schema_of::<S::Args>,
            output_schema: written_schema_of::<S::Output>,
        }
    }

    /// The same row with other names for its last word.
    #[must_use]
    pub const fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Whether the first word typed may mean it.
    pub fn begins_with(&self, word: &str) -> bool {
        let is_alone = self.path.len() == 1;
        self.path.first() == Some(&word) || (is_alone && self.aliases.contains(&word))
    }

    /// The same under a name of its own for programs: `remember` for `memory add`.
    #[must_use]
    pub const fn called(mut self, name: &'static str) -> Self {
        self.wire_name = Some(name);
        self
    }

    /// The same for the command line alone.
    #[must_use]
    pub const fn for_people(mut self) -> Self {
        self.audience = Audience::People;
        self
    }

    /// The same, known to take away what cannot be made again.
    #[must_use]
    pub const fn destroying(mut self) -> Self {
        self.destroys = true;
        self
    }

    /// The same, known to speak to other machines where it is told to.
    #[must_use]
    pub const fn reaching_out(mut self) -> Self {
        self.reaches_out = true;
        self
    }

    /// The same, known to tell of the process that was asked.
    #[must_use]
    pub const fn here(mut self) -> Self {
        self.is_about_here = true;
        self
    }

    /// Whether any process of the user may answer in place of the one that was asked: there is one answer, it is the
    /// same there, and asking again does no harm.
    pub fn can_be_asked_elsewhere(&self) -> bool {
        self.effect == Effect::Reads
            && self.audience == Audience::Everyone
            && self.shape != Shape::Stream
            && !self.is_about_here
    }

    /// The same, telling failures as answers.
    #[must_use]
    pub const fn telling_failures(mut self, tell: TellFailure) -> Self {
        self.tell_failure = Some(tell);
        self
    }

    /// A failure as an answer, where the tool tells failures so.
    pub fn failure_as_answer(&self, failure: &Failure) -> Option<Box<dyn Answer>> {
        self.tell_failure.map(|tell| tell(failure))
    }

    /// The name by which programs call it: letters, digits and `_`, which every client takes.
    pub fn wire_name(&self) -> String {
        self.wire_name.map_or_else(|| self.path.join("_").replace('-', "_"), str::to_owned)
    }

    /// The last word of the path.
    pub fn name(&self) -> &'static str {
        self.path.last().copied().unwrap_or_default()
    }

    /// The command for the command line, with help taken from the argument type.
    pub fn command(&self) -> Command {
        let mut command =
            (self.augment)(Command::new(self.name())).visible_aliases(self.aliases.iter().copied());
        if !self.example.is_empty() {
            command = command.after_help(format!("Example:\n  {}", self.example));
        }
        command
    }

    /// Runs the tool with arguments from the command line. There is one answer, or with [`Shape::Stream`] any number.
    pub fn run(
        &self,
        ctx: &Context<'_>,
        matches: &ArgMatches,
        hear: Hear<'_, Box<dyn Answer>>,
    ) -> Result<()> {
        healing(ctx, || (self.run_matches)(ctx, matches, hear))
    }

    /// Runs the tool with arguments as data, up to its first answer.
    pub fn run_json(&self, ctx: &Context<'_>, arguments: Value) -> Result<Box<dyn Answer>> {
        let mut first = None;
        healing(ctx, || {
            (self.run_json)(ctx, arguments.clone(), &mut |answer| {
                first = Some(answer);
                Ok(ControlFlow::Break(()))
            })
        })?;
        first
            .ok_or_else(|| Failure::new(ErrorCode::Interrupted, "it was stopped before its answer"))
    }

    /// The schema of the arguments as every client understands it.
    pub fn input_schema(&self) -> Map<String, Value> {
        plain_schema((self.args_schema)().to_value(), &self.command())
    }

    /// The JSON Schema of the output.
    pub fn output_schema(&self) -> Schema {
        (self.output_schema)()
    }
}

fn run_matches<S: Streams>(
    ctx: &Context<'_>,
    matches: &ArgMatches,
    hear: Hear<'_, Box<dyn Answer>>,
) -> Result<()> {
    use clap::FromArgMatches as _;
    let args = S::Args::from_arg_matches(matches).map_err(|error| {
        Failure::new(ErrorCode::ArgumentInvalid, error.to_string().trim().to_owned())
    })?;
    S::stream(ctx, args, &mut |output| hear(Box::new(output)))
}

fn run_json<S: Streams>(
    ctx: &Context<'_>,
    arguments: Value,
    hear: Hear<'_, Box<dyn Answer>>,
) -> Result<()> {
    let args: S::Args = serde_json::from_value(arguments)
        .map_err(|error| Failure::new(ErrorCode::ArgumentInvalid, error.to_string()))?;
    S::stream(ctx, args, &mut |output| hear(Box::new(output)))
}

fn schema_of<T: JsonSchema>() -> Schema {
    SchemaGenerator::default().into_root_schema_for::<T>()
}

/// What is written may leave out what is empty.
fn written_schema_of<T: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The words of a text, for arguments that are words on the command line and a text everywhere else.
pub(crate) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(vec![String::deserialize(deserializer)?])
}
