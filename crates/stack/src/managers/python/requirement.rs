//! What does one requirement say? `name[extras] >=1,<2 ; marker`, or `name @ url`.

use crate::declaration::{git_version, path_version};

/// Name and version of a requirement; `None` when there is no name.
pub(super) fn requirement(text: &str) -> Option<(&str, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']')?.1,
        None => rest,
    };
    if let Some(url) = rest.trim_start().strip_prefix('@') {
        let url = url.split(" ;").next().unwrap_or(url).trim();
        return Some((name, url_version(url)));
    }
    let version = rest.split(';').next().unwrap_or(rest).trim();
    let version = version.strip_prefix('(').and_then(|v| v.strip_suffix(')')).unwrap_or(version);
    let version: String = version.split_whitespace().collect();
    // Anything else after the name, such as `://`, means that it was no name.
    let is_version = version.is_empty() || version.starts_with(['=', '<', '>', '~', '!']);
    let version = if version.is_empty() { "*".to_owned() } else { version };
    is_version.then_some((name, version))
}

/// The version of something that is fetched from a url or taken from a folder.
pub(super) fn url_version(url: &str) -> String {
    let bare = url.split('#').next().unwrap_or(url);
    if let Some(repository) = bare.strip_prefix("git+") {
        // The last `@` after the host separates the reference.
        let path_start = repository.find("://").map_or(0, |at| at + 3);
        let host_end = repository[path_start..].find('/').map_or(0, |at| path_start + at);
        return match repository[host_end..].rsplit_once('@') {
            Some((path, reference)) => {
                git_version(&repository[..host_end + path.len()], Some(reference))
            },
            None => git_version(repository, None),
        };
    }
    match bare.strip_prefix("file:") {
        Some(path) => path_version(path.trim_start_matches("//")),
        None if bare.contains("://") => format!("url:{bare}"),
        None => path_version(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_in_all_spellings() {
        let read = |text| {
            requirement(text).map_or("-".to_owned(), |(name, version)| format!("{name} {version}"))
        };
        assert_eq!(read("requests"), "requests *");
        assert_eq!(
            read("uvicorn[standard] >= 0.20, < 1 ; python_version > '3.8'"),
            "uvicorn >=0.20,<1"
        );
        assert_eq!(read("zope.interface (>=4)"), "zope.interface >=4");
        assert_eq!(read("x @ git+https://host/a/x.git@v1#egg=x"), "x git:https://host/a/x.git#v1");
        assert_eq!(read("x @ git+ssh://git@host/a/x.git"), "x git:ssh://git@host/a/x.git");
        assert_eq!(read("x @ https://host/x.whl"), "x url:https://host/x.whl");
        assert_eq!(read("https://host/x.whl"), "-");
        assert_eq!(read("[oops"), "-");
        assert_eq!(read(""), "-");
    }
}
