//! One watch of one workspace: follow, look, tell, wait, and again.

use std::time::{Duration, Instant};

use gik_base::{ErrorCode, Failure, FileKey, FileStat, Result, clock, fs};
use gik_contract::ask::FreshnessState;
use gik_discover::walk::Explain;
use gik_discover::watch::POLL_INTERVAL;
use gik_discover::{Following, Watcher, detect_scm};

use super::{Event, Output};
use crate::answer::{Missing, ensure_index};
use crate::embedding::EmbeddingConfig;
use crate::ingest::{Effort, Outcome, fill, refresh};
use crate::tool::Hear;
use crate::{Context, Workspace, bases, history};

/// The first pause before something that failed is tried again; each one after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What does not pass while we wait.
const FINAL: [ErrorCode; 7] = [
    ErrorCode::Interrupted,
    ErrorCode::Internal,
    ErrorCode::NotInitialized,
    ErrorCode::BranchMissing,
    ErrorCode::WorkspaceMissing,
    ErrorCode::ArgumentInvalid,
    ErrorCode::StoreNewer,
];

pub(super) struct Session<'a> {
    ctx: &'a Context<'a>,
    ws: Workspace<'a>,
    watcher: Watcher,
    /// The project's config as it was read.
    config: Option<FileStat>,
    /// Whether the branch at hand is known to have an index.
    has_index: bool,
    /// What the next answer is about, if it is not a plain update.
    due: Option<Event>,
}

impl<'a> Session<'a> {
    pub(super) fn open(ctx: &'a Context<'a>, interval: Option<Duration>) -> Result<Self> {
        let ws = ctx.open()?;
        ws.require_checked_out()?;
        let watcher = match interval {
            Some(interval) => Watcher::by_polling(&ws.root, interval),
            None => Watcher::by_events(&ws.root),
        };
        let config = config_stat(&ws)?;
        Ok(Self { ctx, ws, watcher, config, has_index: false, due: Some(Event::Watching) })
    }

    /// Goes on until stopped, or until nobody listens any more.
    pub(super) fn run(&mut self, hear: Hear<'_, Output>) -> Result<()> {
        let mut pause = None;
        loop {
            let output = match self.look() {
                Err(failure) if self.may_pass(&failure) => {
                    self.ctx.progress.warn(&failure.to_string());
                    self.output(Event::Delayed, &Outcome::default(), FreshnessState::Stale)
                },
                looked => looked?,
            };
            pause = match output.freshness {
                FreshnessState::Current => None,
                FreshnessState::Stale => Some(longer(pause)),
            };
            let is_current = output.freshness == FreshnessState::Current;
            let is_slow = self.has_slow_model();
            // A table makes its vectors in no time, so that what is told of is done.
            while is_current && !is_slow && self.backfill()? {}
            if is_news(&output) && hear(output)?.is_break() {
                return Ok(());
            }
            // Nobody waits for other models, so changes are looked at between their batches.
            if is_current && is_slow && self.backfill()? {
                pause = Some(Duration::ZERO);
            }
            if !self.watcher.wait(pause, &self.ctx.cancel) {
                return Ok(());
            }
        }
    }

    /// Whether the vectors of any base come from something slower than a table.
    fn has_slow_model(&self) -> bool {
        let config = |base: &&str| EmbeddingConfig::of(&self.ws.settings, base);
        bases::FILE_BASES.iter().any(|base| config(base).is_ok_and(|config| !config.is_table()))
    }

    /// Makes some of the vectors that are missing. Says whether there may be more to make.
    fn backfill(&self) -> Result<bool> {
        match fill(&self.ws, Effort::Batch) {
            Ok(n_made) => Ok(n_made > 0),
            Err(failure) if failure.code() == ErrorCode::Interrupted => Err(failure),
            // The next look tells what is wrong.
            Err(_) => Ok(false),
        }
    }

