//! What is at a url, without being led astray.
//!
//! Only http and https, only public addresses unless the user allowed a host by name, and never more bytes, hops or
//! seconds than the policy says. [`fetch`] gets the bytes, [`readable`] makes text of them. Not for crawling: one
//! url, one page.

mod address;
mod guard;
mod readable;
mod transfer;

#[cfg(test)]
mod tests;

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use gik_base::{Cancel, Context as _, ErrorCode, Failure, Result};
use url::Url;

pub use readable::{Readable, readable};
use transfer::Transfer;

/// How often a running transfer is looked at for cancellation.
const POLL: Duration = Duration::from_millis(20);
/// How long after its deadline a transfer may still hand over its own failure.
const GRACE: Duration = Duration::from_millis(500);
const MAX_URL_BYTES: usize = 8192;

/// What a fetch may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchPolicy {
    /// Hosts, as `host` or `host:port`, that may be read although their addresses are not public; `*` means all.
    pub allow_private: Vec<String>,
    /// The size of a page, after it is unpacked.
    pub max_bytes: u64,
    /// The time for everything: finding the host, all redirects, the whole page.
    pub timeout: Duration,
    /// How many redirects are followed.
    pub max_redirects: u32,
}

impl Default for FetchPolicy {
    fn default() -> Self {
        Self {
            allow_private: Vec::new(),
            max_bytes: 16 << 20,
            timeout: Duration::from_secs(30),
            max_redirects: 5,
        }
    }
}

/// What a server said about the version of a page, to ask later whether it changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag` header.
    pub etag: Option<String>,
    /// The `Last-Modified` header.
    pub last_modified: Option<String>,
}

/// A page as the server sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it was found in the end.
    pub url: String,
    /// The media type, lower-case and without parameters; empty where the server named none.
    pub media_type: String,
    /// The character set that the server named.
    pub charset: Option<String>,
    /// The content, unpacked.
    pub body: Vec<u8>,
    /// For the next fetch.
    pub validators: Validators,
}

/// The answer to a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The page is the one whose validators were sent.
    NotModified,
    /// The page.
    Page(Page),
}

/// Reads a url. With `known`, the server is asked to send the page only if it changed.
pub fn fetch(
    url: &str,
    policy: &FetchPolicy,
    known: Option<&Validators>,
    cancel: &Cancel,
) -> Result<Fetched> {
    let url = parse(url)?;
    cancel.check()?;
    let agent = transfer::agent(policy);
    let transfer = Transfer {
        agent: agent.clone(),
        policy: policy.clone(),
        known: known.cloned(),
        cancel: cancel.clone(),
        deadline: Instant::now() + policy.timeout.min(Duration::from_secs(24 * 60 * 60)),
    };
    let give_up = transfer.deadline + GRACE;
    let (sender, receiver) = mpsc::channel();
    let shown = shown(url.as_str());
    // A read that waits for bytes cannot look at the cancel flag, so it happens on a thread of its own.
    thread::Builder::new()
        .name("fetch".to_owned())
        .spawn(move || {
            // Nobody listens any more where the fetch was cancelled.
            sender.send(transfer.run(url)).unwrap_or_default();
        })
        .context(ErrorCode::Io, || format!("cannot start to read `{shown}`"))?;
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(result) => {
                cancel.check()?;
                return result;
            },
            Err(RecvTimeoutError::Timeout) => {
                let is_late = Instant::now() > give_up;
                if cancel.is_cancelled() || is_late {
                    agent.shutdown();
                    cancel.check()?;
                    return Err(transfer::timed_out(&shown, policy));
                }
            },
            Err(RecvTimeoutError::Disconnected) => {
                let message = format!("reading `{shown}` stopped unexpectedly");
                return Err(Failure::new(ErrorCode::UrlFailed, message));
            },
        }
    }
}

/// The normal form of a url that may be a source: http or https, with a host, without credentials.
pub fn check_url(url: &str) -> Result<String> {
    parse(url).map(String::from)
}

fn parse(text: &str) -> Result<Url> {
    let invalid = |reason: &str| {
        Failure::new(
            ErrorCode::SourceInvalid,
            format!("`{}` cannot be a source: {reason}", shown(text)),
        )
    };
    if text.len() > MAX_URL_BYTES {
        return Err(invalid("it is too long"));
    }
    let mut url =
        Url::parse(text.trim()).map_err(|error| invalid("it is not a url").caused_by(error))?;
    if let Some(reason) = objection(&url) {
        return Err(invalid(reason));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Why a url can never be read, whatever the policy says.
fn objection(url: &Url) -> Option<&'static str> {
    if !matches!(url.scheme(), "http" | "https") {
        Some("only http and https urls are read")
    } else if !url.username().is_empty() || url.password().is_some() {
        Some("it has credentials in it")
    } else if url.host_str().is_none_or(str::is_empty) || url.port() == Some(0) {
        Some("it has no host")
    } else {
        None
    }
}

/// A url for people to read: short, harmless in a terminal, without a password.
fn shown(url: &str) -> String {
    let authority = url.find("://").map_or(0, |at| at + 3);
    let end = url[authority..].find(['/', '?', '#']).map_or(url.len(), |at| authority + at);
    let host = url[authority..end].rfind('@').map(|at| authority + at);
    let (start, rest) = match host {
        Some(at) => (&url[..authority], &url[at + 1..]),
        None => ("", url),
    };
    let mut characters = start.chars().chain(rest.chars());
    let safe = |character: char| if character.is_control() { '\u{fffd}' } else { character };
    let mut shown: String = characters.by_ref().take(200).map(safe).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}
