//! One fetch from the first hop to the last byte.

use std::io::Read as _;
use std::time::Instant;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use ureq::http::header::{self, HeaderMap, HeaderName};
use ureq::http::{HeaderValue, Response, StatusCode};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body};
use url::Url;

use super::guard::{Guard, Refused};
use super::{FetchPolicy, Fetched, Page, Validators, objection, shown};

const USER_AGENT: &str = concat!("gik/", env!("CARGO_PKG_VERSION"));
const ACCEPT: &str = "text/html, application/xhtml+xml, text/markdown, text/plain, application/json;q=0.9, \
                      application/xml;q=0.9, text/*;q=0.8, */*;q=0.1";
const CHUNK_BYTES: usize = 16 << 10;
/// What packing may add to a page that does not pack.
const PACKING_BYTES: u64 = 64 << 10;
/// Longer validators are not worth keeping.
const MAX_VALIDATOR_BYTES: usize = 1024;

/// A client for one fetch. Proxies are not used: they would connect for us, past the guard.
pub(super) fn agent(policy: &FetchPolicy) -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .max_idle_connections(0)
        .proxy(None)
        .user_agent(USER_AGENT)
        .accept(ACCEPT)
        .tls_config(tls)
        .build();
    Agent::with_parts(config, DefaultConnector::default(), Guard::new(&policy.allow_private))
}

#[derive(Debug)]
pub(super) struct Transfer {
    pub(super) agent: Agent,
    pub(super) policy: FetchPolicy,
    pub(super) known: Option<Validators>,
    pub(super) cancel: Cancel,
    pub(super) deadline: Instant,
}

impl Transfer {
    pub(super) fn run(&self, mut url: Url) -> Result<Fetched> {
        for _ in 0..=self.policy.max_redirects {
            let response = self.request(&url)?;
            let status = response.status();
            if is_redirect(status) {
                url = next_hop(&url, response.headers())?;
            } else if status == StatusCode::NOT_MODIFIED && self.known.is_some() {
                return Ok(Fetched::NotModified);
            } else if status.is_success() && status != StatusCode::PARTIAL_CONTENT {
                return self.receive(&url, response).map(Fetched::Page);
            } else {
                return Err(unwelcome(&url, status));
            }
        }
        let limit = self.policy.max_redirects;
        Err(failed(&url, &format!("there are more than {limit} redirects")))
    }

