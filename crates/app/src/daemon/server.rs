//! The warm process itself: takes the socket, answers, and ends when nobody needs it.

use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::time::Duration;

use gik_base::lock::Lock;
use gik_base::{Cancel, ErrorCode, Failure, Result, fs, process};
use gik_engine::warm::{self, Place};
use tokio::net::UnixListener;
use tokio_util::sync::CancellationToken;

use super::conversation;
use super::helper::hello;
use super::state::State;
use crate::exit::ExitCode;
use crate::runtime;

/// How often it is looked whether there is still a reason to be there.
const GLANCE: Duration = Duration::from_millis(250);
/// One that was only asked to make room may finish what it does.
const GRACE: Duration = Duration::from_secs(120);
/// One that is told to stop has less time.
const FAREWELL: Duration = Duration::from_secs(5);
/// As long as another one, which may be about to leave, is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers until there is no more reason to.
pub(super) fn run(stopping: Cancel) -> Result<ExitCode> {
    let place = Place::of_user()?;
    place.prepare()?;
    let settings = warm::settings()?;
    let hello = hello()?;
    let lock = Lock::acquire(&place.lock, PATIENCE, &stopping).map_err(|failure| {
        if failure.code() != ErrorCode::StoreBusy {
            return failure;
        }
        Failure::new(ErrorCode::StoreBusy, "a warm process runs already")
            .hint("`gik daemon status` tells more")
    })?;
    process::leave_session();
    gik_engine::stay_warm();
    let state = Arc::new(State::new(hello, settings.idle_seconds, stopping.clone()));
    runtime::block_on(async move {
        let own = Socket::take(&place)?;
        let token = CancellationToken::new();
        runtime::cancel_on_signal(token.clone(), stopping.clone());
        serve(&own, &state, &token).await;
        let patience = if token.is_cancelled() { FAREWELL } else { GRACE };
        own.leave();
        // From here on another one may take the place, while this one finishes what it does.
        drop(lock);
        let finished = async {
            while state.is_working() || state.worker.is_building() {
                tokio::time::sleep(GLANCE).await;
            }
        };
        drop(tokio::time::timeout(patience, finished).await);
        token.cancel();
        Ok(ExitCode::SUCCESS)
    })
}

async fn serve(own: &Socket, state: &Arc<State>, token: &CancellationToken) {
    let mut glances = tokio::time::interval(GLANCE);
    loop {
        tokio::select! {
            accepted = own.listener.accept() => match accepted {
                Ok((stream, _)) => drop(tokio::spawn(conversation::hold(stream, Arc::clone(state)))),
                // Out of file handles, most likely: conversations that end give some back.
                Err(_) => tokio::time::sleep(GLANCE).await,
            },
            _ = glances.tick() => {
                if state.has_had_its_time() || !own.is_in_place() {
                    return;
                }
            },
            () = state.retiring.cancelled() => return,
            () = token.cancelled() => return,
        }
    }
}

/// The socket, while it is ours.
struct Socket {
    listener: UnixListener,
    place: Place,
    /// Where the file is, for the system.
    id: Option<(u64, u64)>,
}

impl Socket {
    /// Takes the place of a socket that a killed process left. The caller holds the lock.
    fn take(place: &Place) -> Result<Self> {
        fs::remove_file_if_present(&place.socket)?;
        let listener = UnixListener::bind(&place.socket)
            .map_err(|error| fs::failure("listen on", &place.socket, error))?;
        Ok(Self { listener, place: place.clone(), id: id_of(place) })
    }

    /// Whether nobody removed or replaced it, or opened its folder to others.
    fn is_in_place(&self) -> bool {
        self.place.has_socket().unwrap_or(false) && id_of(&self.place) == self.id
    }

    fn leave(self) {
        if self.is_in_place() {
            // What stays is replaced by the next one.
            drop(fs::remove_file_if_present(&self.place.socket));
        }
    }
}

fn id_of(place: &Place) -> Option<(u64, u64)> {
    let found = fs::symlink_metadata_if_present(&place.socket).ok().flatten()?;
    Some((found.dev(), found.ino()))
}
