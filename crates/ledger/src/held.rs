//! The proof that this process holds the lock of a knowledge repository, or of the global memory.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gik_base::lock::Lock;
use gik_base::{Cancel, ErrorCode, Failure, Result};

/// The lock file of a knowledge repository and of the global memory.
pub(crate) const LOCK: &str = ".lock";

/// The lock, held until dropped. Every function that changes something asks for it.
#[derive(Debug)]
pub struct Held {
    _lock: Lock,
    dir: PathBuf,
    recovered: Vec<String>,
    open_transactions: AtomicUsize,
}

impl Held {
    pub(crate) fn acquire(dir: &Path, patience: Duration, cancel: &Cancel) -> Result<Self> {
        let lock = Lock::acquire(&dir.join(LOCK), patience, cancel)?;
        Ok(Self {
            _lock: lock,
            dir: dir.to_owned(),
            recovered: Vec::new(),
            open_transactions: AtomicUsize::new(0),
        })
    }

    /// What had to be finished or repaired when the lock was taken; sentences without a final period.
    pub fn recovered(&self) -> &[String] {
        &self.recovered
    }

    pub(crate) fn note_recovered(&mut self, actions: Vec<String>) {
        self.recovered.extend(actions);
    }

    /// Fails unless the lock is the one of `dir`: holding the lock of another workspace proves nothing.
    pub(crate) fn check_covers(&self, dir: &Path) -> Result<()> {
        if dir.starts_with(&self.dir) {
            return Ok(());
        }
        Err(Failure::new(
            ErrorCode::Internal,
            format!("the lock of `{}` does not cover `{}`", self.dir.display(), dir.display()),
        ))
    }

    pub(crate) fn begin_transaction(&self) {
        self.open_transactions.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end_transaction(&self) {
        self.open_transactions.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether temporary files may belong to a transaction that is still being collected.
    pub(crate) fn has_open_transactions(&self) -> bool {
        self.open_transactions.load(Ordering::Relaxed) > 0
    }
}
