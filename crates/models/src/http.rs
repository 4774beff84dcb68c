//! One HTTP exchange that can be stopped while it waits.
//!
//! A read that waits for bytes cannot look at the cancel flag, so the exchange happens on a thread of its own, which
//! hands over what it gets piece by piece. Redirects are not followed here: whoever asks decides where it may lead.

use std::io::Read as _;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use gik_base::{Cancel, ErrorCode, Failure, Result};
use ureq::Agent;
use ureq::http::{HeaderMap, Request};
use ureq::tls::{RootCerts, TlsConfig};
use url::{Host, Url};

const USER_AGENT: &str = concat!("gik/", env!("CARGO_PKG_VERSION"));
/// How often a waiting exchange is looked at.
const POLL: Duration = Duration::from_millis(20);
const CHUNK_BYTES: usize = 64 << 10;
/// Pieces that may wait for being written.
const AHEAD: usize = 8;

/// How long each part of an exchange may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    pub(crate) connect: Duration,
    /// For the answer to begin.
    pub(crate) answer: Duration,
    /// Between two pieces of it.
    pub(crate) silence: Duration,
}

/// Why an exchange did not end well.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The user wants to stop.
    Stopped(Failure),
    /// The network or the server failed.
    Broken(String),
}

/// Makes exchanges with one server.
#[derive(Debug)]
pub(crate) struct Http {
    agent: Agent,
}

/// What is asked.
#[derive(Debug, Default)]
pub(crate) struct Ask<'a> {
    pub(crate) url: &'a str,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// A JSON document to post.
    pub(crate) body: Option<Vec<u8>>,
}

/// An answer whose body is still coming.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pieces: Receiver<Piece>,
    agent: Agent,
}

#[derive(Debug)]
enum Piece {
    Head(u16, Box<HeaderMap>),
    Bytes(Vec<u8>),
    Trouble(String),
    End,
}

impl Http {
    /// A client for a server. The machine itself is never reached through a proxy.
    pub(crate) fn new(server: &Url, patience: Patience) -> Self {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(USER_AGENT)
            .tls_config(tls)
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_recv_response(Some(patience.answer))
            .timeout_per_read(Some(patience.silence.max(patience.answer)))
            .timeout_per_write(Some(patience.silence));
        if is_loopback(server) {
            config = config.proxy(None);
        }
        Self { agent: Agent::new_with_config(config.build()) }
    }

    /// Starts an exchange and waits for the head of the answer.
    pub(crate) fn ask(&self, ask: &Ask<'_>, cancel: &Cancel) -> Result<Reply, Trouble> {
        let request = request(ask).map_err(|error| Trouble::Broken(error.to_string()))?;
        let (sender, pieces) = mpsc::sync_channel(AHEAD);
        let agent = self.agent.clone();
        thread::Builder::new()
            .name("http".to_owned())
            .spawn(move || exchange(&agent, request, &sender))
            .map_err(|error| Trouble::Broken(error.to_string()))?;
        let mut reply =
            Reply { status: 0, headers: HeaderMap::new(), pieces, agent: self.agent.clone() };
        match reply.receive(cancel)? {
            Piece::Head(status, headers) => {
                reply.status = status;
                reply.headers = *headers;
                Ok(reply)
            },
            Piece::Bytes(_) | Piece::End => Err(Trouble::Broken("there was no answer".to_owned())),
            Piece::Trouble(what) => Err(Trouble::Broken(what)),
        }
    }
}

impl Reply {
    /// The next bytes of the body; `None` at its end.
    pub(crate) fn next(&self, cancel: &Cancel) -> Result<Option<Vec<u8>>, Trouble> {
        match self.receive(cancel)? {
            Piece::Bytes(bytes) => Ok(Some(bytes)),
            Piece::End | Piece::Head(..) => Ok(None),
            Piece::Trouble(what) => Err(Trouble::Broken(what)),
        }
    }

    /// The whole body, which must not be longer than `most`.
    pub(crate) fn body(&self, most: usize, cancel: &Cancel) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next(cancel)? {
            body.extend(bytes);
            if body.len() > most {
                return Err(Trouble::Broken(format!("the answer is longer than {most} bytes")));
            }
        }
        Ok(body)
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
    }

    fn receive(&self, cancel: &Cancel) -> Result<Piece, Trouble> {
        loop {
            if let Err(stopped) = cancel.check() {
                self.agent.clone().shutdown();
                return Err(Trouble::Stopped(stopped));
            }
            match self.pieces.recv_timeout(POLL) {
                Ok(piece) => return Ok(piece),
                Err(RecvTimeoutError::Timeout) => {},
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Broken("the exchange stopped unexpectedly".to_owned()));
                },
            }
        }
    }
}

fn request(ask: &Ask<'_>) -> Result<Request<Vec<u8>>, ureq::http::Error> {
    let method = if ask.body.is_some() { "POST" } else { "GET" };
    let mut request = Request::builder().method(method).uri(ask.url);
    for (name, value) in &ask.headers {
        request = request.header(*name, value);
    }
    if ask.body.is_some() {
        request = request.header("content-type", "application/json");
    }
    request.body(ask.body.clone().unwrap_or_default())
}

/// Nobody listens any more where the exchange was stopped; then it ends.
fn exchange(agent: &Agent, request: Request<Vec<u8>>, sender: &SyncSender<Piece>) {
    let last = match run(agent, request, sender) {
        Ok(()) => Piece::End,
        Err(what) => Piece::Trouble(what),
    };
    sender.send(last).unwrap_or_default();
}

fn run(agent: &Agent, request: Request<Vec<u8>>, sender: &SyncSender<Piece>) -> Result<(), String> {
    let gone = |_| "nobody listens".to_owned();
    let (parts, body) = request.into_parts();
    let response = if parts.method == "POST" {
        agent.run(Request::from_parts(parts, body))
    } else {
        agent.run(Request::from_parts(parts, ()))
    };
    let (head, body) = response.map_err(|error| error.to_string())?.into_parts();
    sender.send(Piece::Head(head.status.as_u16(), Box::new(head.headers))).map_err(gone)?;
    let mut reader = body.into_reader();
    loop {
        let mut chunk = vec![0; CHUNK_BYTES];
        let read = reader.read(&mut chunk).map_err(|error| error.to_string())?;
        if read == 0 {
            return Ok(());
        }
        chunk.truncate(read);
        sender.send(Piece::Bytes(chunk)).map_err(gone)?;
    }
}

/// Whether a url means this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The url of a server that a user named: http or https, with a host, without credentials.
pub(crate) fn server(text: &str) -> Result<Url> {
    let wrong = |reason: &str| {
        let shown: String = text.chars().take(200).filter(|c| !c.is_control()).collect();
        // What may be a password is not repeated.
        let shown =
            if shown.contains('@') { "the endpoint".to_owned() } else { format!("`{shown}`") };
        Failure::new(ErrorCode::ConfigInvalid, format!("{shown} cannot be an endpoint: {reason}"))
            .hint("write it like `https://huggingface.co`")
    };
    let mut url =
        Url::parse(text.trim()).map_err(|error| wrong("it is no url").caused_by(error))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("only http and https are spoken"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it has credentials in it"));
    }
    if url.host_str().is_none_or(str::is_empty) || url.query().is_some() {
        return Err(wrong("it is no plain address"));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Waits before another try, unless the user wants to stop.
pub(crate) fn pause(time: Duration, cancel: &Cancel) -> Result<()> {
    let until = Instant::now() + time;
    loop {
        cancel.check()?;
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        thread::sleep(left.min(POLL));
    }
}
