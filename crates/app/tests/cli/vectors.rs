//! Vectors: when they are made, what is kept of them, and what is said where they are missing or of another model.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gik_testkit::{Gik, Tree, tiny_encoder};
use serde_json::{Value, json};

use super::{gik, indexed, project};

const BASES: &str = ".guided/knowledge/main/bases";

fn vectors(gik: &Gik<'_>, base: &str) -> (u64, u64) {
    let status = gik.run(&["status", "--json"]).success().json();
    let of_base = &status["vectors"][base];
    (of_base["vectors"].as_u64().unwrap(), of_base["chunks"].as_u64().unwrap())
}

/// Vectors that were ever put into the files of a base: they grow at the end.
fn n_made(tree: &Tree, base: &str) -> usize {
    tree.read_bytes(&format!("{BASES}/{base}/index/slots.dat")).len() / 32
}

fn json(tree: &Tree, path: &str) -> Value {
    serde_json::from_str(&tree.read(&format!("{BASES}/{path}"))).unwrap()
}

fn chunks_of(bundle: &Value) -> Value {
    bundle["ragChunks"].clone()
}

const QUESTION: &[&str] = &["ask", "how to say hello to people", "--json"];

#[test]
fn a_commit_gives_every_chunk_its_vector_and_says_by_which_model() {
    let tree = indexed();
    let gik = gik(&tree);
    let (made, chunks) = vectors(&gik, "code");
    assert!(made == chunks && chunks > 0);
    let info = json(&tree, "code/model-info.json");
    assert_eq!(info["provider"], "static");
    assert_eq!(info["modelId"], "gik-static-256-v1");
    assert_eq!(info["dimension"], 256);
    assert!(info["createdAt"].is_string() && info["lastReindexedAt"].is_null());
    let meta = json(&tree, "docs/index/meta.json");
    assert_eq!(meta["backend"], "other:mmap");
    assert_eq!((&meta["base"], &meta["embeddingModelId"]), (&"docs".into(), &info["modelId"]));
    gik.run(&["verify"]).success();
}

#[test]
fn only_the_chunks_of_a_changed_file_are_embedded_again() {
    let tree = indexed();
    let gik = gik(&tree);
    let before = n_made(&tree, "code");
    tree.append("src/text.rs", "\n/// Counts sheep.\npub fn sheep() -> u32 {\n    7\n}\n");
    gik.run(&["commit", "-m", "sheep"]).success();
    let outline = gik.run(&["search", "sheep", "--json"]).success();
    assert!(outline.stdout.contains("src/text.rs"));
    let (made, chunks) = vectors(&gik, "code");
    assert_eq!(made, chunks);
    let of_file = n_made(&tree, "code") - before;
    assert!(of_file > 0 && (of_file as u64) < chunks, "{of_file} of {chunks}");
    gik.run(&["index"]).success();
    assert_eq!(n_made(&tree, "code") - before, of_file, "nothing changed since");
}

#[test]
fn a_question_after_an_edit_finds_all_vectors_made() {
    let tree = indexed();
    let gik = gik(&tree);
    tree.append("src/text.rs", "\npub fn sheep() -> u32 {\n    7\n}\n");
    gik.run(QUESTION).success();
    let (made, chunks) = vectors(&gik, "code");
    assert_eq!(made, chunks);
}

#[test]
fn a_renamed_file_gets_vectors_under_its_new_name_and_the_others_keep_theirs() {
    let tree = indexed();
    let gik = gik(&tree);
    let before = n_made(&tree, "code");
    tree.write("src/words.rs", tree.read("src/text.rs"));
    tree.remove("src/text.rs");
    gik.run(&["commit", "-m", "rename"]).success();
    let (made, chunks) = vectors(&gik, "code");
    assert_eq!(made, chunks);
    // The name is part of what a table reads.
    assert!(((n_made(&tree, "code") - before) as u64) < chunks);
}

#[test]
fn a_new_branch_takes_the_vectors_along() {
    let tree = project();
    tree.git_init();
    tree.git(&["add", "--all"]);
    tree.git(&["commit", "--quiet", "--message", "first"]);
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let expected = chunks_of(&gik.run(QUESTION).success().json());
    let before = n_made(&tree, "code");
    tree.git(&["checkout", "--quiet", "-b", "side"]);
    assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected);
    let (made, chunks) = vectors(&gik, "code");
    assert_eq!(made, chunks);
    let slots = tree.read_bytes(".guided/knowledge/side/bases/code/index/slots.dat");
    assert_eq!(slots.len() / 32, before);
    tree.git(&["checkout", "--quiet", "main"]);
    gik.run(&["index"]).success();
    assert_eq!(n_made(&tree, "code"), before);
}

