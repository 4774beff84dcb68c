//! `gik doctor`: what is there, what works, what to do about the rest.

use std::ops::Range;

use gik_base::{ErrorCode, Result, env};
use gik_store::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::embedding::EmbeddingConfig;
use crate::tool::{Runs, keep, rows_of};
use crate::view::{Cell, Style, count};
use crate::{Context, Effect, Report, Shape, Tool, View, Workspace};

/// Check that everything GIK needs is there and in order
#[derive(Debug, Default, clap::Args, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {}

/// The checks.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Whether no check failed.
    pub ok: bool,
    /// In order.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// `ok`, `warning` or `failed`.
    pub state: State,
    /// What was seen.
    pub detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// In order.
    Ok,
    /// Works, but look at it.
    Warning,
    /// Does not work.
    Failed,
}

impl Report for Output {
    fn render(&self, view: &mut View) {
        let rows: Vec<Vec<Cell>> = self
            .checks
            .iter()
            .map(|check| {
                let (style, word) = match check.state {
                    State::Ok => (Style::Good, "ok"),
                    State::Warning => (Style::Warning, "warning"),
                    State::Failed => (Style::Bad, "failed"),
                };
                vec![Cell::styled(style, word), Cell::text(&check.name), Cell::text(&check.detail)]
            })
            .collect();
        view.table(&["", "check", ""], &rows);
        for hint in self.checks.iter().filter_map(|check| check.hint.as_ref()) {
            view.hint(hint);
        }
    }

    fn rows(&self) -> Option<Vec<Value>> {
        rows_of(&self.checks)
    }

    fn keep_rows(&mut self, rows: Range<usize>) -> bool {
        keep(&mut self.checks, rows)
    }

    fn found(&self) -> bool {
        self.ok
    }
}

struct Doctor;

impl Runs for Doctor {
    type Args = Args;
    type Output = Output;

    fn run(ctx: &Context<'_>, _args: Args) -> Result<Output> {
        let mut checks = vec![check("version", State::Ok, env!("CARGO_PKG_VERSION"), None)];
        let structured =
            gik_parse::languages().iter().filter(|language| language.has_structure()).count();
        checks.push(check(
            "languages",
            State::Ok,
            &format!("{} known, {structured} with structure", gik_parse::languages().len()),
            None,
        ));
        check_home(&mut checks);
        #[cfg(unix)]
        check_warm_process(&mut checks);
        check_workspace(ctx, &mut checks);
        let ok = checks.iter().all(|check| check.state != State::Failed);
        Ok(Output { ok, checks })
    }
}

fn check(name: &str, state: State, detail: &str, hint: Option<&str>) -> Check {
    Check { name: name.to_owned(), state, detail: detail.to_owned(), hint: hint.map(str::to_owned) }
}

fn check_home(checks: &mut Vec<Check>) {
    checks.push(match env::gik_home() {
        Some(home) => check("home", State::Ok, &home.display().to_string(), None),
        None => check(
            "home",
            State::Warning,
            "there is no home folder: no global config and no global memory",
            Some("set GIK_HOME to a folder"),
        ),
    });
}

/// Says whether a warm process runs. That none does is in order: the next `gik mcp` starts one.
#[cfg(unix)]
fn check_warm_process(checks: &mut Vec<Check>) {
    use crate::warm::{Place, settings};
    let look = || -> Result<&str> {
        if env::is_without_daemon() || !settings()?.is_used {
            return Ok("turned off");
        }
        let runs = Place::of_user()?.is_listened_to()?;
        Ok(if runs { "running; `gik daemon status` tells more" } else { "not running" })
    };
    checks.push(match look() {
        Ok(detail) => check("warm process", State::Ok, detail, None),
        Err(failure) => {
            let hint = failure.hints().first().map(String::as_str);
            let detail = format!("not used: {failure}");
            check("warm process", State::Warning, &detail, hint)
        },
    });
}

