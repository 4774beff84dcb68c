//! `gik refs`: where a name is used, and what for; by name alone, and said so.

use std::ops::Range;

use gik_base::{ErrorCode, Failure, Result};
use gik_contract::ask::FreshnessState;
use gik_parse::ReferenceRole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::def::render_near_names;
use crate::answer::Missing;
use crate::symbols::{
    Asked, FileFilter, current_store, definitions, near_names, references, typed, warn_if_stale,
    words,
};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, count, shorten};
use crate::{Context, Effect, Report, Shape, Tool, View, bases, spared};

/// List the uses of a symbol by its name: calls, types, imports, reads, writes
///
/// Uses are found by name alone: two things of one name are not told apart. With a qualified name (Store::open) those
/// whose receiver has the name of the container come first.
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// A name (open), a qualified name (Store::open, Store.open) or the id of a symbol
    #[arg(value_name = "SYMBOL")]
    pub symbol: String,
    /// Only these roles (call, usage, import, type, write), with commas or repeated
    #[arg(long = "role", value_name = "ROLE")]
    pub roles: Vec<String>,
    /// Only files in this language; may be repeated
    #[arg(long = "lang", value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// Only files whose path matches, `!` in front excludes; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub files: Vec<String>,
    /// How many uses at most [default: 100]
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    #[schemars(range(min = 1, max = 100_000))]
    pub limit: Option<u32>,
    /// Fail in a workspace without an index instead of making one
    #[arg(long)]
    pub no_init: bool,
}

/// The uses of a name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The symbol as typed.
    pub symbol: String,
    /// The name that was looked for.
    pub name: String,
    /// How uses were tied to the symbol: `name`, by nothing but its name.
    pub resolution: &'static str,
    /// Definitions that have this name, which a use may mean.
    pub definitions: u64,
    /// The uses, as far as the limit goes.
    pub matches: Vec<Match>,
    /// How many uses there are.
    pub total: u64,
    /// Files that have the words of the name and were looked at.
    pub files: u64,
    /// Those of them in which nothing is known of uses: text, data, languages without structure.
    pub files_without_references: u64,
    /// How often the name stands in these; they are not listed.
    pub word_matches: u64,
    /// Files left out because they changed while they were looked at.
    pub changed_files: u64,
    /// Where nothing was found: names that are like the one typed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_names: Vec<String>,
    /// Whether the index was brought up to date.
    pub freshness: FreshnessState,
}

/// One use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// Workspace-relative path, `archive.zip!/member`, or url.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the name, from 0, in bytes.
    pub column: u32,
    /// `call`, `usage`, `import`, `type` or `write`.
    pub role: String,
    /// The text of the line.
    pub text: String,
    /// What the name belongs to, as written: `store` of `store.open()`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// Whether what it belongs to has the name of the container that was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names_container: Option<bool>,
    /// The innermost symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enclosing: Option<Around>,
}

/// The symbol around a use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Around {
    /// The name with what it stands in.
    pub qualified: String,
    /// `function`, `struct`, …
    pub kind: String,
    /// Its id.
    pub symbol_id: String,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let widest = self.matches.iter().map(|found| found.role.len()).max().unwrap_or(0);
        for found in &self.matches {
            let path = view.paint(Style::Name, &found.path);
            let line = view.paint(Style::Number, found.line);
            let padding = " ".repeat(widest - found.role.len());
            let role = view.paint(Style::Faint, &found.role);
            let room = view.width().saturating_sub(found.path.len() + widest + 10).max(30);
            let name = [self.name.to_lowercase()];
            let text = view.marked(&shorten(&found.text, room), &name);
            view.line(format!("{path}:{line}: {role}{padding}  {text}"));
        }
        if self.found() {
            let note = view.paint(Style::Faint, self.summary());
            view.line(note);
        } else {
            view.line("Nothing found.");
        }
        if self.word_matches > 0 {
            let note = format!(
                "`{}` also stands {} in {} where uses are not known",
                self.name,
                count(self.word_matches, "time", "times"),
                count(self.files_without_references, "file", "files"),
            );
            let note = view.paint(Style::Faint, note);
            view.line(note);
            view.hint(format!("`gik search +{}` finds these", typed(&self.name)));
        } else if !self.found() && self.definitions > 0 {
            let name = typed(&self.symbol);
            view.hint(format!("it is defined and not used by name; `gik def {name}` shows it"));
        } else if !self.found() {
            render_near_names(&self.near_names, &self.symbol, view);
        }
        warn_if_stale(view, self.freshness);
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.matches)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.matches, rows)
    }

    fn found(&self) -> bool {
        !self.matches.is_empty()
    }
}

