//! Which files does a model have, at which commit? The API of the Hugging Face hub, and how its redirects are followed.

use gik_base::hash::{Digest, sha256_hex};
use gik_base::{Cancel, ErrorCode, Failure, Result};
use serde_json::Value;
use url::Url;

use super::{Tries, Wanted};
use crate::http::{self, Ask, Http, Reply, Trouble, is_loopback};
use crate::library::inspect::{WEIGHTS, is_gguf, is_part};
use crate::library::name::{ModelName, is_file_path, is_revision};

/// No honest list of files is longer.
const MOST_LIST_BYTES: usize = 16 << 20;
const MOST_REDIRECTS: usize = 5;

/// An endpoint.
#[derive(Debug)]
pub struct Hub {
    endpoint: Url,
    http: Http,
    pub(super) tries: Tries,
}

/// The files of a model at one commit.
#[derive(Debug)]
pub(super) struct Listing {
    name: ModelName,
    commit: String,
    /// The name of its folder.
    pub(super) revision: String,
    pub(super) files: Vec<Entry>,
}

/// One file, as the endpoint describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) size: Option<u64>,
    pub(super) sha256: Option<Digest>,
}

impl Hub {
    /// The endpoint at a url.
    pub fn new(endpoint: &str, tries: Tries) -> Result<Self> {
        let endpoint = http::server(endpoint)?;
        let http = Http::new(&endpoint, tries.patience());
        Ok(Self { endpoint, http, tries })
    }

    /// Where people find a model.
    pub(super) fn location(&self, name: &ModelName) -> String {
        format!("{}/{name}", self.endpoint.as_str().trim_end_matches('/'))
    }

    /// A url below the endpoint; each part is escaped.
    fn url(&self, parts: &[&str]) -> Result<Url> {
        let mut url = self.endpoint.clone();
        url.path_segments_mut()
            .map_err(|()| {
                Failure::new(ErrorCode::ConfigInvalid, "the endpoint is no plain address")
            })?
            .pop_if_empty()
            .extend(parts);
        Ok(url)
    }

    /// Asks which files are to be fetched.
    pub(super) fn listing(
        &self,
        name: &ModelName,
        wanted: &Wanted,
        cancel: &Cancel,
    ) -> Result<Listing> {
        let revision = wanted.revision.as_deref().unwrap_or("main");
        let mut parts = vec!["api", "models"];
        parts.extend(name.as_str().split('/'));
        parts.extend(["revision", revision]);
        let mut url = self.url(&parts)?;
        url.set_query(Some("blobs=true"));
        let json = self.retrying(cancel, |cancel| {
            let reply = self.get(&url, Vec::new(), cancel)?;
            if reply.status != 200 {
                return Err(refusal(name, revision, &url, reply.status));
            }
            let body =
                reply.body(MOST_LIST_BYTES, cancel).map_err(|trouble| broken(&url, trouble))?;
            serde_json::from_slice::<Value>(&body).map_err(|error| {
                let what = "the answer is no JSON".to_owned();
                Attempt::Again(failed(&url, &what).caused_by(error))
            })
        })?;
        let commit = json["sha"].as_str().filter(|sha| is_revision(sha));
        let commit = commit.ok_or_else(|| {
            failed(&url, "the answer does not name a commit").hint("check the endpoint")
        })?;
        let all: Vec<Entry> =
            json["siblings"].as_array().into_iter().flatten().filter_map(entry).collect();
        let mut files = chosen(name, all, wanted.file.as_deref())?;
        // Small files first: what they say may make the weights needless.
        files.sort_by_key(|entry| (is_weights(&entry.path), entry.path.clone()));
        files.dedup_by(|one, other| one.path == other.path);
        let mut revision = commit.to_owned();
        if let Some(file) = &wanted.file {
            // Two files of one commit are two models.
            revision.extend(["-", &sha256_hex(file.as_bytes())[..8]]);
        }
        Ok(Listing { name: name.clone(), commit: commit.to_owned(), revision, files })
    }

    /// Does something again after a pause while that can help.
    pub(super) fn retrying<T>(
        &self,
        cancel: &Cancel,
        mut attempt: impl FnMut(&Cancel) -> Result<T, Attempt>,
    ) -> Result<T> {
        let mut failures = 0;
        loop {
            let failure = match attempt(cancel) {
                Ok(value) => return Ok(value),
                Err(Attempt::Final(failure)) => return Err(failure),
                Err(Attempt::Further(failure)) => {
                    failures = 0;
                    failure
                },
                Err(Attempt::Again(failure)) => failure,
            };
            failures += 1;
            if failures >= self.tries.most {
                return Err(failure);
            }
            http::pause(self.tries.pause * (1 << (failures - 1).min(5)), cancel)?;
        }
    }

