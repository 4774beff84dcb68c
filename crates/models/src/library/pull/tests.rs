//! A real server on this machine that has a model and hands it out in all the ways servers should not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use gik_base::hash::sha256_hex;
use gik_base::progress::Silent;
use gik_contract::ModelKind;
use gik_testkit::{tiny_encoder, tiny_static_model};
use serde_json::{Value, json};

use super::*;
use crate::library::gguf;
use crate::library::tests::{Setup, model};

const COMMIT: &str = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf";
const WEIGHTS_URL: &str =
    "/me/tiny/resolve/c9745ed1d9f207416be6d2e6f8de32d1f16199bf/model.safetensors";

/// What a request asks for.
struct Ask {
    path: String,
    from: Option<usize>,
    if_range: Option<String>,
}

/// How the weights are handed out, by the number of requests for them so far.
type Behaviour = dyn Fn(usize, &Ask, &[u8], &mut TcpStream) + Send + Sync;

/// What is wrong with a list of files.
type Change = fn(&mut Value);

struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(
        files: Vec<(String, Vec<u8>)>,
        list: impl Fn(&mut Value) + Send + Sync + 'static,
        weights: impl Fn(usize, &Ask, &[u8], &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let weights: Arc<Behaviour> = Arc::new(weights);
        let siblings: Vec<Value> = files
            .iter()
            .map(|(path, bytes)| {
                let mut entry = json!({ "rfilename": path, "size": bytes.len(), "blobId": "x" });
                if path.ends_with(".safetensors") {
                    entry["lfs"] = json!({ "sha256": sha256_hex(bytes), "size": bytes.len() });
                }
                entry
            })
            .collect();
        let mut listing = json!({ "id": "me/tiny", "sha": COMMIT, "siblings": siblings });
        list(&mut listing);
        let listing = listing.to_string().into_bytes();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let ask = read_request(&mut stream);
                let nth = {
                    let mut log = log.lock().unwrap();
                    log.push(ask.path.clone());
                    log.iter().filter(|path| path.ends_with("/model.safetensors")).count()
                };
                let name =
                    ask.path.split_once(&format!("/resolve/{COMMIT}/")).map(|(_, name)| name);
                let file = files.iter().find(|(path, _)| Some(path.as_str()) == name);
                match (ask.path.as_str(), file) {
                    ("/api/models/me/tiny/revision/main?blobs=true", _) => {
                        whole(&mut stream, &listing);
                    },
                    (_, Some((path, bytes))) if path == "model.safetensors" => {
                        weights(nth, &ask, bytes, &mut stream);
                    },
                    (_, Some((_, bytes))) => whole(&mut stream, bytes),
                    _ => send(&mut stream, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
                }
            }
        });
        Self { port, asked }
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn hub(&self) -> Hub {
        let (pause, silence) = (Duration::from_millis(1), Duration::from_secs(5));
        Hub::new(&self.endpoint(), Tries { most: 3, pause, silence }).unwrap()
    }

    fn pull(&self, setup: &Setup, cancel: &Cancel) -> Result<Pulled> {
        let wanted = Wanted::default();
        setup.library.pull(&self.hub(), &model("me/tiny"), &wanted, &Silent, cancel)
    }

    fn asked_for_weights(&self) -> usize {
        let log = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().filter(|path| *path == WEIGHTS_URL).count()
    }
}

fn read_request(stream: &mut TcpStream) -> Ask {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        request.push(byte[0]);
    }
    let request = String::from_utf8(request).unwrap();
    let header = |name: &str| {
        request.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let from = header("range")
        .map(|range| range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap());
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    Ask { path, from, if_range: header("if-range") }
}

/// The client may have hung up already, which is what many of these tests are about.
fn send(stream: &mut TcpStream, bytes: &[u8]) {
    drop(stream.write_all(bytes).and_then(|()| stream.flush()));
}

fn head(stream: &mut TcpStream, status: &str, length: usize, more: &str) {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: \"v1\"\r\nConnection: close\r\n{more}\r\n"
    );
    send(stream, head.as_bytes());
}

fn whole(stream: &mut TcpStream, bytes: &[u8]) {
    head(stream, "200 OK", bytes.len(), "");
    send(stream, bytes);
}

/// What a good server does.
fn rest(ask: &Ask, bytes: &[u8], stream: &mut TcpStream, most: usize) {
    let from = ask.from.unwrap_or(0);
    let range = format!("Content-Range: bytes {from}-{}/{}\r\n", bytes.len() - 1, bytes.len());
    match ask.from {
        Some(_) => head(stream, "206 Partial Content", bytes.len() - from, &range),
        None => head(stream, "200 OK", bytes.len(), ""),
    }
    let end = from.saturating_add(most).min(bytes.len());
    send(stream, &bytes[from..end]);
}