    fn look(&mut self) -> Result<Output> {
        let started = Instant::now();
        self.reopen_if_changed()?;
        if !self.has_index {
            ensure_index(&self.ws, Missing::Index)?;
            self.has_index = true;
        }
        // Whoever removes the knowledge while we watch does not want it back.
        if !self.ws.branch.is_initialized() {
            return Err(self.ws.not_initialized());
        }
        let folders = self.follow()?;
        let refreshed = refresh(&self.ws)?;
        history::update_or_warn(&self.ws)?;
        let event = match refreshed.state {
            FreshnessState::Current => self.due.take().unwrap_or(Event::Updated),
            FreshnessState::Stale => Event::Delayed,
        };
        let output = self.output(event, &refreshed.outcome, refreshed.state);
        let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Output { milliseconds, folders, ..output })
    }

    fn output(&self, event: Event, outcome: &Outcome, freshness: FreshnessState) -> Output {
        Output {
            event,
            time: clock::now(),
            branch: self.ws.branch.name().to_owned(),
            added: outcome.added,
            updated: outcome.updated,
            removed: outcome.removed,
            moved: outcome.moved,
            milliseconds: 0,
            freshness,
            folders: None,
        }
    }

    /// Another branch has other knowledge, and another config may have other rules.
    fn reopen_if_changed(&mut self) -> Result<()> {
        let root = &self.ws.root;
        if !fs::exists(root) {
            return Err(Failure::new(
                ErrorCode::WorkspaceMissing,
                format!("`{}` is gone", root.display()),
            ));
        }
        let scm = detect_scm(root)?;
        let config = config_stat(&self.ws)?;
        let is_switched = scm.branch != self.ws.scm.branch;
        if is_switched || config != self.config {
            let ws = self.ctx.open()?;
            ws.require_checked_out()?;
            self.ws = ws;
            self.config = config;
        } else {
            self.ws.scm = scm;
        }
        if is_switched {
            self.has_index = false;
            self.due.get_or_insert(Event::Switched);
        }
        Ok(())
    }

    /// Watches what is tracked now, and what tells of changes to that.
    fn follow(&mut self) -> Result<Option<u64>> {
        let tracking = self.ws.tracking()?;
        let mut scopes = tracking.scopes();
        let archives = tracking.archives();
        scopes.extend(archives.iter().map(|entry| FileKey::from_text(entry.uri.as_str())));
        let files = [self.ws.knowledge.config_path(), self.ws.branch.pending_path()];
        let options = self.ws.walk_options(Explain::Quiet);
        match self.watcher.follow(&scopes, &files, &options, &self.ctx.cancel)? {
            Following::Events(folders) => Ok(Some(folders as u64)),
            Following::Polling(_) => Ok(None),
            Following::Refused(refusal) => {
                let mut message = format!(
                    "the system does not watch the folders ({}): looking every {} s instead",
                    refusal.reason.trim_end_matches('.'),
                    POLL_INTERVAL.as_secs()
                );
                if refusal.is_limit && cfg!(target_os = "linux") {
                    message.push_str(
                        "; `fs.inotify.max_user_watches` and `max_user_instances` are its limits",
                    );
                }
                self.ctx.progress.warn(&message);
                Ok(None)
            },
        }
    }

    /// Whether a failure may be over by itself. At the start it is told at once, unless someone else is at work.
    fn may_pass(&self, failure: &Failure) -> bool {
        let is_started = self.due != Some(Event::Watching);
        failure.code() == ErrorCode::StoreBusy || is_started && !FINAL.contains(&failure.code())
    }
}

fn is_news(output: &Output) -> bool {
    output.event != Event::Updated
        || output.added + output.updated + output.removed + output.moved > 0
}

fn longer(pause: Option<Duration>) -> Duration {
    pause.map_or(FIRST_PAUSE, |pause| (pause * 2).min(LONGEST_PAUSE))
}

fn config_stat(ws: &Workspace<'_>) -> Result<Option<FileStat>> {
    let metadata = fs::symlink_metadata_if_present(&ws.knowledge.config_path())?;
    Ok(metadata.as_ref().map(FileStat::of))
}
