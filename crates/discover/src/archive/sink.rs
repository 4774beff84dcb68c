//! What the readers of all formats share: counting against the limits, reading a member, handing it out.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use gik_base::collections::HashSet;
use gik_base::{Cancel, ErrorCode, Failure, Result};

use super::member_path::{normalise, shown};
use super::{ArchiveLimits, ArchiveReport, Member, SkippedMember};

/// Below this much output no ratio makes a bomb.
const RATIO_FLOOR: u64 = 1 << 20;
const CHUNK_BYTES: usize = 64 << 10;

pub(super) struct Sink<'a> {
    archive: &'a Path,
    limits: &'a ArchiveLimits,
    cancel: &'a Cancel,
    each: &'a mut dyn FnMut(Member) -> Result<()>,
    meter: Rc<Meter>,
    entries: usize,
    handed_out: u64,
    paths: HashSet<String>,
    report: ArchiveReport,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        archive: &'a Path,
        archive_bytes: u64,
        limits: &'a ArchiveLimits,
        cancel: &'a Cancel,
        each: &'a mut dyn FnMut(Member) -> Result<()>,
    ) -> Self {
        let by_ratio = archive_bytes.saturating_mul(limits.max_ratio).max(RATIO_FLOOR);
        let meter = Meter {
            allowed: by_ratio.min(limits.max_total_bytes),
            unpacked: Cell::new(0),
            cancel: cancel.clone(),
        };
        Self {
            archive,
            limits,
            cancel,
            each,
            meter: Rc::new(meter),
            entries: 0,
            handed_out: 0,
            paths: HashSet::default(),
            report: ArchiveReport::default(),
        }
    }

    pub(super) fn into_report(self) -> ArchiveReport {
        self.report
    }

    /// A reader of unpacked bytes that stops when too many have come out, or when the user says so.
    pub(super) fn metered<R: Read>(&self, unpacked: R) -> Metered<R> {
        Metered { unpacked, meter: Rc::clone(&self.meter) }
    }

    /// Counts an entry of the archive, whatever it is.
    pub(super) fn count_entry(&mut self) -> Result<()> {
        self.cancel.check()?;
        self.entries += 1;
        self.check_entries(self.entries)
    }

    /// Fails where an archive has, or says it has, too many entries.
    pub(super) fn check_entries(&self, entries: usize) -> Result<()> {
        if entries > self.limits.max_members {
            let limit = self.limits.max_members;
            return Err(self.refused(&format!("it has more than {limit} entries")));
        }
        Ok(())
    }

    pub(super) fn skip(&mut self, name: &[u8], reason: impl Into<String>) {
        self.report.skipped.push(SkippedMember { path: shown(name), reason: reason.into() });
    }

    /// The path to hand a file out under; `None` where it is to be skipped, which is noted.
    pub(super) fn accept(&mut self, name: &[u8], size: u64) -> Option<String> {
        let path = match normalise(name) {
            Ok(path) => path,
            Err(reason) => {
                self.skip(name, reason);
                return None;
            },
        };
        if size > self.limits.max_member_bytes {
            let limit = self.limits.max_member_bytes;
            self.skip(name, format!("is larger than {limit} bytes"));
            return None;
        }
        if !self.paths.insert(path.clone()) {
            self.skip(name, "has the path of an earlier member");
            return None;
        }
        Some(path)
    }

    /// Reads a member that says it has `size` bytes, and hands it out.
    pub(super) fn hand_out(&mut self, path: String, size: u64, content: impl Read) -> Result<()> {
        // One byte more than promised tells a member that lies about its size.
        let mut content = content.take(size.saturating_add(1));
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(CHUNK_BYTES));
        content.read_to_end(&mut bytes).map_err(|error| self.broken(error))?;
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if read != size {
            return Err(self.refused(&format!("member `{path}` is not as long as it says")));
        }
        self.handed_out = self.handed_out.saturating_add(read);
        if self.handed_out > self.limits.max_total_bytes {
            return Err(self.too_much(self.limits.max_total_bytes));
        }
        self.report.members += 1;
        (self.each)(Member { path, bytes })
    }

    /// The failure behind an error of a reader: interrupted, too much, or damaged.
    pub(super) fn broken(
        &self,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Failure {
        if let Err(interrupted) = self.cancel.check() {
            return interrupted;
        }
        if self.meter.is_exceeded() {
            return self.too_much(self.meter.allowed);
        }
        self.refused("it is damaged").caused_by(error)
    }

    pub(super) fn refused(&self, reason: &str) -> Failure {
        let archive = self.archive.display();
        Failure::new(
            ErrorCode::ArchiveRefused,
            format!("cannot read archive `{archive}`: {reason}"),
        )
    }

    fn too_much(&self, allowed: u64) -> Failure {
        self.refused(&format!("it unpacks to more than {allowed} bytes"))
            .hint("unpack what you need of it and add the files instead")
    }
}

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("archive", &self.archive).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Meter {
    allowed: u64,
    unpacked: Cell<u64>,
    cancel: Cancel,
}

impl Meter {
    fn is_exceeded(&self) -> bool {
        self.unpacked.get() > self.allowed
    }
}

#[derive(Debug)]
pub(super) struct Metered<R> {
    unpacked: R,
    meter: Rc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.meter.cancel.is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        let read = self.unpacked.read(buffer)?;
        let sum = self.meter.unpacked.get().saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        self.meter.unpacked.set(sum);
        if self.meter.is_exceeded() {
            return Err(io::Error::other("too many bytes"));
        }
        Ok(read)
    }
}
