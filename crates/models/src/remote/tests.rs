//! A real server on this machine that speaks both protocols, well and badly.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::*;

/// Head and body of every request.
type Log = Arc<Mutex<Vec<(String, Value)>>>;

struct Server {
    port: u16,
    log: Log,
}

impl Server {
    /// Answers the n-th request with a status, headers and a body.
    fn new(answer: impl Fn(usize, &Value) -> (u16, String, Value) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Log::default();
        let seen = Arc::clone(&log);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let (head, body) = read_request(&mut stream);
                let nth = {
                    let mut seen = seen.lock().unwrap();
                    seen.push((head, body.clone()));
                    seen.len()
                };
                let (status, headers, answer) = answer(nth, &body);
                let answer = answer.to_string();
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{answer}",
                    answer.len()
                );
                drop(stream.write_all(head.as_bytes()));
            }
        });
        Self { port, log }
    }

    fn options(&self, provider: Provider) -> RemoteOptions {
        RemoteOptions {
            endpoint: Some(format!("http://127.0.0.1:{}/v1/", self.port)),
            pause: Duration::from_millis(1),
            timeout: Duration::from_secs(5),
            ..RemoteOptions::new(provider, "some-model")
        }
    }

    fn requests(&self) -> usize {
        self.log.lock().unwrap().len()
    }
}

fn read_request(stream: &mut TcpStream) -> (String, Value) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap_or_default())
}

/// A vector that tells the length of its text.
fn vector(text: &Value) -> Value {
    json!([text.as_str().unwrap().len(), 1])
}

fn openai(body: &Value) -> Value {
    let texts = body["input"].as_array().unwrap();
    let item = |(at, text): (usize, &Value)| json!({ "index": at, "embedding": vector(text) });
    // Servers may answer in any order.
    let data: Vec<Value> = texts.iter().enumerate().rev().map(item).collect();
    json!({ "data": data })
}

fn ollama(body: &Value) -> Value {
    let rows: Vec<Value> = body["input"].as_array().unwrap().iter().map(vector).collect();
    json!({ "embeddings": rows })
}

fn embed(remote: &Remote, texts: &[&str]) -> Result<Vectors> {
    remote.embed(texts, TextKind::Passage, &Cancel::default())
}

fn open(options: RemoteOptions) -> Result<Remote> {
    Remote::open(options, &Cancel::default())
}

#[test]
fn texts_go_in_batches_and_come_back_in_order() {
    let server = Server::new(|_, body| (200, String::new(), openai(body)));
    let options = RemoteOptions {
        dimension: Some(2),
        api_key: Some("hush".to_owned()),
        ..server.options(Provider::OpenAi)
    };
    let remote = open(options).unwrap();
    assert_eq!((server.requests(), remote.id().to_string().as_str()), (0, "openai:some-model"));
    let texts: Vec<String> = (0..70).map(|length| "x".repeat(length)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embed(&remote, &texts).unwrap();
    for (length, row) in vectors.rows().enumerate() {
        assert_eq!(row, [length as f32, 1.0]);
    }
    assert_eq!(server.requests(), 3);
    let log = server.log.lock().unwrap();
    let (head, body) = &log[0];
    assert!(head.starts_with("post /v1/embeddings http/1.1") && head.contains("bearer hush"));
    assert_eq!(body["model"], "some-model");
    assert!(!format!("{remote:?}").contains("hush"));
}

#[test]
fn the_dimension_is_asked_for_where_it_is_not_known() {
    let server = Server::new(|_, body| (200, String::new(), ollama(body)));
    let remote = open(server.options(Provider::Ollama)).unwrap();
    assert_eq!((remote.dimension(), server.requests()), (2, 1));
    assert!(server.log.lock().unwrap()[0].0.starts_with("post /v1/api/embed "));
    assert_eq!(embed(&remote, &["abc"]).unwrap().row(0), [3.0, 1.0]);
    assert!(embed(&remote, &[]).unwrap().is_empty());
}

#[test]
fn a_busy_server_is_asked_again_and_not_for_ever() {
    let server = Server::new(|nth, body| match nth {
        1 => (429, "Retry-After: 0\r\n".to_owned(), json!({})),
        2 => (503, String::new(), json!({})),
        _ => (200, String::new(), openai(body)),
    });
    let remote = open(server.options(Provider::OpenAi)).unwrap();
    assert_eq!((remote.dimension(), server.requests()), (2, 3));
    let server = Server::new(|_, _| (500, String::new(), json!({})));
    let failure = open(server.options(Provider::OpenAi)).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::EmbeddingProviderUnavailable);
    assert!(failure.message().contains("it answered 500"), "{failure}");
    assert_eq!(server.requests(), 4);
}

#[test]
fn refusals_are_told_at_once_with_what_to_do() {
    for (status, provider, hint) in
        [(401, Provider::OpenAi, "api_key_env"), (404, Provider::Ollama, "ollama pull some-model")]
    {
        let server = Server::new(move |_, _| (status, String::new(), json!({})));
        let failure = open(server.options(provider)).unwrap_err();
        assert_eq!(server.requests(), 1);
        assert!(failure.hints()[0].contains(hint), "{failure:?}");
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let endpoint = Some(format!("http://127.0.0.1:{port}"));
    let options = RemoteOptions { tries: 1, endpoint, ..RemoteOptions::new(Provider::Ollama, "m") };
    let failure = open(options).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::EmbeddingProviderUnavailable);
    assert_eq!(failure.hints(), ["start it with `ollama serve`"]);
}

#[test]
fn vectors_that_do_not_fit_are_refused() {
    let wrong: [(Value, &str); 5] = [
        (json!({ "embeddings": [[1, 2, 3]] }), "vectors of 3 numbers, and the config says 2"),
        (json!({ "embeddings": [] }), "0 vectors for 1 texts"),
        (json!({ "embeddings": [[1, "x"]] }), "holds no vectors"),
        (json!({ "embeddings": [[1, 1e300]] }), "numbers that are none"),
        (json!("text"), "holds no vectors"),
    ];
    for (answer, part) in wrong {
        let server = Server::new(move |_, _| (200, String::new(), answer.clone()));
        let options = RemoteOptions { dimension: Some(2), ..server.options(Provider::Ollama) };
        let failure = embed(&open(options).unwrap(), &["a"]).unwrap_err();
        assert!(failure.message().contains(part), "{failure}");
    }
}

#[test]
fn a_key_goes_to_encrypted_servers_only() {
    let options = RemoteOptions {
        endpoint: Some("http://example.com".to_owned()),
        api_key: Some("hush".to_owned()),
        dimension: Some(2),
        ..RemoteOptions::new(Provider::OpenAi, "m")
    };
    let failure = open(options).unwrap_err();
    assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
    assert!(!failure.to_string().contains("hush"));
}

#[test]
fn batches_are_bounded_by_bytes_and_never_empty() {
    let long = "x".repeat(BATCH_BYTES + 1);
    assert_eq!(batch(&[&long, "a"]), 1);
    assert_eq!(batch(&["a", &long]), 1);
    assert_eq!(batch(&["a"; 100]), BATCH_TEXTS);
}
