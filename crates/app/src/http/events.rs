//! Server-sent events: steps of a call as they come, then its answer.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tokio::sync::mpsc;

use super::answer::Answer;

/// Where events go.
pub(super) type Sender = mpsc::Sender<Bytes>;

/// A stream of events, and where to put them.
pub(super) fn stream<Kept: Send + Sync + Unpin + 'static>(kept: Kept) -> (Sender, Answer) {
    let (sender, receiver) = mpsc::channel(64);
    let mut answer = Response::new(Events { receiver, _kept: kept }.boxed());
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (sender, answer)
}

/// One event. JSON has no line breaks of its own.
pub(super) fn event(name: &str, data: &Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

/// The body; it keeps something as long as the client listens.
struct Events<Kept> {
    receiver: mpsc::Receiver<Bytes>,
    _kept: Kept,
}

impl<Kept: Unpin> Body for Events<Kept> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.get_mut().receiver.poll_recv(context);
        next.map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
    }
}
