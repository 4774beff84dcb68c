//! The text of a page: characters decoded, HTML made readable.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use gik_base::{ErrorCode, Failure, Result};

use super::{Page, shown};
use crate::html::{declared_charset, to_text};

/// How far into a page its declaration of a character set is looked for.
const DECLARATION_BYTES: usize = 4096;

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable {
    /// The title, where the format has one.
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// Whether the text is Markdown.
    pub is_markdown: bool,
}

/// The title and text of a page; fails for what is not text.
pub fn readable(page: &Page) -> Result<Readable> {
    match form_of(page) {
        Some(Form::Html) => {
            let start = String::from_utf8_lossy(start_of(&page.body));
            let html = to_text(&decode(page, declared_charset(&start).as_deref()));
            Ok(Readable { title: html.title, text: html.text, is_markdown: true })
        },
        Some(Form::Markdown) => {
            let text = plain(page)?;
            Ok(Readable { title: first_heading(&text), text, is_markdown: true })
        },
        Some(Form::Plain) => Ok(Readable { title: None, text: plain(page)?, is_markdown: false }),
        None => Err(unsupported(page)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Markdown,
    Plain,
}

fn form_of(page: &Page) -> Option<Form> {
    match page.media_type.as_str() {
        "text/html" | "application/xhtml+xml" => Some(Form::Html),
        "text/markdown" | "text/x-markdown" => Some(Form::Markdown),
        // Hosts of raw files name no better type.
        "text/plain" if has_markdown_name(&page.url) => Some(Form::Markdown),
        "" if looks_like_html(&page.body) => Some(Form::Html),
        "" => Some(Form::Plain),
        media_type => is_plain(media_type).then_some(Form::Plain),
    }
}

fn is_plain(media_type: &str) -> bool {
    if let Some(kind) = media_type.strip_prefix("text/") {
        return kind != "rtf";
    }
    let Some(kind) = media_type.strip_prefix("application/") else { return false };
    let suffixes = ["+json", "+xml", "+yaml"];
    let kind = kind.strip_prefix("x-").unwrap_or(kind);
    matches!(
        kind,
        "json"
            | "ndjson"
            | "jsonl"
            | "json5"
            | "xml"
            | "yaml"
            | "toml"
            | "javascript"
            | "ecmascript"
            | "typescript"
            | "sh"
            | "sql"
            | "graphql"
            | "tex"
            | "latex"
    ) || suffixes.iter().any(|suffix| kind.ends_with(suffix))
}

fn has_markdown_name(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    path.ends_with(".md") || path.ends_with(".markdown")
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start_of(body)).to_ascii_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn plain(page: &Page) -> Result<String> {
    let text = decode(page, xml_encoding(&page.body).as_deref());
    // Binary files are often sent as text.
    if text.contains('\0') {
        return Err(unsupported(page));
    }
    Ok(text.into_owned())
}

fn unsupported(page: &Page) -> Failure {
    let media_type = if page.media_type.is_empty() { "unknown" } else { &page.media_type };
    let message = format!(
        "cannot read `{}`: unsupported media type `{}`",
        shown(&page.url),
        shown(media_type)
    );
    Failure::new(ErrorCode::UrlFailed, message).hint("save the file and add it by its path")
}

fn start_of(body: &[u8]) -> &[u8] {
    &body[..body.len().min(DECLARATION_BYTES)]
}

/// The encoding in `<?xml version="1.0" encoding="…"?>`.
fn xml_encoding(body: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(start_of(body));
    let declaration = start.strip_prefix("<?xml")?.split("?>").next()?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|character| matches!(character, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_owned)
}

/// The characters of a page. A byte order mark decides, then the server, then the page itself, then the bytes.
fn decode<'a>(page: &'a Page, declared: Option<&str>) -> Cow<'a, str> {
    let body = page.body.as_slice();
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(&body[mark..]).0;
    }
    let from_server = page.charset.as_deref().and_then(known_encoding);
    // A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    let from_page = || {
        let encoding = declared.and_then(known_encoding)?;
        Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
    };
    let utf8 = std::str::from_utf8(body);
    match (from_server.or_else(from_page), utf8) {
        // Many servers name Latin-1 for everything, and text in it is hardly ever valid UTF-8 by chance.
        (Some(encoding), Ok(text)) if encoding.is_single_byte() => Cow::Borrowed(text),
        (Some(encoding), _) => encoding.decode_without_bom_handling(body).0,
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => WINDOWS_1252.decode_without_bom_handling(body).0,
    }
}