fn tiny(make: impl Fn(&std::path::Path)) -> Vec<(String, Vec<u8>)> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    std::fs::write(dir.path().join("pytorch_model.bin"), "never fetched").unwrap();
    let mut files = Vec::new();
    for name in [
        "README.md",
        "1_Pooling/config.json",
        "config.json",
        "model.safetensors",
        "modules.json",
        "pytorch_model.bin",
        "tokenizer.json",
    ] {
        if let Ok(bytes) = std::fs::read(dir.path().join(name)) {
            files.push((name.to_owned(), bytes));
        }
    }
    files
}

fn good(_: usize, ask: &Ask, bytes: &[u8], stream: &mut TcpStream) {
    rest(ask, bytes, stream, usize::MAX);
}

#[track_caller]
fn assert_failure(result: Result<Pulled>, code: ErrorCode, part: &str) -> Failure {
    let failure = result.unwrap_err();
    assert_eq!(failure.code(), code, "{failure:?}");
    assert!(failure.to_string().contains(part), "{failure:?}");
    failure
}

#[test]
fn a_model_is_fetched_checked_and_activated() {
    let setup = Setup::new();
    let server = Server::new(tiny(tiny_encoder), |_| {}, good);
    let pulled = server.pull(&setup, &Cancel::default()).unwrap();
    let manifest = &pulled.installed.manifest;
    assert_eq!((manifest.revision.as_str(), manifest.dimension), (COMMIT, Some(4)));
    assert_eq!(manifest.source.location, format!("{}/me/tiny", server.endpoint()));
    assert_eq!(pulled.fetched_bytes, pulled.installed.total_bytes());
    assert!(!server.asked.lock().unwrap().iter().any(|path| path.ends_with(".bin")));
    assert_eq!(setup.library.find(&model("me/tiny")).unwrap(), Some(pulled.installed));
    // Once more costs one question.
    let again = server.pull(&setup, &Cancel::default()).unwrap();
    assert_eq!((again.fetched_bytes, server.asked_for_weights()), (0, 1));
    assert!(setup.library.contents().unwrap().unfinished.is_empty());
    // A damaged file is fetched again.
    std::fs::write(again.installed.folder.join("model.safetensors"), "x").unwrap();
    server.pull(&setup, &Cancel::default()).unwrap();
    assert_eq!(again.installed.verify(&Silent, &Cancel::default()).unwrap(), []);
}

#[test]
fn dropped_connections_go_on_where_they_stopped() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |_, ask, bytes, stream| {
            assert_eq!(ask.from.is_some(), ask.if_range.as_deref() == Some("\"v1\""));
            rest(ask, bytes, stream, 400);
        },
    );
    let pulled = server.pull(&setup, &Cancel::default()).unwrap();
    // Every byte came once, over many connections.
    assert_eq!(pulled.fetched_bytes, pulled.installed.total_bytes());
    assert!(server.asked_for_weights() > 3);
}

#[test]
fn a_server_that_ignores_ranges_is_asked_for_the_whole() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |nth, _, bytes, stream| {
            if nth == 1 {
                head(stream, "200 OK", bytes.len(), "");
                send(stream, &bytes[..300]);
            } else {
                whole(stream, bytes);
            }
        },
    );
    let pulled = server.pull(&setup, &Cancel::default()).unwrap();
    assert_eq!(pulled.fetched_bytes, pulled.installed.total_bytes() + 300);
}

#[test]
fn wrong_bytes_never_become_a_model() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |_, _, bytes, stream| {
            let mut wrong = bytes.to_vec();
            wrong[1000] ^= 1;
            whole(stream, &wrong);
        },
    );
    let result = server.pull(&setup, &Cancel::default());
    assert_failure(result, ErrorCode::ModelDownloadFailed, "not those that the endpoint promised");
    assert_eq!(server.asked_for_weights(), 3);
    assert_eq!(setup.library.find(&model("me/tiny")).unwrap(), None);
}

#[test]
fn a_wrong_part_is_thrown_away_and_the_whole_fetched() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |nth, ask, bytes, stream| match nth {
            1 => {
                head(stream, "200 OK", bytes.len(), "");
                send(stream, &vec![7; 500]);
            },
            _ => rest(ask, bytes, stream, usize::MAX),
        },
    );
    server.pull(&setup, &Cancel::default()).unwrap();
    assert_eq!(server.asked_for_weights(), 3);
}