#[test]
fn vectors_can_be_left_for_later_and_come_with_the_next_index() {
    for flag in ["--no-embed", "--defer-embeddings"] {
        let tree = project();
        let gik = gik(&tree);
        gik.run(&["index", flag]).success();
        assert!(!tree.exists(&format!("{BASES}/code/model-info.json")));
        let (made, chunks) = vectors(&gik, "code");
        assert!(made == 0 && chunks > 0);
        let bundle = gik.run(QUESTION).success().json();
        assert!(bundle["debug"].get("vectorCoverage").is_none(), "none is not some");
        gik.run(&["index"]).success();
        assert_eq!(vectors(&gik, "code"), (chunks, chunks));
    }
}

#[test]
fn a_base_that_is_embedded_in_part_is_searched_for_what_it_has_and_says_so() {
    let tree = indexed();
    let gik = gik(&tree);
    tree.write("src/more.rs", "/// Counts sheep.\npub fn sheep() -> u32 {\n    7\n}\n");
    gik.run(&["commit", "--no-embed", "-m", "more"]).success();
    let (made, chunks) = vectors(&gik, "code");
    assert!(made < chunks && made > 0, "{made} of {chunks}");
    let run = gik.run(QUESTION).success();
    let covered = &run.json()["debug"]["vectorCoverage"]["code"];
    assert_eq!(
        (covered["vectors"].as_u64(), covered["chunks"].as_u64()),
        (Some(made), Some(chunks))
    );
    assert!(run.stderr.contains("chunks of base `code` have vectors"), "{}", run.stderr);
    let status = gik.run(&["status"]).success();
    assert!(status.stdout.contains(&format!("vectors of code: {made} of {chunks}")));
    gik.run(&["index"]).success();
    assert_eq!(vectors(&gik, "code"), (chunks, chunks));
    assert!(gik.run(QUESTION).success().json()["debug"].get("vectorCoverage").is_none());
}

#[test]
fn answers_are_the_same_from_vectors_as_without_where_words_find_all() {
    let (with, without) = (project(), project());
    gik(&with).run(&["index"]).success();
    gik(&without).run(&["index", "--no-embed"]).success();
    let question = &["ask", "greeting for a person", "--json"];
    let (with, without) = (gik(&with).run(question).json(), gik(&without).run(question).json());
    assert_eq!(chunks_of(&with), chunks_of(&without));
}

#[test]
fn what_words_do_not_find_is_found_by_meaning_and_nonsense_is_not() {
    let tree = Tree::empty();
    tree.write("doc/clean.md", "# Cleaning\n\nDeletes files from the disk.\n");
    tree.write("doc/paint.md", "# Paint\n\nThe room was painted white.\n");
    let gik = gik(&tree);
    gik.run(&["index"]).success();
    let bundle = gik.run(&["ask", "remove a document", "--json"]).success().json();
    assert_eq!(bundle["ragChunks"][0]["path"], "doc/clean.md");
    gik.run(&["ask", "zebra crossing"]).exit(1);
}

fn use_encoder<'a>(tree: &'a Tree) -> Gik<'a> {
    let folder = tree.outside().join("encoder");
    tiny_encoder(&folder);
    let gik = gik(tree);
    gik.run(&["model", "add", folder.to_str().unwrap(), "--name", "me/encoder"]).success();
    gik.run(&["model", "use", "me/encoder"]).success();
    gik
}

