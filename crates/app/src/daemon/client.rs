//! Asking the warm process, and noticing when it cannot answer.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use gik_base::progress::Held;
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result, process};
use gik_engine::warm::Place;
use serde::de::DeserializeOwned;

use super::wire::{
    Event, HEAD_BYTES, Hello, MOST_ANSWER_BYTES, Request, Welcome, framed, length_of,
};

/// A process that does not greet back by then is not waited for.
const GREETING: Duration = Duration::from_secs(2);
/// One that works says so more often than this.
const SILENCE: Duration = Duration::from_secs(10);
/// How often the client looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// A conversation with the warm process.
#[derive(Debug)]
pub(super) struct Conversation {
    stream: UnixStream,
    pub(super) welcome: Welcome,
}

impl Conversation {
    /// Greets the warm process; `None` where none listens, or it does not greet back.
    pub(super) fn begin(place: &Place, hello: &Hello) -> Result<Option<Self>> {
        if !place.has_socket()? {
            return Ok(None);
        }
        let Ok(mut stream) = process::connect_to_own(&place.socket) else { return Ok(None) };
        let greeted = || -> io::Result<Welcome> {
            stream.set_write_timeout(Some(GREETING))?;
            stream.set_read_timeout(Some(GLANCE))?;
            stream.write_all(&framed(hello)?)?;
            receive(&mut stream, GREETING, &Cancel::default())
        };
        let Ok(welcome) = ({ greeted }()) else { return Ok(None) };
        Ok(Some(Self { stream, welcome }))
    }

    /// Has a request answered. `None` where the caller is to do it itself.
    pub(super) fn ask(
        mut self,
        request: &Request,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Option<Result<Event>> {
        let answer = self.listen(request, progress, cancel);
        if answer.is_none() {
            // Whatever step the other process was at, it is not at it any more.
            progress.end();
        }
        answer
    }

    fn listen(
        &mut self,
        request: &Request,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Option<Result<Event>> {
        self.stream.write_all(&framed(request).ok()?).ok()?;
        // What is said counts only together with the answer.
        let notes = Held::default();
        loop {
            let event = receive(&mut self.stream, SILENCE, cancel);
            if let Err(stopped) = cancel.check() {
                return Some(Err(stopped));
            }
            match event.ok()? {
                Event::Alive => {},
                Event::Begin { step, total } => progress.begin(&step, total),
                Event::Advance { done } => progress.advance(done),
                Event::End => progress.end(),
                Event::Warn { message } => notes.warn(&message),
                Event::Inform { message } => notes.inform(&message),
                Event::Declined => return None,
                Event::Busy { message, hints } => {
                    notes.tell(progress);
                    let failure = Failure::new(ErrorCode::StoreBusy, message);
                    return Some(Err(hints.into_iter().fold(failure, Failure::hint)));
                },
                answer @ (Event::Printed { .. } | Event::Answered(_)) => {
                    notes.tell(progress);
                    return Some(Ok(answer));
                },
            }
        }
    }
}

/// The next document; fails when nothing came for so long, or the caller is to stop.
fn receive<T: DeserializeOwned>(
    stream: &mut UnixStream,
    patience: Duration,
    cancel: &Cancel,
) -> io::Result<T> {
    let mut head = [0; HEAD_BYTES];
    fill(stream, &mut head, patience, cancel)?;
    let mut bytes = vec![0; length_of(head, MOST_ANSWER_BYTES)?];
    fill(stream, &mut bytes, patience, cancel)?;
    Ok(serde_json::from_slice(&bytes)?)
}

fn fill(
    stream: &mut UnixStream,
    mut rest: &mut [u8],
    patience: Duration,
    cancel: &Cancel,
) -> io::Result<()> {
    // Glances are counted instead of time, so that a machine that slept is not taken for a silent process.
    let mut glances = Duration::ZERO;
    while !rest.is_empty() {
        match stream.read(rest) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                rest = &mut rest[n..];
                glances = Duration::ZERO;
            },
            Err(error) if is_a_pause(error.kind()) => {
                glances += GLANCE;
                if cancel.is_cancelled() || glances >= patience {
                    return Err(ErrorKind::TimedOut.into());
                }
            },
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_a_pause(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