#[test]
fn sizes_that_do_not_agree_are_told() {
    let setup = Setup::new();
    let lengths = [0usize, 10, 100_000];
    for length in lengths {
        let server = Server::new(
            tiny(tiny_encoder),
            |_| {},
            move |_, _, bytes, stream| {
                head(stream, "200 OK", length, "");
                send(stream, bytes);
            },
        );
        let result = server.pull(&setup, &Cancel::default());
        let part = format!("it has {length} bytes instead of");
        assert_failure(result, ErrorCode::ModelDownloadFailed, &part);
    }
    // Without a length of its own the answer ends where the connection does.
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |_, _, bytes, stream| {
            send(stream, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
            send(stream, bytes);
            send(stream, &[0; 5000]);
        },
    );
    let result = server.pull(&setup, &Cancel::default());
    assert_failure(result, ErrorCode::ModelDownloadFailed, "it sends more than");
    let server = Server::new(
        tiny(tiny_encoder),
        |list| {
            for entry in list["siblings"].as_array_mut().unwrap() {
                entry["size"] = json!(3);
            }
        },
        good,
    );
    let result = server.pull(&setup, &Cancel::default());
    assert_failure(result, ErrorCode::ModelDownloadFailed, "bytes instead of 3");
}

/// Stops the work once so many bytes have come.
struct StopAfter {
    bytes: Mutex<u64>,
    cancel: Cancel,
}

impl Progress for StopAfter {
    fn begin(&self, _step: &str, _total: Option<u64>) {}

    fn advance(&self, done: u64) {
        let mut left = self.bytes.lock().unwrap();
        *left = left.saturating_sub(done);
        if *left == 0 {
            self.cancel.cancel();
        }
    }

    fn end(&self) {}
    fn warn(&self, _message: &str) {}
    fn inform(&self, _message: &str) {}
}

#[test]
fn a_stopped_download_goes_on_in_the_next_run() {
    let setup = Setup::new();
    let files = tiny(tiny_encoder);
    let is_small = |path: &str| path != "model.safetensors" && path != "pytorch_model.bin";
    let small: usize =
        files.iter().filter(|(path, _)| is_small(path)).map(|(_, bytes)| bytes.len()).sum();
    let server = Server::new(
        files,
        |_| {},
        move |nth, ask, bytes, stream| {
            if nth > 1 {
                return rest(ask, bytes, stream, usize::MAX);
            }
            head(stream, "200 OK", bytes.len(), "");
            send(stream, &bytes[..700]);
            // The connection stays open, as that of a slow server does, until the other side hangs up.
            drop(stream.read(&mut [0]));
        },
    );
    let cancel = Cancel::default();
    let stop = StopAfter { bytes: Mutex::new(small as u64 + 700), cancel: cancel.clone() };
    let wanted = Wanted::default();
    let stopped = setup.library.pull(&server.hub(), &model("me/tiny"), &wanted, &stop, &cancel);
    let failure = assert_failure(stopped, ErrorCode::Interrupted, "interrupted");
    assert!(failure.hints()[0].contains("run the command again"), "{failure:?}");
    let unfinished = setup.library.contents().unwrap().unfinished;
    assert_eq!((unfinished.len(), unfinished[0].revision.as_str()), (1, COMMIT));
    assert!(unfinished[0].bytes >= 700);
    let pulled = server.pull(&setup, &Cancel::default()).unwrap();
    assert!(pulled.resumed_bytes >= 700);
    assert_eq!(pulled.fetched_bytes + pulled.resumed_bytes, pulled.installed.total_bytes());
    assert!(setup.library.contents().unwrap().unfinished.is_empty());
}

#[test]
fn a_changed_file_is_not_glued_to_its_old_part() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |nth, ask, bytes, stream| match nth {
            1 => rest(ask, bytes, stream, 200),
            2 => {
                let head = format!(
                    "HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\nETag: \"v2\"\r\nContent-Range: bytes 200-{}/{}\r\n\r\n",
                    bytes.len() - 200,
                    bytes.len() - 1,
                    bytes.len()
                );
                send(stream, head.as_bytes());
            },
            _ => {
                assert_eq!(ask.from, None);
                whole(stream, bytes);
            },
        },
    );
    server.pull(&setup, &Cancel::default()).unwrap();
}

#[test]
fn two_pulls_at_once_fetch_the_weights_once() {
    let setup = Setup::new();
    let server = Server::new(
        tiny(tiny_encoder),
        |_| {},
        |_, ask, bytes, stream| {
            rest(ask, bytes, stream, usize::MAX);
        },
    );
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| server.pull(&setup, &Cancel::default()).unwrap());
        }
    });
    assert_eq!(server.asked_for_weights(), 1);
}