    /// Gets a url, following redirects to where they may lead.
    pub(super) fn get(
        &self,
        url: &Url,
        headers: Vec<(&'static str, String)>,
        cancel: &Cancel,
    ) -> Result<Reply, Attempt> {
        let mut url = url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let ask = Ask { url: url.as_str(), headers: headers.clone(), body: None };
            let reply = self.http.ask(&ask, cancel).map_err(|trouble| broken(&url, trouble))?;
            if !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(reply);
            }
            let location = reply.header("location").unwrap_or_default();
            let next = url.join(&location).map_err(|error| {
                Attempt::Final(failed(&url, "it redirects to what is no url").caused_by(error))
            })?;
            if !self.may_lead_to(&next) {
                let what = format!("it redirects to `{}`, which is not encrypted", host_of(&next));
                return Err(Attempt::Final(failed(&url, &what)));
            }
            url = next;
        }
        Err(Attempt::Final(failed(
            &url,
            &format!("there are more than {MOST_REDIRECTS} redirects"),
        )))
    }

    /// The endpoint itself, any encrypted host, and this machine where the endpoint is on it.
    fn may_lead_to(&self, next: &Url) -> bool {
        match next.scheme() {
            "https" => true,
            "http" => {
                next.origin() == self.endpoint.origin()
                    || (is_loopback(next) && is_loopback(&self.endpoint))
            },
            _ => false,
        }
    }
}

impl Listing {
    /// Where a file is.
    pub(super) fn url_of(&self, hub: &Hub, entry: &Entry) -> Result<Url> {
        let mut parts: Vec<&str> = self.name.as_str().split('/').collect();
        parts.extend(["resolve", &self.commit]);
        parts.extend(entry.path.split('/'));
        hub.url(&parts)
    }
}

/// Why a try failed, and whether another one can help.
#[derive(Debug)]
pub(super) enum Attempt {
    /// It cannot.
    Final(Failure),
    /// It can.
    Again(Failure),
    /// It can, and this one brought something.
    Further(Failure),
}

/// Whether a file is the large one of a model.
pub(super) fn is_weights(path: &str) -> bool {
    path == WEIGHTS || is_gguf(path)
}

fn entry(json: &Value) -> Option<Entry> {
    let lfs = &json["lfs"];
    let sha256 = lfs["sha256"].as_str().or_else(|| lfs["oid"].as_str());
    Some(Entry {
        path: json["rfilename"].as_str()?.to_owned(),
        size: json["size"].as_u64().or_else(|| lfs["size"].as_u64()),
        sha256: sha256.map(|oid| oid.trim_start_matches("sha256:")).and_then(Digest::from_hex),
    })
}

/// The files that are needed: those of an embedder, or the one that was named.
fn chosen(name: &ModelName, all: Vec<Entry>, file: Option<&str>) -> Result<Vec<Entry>> {
    let gguf: Vec<String> =
        all.iter().map(|entry| entry.path.clone()).filter(|path| is_gguf(path)).collect();
    let missing = |message: String| Failure::new(ErrorCode::ModelMissing, message);
    let files: Vec<Entry> = match file {
        Some(file) => all
            .into_iter()
            .filter(|entry| is_file_path(&entry.path))
            .filter(|entry| (entry.path == file && is_gguf(file)) || entry.path == "README.md")
            .collect(),
        None => all.into_iter().filter(|entry| is_part(&entry.path)).collect(),
    };
    let wanted = file.unwrap_or(WEIGHTS);
    if files.iter().any(|entry| entry.path == wanted) {
        return Ok(files);
    }
    let failure = missing(format!("`{name}` has no file `{wanted}` that can be used"));
    Err(match gguf.first() {
        Some(first) => {
            failure.hint(format!("it has GGUF files: `gik model pull {name} --file {first}`"))
        },
        None => failure
            .hint("models of the BERT family with `model.safetensors` can be used as embedders"),
    })
}

pub(super) fn failed(url: &Url, what: &str) -> Failure {
    let message = format!("cannot fetch `{}{}`: {what}", host_of(url), url.path());
    Failure::new(ErrorCode::ModelDownloadFailed, message)
}

fn host_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

pub(super) fn broken(url: &Url, trouble: Trouble) -> Attempt {
    match trouble {
        Trouble::Stopped(failure) => Attempt::Final(failure),
        Trouble::Broken(what) => Attempt::Again(failed(url, &what)),
    }
}

/// What an answer other than the wanted one means.
pub(super) fn refusal(name: &ModelName, revision: &str, url: &Url, status: u16) -> Attempt {
    let failure = failed(url, &format!("the server answered {status}"));
    match status {
        401 | 403 => Attempt::Final(failure.hint(format!(
            "`{name}` does not exist, or it is private; fetch its files by hand and add them: `gik model add FOLDER --name {name}`"
        ))),
        404 => {
            let message = format!("`{}` has no model `{name}` at `{revision}`", host_of(url));
            Attempt::Final(
                Failure::new(ErrorCode::ModelMissing, message).hint("check the name and `--revision`"),
            )
        },
        408 | 425 | 429 | 500..=599 => Attempt::Again(failure),
        _ => Attempt::Final(failure),
    }
}
