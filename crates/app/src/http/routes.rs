//! What a request asks for.

use std::sync::Arc;

use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, VARY, WWW_AUTHENTICATE,
};
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode};
use hyper::body::Incoming;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::answer::{self, Answer};
use super::calls::Calls;
use super::guard::{Guard, Refusal};
use super::{body, openapi};
use crate::mcp::Server;

/// More conversations are not begun.
const MOST_SESSIONS: usize = 256;

/// Everything that requests need.
pub(super) struct Routes {
    pub(super) calls: Arc<Calls>,
    guard: Guard,
    mcp: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
}

/// The routes, by the names under which they are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route<'p> {
    Health,
    Metrics,
    Status,
    Tools,
    Tool(&'p str),
    OpenApi,
    Mcp,
    Nothing,
}

impl<'p> Route<'p> {
    fn of(path: &'p str) -> Self {
        match path {
            "/healthz" => Self::Health,
            "/metrics" => Self::Metrics,
            "/v1/status" => Self::Status,
            "/v1/tools" => Self::Tools,
            "/v1/openapi.json" => Self::OpenApi,
            "/mcp" => Self::Mcp,
            _ => match path.strip_prefix("/v1/tools/") {
                Some(name) if !name.is_empty() && !name.contains('/') => Self::Tool(name),
                _ => Self::Nothing,
            },
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Health => "/healthz",
            Self::Metrics => "/metrics",
            Self::Status => "/v1/status",
            Self::Tools => "/v1/tools",
            Self::Tool(_) => "/v1/tools/{name}",
            Self::OpenApi => "/v1/openapi.json",
            Self::Mcp => "/mcp",
            Self::Nothing => "other",
        }
    }

    /// The methods it takes, where it does not decide itself.
    fn methods(self) -> Option<&'static str> {
        match self {
            Self::Tool(_) => Some("POST"),
            Self::Mcp | Self::Nothing => None,
            Self::Health | Self::Metrics | Self::Status | Self::Tools | Self::OpenApi => {
                Some("GET, HEAD")
            },
        }
    }
}

impl Routes {
    pub(super) fn new(
        calls: Arc<Calls>,
        guard: Guard,
        server: Server,
        stopping: CancellationToken,
    ) -> Self {
        let sessions = Arc::new(LocalSessionManager::default());
        // Names and origins are checked by the guard, for this route as for all others.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(body::MOST_BYTES)
            .with_cancellation_token(stopping);
        let mcp =
            StreamableHttpService::new(move || Ok(server.clone()), Arc::clone(&sessions), config);
        Self { calls, guard, mcp, sessions }
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        let path = request.uri().path().to_owned();
        let route = Route::of(&path);
        let origin = self.guard.allowed_origin(request.headers());
        let mut answer = self.routed(route, request).await;
        if let Some(origin) = origin.and_then(|origin| HeaderValue::from_str(&origin).ok()) {
            answer.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            answer.headers_mut().insert(VARY, HeaderValue::from_static("Origin"));
        }
        self.calls.metrics.request(route.label(), answer.status().as_u16());
        answer
    }

    async fn routed(&self, route: Route<'_>, request: Request<Incoming>) -> Answer {
        let (parts, body) = request.into_parts();
        // A browser asks with OPTIONS before it shows the token.
        let is_asking = parts.method == Method::OPTIONS;
        let needs_token = route != Route::Health && !is_asking;
        if let Err(refusal) = self.guard.check(&parts, needs_token) {
            return refused(&refusal);
        }
        if is_asking && route != Route::Nothing {
            return self.preflight(&parts, route);
        }
        if let Some(methods) = route.methods()
            && !methods.split(", ").any(|method| method == parts.method.as_str())
        {
            let mut answer = answer::refused(
                StatusCode::METHOD_NOT_ALLOWED,
                "method",
                "this method is not for this path",
            );
            answer.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
            return answer;
        }
        match route {
            Route::Health => {
                answer::text(StatusCode::OK, "text/plain; charset=utf-8", "ok\n".to_owned())
            },
            Route::Metrics => answer::text(
                StatusCode::OK,
                "text/plain; version=0.0.4; charset=utf-8",
                self.calls.metrics.page(),
            ),
            Route::Status => self.calls.answer("status".to_owned(), Map::new()).await,
            Route::Tools => answer::json(StatusCode::OK, &self.tools()),
            Route::OpenApi => answer::json(StatusCode::OK, &openapi::document(&self.calls.service)),
            Route::Tool(name) => self.tool(name, &parts, body).await,
            Route::Mcp => {
                let is_new = !parts.headers.contains_key("mcp-session-id");
                if is_new && self.sessions.sessions.read().await.len() >= MOST_SESSIONS {
                    return answer::refused(
                        StatusCode::SERVICE_UNAVAILABLE,
                        "busy",
                        "there are too many conversations already",
                    );
                }
                self.mcp.handle(Request::from_parts(parts, body)).await
            },
            Route::Nothing => {
                answer::refused(StatusCode::NOT_FOUND, "not-found", "there is nothing at this path")
            },
        }
    }

    async fn tool(&self, name: &str, parts: &Parts, body: Incoming) -> Answer {
        if self.calls.service.find(name).is_none() {
            return answer::refused(
                StatusCode::NOT_FOUND,
                "tool-not-found",
                "there is no such tool",
            );
        }
        let arguments = match body::arguments(parts, body).await {
            Ok(arguments) => arguments,
            Err(refusal) => return refused(&refusal),
        };
        let accepts = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
        if accepts.is_some_and(|value| value.contains("text/event-stream")) {
            return self.calls.stream(name.to_owned(), arguments);
        }
        self.calls.answer(name.to_owned(), arguments).await
    }

    fn tools(&self) -> Value {
        let service = &self.calls.service;
        let tools: Vec<Value> = service
            .declarations()
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "title": tool.title,
                    "description": tool.description,
                    "readOnly": tool.is_read_only(),
                    "destructive": tool.tool.destroys,
                    "inputSchema": service.input_schema(tool),
                    "outputSchema": tool.output,
                })
            })
            .collect();
        json!({"tools": tools, "roots": service.roots().names()})
    }

    fn preflight(&self, parts: &Parts, route: Route<'_>) -> Answer {
        let mut answer = answer::text(StatusCode::NO_CONTENT, "text/plain", String::new());
        let methods = route.methods().unwrap_or("GET, POST, DELETE");
        let headers = answer.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static(methods));
        if self.guard.allowed_origin(&parts.headers).is_some() {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
            headers.insert(
                ACCESS_CONTROL_ALLOW_HEADERS,
                HeaderValue::from_static(
                    "authorization, content-type, mcp-session-id, mcp-protocol-version",
                ),
            );
        }
        answer
    }
}

fn refused(refusal: &Refusal) -> Answer {
    let mut answer = answer::refused(refusal.status, "refused", refusal.message);
    if refusal.status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}