#[test]
fn another_model_is_told_and_a_reindex_makes_the_vectors_anew() {
    let tree = indexed();
    let gik = use_encoder(&tree);
    let status = gik.run(&["status", "--json"]).success();
    assert_eq!(status.json()["vectors"]["code"]["compatibility"], "embeddingMismatch");
    for arguments in [&["status"][..], QUESTION] {
        let run = gik.run(arguments).success();
        assert!(run.stderr.contains("`gik reindex` makes them anew"), "{}", run.stderr);
    }
    tree.append("README.md", "\nMore.\n");
    let run = gik.run(&["commit", "-m", "more"]).success();
    assert!(run.stderr.contains("`gik reindex`"), "{}", run.stderr);
    let dry = gik.run(&["reindex", "--dry-run"]).success();
    assert_eq!(dry.stdout, "Would make anew: vectors of code, docs\n");
    let one = gik.run(&["reindex", "--base", "docs", "--json"]).success().json();
    assert_eq!((&one["bases"], &one["vectorsOnly"]), (&serde_json::json!(["docs"]), &true.into()));
    gik.run(&["reindex"]).success();
    let status = gik.run(&["status", "--json"]).success().json();
    for base in ["code", "docs"] {
        let of_base = &status["vectors"][base];
        assert_eq!(of_base["compatibility"], "compatible");
        assert_eq!(
            (&of_base["modelId"], &of_base["vectors"]),
            (&"me/encoder".into(), &of_base["chunks"])
        );
        let info = json(&tree, &format!("{base}/model-info.json"));
        assert!(info["lastReindexedAt"].is_string());
        assert_eq!(info["dimension"], 4);
    }
    let log = gik.run(&["log", "--json"]).success();
    let operation = &log.json()["entries"][0]["operations"][0];
    assert_eq!(operation["type"], "Reindex");
    assert_eq!(
        (&operation["fromModelId"], &operation["toModelId"]),
        (&"gik-static-256-v1".into(), &"me/encoder".into())
    );
    let again = gik.run(&["reindex", "--base", "code"]).success();
    assert_eq!(again.stdout, "The model did not change.\n");
    let forced = gik.run(&["reindex", "--base", "code", "--force", "--json"]).success().json();
    assert_eq!(forced["vectors"], status["vectors"]["code"]["chunks"]);
    gik.run(&["verify"]).success();
}

#[test]
fn what_a_slow_model_made_is_kept_for_all_workspaces() {
    let tree = project();
    let gik = use_encoder(&tree);
    gik.run(&["index"]).success();
    let cache = tree.home().join(".gik/cache/embeddings.sqlite");
    assert!(cache.exists());
    let expected = chunks_of(&gik.run(QUESTION).success().json());
    tree.remove(".guided/knowledge/main/index.sqlite");
    std::fs::write(&cache, "no database".repeat(1000)).unwrap();
    gik.run(&["index"]).success();
    assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected);
    let trimmed = gik.run(&["model", "gc", "--json", "--set", "embeddings.cache.max_bytes=0"]);
    assert!(trimmed.success().json()["cachedVectors"].as_u64().unwrap() > 0);
}

#[test]
fn a_slow_model_reads_a_text_once_under_whatever_name() {
    let tree = project();
    let gik = use_encoder(&tree);
    gik.run(&["index"]).success();
    let (of_code, of_docs) = (vectors(&gik, "code").1, vectors(&gik, "docs").1);
    tree.rename("src/text.rs", "src/words.rs");
    gik.run(&["commit", "-m", "rename"]).success();
    assert_eq!(vectors(&gik, "code"), (of_code, of_code));
    let trimmed = gik.run(&["model", "gc", "--json", "--set", "embeddings.cache.max_bytes=0"]);
    assert_eq!(trimmed.success().json()["cachedVectors"], of_code + of_docs);
}

/// A server that makes vectors of texts and counts them.
fn counting_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let n_texts = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&n_texts);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            answer_with_vectors(stream.unwrap(), &count);
        }
    });
    (endpoint, n_texts)
}

fn answer_with_vectors(mut stream: TcpStream, count: &AtomicUsize) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let texts = body["input"].as_array().unwrap();
    count.fetch_add(texts.len(), Ordering::SeqCst);
    let vector = |text: &Value| json!([text.as_str().unwrap().len(), 1, -1, 3]);
    let answer = json!({ "embeddings": texts.iter().map(vector).collect::<Vec<_>>() }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close", answer.len());
    drop(stream.write_all(format!("{head}\r\n\r\n{answer}").as_bytes()));
}

#[test]
fn lost_vectors_come_back_from_the_cache_and_no_text_is_embedded_again() {
    let tree = project();
    let gik = gik(&tree);
    let (endpoint, n_texts) = counting_server();
    for (key, value) in
        [("provider", "ollama"), ("model_id", "some"), ("dimension", "4"), ("endpoint", &endpoint)]
    {
        gik.run(&["config", "set", "--global", &format!("embeddings.default.{key}"), value])
            .success();
    }
    gik.run(&["index"]).success();
    let (made, chunks) = vectors(&gik, "code");
    let n_asked = n_texts.load(Ordering::SeqCst);
    assert!(made == chunks && n_asked >= usize::try_from(chunks).unwrap(), "{n_asked}, {chunks}");
    let check = |what: &str| {
        gik.run(&["index"]).success();
        assert_eq!(vectors(&gik, "code"), (chunks, chunks), "{what}");
        gik.run(&["verify"]).success();
        assert_eq!(n_texts.load(Ordering::SeqCst), n_asked, "{what}");
    };
    // Every cut of a file that a write can leave.
    let path = format!("{BASES}/code/index/embeddings.dat");
    for length in [0, 7, 16, 40] {
        let bytes = tree.read_bytes(&path);
        std::fs::write(tree.root().join(&path), &bytes[..length.min(bytes.len() - 1)]).unwrap();
        check("cut");
    }
    tree.remove(&format!("{BASES}/code/index"));
    check("removed");
    // As after a new clone.
    tree.remove(".guided");
    check("new");
}

