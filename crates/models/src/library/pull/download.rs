//! How does one file come over a bad network, and be what was promised?
//!
//! Bytes go to `<file>.part`, and `<file>.part.etag` remembers which version of the file they are of. The next try asks for
//! the rest only. A file gets its name when its size and hash are right.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use gik_base::fs::{self, Durability};
use gik_base::{Cancel, ErrorCode, Failure, Progress, Result};
use url::Url;

use super::hub::{Attempt, Entry, Hub, broken, failed};
use crate::http::{Reply, Trouble};
use crate::library::check::hash_file;

/// No model has a larger file.
const MOST_BYTES: u64 = 256 << 30;

/// A file that is there.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) size: u64,
    pub(super) sha256: String,
    pub(super) fetched: u64,
    pub(super) resumed: u64,
}

/// A file that is to be fetched.
#[derive(Debug)]
pub(super) struct Download<'a> {
    pub(super) hub: &'a Hub,
    pub(super) url: Url,
    pub(super) entry: &'a Entry,
    part: Part,
}

/// What is there of a file.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    etag: PathBuf,
}

impl<'a> Download<'a> {
    /// A download to a place.
    pub(super) fn new(hub: &'a Hub, url: Url, entry: &'a Entry, place: &Path) -> Self {
        Self { hub, url, entry, part: Part::beside(place) }
    }

    /// Fetches the file, or what is missing of it.
    pub(super) fn run(
        &self,
        place: &Path,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Done> {
        if let Some(done) = self.finished_before(place, cancel)? {
            return Ok(done);
        }
        let resumed = self.part.length()?;
        if resumed > 0 {
            progress.inform(&format!("going on with `{}` at byte {resumed}", self.entry.path));
        }
        progress.begin_bytes(&self.entry.path, self.entry.size);
        progress.advance(resumed);
        let (mut fetched, mut farthest) = (0, resumed);
        let done = self.hub.retrying(cancel, |cancel| {
            let mut came = |bytes| {
                fetched += bytes;
                progress.advance(bytes);
            };
            let tried = self.attempt(&mut came, cancel);
            // Only what brings the file nearer to its end counts: a server may send the same bytes for ever.
            let length = self.part.length().map_err(Attempt::Final)?;
            let is_farther = length > farthest;
            farthest = farthest.max(length);
            match tried {
                Err(Attempt::Again(failure)) if is_farther => Err(Attempt::Further(failure)),
                other => other,
            }
        });
        progress.end();
        let sha256 = done.map_err(paused)?;
        fs::rename(&self.part.path, place)?;
        fs::remove_file_if_present(&self.part.etag)?;
        fs::sync_parent(place)?;
        let size = fs::metadata(place)?.len();
        Ok(Done { size, sha256, fetched, resumed })
    }

    /// The file, where an earlier run fetched it and it is what the endpoint promises.
    fn finished_before(&self, place: &Path, cancel: &Cancel) -> Result<Option<Done>> {
        if !fs::exists(place) {
            return Ok(None);
        }
        let hash = hash_file(place, cancel, &mut |_| {})?.finish();
        let size = fs::metadata(place)?.len();
        if self.entry.size.is_none_or(|expected| expected == size)
            && self.entry.sha256.is_none_or(|expected| expected == hash)
        {
            return Ok(Some(Done { size, sha256: hash.to_string(), fetched: 0, resumed: size }));
        }
        fs::remove_file_if_present(place)?;
        Ok(None)
    }

    /// One try. Gives the hash of the whole file.
    fn attempt(&self, came: &mut dyn FnMut(u64), cancel: &Cancel) -> Result<String, Attempt> {
        let mut start = self.part.length().map_err(Attempt::Final)?;
        if self.entry.size.is_some_and(|size| start > size) {
            self.part.clear().map_err(Attempt::Final)?;
            start = 0;
        }
        if start == 0 || self.entry.size != Some(start) {
            self.receive(start, came, cancel)?;
        }
        let hash = hash_file(&self.part.path, cancel, &mut |_| {}).map_err(Attempt::Final)?;
        let hash = hash.finish();
        if self.entry.sha256.is_some_and(|expected| expected != hash) {
            return Err(self.anew("its bytes are not those that the endpoint promised"));
        }
        Ok(hash.to_string())
    }

    /// Gets what is missing behind `start`.
    fn receive(
        &self,
        start: u64,
        came: &mut dyn FnMut(u64),
        cancel: &Cancel,
    ) -> Result<(), Attempt> {
        let known = self.part.known_etag().map_err(Attempt::Final)?;
        let mut headers = vec![("accept-encoding", "identity".to_owned())];
        if start > 0 {
            headers.push(("range", format!("bytes={start}-")));
            // Weak validators do not promise the same bytes.
            if let Some(etag) = known.iter().find(|etag| !etag.starts_with("W/")) {
                headers.push(("if-range", etag.clone()));
            }
        }
        let reply = self.hub.get(&self.url, headers, cancel)?;
        let (start, total) = self.extent(&reply, start)?;
        let etag = reply.header("etag").filter(|etag| etag.len() <= 1024);
        if start > 0 && known.is_some() && etag.is_some() && etag != known {
            return Err(self.anew("the file changed since its first part came"));
        }
        if let (Some(total), Some(size)) = (total, self.entry.size)
            && total != size
        {
            return Err(self.anew(&format!("it has {total} bytes instead of {size}")));
        }
        if start == 0 {
            self.part.begin(etag.as_deref()).map_err(Attempt::Final)?;
        }
        let size = self.entry.size.or(total);
        let end = self.store(&reply, start, size.unwrap_or(MOST_BYTES), came, cancel)?;
        match size {
            Some(size) if end < size => {
                Err(self.again(&format!("the connection ended at byte {end} of {size}")))
            },
            _ => Ok(()),
        }
    }

    /// Where the bytes of an answer begin, and how long the whole file is.
    fn extent(&self, reply: &Reply, start: u64) -> Result<(u64, Option<u64>), Attempt> {
        match reply.status {
            200 => Ok((0, reply.header("content-length").and_then(|text| text.parse().ok()))),
            206 => match content_range(reply) {
                Some((from, total)) if from == start && start > 0 => Ok((start, total)),
                _ => Err(self.anew("it sent another part than the one asked for")),
            },
            416 => Err(self.anew("it does not have the rest of the file")),
            status @ (408 | 425 | 429 | 500..=599) => {
                Err(self.again(&format!("the server answered {status}")))
            },
            status => {
                Err(Attempt::Final(failed(&self.url, &format!("the server answered {status}"))))
            },
        }
    }

    /// Writes the body behind what is there, `most` bytes in all. Gives the length of the part.
    fn store(
        &self,
        reply: &Reply,
        start: u64,
        most: u64,
        came: &mut dyn FnMut(u64),
        cancel: &Cancel,
    ) -> Result<u64, Attempt> {
        let path = &self.part.path;
        let unwritten = |error| Attempt::Final(fs::failure("write", path, error));
        let mut file = fs::open_at_end(path, start).map_err(Attempt::Final)?;
        let mut end = start;
        let outcome = loop {
            match reply.next(cancel) {
                Ok(Some(bytes)) => {
                    let more = bytes.len() as u64;
                    if end + more > most {
                        return Err(self.anew(&format!("it sends more than {most} bytes")));
                    }
                    file.write_all(&bytes).map_err(unwritten)?;
                    end += more;
                    came(more);
                },
                Ok(None) => break Ok(end),
                Err(Trouble::Stopped(failure)) => break Err(Attempt::Final(failure)),
                Err(trouble) => break Err(broken(&self.url, trouble)),
            }
        };
        // What came is kept, whatever ended it.
        file.sync_all().map_err(unwritten)?;
        outcome
    }

    fn again(&self, what: &str) -> Attempt {
        Attempt::Again(failed(&self.url, what))
    }

    /// Throws the part away: it does not belong to what the server has.
    fn anew(&self, what: &str) -> Attempt {
        match self.part.clear() {
            Ok(()) => {
                let hint = "try again later, or another endpoint";
                Attempt::Again(failed(&self.url, what).hint(hint))
            },
            Err(failure) => Attempt::Final(failure),
        }
    }
}

impl Part {
    fn beside(place: &Path) -> Self {
        let with = |suffix: &str| {
            let mut name = place.file_name().unwrap_or_default().to_owned();
            name.push(suffix);
            place.with_file_name(name)
        };
        Self { path: with(".part"), etag: with(".part.etag") }
    }

