//! A real server on this machine that behaves in all the ways servers should not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use ureq::http::{HeaderMap, HeaderValue};

use super::*;

struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Answers every request by what `answer` writes, and closes the connection.
    fn new(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming() {
                counter.fetch_add(1, Ordering::SeqCst);
                let answer = Arc::clone(&answer);
                thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    let request = read_request(&mut stream);
                    answer(&request, &mut stream);
                });
            }
        });
        Self { port, connections }
    }

    fn saying(response: impl Into<Vec<u8>>) -> Self {
        let response = response.into();
        Self::new(move |_, stream| send(stream, &response))
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn policy(&self) -> FetchPolicy {
        FetchPolicy {
            allow_private: vec![format!("127.0.0.1:{}", self.port)],
            ..FetchPolicy::default()
        }
    }

    fn fetch(&self) -> Result<Fetched> {
        self.fetch_with(&self.policy())
    }

    fn fetch_with(&self, policy: &FetchPolicy) -> Result<Fetched> {
        fetch(&self.url(), policy, None, &Cancel::default())
    }

    fn page(&self) -> Page {
        match self.fetch().unwrap() {
            Fetched::Page(page) => page,
            Fetched::NotModified => panic!("not modified"),
        }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        request.push(byte[0]);
    }
    String::from_utf8(request).unwrap()
}

/// The client may have hung up already, which is what many of these tests are about.
fn send(stream: &mut TcpStream, bytes: &[u8]) {
    drop(stream.write_all(bytes).and_then(|()| stream.flush()));
}

