//! Calls of tools: a bounded number at once, each within a bounded time, each ended when its client leaves.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Failure, Result};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::answer::{self, Answer};
use super::events;
use super::metrics::Metrics;
use crate::runtime::work;
use crate::service::{Answered, Call, Heard, MOST_UNDER_WAY, Service};

/// As long as a call may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// So many more may wait for their turn.
const WAITING: usize = 256;

/// Calls of tools.
#[derive(Debug)]
pub(super) struct Calls {
    pub(super) service: Arc<Service>,
    pub(super) metrics: Arc<Metrics>,
    admitted: Arc<Semaphore>,
}

/// Ends a call when it is dropped.
struct Ends(Cancel);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Counts a call as one that runs.
struct Counted(Arc<Metrics>);

impl Counted {
    fn new(metrics: &Arc<Metrics>) -> Self {
        metrics.running.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(metrics))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Calls {
    pub(super) fn new(service: Arc<Service>, metrics: Arc<Metrics>) -> Self {
        let admitted = Arc::new(Semaphore::new(MOST_UNDER_WAY + WAITING));
        Self { service, metrics, admitted }
    }

    /// Calls a tool and answers when it is done.
    pub(super) async fn answer(&self, name: String, arguments: Map<String, Value>) -> Answer {
        let heard = Arc::new(Heard::new(|_| {}));
        let cancel = Cancel::default();
        let _ends = Ends(cancel.clone());
        match self.call(name, arguments, &heard, cancel).await {
            Ok(answered) => answer::answered(&answered, &heard.notes()),
            Err(failure) => answer::failed(&failure),
        }
    }

    /// Calls a tool and tells its steps on the way.
    pub(super) fn stream(self: &Arc<Self>, name: String, arguments: Map<String, Value>) -> Answer {
        let cancel = Cancel::default();
        let (sender, answer) = events::stream(Ends(cancel.clone()));
        let steps = sender.clone();
        let heard = Arc::new(Heard::new(move |step| {
            let told = json!({"step": step.name, "done": step.done, "total": step.total});
            // Whoever does not keep up misses steps, not answers.
            drop(steps.try_send(events::event("progress", &told)));
        }));
        let calls = Arc::clone(self);
        drop(tokio::spawn(async move {
            let event = match calls.call(name, arguments, &heard, cancel).await {
                Ok(Answered { json, next_cursor, cuts, .. }) => {
                    let cuts: Vec<Value> = cuts
                        .iter()
                        .map(|it| json!({"at": it.at, "kept": it.kept, "of": it.of}))
                        .collect();
                    let told = json!({
                        "answer": json, "notes": heard.notes(), "truncated": cuts, "nextCursor": next_cursor,
                    });
                    events::event("answer", &told)
                },
                Err(failure) => events::event("error", &crate::output::failure_json(&failure)),
            };
            drop(sender.send(event).await);
        }));
        answer
    }

    async fn call(
        &self,
        name: String,
        arguments: Map<String, Value>,
        heard: &Arc<Heard>,
        cancel: Cancel,
    ) -> Result<Answered> {
        let busy = || {
            Failure::new(ErrorCode::StoreBusy, "too many calls wait already")
                .hint("call again in a moment")
        };
        let _admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| busy())?;
        let turn = self.service.turn().await?;
        let started = Instant::now();
        let counted = Counted::new(&self.metrics);
        let (service, listener, asked) =
            (Arc::clone(&self.service), Arc::clone(heard), cancel.clone());
        let tool = name.clone();
        let working = work(move || {
            // A client that leaves ends the waiting for its call at once, and the call itself a little later.
            let _until_it_ends = (turn, counted);
            service.call(Call { name: &tool, arguments, heard: &listener, cancel: asked })
        });
        let result = match tokio::time::timeout(PATIENCE, working).await {
            Ok(result) => result,
            Err(_) => {
                cancel.cancel();
                Err(Failure::new(ErrorCode::Interrupted, "the call took too long"))
            },
        };
        let is_failure = result.as_ref().map_or(true, |answered| answered.is_failure);
        if let Some(tool) = self.service.find(&name) {
            self.metrics.call(&tool.name, started.elapsed(), is_failure);
        }
        result
    }
}
