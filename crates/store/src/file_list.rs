//! All files of a generation as one flat file beside the database, because every command needs them and reading as many
//! rows from SQLite takes five times as long.
//!
//! It is a copy: written after a commit, without waiting for the disk, and trusted only where its checksum is the one
//! that the database names. Otherwise the rows are read from the database. So are those of a few files that changed since:
//! the database names them as well, and the list is not written again for their sake.
//!
//! ```text
//! magic u64 · checksum of the rest u64
//! n · n × text                            names: bases, languages, reasons
//! n · n × (id · chunks · symbols · stage u8 · size · mtime · inode · base · language · origin u8 · sha256 [32]
//!          · shared u8 · rest of the path text · skipped u8 [· code · detail text])     sorted by path
//! text = length · bytes; numbers without a width are varints
//! ```
//!
//! Files near one another are alike: id, mtime and inode are steps from those of the file before, zigzag, and a path has
//! its first `shared` bytes from there.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gik_base::collections::HashMap;
use gik_base::fs::{self, Durability};
use gik_base::{FileKey, FileStat, Result, hash, shared_start};
use gik_index::FileNo;

use crate::facts::reader::{Input, unzigzag};
use crate::facts::writer::{number, text, zigzag};
use crate::{FileOrigin, FileRow, FileState, Stage};

const MAGIC: u64 = u64::from_le_bytes(*b"gikfile4");
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
    let is_sound = input.array()? == MAGIC.to_le_bytes()
        && input.array()? == checksum.to_le_bytes()
        && checksum == hash::fast64(input.0);
    if !is_sound {
        return None;
    }
    let n_names = input.small()?;
    let names: Vec<Arc<str>> =
        (0..n_names).map(|_| input.text().map(Arc::from)).collect::<Option<_>>()?;
    let name = |at: u32| names.get(at as usize).cloned();
    let n_files = input.small()?;
    let mut files: Vec<FileRow> = Vec::with_capacity(n_files.min(1 << 20) as usize);
    let mut last = [0; 3];
    for _ in 0..n_files {
        let mut step = |input: &mut Input<'_>, nth: usize| {
            last[nth] = unzigzag(input.number()?).wrapping_add(last[nth]);
            Some(last[nth])
        };
        files.push(FileRow {
            id: FileNo(u32::try_from(step(&mut input, 0)?).ok()?),
            n_chunks: input.small()?,
            n_symbols: input.small()?,
            stage: Stage::from_number(input.byte()?),
            stat: FileStat {
                size: input.number()?,
                mtime_ns: step(&mut input, 1)?,
                inode: step(&mut input, 2)?.cast_unsigned(),
            },
            base: name(input.small()?)?,
            language: name(input.small()?)?,
            origin: origin(input.byte()?)?,
            sha256: hash::Digest(input.array()?),
            key: {
                let above = files.last().map_or("", |file| file.key.as_str());
                let above = above.get(..input.byte()?.into())?;
                FileKey::from_text([above, input.text()?].concat())
            },
            state: match input.byte()? {
                0 => FileState::Indexed,
                _ => FileState::Skipped {
                    code: name(input.small()?)?.as_ref().to_owned(),
                    detail: input.text()?.to_owned(),
                },
            },
        });
    }
    Some(files)
}

/// What is kept of a file as a step from the file before.
fn steps(file: &FileRow) -> [i64; 3] {
    [file.id.0.into(), file.stat.mtime_ns, file.stat.inode.cast_signed()]
}

/// A list in the making and its checksum.
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    checksum: u64,
}

/// The list of these files, which are sorted by path.
pub(crate) fn encode(files: &[FileRow]) -> Encoded {
    let mut names = Names::default();
    let mut rows = Vec::with_capacity(files.len() * 96);
    let (mut above, mut last) = ("", [0; 3]);
    for file in files {
        let next = steps(file);
        let [id, mtime, inode] = [0, 1, 2].map(|nth| zigzag(next[nth].wrapping_sub(last[nth])));
        number(&mut rows, id);
        number(&mut rows, file.n_chunks.into());
        number(&mut rows, file.n_symbols.into());
        rows.push(file.stage as u8);
        number(&mut rows, file.stat.size);
        number(&mut rows, mtime);
        number(&mut rows, inode);
        number(&mut rows, names.number(&file.base));
        number(&mut rows, names.number(&file.language));
        rows.push(file.origin as u8);
        rows.extend(file.sha256.0);
        let path = file.key.as_str();
        let shared = shared_start(above, path);
        rows.push(shared);
        text(&mut rows, &path[shared.into()..]);
        match &file.state {
            FileState::Indexed => rows.push(0),
            FileState::Skipped { code, detail } => {
                rows.push(1);
                number(&mut rows, names.number(code));
                text(&mut rows, detail);
            },
        }
        (above, last) = (path, next);
    }
    let mut bytes = Vec::with_capacity(HEADER_BYTES + rows.len() + 1024);
    bytes.extend([0; HEADER_BYTES]);
    number(&mut bytes, names.in_order.len() as u64);
    for name in &names.in_order {
        text(&mut bytes, name);
    }
    number(&mut bytes, files.len() as u64);
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
    numbers: HashMap<&'a str, u64>,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str) -> u64 {
        *self.numbers.entry(name).or_insert_with(|| {
            self.in_order.push(name);
            self.in_order.len() as u64 - 1
        })
    }
}

fn origin(number: u8) -> Option<FileOrigin> {
    [FileOrigin::File, FileOrigin::Archive, FileOrigin::Url].get(usize::from(number)).copied()
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
            stat: FileStat { size: 1, mtime_ns: -2, inode: 3 + (u64::MAX << id) },
            sha256: hash::sha256(key.as_bytes()),
            n_chunks: 4,
            n_symbols: 5,
            stage: Stage::Words,
            origin: FileOrigin::Url,
            state,
        };
        let skipped = FileState::Skipped { code: "binary".into(), detail: "it is binary".into() };
        let indexed = |id, key: &str| row(id, key, FileState::Indexed);
        let long = format!("{}ü.rs", "a".repeat(254));
        // `ü` and `ý` have their first byte in common.
        vec![
            indexed(7, "a.rs"),
            indexed(31, "a/b.rs"),
            indexed(9, "a/b/c.rs"),
            indexed(11, &long),
            indexed(12, &format!("{long}.rs")),
            row(2, "über.bin", skipped),
            indexed(3, "über.bin.rs"),
            indexed(4, "ýx"),
        ]
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
