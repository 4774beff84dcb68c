//! The folders that the client has open.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::service::Peer;

use crate::service::Service;

/// A client that does not say is not waited for.
const PATIENCE: Duration = Duration::from_millis(500);

/// Serves the folders that the client has open, where it says which.
#[expect(deprecated, reason = "revisions before the current one have no other way to name folders")]
pub(super) async fn learn(peer: &Peer<RoleServer>, service: &Service) {
    let tells = peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some());
    if !tells {
        return;
    }
    let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, peer.list_roots()).await else { return };
    let folders: Vec<PathBuf> =
        answer.roots.iter().filter_map(|root| folder_of(&root.uri)).collect();
    if !folders.is_empty() {
        // A folder that cannot be served leaves those that were.
        drop(service.roots().replace(&folders));
    }
}

/// The folder that a `file:` url names.
fn folder_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = percent_decoded(path)?;
    // `/C:/folder` of Windows.
    let is_drive = decoded.as_bytes().get(2) == Some(&b':') && decoded.starts_with('/');
    let path = if is_drive { &decoded[1..] } else { &decoded };
    let folder = PathBuf::from(path);
    folder.is_absolute().then_some(folder)
}

/// A text without `%41`; `None` where it is broken.
pub(super) fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok())?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::folder_of;

    #[cfg(unix)]
    #[test]
    fn urls_of_folders_are_read() {
        let folder = |uri| folder_of(uri);
        assert_eq!(folder("file:///home/me/a%20b").as_deref(), Some(Path::new("/home/me/a b")));
        assert_eq!(folder("file://localhost/x").as_deref(), Some(Path::new("/x")));
        assert_eq!(folder("https://example.com/"), None);
        assert_eq!(folder("file://relative"), None);
        assert_eq!(folder("file:///%zz"), None);
        assert_eq!(folder("file:///%"), None);
    }
}
