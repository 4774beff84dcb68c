//! The one place where asynchronous code is run: a single thread that waits, and threads for work.

use std::time::Duration;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use tokio_util::sync::CancellationToken;

use crate::service::MOST_UNDER_WAY;

/// A thread for every call that is under way, and some for what is not a call.
const THREADS: usize = MOST_UNDER_WAY + 16;
/// How often signals are looked for.
const GLANCE: Duration = Duration::from_millis(50);
/// As long as work that was asked to stop may go on.
const FAREWELL: Duration = Duration::from_secs(5);

/// Runs a future to its end.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .map_err(|error| {
            Failure::new(ErrorCode::Io, "the server could not be started").caused_by(error)
        })?;
    let result = runtime.block_on(future);
    runtime.shutdown_timeout(FAREWELL);
    result
}

/// Cancels a token once a signal has set the flag, and sets the flag once the token is cancelled.
pub(crate) fn cancel_on_signal(token: CancellationToken, stopping: Cancel) {
    drop(tokio::spawn(async move {
        while !stopping.is_cancelled() && !token.is_cancelled() {
            tokio::time::sleep(GLANCE).await;
        }
        stopping.cancel();
        token.cancel();
    }));
}

/// Runs work on a thread of its own. A panic becomes a failure.
pub(crate) async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(Failure::new(ErrorCode::Internal, "the tool broke off").caused_by(error)),
    }
}