#[test]
fn unsupported_models_are_refused_before_their_weights_come() {
    let setup = Setup::new();
    let mut files = tiny(tiny_encoder);
    files.iter_mut().find(|(path, _)| path == "config.json").unwrap().1 =
        br#"{"model_type": "qwen2"}"#.to_vec();
    let server = Server::new(files, |_| {}, good);
    assert_failure(server.pull(&setup, &Cancel::default()), ErrorCode::ModelInvalid, "`qwen2`");
    assert_eq!(server.asked_for_weights(), 0);
}

#[test]
fn servers_that_are_not_what_they_seem_are_refused() {
    let setup = Setup::new();
    let lists: [(Change, ErrorCode, &str); 3] = [
        (
            |list| list["sha"] = json!("../../up"),
            ErrorCode::ModelDownloadFailed,
            "does not name a commit",
        ),
        (
            |list| list["siblings"] = json!([]),
            ErrorCode::ModelMissing,
            "has no file `model.safetensors`",
        ),
        (
            |list| list["siblings"] = json!([{ "rfilename": "q4.gguf", "size": 5 }]),
            ErrorCode::ModelMissing,
            "has no file `model.safetensors`",
        ),
    ];
    for (list, code, part) in lists {
        let server = Server::new(tiny(tiny_static_model), list, good);
        assert_failure(server.pull(&setup, &Cancel::default()), code, part);
    }
    let server = Server::new(
        tiny(tiny_static_model),
        |_| {},
        |_, _, _, stream| {
            send(stream, b"HTTP/1.1 302 Found\r\nLocation: http://example.com/x\r\nContent-Length: 0\r\n\r\n");
        },
    );
    let result = server.pull(&setup, &Cancel::default());
    assert_failure(result, ErrorCode::ModelDownloadFailed, "redirects to `http://example.com`");
    let wanted = Wanted { revision: Some("no/such".to_owned()), file: None };
    let missing =
        setup.library.pull(&server.hub(), &model("me/tiny"), &wanted, &Silent, &Cancel::default());
    assert_failure(missing, ErrorCode::ModelMissing, "no model `me/tiny` at `no/such`");
    for endpoint in ["ftp://x", "huggingface.co", "https://me:secret@x", "https://x/?a"] {
        let failure = Hub::new(endpoint, Tries::default()).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::ConfigInvalid);
        assert!(!failure.to_string().contains("secret"));
    }
}

#[test]
fn redirects_on_this_machine_are_followed() {
    let setup = Setup::new();
    let files = tiny(tiny_static_model);
    let bytes = files.iter().find(|(path, _)| path == "model.safetensors").unwrap().1.clone();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let ask = read_request(&mut stream);
            rest(&ask, &bytes, &mut stream, usize::MAX);
        }
    });
    let server = Server::new(
        files,
        |_| {},
        move |_, _, _, stream| {
            let location = format!("Location: http://127.0.0.1:{port}/cdn?signature=1\r\n");
            head(stream, "307 Temporary Redirect", 0, &location);
        },
    );
    let pulled = server.pull(&setup, &Cancel::default()).unwrap();
    assert_eq!(pulled.installed.manifest.license.as_deref(), Some("mit"));
}

#[test]
fn one_file_for_a_generator_is_a_revision_of_its_own() {
    let setup = Setup::new();
    let files = ["q4.gguf", "q8.gguf"].map(|name| (name.to_owned(), gguf::tests::file()));
    let server = Server::new(files.to_vec(), |_| {}, good);
    let pull = |file: &str| {
        let wanted = Wanted { revision: None, file: Some(file.to_owned()) };
        let cancel = Cancel::default();
        setup.library.pull(&server.hub(), &model("me/tiny"), &wanted, &Silent, &cancel)
    };
    let (first, second) = (pull("q4.gguf").unwrap(), pull("q8.gguf").unwrap());
    assert_eq!(first.installed.manifest.kind, ModelKind::Gguf);
    assert_eq!(second.installed.manifest.files[0].path, "q8.gguf");
    assert_ne!(first.installed.manifest.revision, second.installed.manifest.revision);
    let contents = setup.library.contents().unwrap();
    let active: Vec<bool> = contents.installed.iter().map(|one| one.active).collect();
    assert_eq!(active.iter().filter(|active| **active).count(), 1);
    let failure = assert_failure(pull("q2.gguf"), ErrorCode::ModelMissing, "`q2.gguf`");
    assert!(failure.hints()[0].contains("--file q4.gguf"), "{failure:?}");
}
