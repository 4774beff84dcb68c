//! Pages from a server on this machine; nothing here reaches the network.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use gik_testkit::{Gik, Tree};

use super::{asked, assert_transcript, gik};

/// A server that answers every request with one page and remembers what it was asked.
struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let request = read_request(&stream);
                let answer = answer_to(&request);
                seen.lock().unwrap().push(request);
                // A client that went away is not this thread's concern.
                drop((&stream).write_all(answer.as_bytes()));
            }
        });
        Self { port, requests }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn read_request(mut stream: &TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut one = [0];
    while !bytes.ends_with(b"\r\n\r\n") && stream.read(&mut one).is_ok_and(|n| n == 1) {
        bytes.push(one[0]);
    }
    String::from_utf8_lossy(&bytes).to_lowercase()
}

fn answer_to(request: &str) -> String {
    let body = "<html><head><title>Field guide</title><script>var hidden = 1;</script></head>\
                <body><nav>menu</nav><h1>The quokka</h1><p>It <b>smiles</b> at strangers.</p></body></html>";
    if request.starts_with("get /moved ") {
        return "HTTP/1.1 302 Found\r\nLocation: /guide\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into();
    }
    if request.starts_with("get /missing ") {
        return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into();
    }
    if request.contains("if-none-match: \"one\"") {
        return "HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\nConnection: close\r\n\r\n".into();
    }
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"one\"\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

const ALLOW: [&str; 2] = ["--set", "sources.urls.allow_private=[\"127.0.0.1\"]"];

fn started(tree: &Tree) -> Gik<'_> {
    let gik = gik(tree);
    gik.run(&["init"]).success();
    gik
}

/// A workspace that holds the guide, and its address.
fn with_page<'a>(tree: &'a Tree, server: &Server) -> (Gik<'a>, String) {
    let gik = started(tree);
    let url = server.url("/guide");
    gik.run(&["add", &url]).success();
    gik.run(&[&["commit"][..], &ALLOW].concat()).success();
    (gik, url)
}

#[test]
fn a_page_is_fetched_once_and_then_only_when_it_changed() {
    let server = Server::new();
    let tree = Tree::empty();
    let (gik, url) = with_page(&tree, &server);
    assert_eq!(asked(&tree, "smiles"), std::slice::from_ref(&url));
    assert_eq!(asked(&tree, "hidden"), Vec::<String>::new());
    assert_eq!(server.requests().len(), 1, "a question does not fetch");
    gik.run(&["add", &url]).success();
    gik.run(&[&["commit"][..], &ALLOW].concat()).success();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].contains("if-none-match: \"one\""), "{}", requests[1]);
    assert_eq!(asked(&tree, "smiles"), [url]);
    gik.run(&["verify"]).success();
}

#[test]
fn a_page_that_a_mode_leaves_out_comes_back_without_its_server() {
    let server = Server::new();
    let tree = Tree::empty();
    let (gik, url) = with_page(&tree, &server);
    gik.run(&["index", "--mode", "code"]).success();
    assert_eq!(asked(&tree, "smiles"), Vec::<String>::new());
    gik.run(&["index", "--mode", "all"]).success();
    assert_eq!(asked(&tree, "smiles"), [url]);
    assert_eq!(server.requests().len(), 1);
    assert_eq!(gik.run(&["status", "--json"]).success().json()["unfinished"], 0);
}

#[test]
fn a_page_can_be_taken_out() {
    let server = Server::new();
    let tree = Tree::empty();
    let (gik, url) = with_page(&tree, &server);
    gik.run(&["rm", &url]).success();
    gik.run(&["commit"]).success();
    assert_eq!(asked(&tree, "smiles"), Vec::<String>::new());
    gik.run(&["add", &url]).success();
    gik.run(&[&["commit"][..], &ALLOW].concat()).success();
    assert_eq!(asked(&tree, "smiles"), [url]);
}

#[test]
fn private_addresses_are_refused_unless_allowed() {
    let server = Server::new();
    let tree = Tree::empty();
    let gik = started(&tree);
    let port = format!(":{}", server.port);
    let stable = |run: gik_testkit::Run| run.redact(&port, ":[PORT]");
    let add = stable(gik.run(&["add", &server.url("/guide")]).success());
    let refused = stable(gik.run(&["commit"]).exit(1));
    assert!(server.requests().is_empty());
    gik.run(&["add", &server.url("/missing"), &server.url("/moved")]).success();
    let partly = stable(gik.run(&[&["commit"][..], &ALLOW].concat()).success());
    let found = stable(gik.run(&["ask", "smiles"]).success());
    let listed = stable(gik.run(&["ls-files", &server.url("/moved")]).success());
    assert_transcript("urls", &[add, refused, partly, found, listed]);
}

#[test]
fn a_page_survives_a_reindex_without_its_server_and_is_fetched_again_when_the_index_is_lost() {
    let server = Server::new();
    let tree = Tree::empty();
    let gik = started(&tree);
    let url = server.url("/guide");
    gik.run(&[&["index", &url][..], &ALLOW].concat()).success();
    // Private addresses are not allowed here, so nothing can be fetched.
    gik.run(&["reindex"]).success();
    assert_eq!(asked(&tree, "smiles"), std::slice::from_ref(&url));
    assert_eq!(server.requests().len(), 1);
    tree.remove(".guided/knowledge/main/index.sqlite");
    assert_eq!(asked(&tree, "smiles"), Vec::<String>::new());
    assert_eq!(server.requests().len(), 1, "a question does not fetch");
    gik.run(&[&["commit"][..], &ALLOW].concat());
    assert_eq!(asked(&tree, "smiles"), [url]);
}

#[test]
fn a_list_of_sources_that_came_with_a_clone_fetches_nothing() {
    let server = Server::new();
    let tree = Tree::empty();
    let gik = started(&tree);
    let url = server.url("/guide");
    gik.run(&["add", &url]).success();
    // The same files on the machine of someone who never asked for the page.
    std::fs::remove_dir_all(tree.home().join(".gik")).unwrap();
    let run = gik.run(&[&["commit"][..], &ALLOW].concat()).exit(1);
    assert!(run.stderr.contains("was not added by you on this machine"), "{}", run.stderr);
    assert!(server.requests().is_empty());
    gik.run(&["add", &url]).success();
    gik.run(&[&["commit"][..], &ALLOW].concat()).success();
    assert_eq!(asked(&tree, "smiles"), [url]);
}
