//! Text → vector by a server: Ollama (`/api/embed`) or anything that speaks the API of OpenAI (`/embeddings`).
//!
//! Texts go in batches, a busy server is asked again, and a vector of another length than promised is a failure: it
//! cannot be compared with the others.

#[cfg(test)]
mod tests;

use std::time::Duration;

use gik_base::{Cancel, ErrorCode, Failure, Result};
use serde_json::{Value, json};
use url::Url;

use crate::embedder::{Embedder, ModelId, Provider, TextKind, Vectors};
use crate::http::{self, Ask, Http, Patience, Trouble};

/// Where Ollama listens.
const OLLAMA: &str = "http://127.0.0.1:11434";
/// Where OpenAI listens.
const OPENAI: &str = "https://api.openai.com/v1";
/// Texts of one request.
const BATCH_TEXTS: usize = 32;
/// Bytes of one request, unless one text alone has more.
const BATCH_BYTES: usize = 128 << 10;
/// No honest answer to a batch is longer.
const MOST_ANSWER_BYTES: usize = 64 << 20;
/// The longest that a server may ask to wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Which server to ask, and how.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// [`Provider::Ollama`] or [`Provider::OpenAi`].
    pub provider: Provider,
    /// The name of the model on the server.
    pub model: String,
    /// The server, where it is not the usual one.
    pub endpoint: Option<String>,
    /// The numbers of a vector; asked for where it is not known.
    pub dimension: Option<usize>,
    /// Sent as a bearer token.
    pub api_key: Option<String>,
    /// How long one request may take.
    pub timeout: Duration,
    /// How often a request is tried.
    pub tries: u32,
    /// The pause before the second try; it doubles each time.
    pub pause: Duration,
}

impl RemoteOptions {
    /// The usual patience for a model.
    pub fn new(provider: Provider, model: &str) -> Self {
        Self {
            provider,
            model: model.to_owned(),
            endpoint: None,
            dimension: None,
            api_key: None,
            timeout: Duration::from_secs(60),
            tries: 4,
            pause: Duration::from_millis(500),
        }
    }
}

/// A model on a server.
pub struct Remote {
    id: ModelId,
    dimension: usize,
    url: Url,
    http: Http,
    options: RemoteOptions,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key stays out of every message.
        f.debug_struct("Remote").field("id", &self.id).field("url", &self.url.as_str()).finish()
    }
}

impl Remote {
    /// Makes ready to ask a server. It is asked for a vector only where the dimension is not known.
    pub fn open(options: RemoteOptions, cancel: &Cancel) -> Result<Self> {
        let (usual, path): (&str, &[&str]) = match options.provider {
            Provider::Ollama => (OLLAMA, &["api", "embed"]),
            Provider::OpenAi | Provider::Static | Provider::Candle => (OPENAI, &["embeddings"]),
        };
        let mut url = http::server(options.endpoint.as_deref().unwrap_or(usual))?;
        if options.api_key.is_some() && url.scheme() == "http" && !http::is_loopback(&url) {
            let message =
                format!("will not send the key to `{url}`: the way there is not encrypted");
            return Err(Failure::new(ErrorCode::ConfigInvalid, message)
                .hint("use an endpoint that starts with `https://`"));
        }
        let plain = |()| Failure::new(ErrorCode::ConfigInvalid, "the endpoint is no plain address");
        url.path_segments_mut().map_err(plain)?.pop_if_empty().extend(path);
        let timeout = options.timeout;
        let patience = Patience {
            connect: timeout.min(Duration::from_secs(10)),
            answer: timeout,
            silence: timeout,
        };
        let mut remote = Self {
            id: ModelId { provider: options.provider, name: options.model.clone() },
            dimension: options.dimension.unwrap_or(0),
            http: Http::new(&url, patience),
            url,
            options,
        };
        if remote.dimension == 0 {
            let rows = remote.request(&["dimension"], cancel)?;
            remote.dimension = rows.first().map_or(0, Vec::len);
        }
        Ok(remote)
    }

    /// The vectors of one batch.
    fn request(&self, texts: &[&str], cancel: &Cancel) -> Result<Vec<Vec<f32>>> {
        let body = json!({ "model": self.options.model, "input": texts }).to_string().into_bytes();
        let mut tries = 0;
        let answer = loop {
            tries += 1;
            let (failure, pause) = match self.once(&body, cancel) {
                Ok(answer) => break answer,
                Err(Refusal::Final(failure)) => return Err(failure),
                Err(Refusal::Busy(failure, pause)) => (failure, pause),
            };
            if tries >= self.options.tries {
                return Err(failure);
            }
            let own = self.options.pause * (1 << (tries - 1).min(5));
            http::pause(pause.unwrap_or(own).min(LONGEST_PAUSE), cancel)?;
        };
        let rows = match self.options.provider {
            Provider::Ollama => ollama_rows(&answer),
            Provider::OpenAi | Provider::Static | Provider::Candle => openai_rows(&answer),
        };
        let rows = rows.ok_or_else(|| self.unavailable("its answer holds no vectors"))?;
        if rows.len() != texts.len() {
            let what = format!("it gave {} vectors for {} texts", rows.len(), texts.len());
            return Err(self.unavailable(&what));
        }
        if let Some(row) = rows.iter().find(|row| row.is_empty() || self.is_wrong(row.len())) {
            let message = format!(
                "`{}` gives vectors of {} numbers, and the config says {}",
                self.id,
                row.len(),
                self.dimension
            );
            return Err(Failure::new(ErrorCode::ConfigInvalid, message)
                .hint(format!("set `dimension` to {} beside its `model_id`", row.len())));
        }
        if rows.iter().flatten().any(|value| !value.is_finite()) {
            return Err(self.unavailable("it gave numbers that are none"));
        }
        Ok(rows)
    }