fn ok(headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

fn redirect(location: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[track_caller]
fn assert_failure(result: Result<Fetched>, code: ErrorCode, part: &str) {
    let failure = result.unwrap_err();
    assert_eq!(failure.code(), code, "{failure:?}");
    assert!(failure.to_string().contains(part), "{failure:?}");
}

#[test]
fn a_page_comes_with_its_type_and_validators() {
    let headers = "Content-Type: Text/HTML; Charset=\"ISO-8859-1\"\r\nETag: \"v1\"\r\nLast-Modified: yesterday\r\n";
    let server = Server::saying(ok(headers, b"<p>x"));
    let expected = Page {
        url: server.url(),
        media_type: "text/html".to_owned(),
        charset: Some("ISO-8859-1".to_owned()),
        body: b"<p>x".to_vec(),
        validators: Validators {
            etag: Some("\"v1\"".to_owned()),
            last_modified: Some("yesterday".to_owned()),
        },
    };
    assert_eq!(server.page(), expected);
}

#[test]
fn an_unchanged_page_is_not_sent_again() {
    let server = Server::new(|request, stream| {
        let request = request.to_ascii_lowercase();
        assert!(request.contains("user-agent: gik/"));
        let is_known = request.contains("if-none-match: \"v1\"\r\n")
            && request.contains("if-modified-since: yesterday\r\n");
        match is_known {
            true => send(stream, b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"),
            false => send(stream, &ok("ETag: \"v1\"\r\nLast-Modified: yesterday\r\n", b"x")),
        }
    });
    let known = server.page().validators;
    let again = fetch(&server.url(), &server.policy(), Some(&known), &Cancel::default()).unwrap();
    assert_eq!(again, Fetched::NotModified);
    let broken = Validators { etag: Some("a\r\nX-Evil: 1".to_owned()), last_modified: None };
    let other = fetch(&server.url(), &server.policy(), Some(&broken), &Cancel::default()).unwrap();
    assert!(matches!(other, Fetched::Page(_)));
}

#[test]
fn a_304_that_was_not_asked_for_is_a_failure() {
    let server = Server::saying("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
    assert_failure(server.fetch(), ErrorCode::UrlFailed, "304");
}

#[test]
fn private_hosts_are_refused_before_anything_is_sent() {
    let server = Server::saying(ok("", b"secret"));
    let refused = server.fetch_with(&FetchPolicy::default()).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::UrlRefused);
    assert!(
        refused.message().contains("is at 127.0.0.1, which is not a public address"),
        "{refused}"
    );
    let hint = format!(
        "if that is intended, add `127.0.0.1:{}` to `sources.urls.allow_private`",
        server.port
    );
    assert_eq!(refused.hints(), [hint]);
    assert_eq!(server.connections(), 0);
    for allowed in ["127.0.0.1", "*"] {
        let policy =
            FetchPolicy { allow_private: vec![allowed.to_owned()], ..FetchPolicy::default() };
        assert!(server.fetch_with(&policy).is_ok());
    }
}

#[test]
fn odd_ways_to_write_a_private_address_are_refused_too() {
    let hosts = [
        "localhost",
        "LOCALHOST",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "%31%32%37.0.0.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "[fe80::1]",
        "[fd00::1]",
        "224.0.0.1",
        "１２７.0.0.1",
    ];
    for host in hosts {
        let url = format!("http://{host}:9/");
        let result = fetch(&url, &FetchPolicy::default(), None, &Cancel::default());
        assert_failure(result, ErrorCode::UrlRefused, "not a public address");
    }
}

#[test]
fn redirects_are_followed_to_the_last_page() {
    let server = Server::new(|request, stream| match request.split(' ').nth(1) {
        Some("/") => send(stream, redirect("/a/b#part").as_bytes()),
        Some("/a/b") => send(stream, redirect("../c?d").as_bytes()),
        _ => send(stream, &ok("", b"here")),
    });
    let page = server.page();
    assert_eq!(page.url, format!("{}c?d", server.url()));
    assert_eq!(page.body, b"here");
}

#[test]
fn endless_redirects_end() {
    let server = Server::saying(redirect("/again"));
    assert_failure(server.fetch(), ErrorCode::UrlFailed, "more than 5 redirects");
    assert_eq!(server.connections(), 6);
    let server =
        Server::saying("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert_failure(server.fetch(), ErrorCode::UrlFailed, "without saying where");
}

#[test]
fn redirects_to_where_a_fetch_may_not_go_are_refused() {
    let inner = Server::saying(ok("", b"secret"));
    let outer = Server::saying(redirect(&inner.url()));
    assert_failure(outer.fetch(), ErrorCode::UrlRefused, "not a public address");
    assert_eq!(inner.connections(), 0);
    for target in
        ["file:///etc/passwd", "ftp://example.org/", "gopher://127.0.0.1:25/x", "data:text/plain,x"]
    {
        let server = Server::saying(redirect(target));
        assert_failure(server.fetch(), ErrorCode::UrlRefused, "only http and https");
    }
    let server = Server::saying(redirect("http://user:hunter2@example.org/"));
    let refused = server.fetch().unwrap_err();
    assert_eq!(refused.code(), ErrorCode::UrlRefused);
    assert!(!refused.to_string().contains("hunter2"), "{refused}");
}

#[test]
fn an_encrypted_way_stays_encrypted() {
    let hop = |from: &str, to: &str| {
        let mut headers = HeaderMap::new();
        headers.insert("location", HeaderValue::from_str(to).unwrap());
        transfer::next_hop(&Url::parse(from).unwrap(), &headers).map(String::from)
    };
    assert_eq!(hop("http://a.org/", "https://b.org").unwrap(), "https://b.org/");
    assert_eq!(hop("https://a.org/x", "//b.org/y").unwrap(), "https://b.org/y");
    let refused = hop("https://a.org/", "http://a.org/").unwrap_err();
    assert_eq!(refused.code(), ErrorCode::UrlRefused);
    assert!(refused.message().contains("no longer be encrypted"));
}

#[test]
fn no_proxy_stands_between_the_check_and_the_connection() {
    assert!(transfer::agent(&FetchPolicy::default()).config().proxy().is_none());
}

#[test]
fn large_pages_are_refused_whether_they_say_so_or_not() {
    let announced = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n");
    assert_failure(announced.fetch(), ErrorCode::UrlFailed, "larger than 16777216 bytes");
    let endless = Server::new(|_, stream| {
        send(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        let chunk = [b"1000\r\n".as_slice(), &[b'x'; 0x1000], b"\r\n"].concat();
        while stream.write_all(&chunk).is_ok() {}
    });
    let policy = FetchPolicy { max_bytes: 100_000, ..endless.policy() };
    assert_failure(endless.fetch_with(&policy), ErrorCode::UrlFailed, "larger than 100000 bytes");
    let exact = Server::saying(ok("", &[b'x'; 1000]));
    assert!(exact.fetch_with(&FetchPolicy { max_bytes: 1000, ..exact.policy() }).is_ok());
    assert!(exact.fetch_with(&FetchPolicy { max_bytes: 999, ..exact.policy() }).is_err());
}

#[test]
fn packed_pages_are_unpacked_and_bombs_are_refused() {
    let server = Server::saying(ok("Content-Encoding: gzip\r\n", &gzip(b"hello")));
    assert_eq!(server.page().body, b"hello");
    let bomb = Server::saying(ok("Content-Encoding: gzip\r\n", &gzip(&vec![0; 4 << 20])));
    let policy = FetchPolicy { max_bytes: 1_000_000, ..bomb.policy() };
    assert_failure(bomb.fetch_with(&policy), ErrorCode::UrlFailed, "larger than 1000000 bytes");
    let packed = gzip(b"hello, this is cut");
    let cut = Server::saying(ok("Content-Encoding: gzip\r\n", &packed[..packed.len() - 9]));
    assert_failure(cut.fetch(), ErrorCode::UrlFailed, "the transfer failed");
    let unknown = Server::saying(ok("Content-Encoding: br\r\n", b"xxxx"));
    assert_failure(unknown.fetch(), ErrorCode::UrlFailed, "packed with `br`");
}

#[test]
fn pages_that_end_too_early_are_failures() {
    let short = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
    assert_failure(short.fetch(), ErrorCode::UrlFailed, "the transfer failed");
    let chunked = Server::saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc");
    assert_failure(chunked.fetch(), ErrorCode::UrlFailed, "the transfer failed");
    let silent = Server::saying("");
    assert_failure(silent.fetch(), ErrorCode::UrlFailed, "the transfer failed");
    let nonsense = Server::saying("\0\u{1}SSH-2.0-OpenSSH\r\n\r\n");
    assert_failure(nonsense.fetch(), ErrorCode::UrlFailed, "the transfer failed");
    // What comes after the promised length is not part of the page.
    let long = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nthis and more");
    assert_eq!(long.page().body, b"this");
}

#[test]
fn servers_that_drip_run_into_the_deadline() {
    let drip = |head: &'static str| {
        Server::new(move |_, stream| {
            send(stream, head.as_bytes());
            while stream.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        })
    };
    let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Endless: ",
        "HTTP/1.1 200 ",
    ];
    for server in heads.map(drip) {
        let policy = FetchPolicy { timeout: Duration::from_millis(300), ..server.policy() };
        let started = Instant::now();
        assert_failure(server.fetch_with(&policy), ErrorCode::UrlFailed, "longer than 0.3 s");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn redirects_share_one_deadline() {
    let server = Server::new(|_, stream| {
        thread::sleep(Duration::from_millis(150));
        send(stream, redirect("/on").as_bytes());
    });
    let policy =
        FetchPolicy { timeout: Duration::from_millis(400), max_redirects: 100, ..server.policy() };
    assert_failure(server.fetch_with(&policy), ErrorCode::UrlFailed, "longer than 0.4 s");
}

#[test]
fn cancelling_ends_a_fetch_that_waits() {
    let server = Server::new(|_, _| thread::sleep(Duration::from_secs(20)));
    let cancel = Cancel::default();
    let other = cancel.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    let started = Instant::now();
    let result = fetch(&server.url(), &server.policy(), None, &cancel);
    assert_failure(result, ErrorCode::Interrupted, "interrupted");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn other_answers_are_failures_with_a_hint_where_there_is_one() {
    let server = Server::saying("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    assert_failure(server.fetch(), ErrorCode::UrlFailed, "the server answered 404 Not Found");
    let server = Server::saying("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
    assert!(server.fetch().unwrap_err().hints()[0].contains("behind a login"));
    let server = Server::saying("HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx");
    assert_failure(server.fetch(), ErrorCode::UrlFailed, "206");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let policy = FetchPolicy { allow_private: vec!["*".to_owned()], ..FetchPolicy::default() };
    let result = fetch(&format!("http://127.0.0.1:{closed}/"), &policy, None, &Cancel::default());
    assert_failure(result, ErrorCode::UrlFailed, "the transfer failed");
}

#[test]
fn urls_are_checked_and_brought_to_their_normal_form() {
    assert_eq!(check_url(" HTTP://Example.ORG:80/a b/../c#d ").unwrap(), "http://example.org/c");
    assert_eq!(check_url("https://example.org").unwrap(), "https://example.org/");
    assert_eq!(
        check_url("https://müller.de/ä?ö").unwrap(),
        "https://xn--mller-kva.de/%C3%A4?%C3%B6"
    );
    let too_long = format!("https://example.org/{}", "a".repeat(9000));
    for url in [
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:x",
        "example.org",
        "",
        "http://",
        "http://:80/",
        "https://a.org:0/",
        "http://a b/",
        "//a.org/",
        &too_long,
    ] {
        assert_eq!(check_url(url).unwrap_err().code(), ErrorCode::SourceInvalid, "{url}");
    }
}

#[test]
fn passwords_are_never_repeated() {
    for url in [
        "https://user:hunter2@example.org/",
        "https://user:hunter2@ex ample.org/",
        "https://hunter2@a.org",
    ] {
        let failure = check_url(url).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::SourceInvalid);
        assert!(!failure.to_string().contains("hunter2"), "{failure}");
    }
    assert_eq!(shown("https://a.org/@b"), "https://a.org/@b");
    assert_eq!(shown("https://a.org/\u{1b}[31m"), "https://a.org/\u{fffd}[31m");
}
