//! `gik stack`: languages, dependencies and technologies of the workspace.

use std::collections::BTreeMap;

use gik_base::Result;
use gik_contract::{StackDependencyEntry, StackTechEntry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Runs;
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, stack_scan};

/// Show what the workspace is made of: languages, dependencies, technologies
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// List every dependency instead of counting them
    #[arg(long)]
    pub dependencies: bool,
}

/// The inventory.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Files in the workspace.
    pub total_files: u64,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Package managers.
    pub managers: Vec<String>,
    /// Every dependency.
    pub dependencies: Vec<StackDependencyEntry>,
    /// Technologies, with what gave them away.
    pub tech: Vec<StackTechEntry>,
    /// Manifests that could not be read.
    pub problems: Vec<String>,
    #[serde(skip)]
    lists_dependencies: bool,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let mut languages: Vec<(&String, &u64)> = self.languages.iter().collect();
        languages.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let rows: Vec<Vec<Cell>> = languages
            .into_iter()
            .map(|(language, files)| vec![Cell::text(language), Cell::number(files)])
            .collect();
        if self.total_files == 0 {
            view.line("There are no files.");
            return;
        }
        view.table(&["language", "files"], &rows);
        if !self.tech.is_empty() {
            view.blank();
            let rows: Vec<Vec<Cell>> = self
                .tech
                .iter()
                .map(|tech| {
                    vec![
                        Cell::text(&tech.kind),
                        Cell::styled(Style::Name, &tech.name),
                        Cell::text(&tech.source),
                    ]
                })
                .collect();
            view.table(&["kind", "technology", "seen in"], &rows);
        }
        if !self.dependencies.is_empty() {
            view.blank();
        }
        if self.lists_dependencies {
            let rows: Vec<Vec<Cell>> = self
                .dependencies
                .iter()
                .map(|entry| {
                    vec![
                        Cell::text(&entry.manager),
                        Cell::styled(Style::Name, &entry.name),
                        Cell::text(&entry.version),
                        Cell::text(&entry.scope),
                        Cell::text(&entry.manifest_path),
                    ]
                })
                .collect();
            view.table(&["manager", "dependency", "version", "scope", "manifest"], &rows);
        } else {
            let mut per_manager: BTreeMap<&str, u64> = BTreeMap::new();
            for entry in &self.dependencies {
                *per_manager.entry(&entry.manager).or_default() += 1;
            }
            for (manager, n) in per_manager {
                let manager = view.paint(Style::Name, manager);
                view.line(format!("{manager}: {}", count(n, "dependency", "dependencies")));
            }
            if !self.dependencies.is_empty() {
                view.hint("`gik stack --dependencies` lists them");
            }
        }
        for problem in &self.problems {
            let label = view.paint(Style::Warning, "warning:");
            let problem = view.plain(problem);
            view.line(format!("{label} {problem}"));
        }
    }
}

struct Stack;

impl Runs for Stack {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, args: Args) -> Result<Output> {
        let ws = ctx.open()?;
        let inventory = stack_scan::scan(&ws)?;
        Ok(Output {
            total_files: inventory.total_files,
            languages: inventory.languages,
            managers: inventory.managers,
            dependencies: inventory.dependencies,
            tech: inventory.tech,
            problems: inventory
                .problems
                .iter()
                .map(|problem| format!("{}: {}", problem.path, problem.message))
                .collect(),
            lists_dependencies: args.dependencies,
        })
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Stack>(&["stack"], Effect::Reads, Shape::One, "gik stack --dependencies");