impl Output {
    /// How much there is, and how far it can be trusted.
    fn summary(&self) -> String {
        let shown = self.matches.len() as u64;
        let cut = if shown < self.total {
            format!(", {shown} shown (`--limit N`)")
        } else {
            String::new()
        };
        let meant = match self.definitions {
            0 => "defined nowhere in the index".to_owned(),
            1 => "one definition has it".to_owned(),
            n => format!("{n} definitions share it"),
        };
        let changed = match self.changed_files {
            0 => String::new(),
            n => format!("; {} changed meanwhile", count(n, "file", "files")),
        };
        format!(
            "{}{cut}, found by name alone: {meant}; {} looked at{changed}",
            count(self.total, "use", "uses"),
            count(self.files, "file", "files"),
        )
    }
}

pub(crate) struct Refs;

impl Runs for Refs {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let roles = roles(&args.roles)?;
        let files = FileFilter::new(bases::languages(&args.languages)?, &args.files)?;
        let missing = Missing::unless(args.no_init);
        let (store, freshness) = current_store(&ws, missing)?;
        let snapshot = store.snapshot()?;
        let (mut pattern, defined) = definitions(&snapshot, &args.symbol)?;
        // Typed in another case than it has, it is looked for in the case it has.
        if let Some(best) = defined.first() {
            pattern.name.clone_from(&best.symbol.name);
        }
        let collected = references(&ws, &snapshot, &Asked { pattern: &pattern, roles, files })?;
        let sharing = snapshot.symbols_named(&pattern.name)?.len() as u64;
        let near_names = if collected.references.is_empty() && defined.is_empty() {
            near_names(&snapshot, &pattern)?
        } else {
            Vec::new()
        };
        let is_qualified = !pattern.containers.is_empty();
        let limit = args.limit.map_or(100, |limit| limit as usize);
        let output = Output {
            symbol: args.symbol,
            name: pattern.name,
            resolution: "name",
            definitions: sharing,
            total: collected.references.len() as u64,
            matches: collected
                .references
                .into_iter()
                .take(limit)
                .map(|found| Match {
                    path: found.path,
                    line: found.line,
                    column: found.column,
                    role: found.role.as_str().to_owned(),
                    text: found.text,
                    receiver: found.receiver,
                    names_container: is_qualified.then_some(found.names_container),
                    enclosing: found.enclosing.map(|around| Around {
                        qualified: around.qualified,
                        kind: around.kind,
                        symbol_id: around.symbol_id,
                    }),
                })
                .collect(),
            files: collected.files,
            files_without_references: collected.files_without_references,
            word_matches: collected.word_matches,
            changed_files: collected.changed_files,
            near_names,
            freshness,
        };
        let places = output.matches.iter();
        let places = places.map(|it| (it.path.as_str(), it.line.into(), it.text.as_str()));
        spared::lines(&ws, "refs", &output, places);
        Ok(output)
    }
}

fn roles(names: &[String]) -> Result<Vec<ReferenceRole>> {
    words(names)
        .map(|name| {
            ReferenceRole::from_name(&name.to_lowercase()).ok_or_else(|| {
                let known: Vec<&str> =
                    ReferenceRole::ALL.iter().map(|role| role.as_str()).collect();
                Failure::new(ErrorCode::ArgumentInvalid, format!("there is no role `{name}`"))
                    .hint(format!("use some of: {}", known.join(", ")))
            })
        })
        .collect()
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Refs>(&["refs"], Effect::Reads, Shape::List, "gik refs Store::open --role call");
