//! The door of every connection: addresses are checked after the name is resolved and before anything is sent.
//!
//! The checked addresses are the ones that are connected to, so a name that changes its answer gains nothing.

use std::fmt;
use std::net::IpAddr;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::address::is_public;

/// A host that may not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    /// As it would be written to allow it: `host:port`.
    pub(super) host: String,
    pub(super) address: IpAddr,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is at {}, which is not a public address", self.host, self.address)
    }
}

impl std::error::Error for Refused {}

/// Resolves names and keeps the addresses that may be read.
#[derive(Debug, Default)]
pub(super) struct Guard {
    names: DefaultResolver,
    allow_private: Vec<String>,
}

impl Guard {
    pub(super) fn new(allow_private: &[String]) -> Self {
        Self { names: DefaultResolver::default(), allow_private: allow_private.to_vec() }
    }

    fn allows_private(&self, host: &str, port: u16) -> bool {
        let bare =
            |host: &str| host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
        let host = bare(host);
        self.allow_private.iter().any(|allowed| {
            let allowed = allowed.trim();
            if allowed == "*" || bare(allowed) == host {
                return true;
            }
            allowed.rsplit_once(':').is_some_and(|(name, number)| {
                // The colons of an address without brackets are not those of a port.
                let is_name = name.ends_with(']') || !name.contains(':');
                is_name && bare(name) == host && number.parse() == Ok(port)
            })
        })
    }
}

impl Resolver for Guard {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let host = uri.host().unwrap_or_default();
        let default_port = if uri.scheme_str() == Some("https") { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(default_port);
        if self.allows_private(host, port) {
            return Ok(found);
        }
        let mut kept = self.empty();
        for &address in found.iter().filter(|address| is_public(address.ip())) {
            kept.push(address);
        }
        match found.first() {
            Some(address) if kept.is_empty() => {
                let host = format!("{host}:{port}");
                Err(ureq::Error::Other(Box::new(Refused { host, address: address.ip() })))
            },
            _ => Ok(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_allowed_by_name_and_port() {
        let allowed = ["wiki.Local", "127.0.0.1:8080", "[::1]:90", "fd00::1"];
        let guard = Guard::new(&allowed.map(str::to_owned));
        for (host, port) in [
            ("wiki.local", 80),
            ("WIKI.local.", 99),
            ("127.0.0.1", 8080),
            ("[::1]", 90),
            ("[fd00::1]", 1),
        ] {
            assert!(guard.allows_private(host, port), "{host}:{port}");
        }
        for (host, port) in [
            ("evil.wiki.local", 80),
            ("127.0.0.1", 80),
            ("[::1]", 91),
            ("::1", 80),
            ("[fd00::]", 1),
        ] {
            assert!(!guard.allows_private(host, port), "{host}:{port}");
        }
        assert!(Guard::new(&["*".to_owned()]).allows_private("anything", 1));
        assert!(!Guard::new(&[]).allows_private("", 1));
    }
}
