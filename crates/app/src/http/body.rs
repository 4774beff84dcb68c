//! The body of a request: JSON of bounded length, within a bounded time.

use std::time::Duration;

use http::StatusCode;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde_json::{Map, Value};

use super::guard::Refusal;

/// No arguments are longer.
pub(super) const MOST_BYTES: usize = 1 << 20;
/// A client that is slower is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The arguments that a request carries; no body means none.
pub(super) async fn arguments(
    parts: &Parts,
    body: Incoming,
) -> Result<Map<String, Value>, Refusal> {
    let refused = |status, message| Refusal { status, message };
    let read = tokio::time::timeout(PATIENCE, Limited::new(body, MOST_BYTES).collect()).await;
    let bytes = match read {
        Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, "the body took too long")),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "the body has more than 1 MiB"));
        },
        Ok(Err(_)) => return Err(refused(StatusCode::BAD_REQUEST, "the body broke off")),
        Ok(Ok(collected)) => collected.to_bytes(),
    };
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    // A form of another page cannot send this kind without being asked about it first.
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be `application/json`",
        ));
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(refused(StatusCode::BAD_REQUEST, "the arguments must be a JSON object")),
        Err(_) => Err(refused(StatusCode::BAD_REQUEST, "the body is not JSON")),
    }
}
