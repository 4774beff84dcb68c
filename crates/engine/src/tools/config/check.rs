//! `gik config check`: everything that is wrong with the configuration.

use std::ops::Range;
use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Layers;
use crate::settings::document::Layer;
use crate::settings::{Origin, Problem, Severity, Trust, read_environment, read_file, short_path};
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View};

/// Find every mistake in the configuration
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Check this file alone instead of both config files and the environment
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

/// What is wrong with the configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The files that were read.
    pub files: Vec<String>,
    /// How many problems keep the configuration from being used.
    pub errors: usize,
    /// How many values are left out.
    pub warnings: usize,
    /// The problems, file by file and from top to bottom.
    pub problems: Vec<Finding>,
}

/// One problem.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Whether the configuration can be used all the same.
    pub severity: Severity,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The environment variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The place as people read it.
    #[serde(skip)]
    pub place: String,
}

impl From<Problem> for Finding {
    fn from(problem: Problem) -> Self {
        let Problem { severity, at, key, message, hint } = problem;
        let place = at.to_string();
        let file = at.file_and_line().map(|(file, _)| file.to_string_lossy().into_owned());
        let line = at.file_and_line().map(|(_, line)| line).filter(|line| *line > 0);
        let variable = match at {
            Origin::Environment { variable } => Some(variable),
            Origin::Default | Origin::Global { .. } | Origin::Project { .. } | Origin::Flag => None,
        };
        Self { severity, file, line, variable, key, message, hint, place }
    }
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        for problem in &self.problems {
            let label = match problem.severity {
                Severity::Error => view.paint(Style::Bad, "error:"),
                Severity::Warning => view.paint(Style::Warning, "warning:"),
            };
            let place = view.paint(Style::Name, &problem.place);
            let message = view.plain(&problem.message);
            view.line(format!("{label} {place}: {message}"));
            if let Some(hint) = &problem.hint {
                view.hint(hint);
            }
        }
        if !self.problems.is_empty() {
            let errors = count(self.errors as u64, "error", "errors");
            let warnings = count(self.warnings as u64, "warning", "warnings");
            view.line(format!("{errors}, {warnings}"));
        } else if self.files.is_empty() {
            view.line("There is no config file; the defaults hold.");
            view.hint("`gik config init` writes one with every key in it");
        } else {
            for file in &self.files {
                let good = view.paint(Style::Good, "ok:");
                let file = view.paint(Style::Name, short_path(Path::new(file)));
                view.line(format!("{good} {file}"));
            }
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.problems)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.problems, rows)
    }

    fn found(&self) -> bool {
        self.errors == 0
    }
}

struct Check;

impl Runs for Check {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let layers = Layers::of(ctx)?;
        check(&layers, args.file.map(|file| ctx.cwd.join(file)))
    }
}

pub(super) fn check(layers: &Layers, only: Option<PathBuf>) -> Result<Output> {
    let mut output = Output { files: Vec::new(), errors: 0, warnings: 0, problems: Vec::new() };
    if let Some(file) = only {
        if !fs::exists(&file) {
            let message = format!("there is no file `{}`", file.display());
            return Err(Failure::new(ErrorCode::PathMissing, message));
        }
        let is_global = layers.paths.global.as_ref() == Some(&file);
        let layer = if is_global { Layer::Global } else { Layer::Project };
        // A file that is not the workspace's own cannot be trusted or untrusted.
        let trust = (file == layers.paths.project).then(|| layers.trust()).transpose()?;
        output.add_file(&file, layer, trust.as_ref());
    } else {
        if let Some(global) = &layers.paths.global {
            output.add_file(global, Layer::Global, None);
        }
        output.add_file(&layers.paths.project, Layer::Project, Some(&layers.trust()?));
        output.add(read_environment(&layers.environment).problems);
    }
    Ok(output)
}

impl Output {
    fn add_file(&mut self, file: &Path, layer: Layer, trust: Option<&Trust>) {
        if !fs::exists(file) {
            return;
        }
        self.files.push(file.to_string_lossy().into_owned());
        match read_file(file, layer, trust) {
            Ok(document) => self.add(document.problems),
            // What keeps one file from being read must not hide the problems of the other.
            Err(failure) => self.add(vec![Problem {
                severity: Severity::Error,
                at: layer.at(file, 0),
                key: None,
                message: failure.to_string(),
                hint: failure.hints().first().cloned(),
            }]),
        }
    }

    fn add(&mut self, mut problems: Vec<Problem>) {
        problems.sort_by(|a, b| a.at.cmp(&b.at));
        for problem in problems {
            match problem.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
            self.problems.push(problem.into());
        }
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Check>(&["config", "check"], Effect::Reads, Shape::List, "gik config check")
        .for_people();
