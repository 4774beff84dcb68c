//! Does what calls ask for. A call that was checked is a [`Job`], which another process can do as well.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gik_base::progress::Silent;
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result};
use gik_engine::tools::index;
use gik_engine::{Context, Options, Tool, at_work, lacks_index};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::answered::{Answered, Asked};
use super::build::{Builds, Progressing};

/// A call that was checked, with everything that decides about its answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The name by which programs call the tool.
    pub(crate) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) options: Options,
    pub(super) folder: PathBuf,
    /// Whether an index is made where there is none.
    pub(super) starts_index: bool,
    pub(super) asked: Asked,
}

/// Does jobs.
#[derive(Debug)]
pub(crate) struct Worker {
    builds: Arc<Builds>,
    stopping: Cancel,
}

impl Worker {
    pub(crate) fn new(stopping: Cancel) -> Self {
        Self { builds: Arc::default(), stopping }
    }

    /// Whether an index is being made in the background.
    pub(crate) fn is_building(&self) -> bool {
        self.builds.is_any_running()
    }

    /// Does a job. Takes as long as the tool does, on the thread of the caller.
    pub(crate) fn run(
        &self,
        tool: &Tool,
        job: Job,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Answered> {
        let Job { arguments, mut options, folder, starts_index, asked, .. } = job;
        if starts_index {
            options.in_hurry = self.start_index(&folder, &options, progress)?;
        }
        let ctx = Context { options, cwd: folder, progress, cancel: cancel.clone() };
        at_work(|| {
            cancel.check()?;
            let answer = tool.run_json(&ctx, Value::Object(arguments))?;
            cancel.check()?;
            asked.cut(answer, tool.shape)
        })
    }

    /// Sees to it that an index is being made where there is none, and waits for it as long as anyone likes to wait.
    /// Says whether it is still being made.
    fn start_index(
        &self,
        folder: &Path,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<bool> {
        let is_missing = || {
            let ctx = Context {
                options: options.clone(),
                cwd: folder.to_owned(),
                progress: &Silent,
                cancel: self.stopping.clone(),
            };
            lacks_index(&ctx.open()?)
        };
        let running = self.builds.running(folder);
        if !is_missing()? {
            // What is there can be asked, also while more is being made.
            running.iter().for_each(|build| progress.inform(&build.told()));
            return Ok(running.is_some());
        }
        let build = running.unwrap_or_else(|| {
            let (options, cwd) = (options.clone(), folder.to_owned());
            let cancel = self.stopping.clone();
            self.builds.start(folder, move |progress: &Progressing| {
                let ctx = Context { options, cwd, progress, cancel };
                index::TOOL.run_json(&ctx, json!({})).map(drop)
            })
        });
        if build.wait()? {
            return Ok(false);
        }
        progress.inform(&build.told());
        if is_missing()? {
            return Err(Failure::new(ErrorCode::StoreBusy, build.told())
                .hint("nothing can be searched yet; call again in a few seconds"));
        }
        Ok(true)
    }
}
