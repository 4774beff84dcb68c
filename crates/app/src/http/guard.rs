//! Who may ask: the token, and the names by which this server was called.
//!
//! A page in a browser may speak to this machine under any name that resolves to it (DNS rebinding), and may send simple
//! requests to any address. So the `Host` must be one that no other page can have, and a page that asks must come from
//! here or be allowed by name.

use std::net::IpAddr;

use gik_base::{ErrorCode, Failure, Result};
use http::header::{AUTHORIZATION, HOST, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, StatusCode};

/// The rules.
#[derive(Debug)]
pub(super) struct Guard {
    token: Option<String>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Why a request is not answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) message: &'static str,
}

const fn refusal(status: StatusCode, message: &'static str) -> Refusal {
    Refusal { status, message }
}

impl Guard {
    pub(super) fn new(
        token: Option<String>,
        hosts: Vec<String>,
        origins: Vec<String>,
    ) -> Result<Self> {
        for origin in &origins {
            let is_web = origin.starts_with("https://") || origin.starts_with("http://");
            if !is_web || origin.ends_with('/') {
                return Err(Failure::new(
                    ErrorCode::ArgumentInvalid,
                    format!("`{origin}` is not an origin"),
                )
                .hint("write it as `https://example.com`, without a path"));
            }
        }
        let hosts = hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
        Ok(Self { token, hosts, origins })
    }

    /// Whether a request may be answered.
    pub(super) fn check(&self, request: &Parts, needs_token: bool) -> Result<(), Refusal> {
        let host = self.host(request)?;
        self.origin(&request.headers, &host)?;
        if needs_token { self.token(&request.headers) } else { Ok(()) }
    }

    /// The origin of an allowed page, for the headers of the answer.
    pub(super) fn allowed_origin(&self, headers: &HeaderMap) -> Option<String> {
        let origin = one(headers, &ORIGIN).ok().flatten()?;
        self.origins.iter().find(|allowed| *allowed == origin).cloned()
    }

    fn host(&self, request: &Parts) -> Result<Authority, Refusal> {
        const WRONG: Refusal =
            refusal(StatusCode::MISDIRECTED_REQUEST, "this server is not known under that name");
        let authority: Authority = match request.uri.authority() {
            Some(authority) => authority.clone(),
            None => one(&request.headers, &HOST)?
                .and_then(|text| text.parse().ok())
                .ok_or(refusal(StatusCode::BAD_REQUEST, "the Host header is missing or broken"))?,
        };
        if authority.as_str().contains('@') {
            return Err(WRONG);
        }
        let name = authority.host().trim_end_matches('.').to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        // An address cannot be rebound; only names can.
        let is_known = bare.parse::<IpAddr>().is_ok()
            || name == "localhost"
            || self.hosts.contains(&name)
            || self.hosts.iter().any(|known| known == authority.as_str());
        if is_known { Ok(authority) } else { Err(WRONG) }
    }

    fn origin(&self, headers: &HeaderMap, host: &Authority) -> Result<(), Refusal> {
        const WRONG: Refusal =
            refusal(StatusCode::FORBIDDEN, "pages of that origin are not allowed");
        let Some(origin) = one(headers, &ORIGIN)? else { return Ok(()) };
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let is_own = own.is_some_and(|own| own.eq_ignore_ascii_case(host.as_str()));
        if is_own || self.origins.iter().any(|allowed| allowed == origin) {
            return Ok(());
        }
        Err(WRONG)
    }

    fn token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        const WRONG: Refusal = refusal(StatusCode::UNAUTHORIZED, "the token is missing or wrong");
        let Some(token) = &self.token else { return Ok(()) };
        let given = one(headers, &AUTHORIZATION)?.unwrap_or_default();
        let shown = match given.split_once(' ') {
            Some((scheme, shown)) if scheme.eq_ignore_ascii_case("bearer") => shown.trim(),
            _ => return Err(WRONG),
        };
        if is_same(shown.as_bytes(), token.as_bytes()) { Ok(()) } else { Err(WRONG) }
    }
}

/// The one value of a header; several are a trick.
fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Refusal> {
    const BROKEN: Refusal = refusal(StatusCode::BAD_REQUEST, "a header is broken or there twice");
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(BROKEN);
    }
    value.to_str().map(Some).map_err(|_| BROKEN)
}

/// Compares in a time that tells nothing about where the first difference is.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let difference = a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y));
    a.len() == b.len() && std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use http::{Request, StatusCode};

    use super::Guard;

    fn status(guard: &Guard, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri("/v1/tools");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        guard
            .check(&parts, true)
            .map_or_else(|refused| refused.status, |()| StatusCode::OK)
            .as_u16()
    }

    #[test]
    fn names_that_can_be_rebound_are_refused() {
        let guard = Guard::new(None, vec!["dev.example".into()], Vec::new()).unwrap();
        for good in [
            "localhost",
            "localhost:7311",
            "LOCALHOST.",
            "127.0.0.1:1",
            "[::1]:80",
            "10.0.0.7",
            "dev.example:9",
        ] {
            assert_eq!(status(&guard, &[("host", good)]), 200, "{good}");
        }
        for bad in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "dev.example.evil",
            "localhost@evil.example",
            "127.0.0.1@evil.example",
        ] {
            assert_eq!(status(&guard, &[("host", bad)]), 421, "{bad}");
        }
        assert_eq!(status(&guard, &[]), 400);
        assert_eq!(status(&guard, &[("host", "localhost"), ("host", "evil.example")]), 400);
        assert_eq!(status(&guard, &[("host", "a b")]), 400);
    }

    #[test]
    fn pages_of_other_origins_are_refused() {
        let guard = Guard::new(None, Vec::new(), vec!["https://app.example".into()]).unwrap();
        let asked = |origin| status(&guard, &[("host", "localhost:7311"), ("origin", origin)]);
        assert_eq!(asked("http://localhost:7311"), 200);
        assert_eq!(asked("https://app.example"), 200);
        for bad in [
            "http://localhost:3000",
            "null",
            "https://app.example.evil",
            "http://app.example",
            "file://",
            "http://127.0.0.1:7311",
        ] {
            assert_eq!(asked(bad), 403, "{bad}");
        }
    }

    #[test]
    fn only_the_whole_token_opens() {
        let guard = Guard::new(Some("0123456789abcdef".into()), Vec::new(), Vec::new()).unwrap();
        let asked = |shown| status(&guard, &[("host", "localhost"), ("authorization", shown)]);
        assert_eq!(asked("Bearer 0123456789abcdef"), 200);
        assert_eq!(asked("bearer 0123456789abcdef"), 200);
        for bad in [
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdefg",
            "Bearer ",
            "0123456789abcdef",
            "Basic 0123456789abcdef",
            "",
        ] {
            assert_eq!(asked(bad), 401, "{bad}");
        }
        assert_eq!(status(&guard, &[("host", "localhost")]), 401);
    }

    #[test]
    fn what_is_no_origin_is_not_allowed_as_one() {
        for wrong in ["*", "example.com", "https://example.com/", "null"] {
            assert!(Guard::new(None, Vec::new(), vec![wrong.into()]).is_err(), "{wrong}");
        }
    }
}