    fn length(&self) -> Result<u64> {
        Ok(fs::symlink_metadata_if_present(&self.path)?.map_or(0, |metadata| metadata.len()))
    }

    fn known_etag(&self) -> Result<Option<String>> {
        let bytes = fs::read_if_present(&self.etag)?;
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|etag| !etag.is_empty()))
    }

    fn clear(&self) -> Result<()> {
        fs::remove_file_if_present(&self.path)?;
        fs::remove_file_if_present(&self.etag)
    }

    /// Begins anew with a version of the file.
    fn begin(&self, etag: Option<&str>) -> Result<()> {
        self.clear()?;
        etag.map_or(Ok(()), |etag| fs::write_new(&self.etag, etag.as_bytes(), Durability::Cached))
    }
}

fn paused(failure: Failure) -> Failure {
    if failure.code() != ErrorCode::Interrupted {
        return failure;
    }
    Failure::new(ErrorCode::Interrupted, "interrupted")
        .hint("what came is kept: run the command again to go on, or `gik model gc` to remove it")
}

/// `bytes 100-199/200` as the first byte and the length of the file.
fn content_range(reply: &Reply) -> Option<(u64, Option<u64>)> {
    let value = reply.header("content-range")?;
    let (range, total) = value.strip_prefix("bytes")?.trim().split_once('/')?;
    let (from, _) = range.split_once('-')?;
    Some((from.trim().parse().ok()?, total.trim().parse().ok()))
}
