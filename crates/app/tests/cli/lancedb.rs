//! The commands of a program that was built with the backend `lancedb`.

use gik_testkit::python::{BUCKET, ObjectStorage};
use gik_testkit::{Gik, Tree};
use serde_json::Value;

use super::{gik, indexed, project};

const BASES: &str = ".guided/knowledge/main/bases";
const QUESTION: &[&str] = &["ask", "how to say hello to people", "--json"];

fn chunks(gik: &Gik<'_>) -> Value {
    gik.run(QUESTION).success().json()["ragChunks"].clone()
}

/// All chunks of the code have their vectors.
fn assert_complete(gik: &Gik<'_>) -> u64 {
    let status = gik.run(&["status", "--json"]).success().json();
    let code = &status["vectors"]["code"];
    assert_eq!(code["vectors"], code["chunks"], "{code}");
    code["vectors"].as_u64().unwrap()
}

/// Keeps tables on the server.
fn on_server<'tree>(tree: &'tree Tree, endpoint: &str) -> Gik<'tree> {
    gik(tree)
        .env("GIK_CONFIG_INDEXES_DEFAULT_BACKEND", "lancedb")
        .env("GIK_CONFIG_INDEXES_LANCEDB_LOCATION", &format!("s3://{BUCKET}/all"))
        .env("GIK_CONFIG_INDEXES_LANCEDB_ENDPOINT", endpoint)
        .env("GIK_CONFIG_INDEXES_LANCEDB_REGION", "us-east-1")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
}

#[test]
fn vectors_go_to_a_table_and_back() {
    let tree = indexed();
    let gik = gik(&tree);
    let expected = chunks(&gik);
    let made = assert_complete(&gik);
    gik.run(&["config", "set", "indexes.default.backend", "lancedb"]).success();
    assert_eq!(chunks(&gik), expected);
    gik.run(&["index"]).success();
    let meta = tree.read(&format!("{BASES}/code/index/meta.json"));
    assert!(meta.contains("\"backend\":\"lancedb\""), "{meta}");
    assert!(tree.exists(&format!("{BASES}/code/index/vectors.lance/_versions")));
    assert!(!tree.exists(&format!("{BASES}/code/index/embeddings.dat")));
    assert_eq!(assert_complete(&gik), made);
    assert_eq!(chunks(&gik), expected);
    gik.run(&["verify"]).success();
    // Changes come one by one.
    tree.append("src/text.rs", "\n/// Counts sheep.\npub fn sheep() -> u32 {\n    7\n}\n");
    gik.run(&["commit", "-m", "sheep"]).success();
    assert!(assert_complete(&gik) > 0);
    gik.run(&["verify"]).success();
    // What is lost is made again.
    tree.remove(&format!("{BASES}/code/index/vectors.lance/_versions"));
    gik.run(&["verify"]).exit(1);
    gik.run(&["verify", "--repair"]).success();
    gik.run(&["verify"]).success();
    assert_complete(&gik);
    gik.run(&["config", "set", "indexes.default.backend", "mmap"]).success();
    gik.run(&["index"]).success();
    assert!(!tree.exists(&format!("{BASES}/code/index/vectors.lance")));
    assert_complete(&gik);
    gik.run(&["verify"]).success();
}

#[test]
fn a_server_of_object_storage_keeps_tables() {
    let server = ObjectStorage::start();
    let tree = project();
    let gik = on_server(&tree, &server.endpoint);
    gik.run(&["index"]).success();
    let made = assert_complete(&gik);
    assert!(!tree.exists(&format!("{BASES}/code/index/vectors.lance")));
    assert!(tree.exists(&format!("{BASES}/code/index/meta.json")));
    let expected = chunks(&gik);
    gik.run(&["verify"]).success();
    tree.append("src/text.rs", "\n/// Counts sheep.\npub fn sheep() -> u32 {\n    7\n}\n");
    gik.run(&["commit", "-m", "sheep"]).success();
    assert!(assert_complete(&gik) >= made);
    // Words are enough where the server is not to be asked, or does not answer.
    let offline = on_server(&tree, &server.endpoint).env("GIK_OFFLINE", "1");
    let run = offline.run(QUESTION).success();
    assert!(run.stderr.contains("stay offline"), "{}", run.stderr);
    assert!(!run.json()["ragChunks"].as_array().unwrap().is_empty());
    drop(server);
    let run = gik.run(QUESTION).success();
    assert!(run.stderr.contains("the vectors of base `code` were not asked"), "{}", run.stderr);
    assert!(!expected.as_array().unwrap().is_empty());
    assert_complete(&gik);
}

#[test]
fn a_project_cannot_send_vectors_to_a_server_before_it_is_trusted() {
    let server = ObjectStorage::start();
    let tree = project();
    let gik = gik(&tree).env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
    let config = format!(
        "indexes:\n  default:\n    backend: lancedb\n  lancedb:\n    location: s3://{BUCKET}/all\n    endpoint: {}\n    region: us-east-1\n",
        server.endpoint
    );
    tree.write(".guided/knowledge/config.yaml", &config);
    let run = gik.run(&["index"]).success();
    assert!(run.stderr.contains("indexes.lancedb.location"), "{}", run.stderr);
    assert!(tree.exists(&format!("{BASES}/code/index/vectors.lance")));
    gik.run(&["config", "trust"]).success();
    gik.run(&["index"]).success();
    assert_complete(&gik);
    let run = gik.run(QUESTION).success();
    assert!(!run.stderr.contains("were not asked"), "{}", run.stderr);
    drop(server);
    let run = gik.run(QUESTION).success();
    assert!(run.stderr.contains("were not asked"), "{}", run.stderr);
}
