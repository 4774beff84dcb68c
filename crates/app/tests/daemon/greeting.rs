//! Greetings: what is not the same program in the same environment does not answer for another.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use gik_testkit::eventually;
use serde_json::{Value, json};

use super::{calls, is_running, socket, started, warm};
use crate::cli::{gik, indexed};

fn say(stream: &mut UnixStream, document: &Value) {
    let bytes = document.to_string().into_bytes();
    let length = u32::try_from(bytes.len()).unwrap();
    stream.write_all(&length.to_le_bytes()).unwrap();
    stream.write_all(&bytes).unwrap();
}

/// The next document; `None` when the other side has hung up.
fn hear(stream: &mut UnixStream) -> Option<Value> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).ok()?;
    let mut bytes = vec![0; u32::from_le_bytes(head) as usize];
    stream.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

fn connect(socket: &Path) -> UnixStream {
    let stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// What the process says of itself when it is greeted so, and what it says after it.
fn greet(socket: &Path, change: impl FnOnce(&mut Value)) -> (Value, Option<Value>) {
    let build = json!({"version": "", "program": "", "bytes": 0, "modified_ns": 0});
    let look = json!({"protocol": 1, "build": build, "environment": "", "only_looks": true});
    let mut stream = connect(socket);
    say(&mut stream, &look);
    let welcome = hear(&mut stream).unwrap();
    let mut hello = json!({
        "protocol": welcome["protocol"], "build": welcome["build"],
        "environment": welcome["environment"], "only_looks": false,
    });
    change(&mut hello);
    let mut stream = connect(socket);
    say(&mut stream, &hello);
    let welcome = hear(&mut stream).unwrap();
    // It hangs up on whoever it cannot answer for.
    let after = hear(&mut stream);
    (welcome, after)
}

#[test]
fn a_newer_build_makes_the_old_process_leave_and_others_do_not() {
    let tree = indexed();
    let mut running = started(&tree);
    let socket = socket(&tree);
    for (field, value) in [("version", json!("0.0.1")), ("modified_ns", json!(0))] {
        let (welcome, after) = greet(&socket, |hello| hello["build"][field] = value);
        assert_eq!(welcome["pid"], running.id());
        assert_eq!(after, None);
    }
    let (_, after) = greet(&socket, |hello| hello["environment"] = json!("other"));
    assert_eq!(after, None);
    assert!(is_running(&tree) && !running.has_ended());
    assert_eq!(calls(&tree), 0);
    let (_, after) = greet(&socket, |hello| hello["build"]["version"] = json!("99.0.0"));
    assert_eq!(after, None);
    eventually("the old one has left", || running.has_ended());
    assert!(!socket.exists(), "the place is free for the new one");
    running.wait().success();
    drop(started(&tree));
}

#[test]
fn a_program_asks_no_process_of_another_build() {
    let tree = indexed();
    warm(&tree).run(&["daemon", "start"]).success();
    let path = socket(&tree);
    let mut stream = connect(&path);
    let build = json!({"version": "", "program": "", "bytes": 0, "modified_ns": 0});
    say(
        &mut stream,
        &json!({"protocol": 1, "build": build, "environment": "", "only_looks": true}),
    );
    let mut welcome = hear(&mut stream).unwrap();
    warm(&tree).run(&["daemon", "stop"]).success();
    welcome["build"]["version"] = json!("99.0.0");

    let listener = UnixListener::bind(&path).unwrap();
    let stranger = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let hello = hear(&mut stream).unwrap();
        say(&mut stream, &welcome);
        (hello, hear(&mut stream))
    });
    let answered = warm(&tree).run(&["search", "farewell"]).success();
    let (hello, request) = stranger.join().unwrap();
    assert_eq!(hello["build"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(request, None, "it is told nothing");
    assert_eq!(answered.stdout, gik(&tree).run(&["search", "farewell"]).stdout);
}

#[test]
fn noise_and_long_requests_are_refused() {
    let tree = indexed();
    let running = started(&tree);
    let socket = socket(&tree);
    for noise in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &[2, 0, 0, 0, b'{', b'}']] {
        let mut stream = connect(&socket);
        stream.write_all(noise).unwrap();
        assert_eq!(hear(&mut stream), None);
    }
    drop(connect(&socket));
    warm(&tree).run(&["search", "farewell"]).success();
    assert_eq!(calls(&tree), 1);
    drop(running);
}