fn known_encoding(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label.as_bytes())
}

/// The first main heading outside of code.
fn first_heading(markdown: &str) -> Option<String> {
    let mut is_code = false;
    for line in markdown.lines() {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && let Some(heading) = line.strip_prefix("# ") {
            let heading = heading.trim().trim_end_matches('#').trim_end();
            return (!heading.is_empty()).then(|| heading.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::Validators;

    fn page(media_type: &str, charset: Option<&str>, body: &[u8]) -> Page {
        Page {
            url: "https://example.org/readme.md".to_owned(),
            media_type: media_type.to_owned(),
            charset: charset.map(str::to_owned),
            body: body.to_vec(),
            validators: Validators::default(),
        }
    }

    fn text(media_type: &str, charset: Option<&str>, body: &[u8]) -> String {
        readable(&page(media_type, charset, body)).unwrap().text
    }

    #[test]
    fn html_becomes_markdown_with_a_title() {
        let read = readable(&page("text/html", None, b"<title>T</title><h2>H</h2><p>x")).unwrap();
        let expected = Readable {
            title: Some("T".to_owned()),
            text: "## H\n\nx".to_owned(),
            is_markdown: true,
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn the_character_set_comes_from_mark_server_page_and_bytes_in_this_order() {
        assert_eq!(text("text/csv", Some("latin1"), b"\xef\xbb\xbfa\xc3\xa4"), "aä");
        assert_eq!(text("text/csv", None, b"\xff\xfea\x00"), "a");
        assert_eq!(text("text/csv", Some("iso-8859-1"), b"a\xe4"), "aä");
        assert_eq!(text("text/html", Some("Shift_JIS"), b"<meta charset=utf-8>\x93\xfa"), "日");
        assert_eq!(text("text/html", None, b"<meta charset='windows-1251'>\xef"), "п");
        let meta = b"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>\xd0";
        assert_eq!(text("text/html", None, meta), "п");
        assert_eq!(
            text("application/xml", None, b"<?xml encoding='latin1'?>\xe4"),
            "<?xml encoding='latin1'?>ä"
        );
        assert_eq!(text("text/csv", None, b"\x93x\x94"), "“x”");
    }

    #[test]
    fn wrong_character_sets_do_the_least_harm() {
        assert_eq!(text("text/csv", Some("iso-8859-1"), "ä€".as_bytes()), "ä€");
        assert_eq!(text("text/csv", Some("utf-8"), b"a\xe4b"), "a\u{fffd}b");
        assert_eq!(text("text/csv", Some("no-such-set"), "ä".as_bytes()), "ä");
        assert_eq!(text("text/csv", Some("iso-2022-kr"), b"abc"), "abc");
        assert_eq!(text("text/html", None, "<meta charset=utf-16>ä".as_bytes()), "ä");
    }

    #[test]
    fn markdown_is_known_by_type_or_by_name() {
        let read = readable(&page("text/plain", None, b"```\n# no\n```\n# Yes #\n")).unwrap();
        assert_eq!((read.title.as_deref(), read.is_markdown), (Some("Yes"), true));
        assert!(!readable(&page("application/json", None, b"{}")).unwrap().is_markdown);
    }

    #[test]
    fn what_is_not_text_is_refused() {
        for media_type in
            ["image/png", "application/pdf", "application/octet-stream", "image/svg+xml"]
        {
            let failure = readable(&page(media_type, None, b"x")).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::UrlFailed);
            assert!(failure.message().contains("unsupported media type"), "{failure}");
        }
        assert!(readable(&page("text/csv", None, b"a\0b")).is_err());
        assert!(readable(&page("", None, b"\x7fELF\0")).is_err());
    }

    #[test]
    fn a_page_without_a_type_is_looked_at() {
        assert_eq!(text("", None, b"\n<!DOCTYPE html><p>x"), "x");
        assert_eq!(text("", None, b"<p>x"), "<p>x");
    }
}