#[test]
fn another_backend_takes_the_vectors_over() {
    let tree = indexed();
    let gik = gik(&tree);
    let expected = chunks_of(&gik.run(QUESTION).success().json());
    let (made, _) = vectors(&gik, "code");
    for (name, kept_as, file) in [
        ("simple_file", "simple_file", "records.jsonl"),
        ("sqlite_vec", "other:sqlite_vec", "vectors.sqlite"),
        ("mmap", "other:mmap", "embeddings.dat"),
    ] {
        gik.run(&["config", "set", "indexes.default.backend", name]).success();
        let status = gik.run(&["status", "--json"]).success().json();
        assert_eq!(status["vectors"]["code"]["compatibility"], "backendMismatch");
        assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected, "{name}");
        gik.run(&["index"]).success();
        assert_eq!(json(&tree, "code/index/meta.json")["backend"], kept_as);
        assert!(tree.exists(&format!("{BASES}/code/index/{file}")));
        assert_eq!(vectors(&gik, "code").0, made, "{name}");
        assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected, "{name}");
        gik.run(&["verify"]).success();
    }
}

#[cfg(not(feature = "lancedb"))]
#[test]
fn a_backend_that_was_not_built_in_is_told_with_its_feature() {
    let tree = indexed();
    let gik = gik(&tree);
    gik.run(&["config", "set", "indexes.default.backend", "lancedb"]).success();
    let run = gik.run(QUESTION).exit(2);
    assert!(run.stdout.contains("is not part of this program"), "{}", run.stdout);
    assert!(run.stdout.contains("--features lancedb"), "{}", run.stdout);
}

#[test]
fn lost_and_damaged_vectors_are_told_and_made_again() {
    let tree = indexed();
    let gik = gik(&tree);
    let expected = chunks_of(&gik.run(QUESTION).success().json());
    let path = format!("{BASES}/code/index/embeddings.dat");
    let mut bytes = tree.read_bytes(&path);
    bytes[100] ^= 1;
    std::fs::write(tree.root().join(&path), &bytes).unwrap();
    let found = gik.run(&["verify"]).exit(1);
    assert!(
        found.stdout.contains("vectors of `code`: 1 are missing or damaged"),
        "{}",
        found.stdout
    );
    gik.run(&["verify", "--repair"]).success();
    gik.run(&["verify"]).success();
    assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected);
    tree.remove(&format!("{BASES}/code/index"));
    tree.remove(&format!("{BASES}/code/model-info.json"));
    assert_eq!(chunks_of(&gik.run(QUESTION).success().json()), expected);
    gik.run(&["index"]).success();
    let (made, chunks) = vectors(&gik, "code");
    assert_eq!(made, chunks);
    assert!(tree.exists(&format!("{BASES}/code/model-info.json")));
    gik.run(&["verify"]).success();
}

#[test]
fn a_kill_while_vectors_are_made_leaves_an_index_that_the_next_one_completes() {
    let tree = project();
    for at in 0..60 {
        let parts: String = (0..40)
            .map(|n| format!("/// Weighs parcel {n}.\npub fn weigh_{at}_{n}(x: u32) -> u32 {{\n    x * {n}\n}}\n\n"))
            .collect();
        tree.write(&format!("src/part_{at}.rs"), parts);
    }
    let gik = use_encoder(&tree);
    let marker = tree.root().join(format!("{BASES}/code/index/meta.json"));
    let mut running = gik.spawn(&["index"]);
    let started = std::time::Instant::now();
    while !marker.exists() && !running.has_ended() {
        assert!(started.elapsed() < Duration::from_secs(60), "no vectors after a minute");
        std::thread::sleep(Duration::from_millis(1));
    }
    running.kill();
    gik.run(&["verify"]).success();
    gik.run(QUESTION).success();
    gik.run(&["index"]).success();
    let (made, chunks) = vectors(&gik, "code");
    assert!(made == chunks && chunks > 60, "{made} of {chunks}");
    gik.run(&["verify"]).success();
}
