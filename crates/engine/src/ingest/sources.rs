//! Pages: fetched when a commit asks for them, never by a question.

use std::time::Duration;

use gik_base::{ErrorCode, Failure, FileKey, FileStat, Result, env, hash};
use gik_discover::fetch::{FetchPolicy, Fetched, Validators, fetch, readable};
use gik_models::library::pull::refuse_offline;
use gik_store::{FileOrigin, RemoteState, Writer};

use super::prepare::{Arrival, Depth, PreparedFile, Taste, prepare_bytes};
use super::write::write_file;
use crate::modes::Modes;
use crate::settings::asked_urls;
use crate::{Workspace, bases};

/// A page that was fetched, or that is the same as before.
#[derive(Debug)]
pub(crate) enum Page {
    /// The server says nothing changed.
    Same,
    /// New text.
    New { file: Box<PreparedFile>, text: String, remote: RemoteState },
}

/// Fetches a page, conditionally when it is known.
pub(crate) fn fetch_page(
    ws: &Workspace<'_>,
    url: &str,
    base: Option<&str>,
    known: Option<&RemoteState>,
    modes: Modes,
) -> Result<Page> {
    check_asked(ws, url)?;
    refuse_offline(&format!("reading `{url}`"))?;
    let urls = &ws.settings.sources.urls;
    let policy = FetchPolicy {
        allow_private: urls.allow_private.clone(),
        max_bytes: urls.max_bytes,
        timeout: Duration::from_secs(urls.timeout_seconds),
        max_redirects: urls.max_redirects,
    };
    let validators = known.map(|remote| Validators {
        etag: remote.etag.clone(),
        last_modified: remote.last_modified.clone(),
    });
    let page = match fetch(url, &policy, validators.as_ref(), &ws.ctx.cancel)? {
        Fetched::NotModified => return Ok(Page::Same),
        Fetched::Page(page) => page,
    };
    let readable = readable(&page)?;
    let mut text = readable.text;
    if let Some(title) = readable.title.filter(|title| !text.contains(title.as_str())) {
        text = format!("# {title}\n\n{text}");
    }
    let file =
        prepare_page(&FileKey::from_text(url), text.clone(), base.unwrap_or(bases::DOCS), modes);
    let remote =
        RemoteState { etag: page.validators.etag, last_modified: page.validators.last_modified };
    Ok(Page::New { file: Box::new(file), text, remote })
}

/// Only what the user added by name on this machine is fetched: the list of sources may have come with a clone.
fn check_asked(ws: &Workspace<'_>, url: &str) -> Result<()> {
    let asked =
        env::gik_home().map(|home| asked_urls(&home, &ws.root)).transpose()?.unwrap_or_default();
    if asked.contains(url) {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::UrlRefused,
        format!("`{url}` was not added by you on this machine"),
    )
    .hint(format!("`gik add {url}` allows it")))
}

/// Takes the text of a page apart.
pub(crate) fn prepare_page(key: &FileKey, text: String, base: &str, modes: Modes) -> PreparedFile {
    let stat = FileStat { size: text.len() as u64, ..FileStat::default() };
    let sha256 = hash::sha256(text.as_bytes());
    // Readable text is written as Markdown, whatever the url ends in.
    let language = gik_parse::language_by_id("markdown");
    let arrival = Arrival { key, base: Some(base), stat, origin: FileOrigin::Url, language };
    let taste = Taste { generated: true, minified: true, modes, root: None };
    prepare_bytes(&arrival, text.into_bytes(), sha256, Depth::Structure, taste, None)
}

/// Writes a fetched page and keeps its text.
pub(crate) fn write_page(
    writer: &mut Writer<'_>,
    mut file: PreparedFile,
    text: &str,
    remote: &RemoteState,
) -> Result<()> {
    let id = write_file(writer, &mut file)?;
    // Also of a page that is left out for now: its server need not be asked again when it is wanted.
    writer.put_content(id, text)?;
    writer.put_remote(id, remote)
}
