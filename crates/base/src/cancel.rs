//! Cooperative stopping: Ctrl-C sets a flag, long loops look at it between files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{ErrorCode, Failure, Result};

/// A flag that many threads look at and one sets. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks everyone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for whoever may do nothing but set it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether someone asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails with `interrupted` once someone asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            return Err(Failure::new(ErrorCode::Interrupted, "interrupted")
                .hint("what was finished is kept; run the command again to go on"));
        }
        Ok(())
    }
}
