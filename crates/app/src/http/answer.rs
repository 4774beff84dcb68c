//! Answers of the server: documents, failures and their status.

use std::convert::Infallible;

use bytes::Bytes;
use gik_base::{ErrorCode, Failure};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};

use crate::output::failure_json;
use crate::service::Answered;

/// What is sent.
pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;

const NOTE: HeaderName = HeaderName::from_static("gik-note");
const TRUNCATED: HeaderName = HeaderName::from_static("gik-truncated");
const NEXT_CURSOR: HeaderName = HeaderName::from_static("gik-next-cursor");

/// A text of some kind.
pub(super) fn text(status: StatusCode, kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// A document.
pub(super) fn json(status: StatusCode, document: &Value) -> Answer {
    text(status, "application/json", document.to_string())
}

/// A request that cannot be answered, in the form of a failure.
pub(super) fn refused(status: StatusCode, code: &str, message: &str) -> Answer {
    let document =
        json!({"error": {"code": code, "name": "Http", "message": message, "hints": []}});
    json(status, &document)
}

/// What a tool answered.
pub(super) fn answered(answered: &Answered, notes: &[String]) -> Answer {
    let status =
        if answered.is_failure { status_of_envelope(&answered.json) } else { StatusCode::OK };
    let mut answer = json(status, &answered.json);
    for note in notes {
        append(&mut answer, &NOTE, note);
    }
    for cut in &answered.cuts {
        append(&mut answer, &TRUNCATED, &format!("{} {}/{}", cut.at, cut.kept, cut.of));
    }
    if let Some(cursor) = &answered.next_cursor {
        append(&mut answer, &NEXT_CURSOR, cursor);
    }
    answer
}

/// A failure of a tool.
pub(super) fn failed(failure: &Failure) -> Answer {
    json(status_of(failure.code()), &failure_json(failure))
}

/// Headers carry visible ASCII; the rest is shown as `?`.
fn append(answer: &mut Answer, name: &HeaderName, value: &str) {
    const LONGEST: usize = 1000;
    let visible =
        |letter: char| if letter == ' ' || letter.is_ascii_graphic() { letter } else { '?' };
    let value: String = value.chars().take(LONGEST).map(visible).collect();
    if let Ok(value) = HeaderValue::from_str(&value) {
        answer.headers_mut().append(name, value);
    }
}

/// The status that says as much as the code of a failure.
#[expect(clippy::wildcard_enum_match_arm, reason = "most failures are about what was asked")]
pub(super) fn status_of(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::PathOutside
        | ErrorCode::PathRefused
        | ErrorCode::ConfigUntrusted
        | ErrorCode::ConfirmationRequired => StatusCode::FORBIDDEN,
        ErrorCode::PathMissing
        | ErrorCode::BranchMissing
        | ErrorCode::RevisionMissing
        | ErrorCode::MemoryMissing
        | ErrorCode::ModelMissing
        | ErrorCode::NothingFound
        | ErrorCode::ChangeMissing
        | ErrorCode::HistoryMissing => StatusCode::NOT_FOUND,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::StoreBusy | ErrorCode::Interrupted => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Internal
        | ErrorCode::Io
        | ErrorCode::DiskFull
        | ErrorCode::StoreBroken
        | ErrorCode::StoreNewer => StatusCode::INTERNAL_SERVER_ERROR,
        code if code.exit_status() == 2 => StatusCode::BAD_REQUEST,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

fn status_of_envelope(envelope: &Value) -> StatusCode {
    match envelope.get("error").and_then(Value::as_str) {
        Some("invalid_arguments") => StatusCode::BAD_REQUEST,
        Some("not_found") => StatusCode::NOT_FOUND,
        Some("permission_denied" | "requires_confirmation") => StatusCode::FORBIDDEN,
        Some("too_large") => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
