//! What does git keep under a name? Reads loose objects and packs; runs no program and writes nothing.
//!
//! Bounded everywhere: an object that is too large, broken or not there (a partial clone) is `None`, and callers do
//! without it.

mod delta;
mod effort;
mod id;
mod lent;
mod pack;
mod tree;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::{Decompress, FlushDecompress};
use gik_base::collections::{HashMap, HashSet};
use gik_base::{Result, fs};

use crate::git::read_bounded;
use effort::Effort;
pub use id::ObjectId;
use pack::{Entry, Pack};
pub(crate) use tree::{EntryKind, entries};

/// A larger object is not looked at.
const MOST_BYTES: usize = 32 << 20;
/// A larger commit is none that someone wrote.
const MOST_COMMIT_BYTES: usize = 1 << 20;
/// The file of an object that is no larger: zlib makes what it cannot pack a little longer.
const MOST_LOOSE_BYTES: u64 = (MOST_BYTES + (MOST_BYTES >> 8)) as u64;
/// So long a chain of differences git never makes.
const LONGEST_CHAIN: usize = 4100;
/// So many bytes of objects are kept in memory.
const CACHE_BYTES: usize = 24 << 20;
/// Larger objects are not kept.
const CACHED_BYTES: usize = 1 << 20;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Kind {
    fn most_bytes(self) -> usize {
        match self {
            Self::Commit | Self::Tag => MOST_COMMIT_BYTES,
            Self::Tree | Self::Blob => MOST_BYTES,
        }
    }

    fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Commit,
            2 => Self::Tree,
            3 => Self::Blob,
            4 => Self::Tag,
            _ => return None,
        })
    }

    fn from_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"commit" => Self::Commit,
            b"tree" => Self::Tree,
            b"blob" => Self::Blob,
            b"tag" => Self::Tag,
            _ => return None,
        })
    }
}

/// An object: what it is and its bytes.
type Object = (Kind, Rc<[u8]>);

/// The objects of one repository.
#[derive(Debug)]
pub(crate) struct Objects {
    folders: Vec<PathBuf>,
    packs: Vec<Pack>,
    cache: RefCell<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    objects: HashMap<Place, Object>,
    bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Loose(ObjectId),
    Packed(usize, u64),
}

impl Objects {
    /// The objects of the repository with that common folder, whose names have so many bytes.
    pub(crate) fn open(common: &Path, id_bytes: usize) -> Result<Self> {
        let folders = lent::folders(common.join("objects"))?;
        let mut packs = Vec::new();
        for folder in &folders {
            let folder = folder.join("pack");
            for path in fs::list_dir(&folder).unwrap_or_default() {
                if path.extension().is_some_and(|extension| extension == "idx") {
                    packs.extend(Pack::open(&path, id_bytes));
                }
            }
        }
        Ok(Self { folders, packs, cache: RefCell::default() })
    }

    /// An object of a kind; `None` where it is not there, not readable, too large or something else.
    pub(crate) fn read(&self, id: &ObjectId, kind: Kind) -> Option<Rc<[u8]>> {
        let (is, bytes) = self.find(id, &mut Effort::of(kind))?;
        (is == kind && bytes.len() <= kind.most_bytes()).then_some(bytes)
    }

    fn find(&self, id: &ObjectId, effort: &mut Effort) -> Option<Object> {
        for (pack, packed) in self.packs.iter().enumerate() {
            if let Some(place) = packed.place_of(id) {
                return self.packed(pack, place, effort);
            }
        }
        self.cached(Place::Loose(*id), || self.loose(id, effort.most_bytes))
    }

    /// The object at a place of a pack, with every difference on the way applied.
    fn packed(&self, pack: usize, place: u64, effort: &mut Effort) -> Option<Object> {
        let mut differences = Vec::new();
        let mut seen = HashSet::default();
        let mut at = place;
        let (kind, mut bytes) = loop {
            // Differences by name can lead in a circle.
            if !seen.insert(at) || differences.len() > LONGEST_CHAIN {
                return None;
            }
            if let Some(known) = self.cache.borrow().objects.get(&Place::Packed(pack, at)) {
                break known.clone();
            }
            match self.packs[pack].entry(at, effort.most_bytes)? {
                Entry::Whole(kind, whole) => {
                    let whole: Rc<[u8]> = whole.into();
                    self.keep(Place::Packed(pack, at), (kind, Rc::clone(&whole)));
                    break (kind, whole);
                },
                Entry::AfterPlace(base, difference) => {
                    effort.hold(difference.len())?;
                    differences.push((at, difference));
                    at = base;
                },
                Entry::AfterId(base, difference) => {
                    effort.hold(difference.len())?;
                    differences.push((at, difference));
                    match self.packs[pack].place_of(&base) {
                        Some(place) => at = place,
                        None => {
                            effort.hop()?;
                            break self.find(&base, effort)?;
                        },
                    }
                },
            }
        };
        for (at, difference) in differences.into_iter().rev() {
            bytes = delta::apply(&bytes, &difference, effort.most_bytes)?.into();
            effort.make(bytes.len())?;
            self.keep(Place::Packed(pack, at), (kind, Rc::clone(&bytes)));
        }
        Some((kind, bytes))
    }

    /// An object in a file of its own: `<kind> <size>\0<bytes>`, packed with zlib.
    fn loose(&self, id: &ObjectId, most: usize) -> Option<Object> {
        let name = id.to_string();
        let (folder, file) = name.split_at(2);
        let path = self.folders.iter().map(|objects| objects.join(folder).join(file));
        let packed =
            path.into_iter().find_map(|path| read_bounded(&path, MOST_LOOSE_BYTES).ok()?)?;
        // The size stands inside, so the start is unpacked first.
        let mut start = Vec::with_capacity(64);
        Decompress::new(true).decompress_vec(&packed, &mut start, FlushDecompress::None).ok()?;
        let end = start.iter().position(|byte| *byte == 0)?;
        let space = start.iter().position(|byte| *byte == b' ')?;
        let kind = Kind::from_name(start.get(..space)?)?;
        let size: usize = std::str::from_utf8(start.get(space + 1..end)?).ok()?.parse().ok()?;
        if size > most {
            return None;
        }
        let mut bytes = pack::inflate(&packed, size + end + 1)?;
        bytes.drain(..=end);
        Some((kind, bytes.into()))
    }

    fn cached(&self, place: Place, read: impl FnOnce() -> Option<Object>) -> Option<Object> {
        if let Some(known) = self.cache.borrow().objects.get(&place) {
            return Some(known.clone());
        }
        let object = read()?;
        self.keep(place, object.clone());
        Some(object)
    }

    fn keep(&self, place: Place, object: Object) {
        if object.1.len() > CACHED_BYTES {
            return;
        }
        let mut cache = self.cache.borrow_mut();
        // Objects without a byte take room as well.
        let bytes = object.1.len() + size_of::<(Place, Object)>();
        if cache.bytes + bytes > CACHE_BYTES {
            *cache = Cache::default();
        }
        cache.bytes += bytes;
        cache.objects.insert(place, object);
    }
}
