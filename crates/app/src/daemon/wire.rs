//! What goes over the socket: a greeting each way, one request, then events until the answer. Each is a JSON document
//! behind its length.

use std::io;
use std::path::PathBuf;

use gik_engine::Options;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::identity::Build;
use crate::output::Look;
use crate::service::{Answered, Job};

/// Grows with every change of what follows the greetings; these only ever gain fields.
pub(super) const PROTOCOL: u32 = 1;
/// A longer request is refused.
pub(super) const MOST_REQUEST_BYTES: usize = 1 << 20;
/// A longer answer is not handed over.
pub(super) const MOST_ANSWER_BYTES: usize = 64 << 20;
/// The length in front of a document.
pub(super) const HEAD_BYTES: usize = 4;

/// The greeting of a client.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) protocol: u32,
    pub(super) build: Build,
    /// A hash over its environment.
    pub(super) environment: String,
    /// Whether it only wants to know who is there.
    pub(super) only_looks: bool,
}

/// The greeting of the warm process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Welcome {
    pub(super) protocol: u32,
    pub(super) build: Build,
    pub(super) environment: String,
    pub(super) pid: u32,
    /// Requests that it was given so far.
    pub(super) calls: u64,
    /// How many of them it works on.
    pub(super) running: u64,
    /// After so long without a request it ends.
    pub(super) idle_seconds: u64,
}

impl Hello {
    /// Whether whoever said this can be answered for by that process.
    pub(super) fn fits(&self, welcome: &Welcome) -> bool {
        self.protocol == welcome.protocol
            && self.build == welcome.build
            && self.environment == welcome.environment
    }
}

/// What a client wants.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// What a command prints.
    Command {
        /// The words that were typed, the program's name first.
        arguments: Vec<String>,
        cwd: PathBuf,
        options: Options,
        look: Look,
    },
    /// The answer to a call.
    Job(Box<Job>),
}

/// What a client is told.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Event {
    /// The work goes on.
    Alive,
    /// See [`gik_base::Progress`].
    Begin {
        step: String,
        total: Option<u64>,
    },
    Advance {
        done: u64,
    },
    End,
    Warn {
        message: String,
    },
    Inform {
        message: String,
    },
    /// The answer to a command.
    Printed {
        text: String,
        is_found: bool,
    },
    /// The answer to a call.
    Answered(Box<Answered>),
    /// Others are at work, and would be in the way of the client as well.
    Busy {
        message: String,
        hints: Vec<String>,
    },
    /// It is for the client itself to answer: where something fails, its own process knows best why.
    Declined,
}

/// A document with its length in front.
pub(super) fn framed<T: Serialize>(document: &T) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; HEAD_BYTES];
    serde_json::to_writer(&mut frame, document)?;
    let length = u32::try_from(frame.len() - HEAD_BYTES).map_err(io::Error::other)?;
    frame[..HEAD_BYTES].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// The length that stands in front of a document; fails where it is beyond the limit.
pub(super) fn length_of(head: [u8; HEAD_BYTES], most: usize) -> io::Result<usize> {
    let length = u32::from_le_bytes(head) as usize;
    if length > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the document is too long"));
    }
    Ok(length)
}

pub(super) async fn receive<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
    most: usize,
) -> io::Result<T> {
    let mut head = [0; HEAD_BYTES];
    from.read_exact(&mut head).await?;
    let length = length_of(head, most)?;
    let mut bytes = Vec::new();
    // The buffer grows with what comes, not with what was announced.
    from.take(length as u64).read_to_end(&mut bytes).await?;
    Ok(serde_json::from_slice(&bytes)?)
}

pub(super) async fn send<T: Serialize>(
    to: &mut (impl AsyncWrite + Unpin),
    document: &T,
) -> io::Result<()> {
    to.write_all(&framed(document)?).await
}
