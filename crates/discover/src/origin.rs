//! Where was a repository fetched from? Git's own config says it; nobody's password leaves it.

use std::path::Path;

use gik_base::fs;

use crate::git::{git_dirs, repository_root};

/// More of a config is not read.
const MOST_BYTES: usize = 1 << 20;

/// Host and path of the remote `origin`, as `github.com/owner/name`; none without one, or where it is a folder.
pub fn origin(start: &Path) -> Option<String> {
    let root = repository_root(start)?;
    let dirs = git_dirs(&root).ok()??;
    let bytes = fs::read_if_present(&dirs.common.join("config")).ok()??;
    let text = String::from_utf8_lossy(bytes.get(..MOST_BYTES).unwrap_or(&bytes));
    address(url_of_origin(&text)?)
}

fn url_of_origin(config: &str) -> Option<&str> {
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line.starts_with("[remote \"origin\"]");
        } else if is_origin
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"'));
        }
    }
    None
}

/// An address without scheme, user, password, port and `.git`.
fn address(url: &str) -> Option<String> {
    let (host, path) = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // `git@host:path`; a folder has a slash before the first colon, or none.
        None => url.split_once(':').filter(|(host, _)| !host.contains(['/', '\\']))?,
    };
    let host = host.rsplit('@').next()?;
    let host = host.split(':').next()?;
    let path = path.split(['?', '#']).next()?.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    // A letter with a colon is a drive.
    if host.len() < 2 || path.is_empty() || path.contains(char::is_whitespace) {
        return None;
    }
    Some(format!("{}/{path}", host.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_path() {
        for url in [
            "https://github.com/owner/name.git",
            "https://user:secret@github.com/owner/name",
            "ssh://git@GitHub.com:22/owner/name.git/",
            "git@github.com:owner/name.git",
            "https://github.com/owner/name?token=secret",
        ] {
            assert_eq!(address(url).as_deref(), Some("github.com/owner/name"), "{url}");
        }
        for folder in ["/srv/git/name", "../name", "file:///srv/name.git", "C:\\name", "", "x"] {
            assert_eq!(address(folder), None, "{folder}");
        }
    }

    #[test]
    fn only_origin_counts() {
        let config = "[core]\n\turl = no\n[remote \"up\"]\n\turl = a\n[remote \"origin\"]\n\tfetch = x\n\tURL = b\n";
        assert_eq!(url_of_origin(config), Some("b"));
        assert_eq!(url_of_origin("[remote \"up\"]\nurl = a\n"), None);
    }
}