    fn is_wrong(&self, length: usize) -> bool {
        self.dimension != 0 && length != self.dimension
    }

    fn once(&self, body: &[u8], cancel: &Cancel) -> Result<Value, Refusal> {
        let mut headers = Vec::new();
        if let Some(key) = &self.options.api_key {
            headers.push(("authorization", format!("Bearer {key}")));
        }
        let ask = Ask { url: self.url.as_str(), headers, body: Some(body.to_vec()) };
        let trouble = |trouble| match trouble {
            Trouble::Stopped(failure) => Refusal::Final(failure),
            Trouble::Broken(what) => Refusal::Busy(self.unavailable(&what), None),
        };
        let reply = self.http.ask(&ask, cancel).map_err(trouble)?;
        if reply.status == 200 {
            let bytes = reply.body(MOST_ANSWER_BYTES, cancel).map_err(trouble)?;
            return serde_json::from_slice(&bytes).map_err(|error| {
                Refusal::Final(self.unavailable("its answer is no JSON").caused_by(error))
            });
        }
        let failure = self.unavailable(&format!("it answered {}", reply.status));
        match reply.status {
            408 | 429 | 500..=599 => {
                let seconds = reply.header("retry-after").and_then(|text| text.parse().ok());
                Err(Refusal::Busy(failure, seconds.map(Duration::from_secs)))
            },
            401 | 403 => Err(Refusal::Final(failure.hint(
                "name the variable with the key: `gik config set --global embeddings.default.api_key_env NAME`",
            ))),
            404 if self.options.provider == Provider::Ollama => {
                Err(Refusal::Final(failure.hint(format!("run `ollama pull {}`", self.options.model))))
            },
            _ => Err(Refusal::Final(failure)),
        }
    }

    fn unavailable(&self, what: &str) -> Failure {
        let server = self.url.origin().ascii_serialization();
        let message = format!("`{}` cannot be used: `{server}`: {what}", self.id);
        let failure = Failure::new(ErrorCode::EmbeddingProviderUnavailable, message);
        if self.options.provider == Provider::Ollama && what.contains("refused") {
            return failure.hint("start it with `ollama serve`");
        }
        failure
    }
}

/// Why there was no answer.
enum Refusal {
    /// Asking again does not help.
    Final(Failure),
    /// It may, after that pause.
    Busy(Failure, Option<Duration>),
}

impl Embedder for Remote {
    fn id(&self) -> &ModelId {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str], _kind: TextKind, cancel: &Cancel) -> Result<Vectors> {
        let mut vectors = Vectors::zeros(texts.len(), self.dimension);
        let mut at = 0;
        while at < texts.len() {
            cancel.check()?;
            let count = batch(&texts[at..]);
            for row in self.request(&texts[at..at + count], cancel)? {
                vectors.row_mut(at).copy_from_slice(&row);
                at += 1;
            }
        }
        Ok(vectors)
    }
}

/// How many of the texts make up the next request.
fn batch(texts: &[&str]) -> usize {
    let mut bytes = 0;
    let fits = texts.iter().take(BATCH_TEXTS).take_while(|text| {
        bytes += text.len();
        bytes <= BATCH_BYTES
    });
    fits.count().max(1)
}

/// `{"embeddings": [[…]]}`.
fn ollama_rows(answer: &Value) -> Option<Vec<Vec<f32>>> {
    answer["embeddings"].as_array()?.iter().map(numbers).collect()
}

/// `{"data": [{"index": 0, "embedding": […]}]}`, in any order.
fn openai_rows(answer: &Value) -> Option<Vec<Vec<f32>>> {
    let data = answer["data"].as_array()?;
    let mut rows = vec![None; data.len()];
    for (at, item) in data.iter().enumerate() {
        let index = item["index"].as_u64().map_or(Some(at), |index| usize::try_from(index).ok())?;
        *rows.get_mut(index)? = Some(numbers(&item["embedding"])?);
    }
    rows.into_iter().collect()
}

#[expect(clippy::cast_possible_truncation, reason = "vectors are kept in f32")]
fn numbers(row: &Value) -> Option<Vec<f32>> {
    row.as_array()?.iter().map(|value| value.as_f64().map(|value| value as f32)).collect()
}