fn check_workspace(ctx: &Context<'_>, checks: &mut Vec<Check>) {
    let ws = match ctx.open() {
        Ok(ws) => ws,
        Err(failure) => {
            checks.push(check(
                "workspace",
                State::Failed,
                &failure.to_string(),
                failure.hints().first().map(String::as_str),
            ));
            return;
        },
    };
    checks.push(check("workspace", State::Ok, &ws.root.display().to_string(), None));
    match ctx.settings(&ws.root) {
        Ok(loaded) if loaded.warnings.is_empty() => {
            checks.push(check("config", State::Ok, "valid", None));
        },
        Ok(loaded) => {
            let messages: Vec<&str> =
                loaded.warnings.iter().map(|warning| warning.message.as_str()).collect();
            checks.push(check(
                "config",
                State::Warning,
                &messages.join("; "),
                Some("run `gik config check`"),
            ));
        },
        Err(failure) => checks.push(check(
            "config",
            State::Failed,
            &failure.to_string(),
            Some("run `gik config check`"),
        )),
    }
    check_models(&ws, checks);
    let scm = match (ws.scm.provider.as_str(), ws.scm.head.as_deref()) {
        (provider, Some(head)) => format!("{provider}, {}", head.get(..12).unwrap_or(head)),
        (provider, None) => provider.to_owned(),
    };
    checks.push(check("version control", State::Ok, &scm, None));
    if !ws.branch.is_initialized() {
        checks.push(check("branch", State::Warning, "no knowledge yet", Some("run `gik index`")));
        return;
    }
    checks.push(check("branch", State::Ok, ws.branch.name(), None));
    checks.push(match ws.hold_for(std::time::Duration::ZERO) {
        Ok(_) => check("lock", State::Ok, "free", None),
        Err(failure) if failure.code() == ErrorCode::StoreBusy => {
            check("lock", State::Warning, "another process is writing", None)
        },
        Err(failure) => check("lock", State::Warning, &failure.to_string(), None),
    });
    let stored = ws.store(Access::ReadOnly).and_then(|store| {
        let snapshot = store.snapshot()?;
        Ok((snapshot.files()?.len(), snapshot.segments().len()))
    });
    checks.push(match stored {
        Ok((files, segments)) => check(
            "index",
            State::Ok,
            &format!(
                "{}, {}",
                count(files as u64, "file", "files"),
                count(segments as u64, "lexical segment", "lexical segments")
            ),
            None,
        ),
        Err(failure) if failure.code() == ErrorCode::NoIndexedBase => {
            check("index", State::Warning, "not made yet", Some("run `gik index`"))
        },
        Err(failure) => {
            check("index", State::Failed, &failure.to_string(), Some("run `gik reindex`"))
        },
    });
}

/// Opens the models that are on this machine; servers are not asked.
fn check_models(ws: &Workspace<'_>, checks: &mut Vec<Check>) {
    let bases = ws.settings.embeddings.bases.keys().map(|base| (base.as_str(), Some(base)));
    for (user, base) in std::iter::once(("default", None)).chain(bases) {
        let config = match base {
            Some(base) => EmbeddingConfig::of(&ws.settings, base),
            None => EmbeddingConfig::of_default(&ws.settings),
        };
        let opened = config.and_then(|config| {
            if config.provider.is_local() {
                config.open(env::gik_home().as_deref(), &ws.ctx.cancel)?;
            }
            Ok(format!("{}:{} for {user}", config.provider.as_str(), config.model_id))
        });
        checks.push(match opened {
            Ok(detail) => check("model", State::Ok, &detail, None),
            Err(failure) => {
                let hint = failure.hints().first().map(String::as_str);
                check("model", State::Failed, &failure.to_string(), hint)
            },
        });
    }
}

/// The row of the table.
pub const TOOL: Tool =
    Tool::new::<Doctor>(&["doctor"], Effect::Reads, Shape::List, "gik doctor").here();