    fn request(&self, url: &Url) -> Result<Response<Body>> {
        self.cancel.check()?;
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(timed_out(&shown(url.as_str()), &self.policy));
        }
        let mut request = self.agent.get(url.as_str()).config().timeout_global(Some(left)).build();
        let known = self.known.iter().flat_map(|known| {
            let etag = (header::IF_NONE_MATCH, &known.etag);
            let last_modified = (header::IF_MODIFIED_SINCE, &known.last_modified);
            [etag, last_modified]
        });
        for (name, value) in known {
            if let Some(value) =
                value.as_deref().and_then(|value| HeaderValue::from_str(value).ok())
            {
                request = request.header(name, value);
            }
        }
        request.call().map_err(|error| self.failure(url, error))
    }

    fn receive(&self, url: &Url, response: Response<Body>) -> Result<Page> {
        let (head, body) = response.into_parts();
        if let Some(encoding) = text_of(&head.headers, &header::CONTENT_ENCODING)
            && !encoding.eq_ignore_ascii_case("identity")
        {
            return Err(failed(url, &format!("the page is packed with `{}`", shown(&encoding))));
        }
        let max = self.policy.max_bytes;
        if body.content_length().is_some_and(|length| length > max) {
            return Err(self.too_large(url));
        }
        let mut reader = body.into_with_config().limit(max.saturating_add(PACKING_BYTES)).reader();
        let mut content = Vec::new();
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            self.cancel.check()?;
            if Instant::now() > self.deadline {
                return Err(timed_out(&shown(url.as_str()), &self.policy));
            }
            let read = reader.read(&mut chunk).map_err(|error| self.failure(url, error.into()))?;
            if read == 0 {
                break;
            }
            content.extend_from_slice(&chunk[..read]);
            if u64::try_from(content.len()).is_ok_and(|length| length > max) {
                return Err(self.too_large(url));
            }
        }
        let (media_type, charset) =
            split_content_type(&text_of(&head.headers, &header::CONTENT_TYPE).unwrap_or_default());
        Ok(Page {
            url: url.to_string(),
            media_type,
            charset,
            body: content,
            validators: Validators {
                etag: validator(&head.headers, &header::ETAG),
                last_modified: validator(&head.headers, &header::LAST_MODIFIED),
            },
        })
    }

    fn failure(&self, url: &Url, error: ureq::Error) -> Failure {
        if let Err(interrupted) = self.cancel.check() {
            return interrupted;
        }
        if matches!(error, ureq::Error::Timeout(_)) {
            return timed_out(&shown(url.as_str()), &self.policy);
        }
        if matches!(error, ureq::Error::BodyExceedsLimit(_)) {
            return self.too_large(url);
        }
        if let ureq::Error::Other(cause) = &error
            && let Some(refused) = cause.downcast_ref::<Refused>()
        {
            let message = format!("will not read `{}`: {refused}", shown(url.as_str()));
            return Failure::new(ErrorCode::UrlRefused, message).hint(format!(
                "if that is intended, add `{}` to `sources.urls.allow_private`",
                refused.host
            ));
        }
        if matches!(error, ureq::Error::HostNotFound) {
            return failed(url, "there is no such host");
        }
        failed(url, "the transfer failed").caused_by(error)
    }

    fn too_large(&self, url: &Url) -> Failure {
        failed(url, &format!("the page is larger than {} bytes", self.policy.max_bytes))
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads, if that may be followed.
pub(super) fn next_hop(from: &Url, headers: &HeaderMap) -> Result<Url> {
    let location = text_of(headers, &header::LOCATION)
        .ok_or_else(|| failed(from, "it redirects without saying where"))?;
    let mut next = from
        .join(&location)
        .map_err(|error| failed(from, "it redirects to what is not a url").caused_by(error))?;
    let reason = match objection(&next) {
        None if from.scheme() == "https" && next.scheme() == "http" => {
            Some("the way there would no longer be encrypted")
        },
        other => other,
    };
    if let Some(reason) = reason {
        let (from, next) = (shown(from.as_str()), shown(next.as_str()));
        let message = format!("`{from}` redirects to `{next}`: {reason}");
        return Err(Failure::new(ErrorCode::UrlRefused, message));
    }
    next.set_fragment(None);
    Ok(next)
}

pub(super) fn timed_out(shown_url: &str, policy: &FetchPolicy) -> Failure {
    let seconds = policy.timeout.as_secs_f32();
    let message = format!("cannot read `{shown_url}`: it took longer than {seconds} s");
    Failure::new(ErrorCode::UrlFailed, message)
}

fn failed(url: &Url, reason: &str) -> Failure {
    let shown = shown(url.as_str());
    Failure::new(ErrorCode::UrlFailed, format!("cannot read `{shown}`: {reason}"))
}

fn unwelcome(url: &Url, status: StatusCode) -> Failure {
    let failure = failed(url, &format!("the server answered {status}"));
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            failure.hint("pages behind a login cannot be read; save the page and add the file")
        },
        StatusCode::NOT_FOUND | StatusCode::GONE => failure.hint("check the url"),
        _ => failure,
    }
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
}

fn validator(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    text_of(headers, name).filter(|value| (1..=MAX_VALIDATOR_BYTES).contains(&value.len()))
}

/// `text/html; charset="utf-8"` as its two parts.
fn split_content_type(text: &str) -> (String, Option<String>) {
    let mut parts = text.split(';');
    let media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
    });
    (media_type, charset)
}
