//! All files of a generation as one flat file beside the database, because every command needs them and reading as many
//! rows from SQLite takes five times as long.
//!
//! It is a copy: written after a commit, without waiting for the disk, and trusted only where its checksum is the one
//! that the database names. Otherwise the rows are read from the database. So are those of a few files that changed since:
//! the database names them as well, and the list is not written again for their sake.
//!
//! ```text
//! magic u64 · checksum of the rest u64
//! n u32 · n × text                        names: bases, languages, reasons
//! n u32 · n × (id u32 · chunks u32 · symbols u32 · stage u8 · size u64 · mtime i64 · inode u64 · base u32 · language u32 · origin u8
//!              · sha256 [32] · path text · skipped u8 [· code u32 · detail text])       sorted by path
//! text = length u32 · bytes; all numbers little-endian
//! ```

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gik_base::collections::HashMap;
use gik_base::fs::{self, Durability};
use gik_base::{FileKey, FileStat, Result, hash};
use gik_index::FileNo;

use crate::{FileOrigin, FileRow, FileState, Stage};

const MAGIC: u64 = u64::from_le_bytes(*b"gikfile3");
const HEADER_BYTES: usize = 16;
/// With more changes the list is written again.
const MOST_CHANGED: usize = 64;

/// What the database says of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    checksum: u64,
    /// The rows that are not what the list says, or are gone.
    pub(crate) changed: BTreeSet<u32>,
}

impl Named {
    /// Reads `<checksum>[ <checksum of what changed> <row>,…]`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let checksum = u64::from_str_radix(words.next()?, 16).ok()?;
        let rows = words.nth(1).map(|rows| rows.split(',').map(str::parse).collect());
        Some(Self { checksum, changed: rows.transpose().ok()?.unwrap_or_default() })
    }

    /// The same list with more changes; `None` where it is better written again.
    pub(crate) fn with(mut self, more: &BTreeSet<u32>, path: &Path) -> Option<Self> {
        self.changed.extend(more);
        (self.changed.len() <= MOST_CHANGED && is_there(path, self.checksum)).then_some(self)
    }

    /// What names exactly these files.
    pub(crate) fn text(&self, files: &[FileRow]) -> String {
        if self.changed.is_empty() {
            return format!("{:016x}", self.checksum);
        }
        let is_changed = |file: &&FileRow| self.changed.contains(&file.id.0);
        let rows: Vec<FileRow> = files.iter().filter(is_changed).cloned().collect();
        let numbers: Vec<String> = self.changed.iter().map(u32::to_string).collect();
        let (list, changes) = (self.checksum, encode(&rows).checksum);
        format!("{list:016x} {changes:016x} {}", numbers.join(","))
    }
}

fn is_there(path: &Path, checksum: u64) -> bool {
    let mut header = [0; HEADER_BYTES];
    let is_read = fs::open(path).is_ok_and(|mut file| file.read_exact(&mut header).is_ok());
    let (magic, named) = header.split_at(8);
    is_read && *magic == MAGIC.to_le_bytes() && *named == checksum.to_le_bytes()
}

/// Where the list of a database is.
pub(crate) fn path_of(database: &Path) -> PathBuf {
    database.with_extension("files")
}

/// The files of that list as it was written; `None` where there is no such list.
pub(crate) fn read(path: &Path, named: &Named) -> Option<Vec<FileRow>> {
    let checksum = named.checksum;
    let bytes = fs::read_if_present(path).ok()??;
    let mut input = Input(&bytes);
    let is_sound = input.u64()? == MAGIC
        && input.u64()? == checksum
        && checksum == hash::fast64(bytes.get(HEADER_BYTES..)?);
    if !is_sound {
        return None;
    }
    let n_names = input.u32()?;
    let names: Vec<Arc<str>> =
        (0..n_names).map(|_| input.text().map(Arc::from)).collect::<Option<_>>()?;
    let name = |at: u32| names.get(at as usize).cloned();
    let n_files = input.u32()?;
    let mut files = Vec::with_capacity(n_files.min(1 << 20) as usize);
    for _ in 0..n_files {
        files.push(FileRow {
            id: FileNo(input.u32()?),
            n_chunks: input.u32()?,
            n_symbols: input.u32()?,
            stage: Stage::from_number(input.u8()?),
            stat: FileStat {
                size: input.u64()?,
                mtime_ns: input.u64()?.cast_signed(),
                inode: input.u64()?,
            },
            base: name(input.u32()?)?,
            language: name(input.u32()?)?,
            origin: origin(input.u8()?)?,
            sha256: hash::Digest(input.array()?),
            key: FileKey::from_text(input.text()?),
            state: match input.u8()? {
                0 => FileState::Indexed,
                _ => FileState::Skipped {
                    code: name(input.u32()?)?.as_ref().to_owned(),
                    detail: input.text()?.to_owned(),
                },
            },
        });
    }
    Some(files)
}

/// A list in the making and its checksum.
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    checksum: u64,
}

