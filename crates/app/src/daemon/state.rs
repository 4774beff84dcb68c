//! What the conversations of a warm process share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gik_base::Cancel;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::wire::{Hello, Welcome};
use crate::service::{MOST_UNDER_WAY, Worker};

/// More conversations than this are turned away.
const MOST_CONVERSATIONS: usize = 128;

/// What the conversations share.
#[derive(Debug)]
pub(super) struct State {
    greeting: Hello,
    pub(super) worker: Worker,
    pub(super) places: Arc<Semaphore>,
    /// So many requests are under way at once.
    pub(super) turns: Semaphore,
    /// Cancelled when a newer build asked.
    pub(super) retiring: CancellationToken,
    idle: Duration,
    calls: AtomicU64,
    running: AtomicU64,
    last_call: Mutex<Instant>,
}

impl State {
    pub(super) fn new(greeting: Hello, idle_seconds: u64, stopping: Cancel) -> Self {
        Self {
            greeting,
            worker: Worker::new(stopping),
            places: Arc::new(Semaphore::new(MOST_CONVERSATIONS)),
            turns: Semaphore::new(MOST_UNDER_WAY),
            retiring: CancellationToken::new(),
            idle: Duration::from_secs(idle_seconds),
            calls: AtomicU64::new(0),
            running: AtomicU64::new(0),
            last_call: Mutex::new(Instant::now()),
        }
    }

    pub(super) fn welcome(&self) -> Welcome {
        Welcome {
            protocol: self.greeting.protocol,
            build: self.greeting.build.clone(),
            environment: self.greeting.environment.clone(),
            pid: std::process::id(),
            calls: self.calls.load(Ordering::Relaxed),
            running: self.running.load(Ordering::Relaxed),
            idle_seconds: self.idle.as_secs(),
        }
    }

    /// Counts a request until the result is dropped.
    pub(super) fn call(self: &Arc<Self>) -> Running {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
        Running(Arc::clone(self))
    }

    pub(super) fn is_working(&self) -> bool {
        self.running.load(Ordering::Relaxed) > 0
    }

    /// Whether nobody asked for long enough, and nothing is under way.
    pub(super) fn has_had_its_time(&self) -> bool {
        !self.is_working() && !self.worker.is_building() && self.last_call().elapsed() >= self.idle
    }

    fn last_call(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.last_call.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request that is worked on.
#[derive(Debug)]
pub(super) struct Running(Arc<State>);

impl Drop for Running {
    fn drop(&mut self) {
        *self.0.last_call() = Instant::now();
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}
