//! One conversation with a client: greetings, a request, events, an answer.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use gik_base::{Cancel, process};
use tokio::io::AsyncReadExt as _;
use tokio::net::UnixStream;
use tokio::sync::mpsc;

use super::state::State;
use super::wire::{Event, Hello, MOST_REQUEST_BYTES, PROTOCOL, receive, send};
use super::work::{Forward, answer};
use crate::runtime;

/// A client must have said what it wants by then.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a client hears that the work goes on.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Holds a conversation. Whatever goes wrong in it, the client hears its end and answers by itself.
pub(super) async fn hold(mut stream: UnixStream, state: Arc<State>) {
    let Ok(_place) = Arc::clone(&state.places).try_acquire_owned() else { return };
    // The folder keeps others out already; a handle that was passed on would not.
    let is_ours = stream.peer_cred().is_ok_and(|peer| peer.uid() == process::user_id());
    if is_ours {
        drop(converse(&mut stream, &state).await);
    }
}

async fn converse(stream: &mut UnixStream, state: &Arc<State>) -> io::Result<()> {
    let hello: Hello =
        tokio::time::timeout(PATIENCE, receive(stream, MOST_REQUEST_BYTES)).await??;
    let welcome = state.welcome();
    send(stream, &welcome).await?;
    if hello.only_looks {
        return Ok(());
    }
    if !hello.fits(&welcome) {
        if hello.protocol > PROTOCOL || hello.build.is_newer_than(&welcome.build) {
            state.retiring.cancel();
        }
        return Ok(());
    }
    let request = tokio::time::timeout(PATIENCE, receive(stream, MOST_REQUEST_BYTES)).await??;
    let _running = state.call();
    let (to, mut events) = mpsc::unbounded_channel();
    let cancel = Cancel::default();
    let (shared, stopping) = (Arc::clone(state), cancel.clone());
    let working = tokio::spawn(async move {
        // Who waits for a turn hears that the process is alive, and may leave.
        let turns = Arc::clone(&shared);
        let Ok(_turn) = turns.turns.acquire().await else { return Ok(()) };
        if stopping.is_cancelled() {
            return Ok(());
        }
        runtime::work(move || {
            let forward = Forward::new(to);
            let answer = answer(&shared.worker, request, &forward, &stopping);
            forward.say(answer);
            Ok(())
        })
        .await
    });
    let told = tell(stream, &mut events).await;
    // Whoever left does not want the answer any more.
    cancel.cancel();
    drop(working.await);
    told
}

/// Passes events on until there are no more of them, or the client leaves.
async fn tell(
    stream: &mut UnixStream,
    events: &mut mpsc::UnboundedReceiver<Event>,
) -> io::Result<()> {
    let (mut from, mut to) = stream.split();
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    loop {
        let event = tokio::select! {
            event = events.recv() => match event {
                Some(event) => event,
                None => return Ok(()),
            },
            _ = heartbeat.tick() => Event::Alive,
            // A client says nothing more: this is its end.
            _ = from.read_u8() => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        send(&mut to, &event).await?;
    }
}