/// The list of these files, which are sorted by path.
pub(crate) fn encode(files: &[FileRow]) -> Encoded {
    let mut names = Names::default();
    let mut rows = Vec::with_capacity(files.len() * 128);
    for file in files {
        rows.extend(file.id.0.to_le_bytes());
        rows.extend(file.n_chunks.to_le_bytes());
        rows.extend(file.n_symbols.to_le_bytes());
        rows.push(file.stage as u8);
        rows.extend(file.stat.size.to_le_bytes());
        rows.extend(file.stat.mtime_ns.to_le_bytes());
        rows.extend(file.stat.inode.to_le_bytes());
        rows.extend(names.number(&file.base).to_le_bytes());
        rows.extend(names.number(&file.language).to_le_bytes());
        rows.push(file.origin as u8);
        rows.extend(file.sha256.0);
        put_text(&mut rows, file.key.as_str());
        match &file.state {
            FileState::Indexed => rows.push(0),
            FileState::Skipped { code, detail } => {
                rows.push(1);
                rows.extend(names.number(code).to_le_bytes());
                put_text(&mut rows, detail);
            },
        }
    }
    let mut bytes = Vec::with_capacity(HEADER_BYTES + rows.len() + 1024);
    bytes.extend([0; HEADER_BYTES]);
    bytes.extend(length(names.in_order.len()).to_le_bytes());
    for name in &names.in_order {
        put_text(&mut bytes, name);
    }
    bytes.extend(length(files.len()).to_le_bytes());
    bytes.append(&mut rows);
    let checksum = hash::fast64(&bytes[HEADER_BYTES..]);
    bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
    bytes[8..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    Encoded { bytes, checksum }
}

impl Encoded {
    /// What names it.
    pub(crate) fn name(&self) -> String {
        format!("{:016x}", self.checksum)
    }

    /// Puts the list in place.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        fs::write_atomic(path, &self.bytes, Durability::Cached)
    }
}

/// Words that many files share, each kept once.
#[derive(Default)]
struct Names<'a> {
    in_order: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str) -> u32 {
        *self.numbers.entry(name).or_insert_with(|| {
            self.in_order.push(name);
            length(self.in_order.len() - 1)
        })
    }
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(length(text.len()).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Row ids are 32 bits wide, so no list is longer.
fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn origin(number: u8) -> Option<FileOrigin> {
    [FileOrigin::File, FileOrigin::Archive, FileOrigin::Url].get(usize::from(number)).copied()
}

/// The bytes that were not read yet.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()?;
        std::str::from_utf8(self.take(length as usize)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<FileRow> {
        let row = |id, key: &str, state| FileRow {
            id: FileNo(id),
            key: FileKey::from_text(key),
            base: "code".into(),
            language: "rust".into(),
            stat: FileStat { size: 1, mtime_ns: -2, inode: 3 },
            sha256: hash::sha256(key.as_bytes()),
            n_chunks: 4,
            n_symbols: 5,
            stage: Stage::Words,
            origin: FileOrigin::Url,
            state,
        };
        let skipped = FileState::Skipped { code: "binary".into(), detail: "it is binary".into() };
        vec![row(7, "a.rs", FileState::Indexed), row(2, "über.bin", skipped)]
    }

    fn named(list: &Encoded) -> Named {
        Named::parse(&list.name()).unwrap()
    }

    #[test]
    fn a_list_is_read_as_it_was_written_and_only_by_its_checksum() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.files");
        let list = encode(&rows());
        assert_eq!(read(&path, &named(&list)), None);
        list.write(&path).unwrap();
        assert_eq!(read(&path, &named(&list)), Some(rows()));
        let other = Named { checksum: list.checksum ^ 1, changed: BTreeSet::new() };
        assert_eq!(read(&path, &other), None);
    }

    #[test]
    fn a_name_tells_what_changed_and_is_another_for_other_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.files");
        let list = encode(&rows());
        assert_eq!(named(&list).with(&BTreeSet::from([7]), &path), None, "there is no list");
        list.write(&path).unwrap();
        let once = named(&list).with(&BTreeSet::from([7]), &path).unwrap();
        let more = once.clone().with(&BTreeSet::from([2, 9]), &path).unwrap();
        assert_eq!(more.changed, BTreeSet::from([2, 7, 9]));
        assert_eq!(Named::parse(&more.text(&rows())), Some(more.clone()));
        let mut other = rows();
        other[0].stat.mtime_ns += 1;
        assert_ne!(more.text(&rows()), more.text(&other));
        assert_eq!(more.with(&(10..90).collect(), &path), None, "too many");
    }

    #[test]
    fn a_damaged_list_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.files");
        let list = encode(&rows());
        list.write(&path).unwrap();
        let good = std::fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x20;
            std::fs::write(&path, &bad).unwrap();
            assert_eq!(read(&path, &named(&list)), None, "byte {at}");
            std::fs::write(&path, &good[..at]).unwrap();
            assert_eq!(read(&path, &named(&list)), None, "cut at {at}");
        }
    }
}
