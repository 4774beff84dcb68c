//! The loop that accepts connections, and its end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::calls::Calls;
use super::guard::Guard;
use super::metrics::Metrics;
use super::routes::Routes;
use crate::mcp::Server;
use crate::runtime;

/// More connections wait.
const MOST_CONNECTIONS: usize = 512;
/// A client must have said what it wants by then.
const HEADER_PATIENCE: Duration = Duration::from_secs(10);
/// Answers that are under way when the server ends may take so long.
const FAREWELL: Duration = Duration::from_secs(5);
/// Enough for any client; the rest is a trick.
const MOST_HEADERS: usize = 64;
const MOST_HEADER_BYTES: usize = 32 << 10;

/// Takes the port.
pub(super) async fn listen(address: SocketAddr) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| cannot_listen(address.port(), error))
}

pub(super) fn cannot_listen(port: u16, error: std::io::Error) -> Failure {
    Failure::new(ErrorCode::Io, format!("port {port} cannot be used"))
        .caused_by(error)
        .hint("`--port 0` takes one that is free")
}

/// Serves until a signal comes, then lets what is under way end.
pub(super) async fn serve(listener: TcpListener, server: Server, guard: Guard, stopping: Cancel) {
    let token = CancellationToken::new();
    runtime::cancel_on_signal(token.clone(), stopping);
    let metrics = Arc::new(Metrics::default());
    let calls = Arc::new(Calls::new(server.service(), Arc::clone(&metrics)));
    let routes = Arc::new(Routes::new(calls, guard, server, token.clone()));
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = token.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                let (routes, token, metrics) =
                    (Arc::clone(&routes), token.clone(), Arc::clone(&metrics));
                drop(tokio::spawn(async move {
                    metrics.connections.fetch_add(1, Ordering::Relaxed);
                    connection(stream, routes, token).await;
                    metrics.connections.fetch_sub(1, Ordering::Relaxed);
                    drop(place);
                }));
            },
            // Out of file handles, most likely: connections that end give some back.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    drop(listener);
    let all = u32::try_from(MOST_CONNECTIONS).unwrap_or(u32::MAX);
    drop(tokio::time::timeout(FAREWELL, places.acquire_many(all)).await);
}

async fn connection(stream: TcpStream, routes: Arc<Routes>, token: CancellationToken) {
    drop(stream.set_nodelay(true));
    let service = service_fn(move |request| {
        let routes = Arc::clone(&routes);
        async move { Ok::<_, Infallible>(routes.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .max_headers(MOST_HEADERS)
        .max_buf_size(MOST_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        () = token.cancelled() => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        drop(connection.await);
    }
}
