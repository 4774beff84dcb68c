//! The default backend: flat files that grow at the end.
//!
//! A *slot* is the same number in three files, all little-endian, none with a header:
//!
//! - `embeddings.dat`: the numbers as float32, `dimension × 4` bytes a slot;
//! - `codes.dat`: the code of the vector (see `gik_index::vectors`), whole words of 64 bits;
//! - `slots.dat`: 32 bytes a slot: chunk, file and labels (u32 each), the length of the vector (f32), its check (u64) and
//!   a checksum over all of that and the vector (u64).
//!
//! The extent says how many slots count; what is behind them was never committed and is written over. A slot that counts
//! is never changed, so readers may keep their maps: what is dead is part of the extent. When more than half is dead, the
//! living go to a new set of files with a number in their names (`embeddings.1.dat`), and the old ones are unlinked.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use gik_base::fs::File;
use gik_base::mmap::{Bytes, Parts};
use gik_base::{ErrorCode, Failure, Result, fs, hash};
use gik_index::vectors::{
    Best, Kernels, Metric, Neighbour, code_bytes, nearest_by_sums, nearest_codes, write_code,
};
use gik_index::{ChunkNo, DocNo, FileNo, Tombstones};

use super::{
    Entry, Extent, Finished, Found, Question, RowMeta, VectorChange, VectorIndex, norm_of,
};

/// So many of the codes that differ least get a closer look: a part of all, within bounds, one in so many of a large
/// index, and at least so many for each answer that is asked for.
const LOOKED_AT_PART: usize = 20;
const LOOKED_AT: RangeInclusive<usize> = 500..=2000;
const LOOKED_AT_PART_OF_MANY: usize = 256;
const LOOKED_AT_PER_ANSWER: usize = 16;
/// So many of those are compared exactly, and at least so many for each answer that is asked for. Of 10,000 and 100,000
/// vectors of real code, and a million made from them, that finds 0.9975, 0.999 and 0.992 of the ten nearest.
const RESCORED_PART: usize = 50;
const RESCORED: RangeInclusive<usize> = 200..=300;
const RESCORED_PER_ANSWER: usize = 7;
/// Below so many slots it is not worth moving the living.
const COMPACTED_FROM: u32 = 1024;
/// Vectors in the making take up so much memory before they are written.
const BUFFER_BYTES: usize = 8 << 20;
/// Vectors are mapped up to so many bytes. Of a larger file each question looks at other parts, which would all stay in the
/// memory of a process that answers many. Tests have few, and are to take both ways.
const MOST_MAPPED: u64 = if cfg!(test) { 4 << 10 } else { 32 << 20 };
/// A vector counts as one of length 1 within this.
const UNIT_TOLERANCE: f32 = 1e-3;

const SLOT_BYTES: usize = 32;
const STEMS: [&str; 3] = ["embeddings", "codes", "slots"];

/// The extent in the words of this backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    /// The number of the set of files.
    set: u32,
    n_slots: u32,
    /// Whether all vectors have length 1, so that every metric gives the order of the cosine.
    is_unit: bool,
}

impl State {
    const VERSION: u32 = 1;

    fn read(text: &str) -> Result<Self> {
        if text.is_empty() {
            return Ok(Self { set: 0, n_slots: 0, is_unit: true });
        }
        let mut numbers = text.split(' ').map(|word| word.parse::<u32>().ok());
        match std::array::from_fn(|_| numbers.next().flatten()) {
            [Some(Self::VERSION), Some(set), Some(n_slots), Some(is_unit)] => {
                Ok(Self { set, n_slots, is_unit: is_unit != 0 })
            },
            _ => Err(Failure::new(
                ErrorCode::StoreBroken,
                format!("`{text}` is no state of a vector index"),
            )),
        }
    }

    fn write(self) -> String {
        let Self { set, n_slots, is_unit } = self;
        format!("{} {set} {n_slots} {}", Self::VERSION, u8::from(is_unit))
    }
}

/// An empty index in files of its own.
pub(super) fn fresh(before: &Extent) -> Extent {
    let is_first = before.state.is_empty();
    let set = State::read(&before.state).map_or(0, |state| state.set.wrapping_add(1));
    let set = if is_first { 0 } else { set };
    let state = State { set, n_slots: 0, is_unit: true };
    Extent { state: state.write(), dead: Tombstones::default() }
}

/// Whether a name is that of a file of any set.
pub(super) fn is_ours(name: &str) -> bool {
    let middle = STEMS.iter().find_map(|stem| name.strip_prefix(stem));
    middle.and_then(|rest| rest.strip_suffix(".dat")).is_some_and(|number| {
        number.is_empty() || number.strip_prefix('.').is_some_and(|n| n.parse::<u32>().is_ok())
    })
}

/// The files that an extent tells of.
pub(super) fn files(dir: &Path, extent: &Extent) -> Vec<PathBuf> {
    State::read(&extent.state).map_or_else(|_| Vec::new(), |state| paths(dir, state.set).to_vec())
}

fn paths(dir: &Path, set: u32) -> [PathBuf; 3] {
    STEMS.map(|stem| match set {
        0 => dir.join(format!("{stem}.dat")),
        set => dir.join(format!("{stem}.{set}.dat")),
    })
}

/// What is not there is a vector that is missing.
fn if_present<T>(opened: Result<T>) -> Result<Option<T>> {
    match opened {
        Err(failure) if failure.code() == ErrorCode::PathMissing => Ok(None),
        other => other.map(Some),
    }
}

/// Bytes of a slot in each file.
const fn strides(dimension: usize) -> [usize; 3] {
    [dimension * 4, code_bytes(dimension), SLOT_BYTES]
}

/// What is known of a slot beside its vector.
#[derive(Debug, Clone, Copy)]
struct Slot {
    meta: RowMeta,
    norm: f32,
    check: u64,
}

impl Slot {
    fn write(&self, vector: &[u8], out: &mut Vec<u8>) {
        let mut head = [0; SLOT_BYTES - 8];
        let RowMeta { chunk, file, labels } = self.meta;
        let words = [chunk.0, file.0, labels, self.norm.to_bits()];
        for (place, word) in head.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        head[16..].copy_from_slice(&self.check.to_le_bytes());
        out.extend(head);
        out.extend(checksum(&head, vector).to_le_bytes());
    }

    fn read(bytes: &[u8; SLOT_BYTES]) -> Self {
        let words = bytes.as_chunks::<4>().0;
        let word = |at: usize| u32::from_le_bytes(words[at]);
        Self {
            meta: RowMeta { chunk: ChunkNo(word(0)), file: FileNo(word(1)), labels: word(2) },
            norm: f32::from_bits(word(3)),
            check: u64::from_le_bytes(bytes.as_chunks::<8>().0[2]),
        }
    }
}

fn checksum(head: &[u8], vector: &[u8]) -> u64 {
    hash::fast64(vector) ^ hash::fast64(head).rotate_left(1)
}

/// The files as far as they count, for reading.
#[derive(Debug)]
pub(super) struct MmapIndex {
    dimension: usize,
    is_unit: bool,
    is_whole: bool,
    n_slots: u32,
    vectors: Parts,
    codes: Bytes,
    slots: Bytes,
    dead: Tombstones,
}

impl MmapIndex {
    pub(super) fn open(dir: &Path, dimension: usize, extent: &Extent) -> Result<Self> {
        let state = State::read(&extent.state)?;
        let [numbers, code, slot] =
            strides(dimension).map(|stride| u64::from(state.n_slots) * stride as u64);
        let [vectors, codes, slots] = paths(dir, state.set);
        let vectors = if_present(Parts::open(&vectors, numbers, MOST_MAPPED))?
            .unwrap_or_else(|| Parts::Whole(Bytes::Owned(Vec::new())));
        let map = |path: &Path, length: u64| -> Result<Bytes> {
            let bytes = if_present(Bytes::map_first(path, length))?;
            Ok(bytes.unwrap_or_else(|| Bytes::Owned(Vec::new())))
        };
        let (codes, slots) = (map(&codes, code)?, map(&slots, slot)?);
        let lengths = [vectors.len(), codes.len() as u64, slots.len() as u64];
        let n_slots = (lengths.into_iter().zip(strides(dimension)))
            .map(|(length, stride)| length / stride.max(1) as u64)
            .fold(state.n_slots, |n, there| n.min(u32::try_from(there).unwrap_or(u32::MAX)));
        let is_whole = n_slots == state.n_slots;
        let dead = extent.dead.clone();
        Ok(Self {
            dimension,
            is_unit: state.is_unit,
            is_whole,
            n_slots,
            vectors,
            codes,
            slots,
            dead,
        })
    }

    fn slot_bytes(&self, slot: u32) -> Option<&[u8; SLOT_BYTES]> {
        (slot < self.n_slots).then(|| self.slots.as_chunks::<SLOT_BYTES>().0.get(slot as usize))?
    }

    fn slot(&self, slot: u32) -> Option<Slot> {
        self.slot_bytes(slot).map(Slot::read)
    }

    fn numbers<'b>(&'b self, slot: u32, buffer: &'b mut Vec<u8>) -> Option<&'b [u8]> {
        let stride = self.dimension * 4;
        self.vectors.get(u64::from(slot) * stride as u64, stride, buffer)
    }

    fn code(&self, slot: u32) -> Option<&[u8]> {
        let stride = code_bytes(self.dimension);
        self.codes.get(slot as usize * stride..)?.get(..stride)
    }

    fn is_dead(&self, slot: u32) -> bool {
        self.dead.count() > 0 && self.dead.contains(DocNo(slot))
    }

    /// Slot and vector, if neither is damaged.
    fn sound<'b>(&'b self, slot: u32, buffer: &'b mut Vec<u8>) -> Option<(Slot, &'b [u8])> {
        let (bytes, vector) = (self.slot_bytes(slot)?, self.numbers(slot, buffer)?);
        let (head, sum) = bytes.split_at(SLOT_BYTES - 8);
        let is_sound = checksum(head, vector).to_le_bytes() == *sum;
        is_sound.then(|| (Slot::read(bytes), vector))
    }

    /// The nearest, of all or of those that are not damaged.
    fn nearest_of(&self, question: &Question<'_>, only_sound: bool) -> Result<Vec<Found>> {
        let &Question { vector, k, metric, filter } = question;
        let norm = norm_of(vector, self.dimension)?;
        let kernels = Kernels::best();
        let accepts = |slot: u32| {
            !self.is_dead(slot) && self.slot(slot).is_some_and(|slot| filter(slot.meta))
        };
        let mut best = Best::new(k);
        let (mut numbers, mut buffer) = (vec![0.0; self.dimension], Vec::new());
        let mut compare = |place: u32| {
            let read = if only_sound {
                self.sound(place, &mut buffer)
            } else {
                self.slot(place).zip(self.numbers(place, &mut buffer))
            };
            let Some((slot, bytes)) = read else { return };
            for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
                *number = f32::from_le_bytes(*bytes);
            }
            let score = kernels.score(metric, (vector, norm), (&numbers, slot.norm));
            best.push(Neighbour { score, id: u64::from(slot.meta.chunk.0), row: (place, slot) });
        };
        let n_slots = self.n_slots as usize;
        let part = |part: usize, bounds: &RangeInclusive<usize>| {
            (n_slots / part).clamp(*bounds.start(), *bounds.end())
        };
        let n_compared = k.saturating_mul(RESCORED_PER_ANSWER).max(part(RESCORED_PART, &RESCORED));
        let n_looked_at = part(LOOKED_AT_PART, &LOOKED_AT).max(n_slots / LOOKED_AT_PART_OF_MANY);
        let n_looked_at = n_looked_at.max(k.saturating_mul(LOOKED_AT_PER_ANSWER)).max(n_compared);
        // A code tells the direction alone.
        let by_direction = norm > 0.0 && (metric == Metric::Cosine || self.is_unit);
        if k > 0 && by_direction && (self.n_slots as usize) > n_compared {
            let codes = &self.codes[..self.n_slots as usize * code_bytes(self.dimension)];
            let slots = nearest_codes(kernels, vector, codes, n_looked_at, accepts);
            for slot in nearest_by_sums(kernels, vector, codes, &slots, n_compared) {
                compare(slot);
            }
        } else if k > 0 {
            for slot in (0..self.n_slots).filter(|slot| accepts(*slot)) {
                compare(slot);
            }
        }
        let found =
            best.into_sorted().into_iter().map(|Neighbour { score, id: _, row: (place, slot) }| {
                Found { chunk: slot.meta.chunk, place, check: slot.check, score }
            });
        Ok(found.collect())
    }
}

impl VectorIndex for MmapIndex {
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>> {
        // Many are compared and few are near: only those have to be sound.
        let found = self.nearest_of(question, false)?;
        let mut buffer = Vec::new();
        if found.iter().all(|found| self.sound(found.place, &mut buffer).is_some()) {
            return Ok(found);
        }
        self.nearest_of(question, true)
    }

    fn vector(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<Option<Vec<f32>>> {
        let mut buffer = Vec::new();
        let found = self.sound(place, &mut buffer).filter(|(slot, _)| {
            !self.is_dead(place) && slot.meta.chunk == chunk && slot.check == check
        });
        Ok(found.map(|(_, vector)| {
            vector.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        }))
    }

    fn holds(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<bool> {
        let Some(numbers) = self.vector(chunk, place, check)? else { return Ok(false) };
        let mut code = Vec::new();
        write_code(&numbers, &mut code);
        Ok(self.code(place) == Some(&code))
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// Slots in the making.
#[derive(Debug)]
pub(super) struct MmapChange {
    dir: PathBuf,
    dimension: usize,
    before: MmapIndex,
    state: State,
    dead: Tombstones,
    /// What is not in the files yet, for each file.
    buffers: [Vec<u8>; 3],
    files: Option<[File; 3]>,
}

impl MmapChange {
    pub(super) fn open(dir: &Path, dimension: usize, extent: Extent) -> Result<Self> {
        Ok(Self {
            dir: dir.to_owned(),
            dimension,
            before: MmapIndex::open(dir, dimension, &extent)?,
            state: State::read(&extent.state)?,
            dead: extent.dead,
            buffers: Default::default(),
            files: None,
        })
    }

    /// Writes the buffers behind the slots that are in the files.
    fn flush(&mut self) -> Result<()> {
        let strides = strides(self.dimension);
        let n_buffered = self.buffers[2].len() / SLOT_BYTES;
        if n_buffered == 0 {
            return Ok(());
        }
        let first = self.state.n_slots as usize - n_buffered;
        let paths = paths(&self.dir, self.state.set);
        let mut files = match self.files.take() {
            Some(files) => files,
            None => open_files(&paths, first == 0)?,
        };
        for (((file, buffer), stride), path) in
            files.iter_mut().zip(&mut self.buffers).zip(strides).zip(&paths)
        {
            let written = file
                .seek(SeekFrom::Start((first * stride) as u64))
                .and_then(|_| file.write_all(buffer));
            written.map_err(|error| fs::failure("write", path, error))?;
            buffer.clear();
        }
        self.files = Some(files);
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        self.flush()?;
        let paths = paths(&self.dir, self.state.set);
        if let Some(files) = self.files.take() {
            for (file, path) in files.iter().zip(&paths) {
                file.sync_data().map_err(|error| fs::failure("write", path, error))?;
            }
            if self.before.n_slots == 0 {
                fs::sync_parent(&paths[0])?;
            }
        }
        Ok(())
    }

    fn add(&mut self, slot: &Slot, vector: &[u8], code: &[u8]) -> Result<u32> {
        let place = self.state.n_slots;
        self.state.n_slots = place.checked_add(1).filter(|n| *n < 1 << 30).ok_or_else(|| {
            Failure::new(ErrorCode::StoreBroken, "a base has no numbers left for vectors")
        })?;
        self.state.is_unit &= (slot.norm - 1.0).abs() < UNIT_TOLERANCE;
        self.buffers[0].extend(vector);
        self.buffers[1].extend(code);
        slot.write(vector, &mut self.buffers[2]);
        if self.buffers[0].len() >= BUFFER_BYTES {
            self.flush()?;
        }
        Ok(place)
    }

    /// Moves the living to a new set of files.
    fn compact(self) -> Result<Finished> {
        let Self { dir, dimension, state, dead, .. } = self;
        let old = Extent { state: state.write(), dead };
        let full = MmapIndex::open(&dir, dimension, &old)?;
        let mut change = Self::open(&dir, dimension, fresh(&old))?;
        let (mut moved, mut buffer) = (Vec::new(), Vec::new());
        for place in (0..full.n_slots).filter(|place| !full.is_dead(*place)) {
            // A slot that is damaged is left behind; nothing points at its chunk then.
            let read = full.sound(place, &mut buffer).zip(full.code(place));
            let Some(((slot, vector), code)) = read else { continue };
            moved.push((slot.meta.chunk, place, change.add(&slot, vector, code)?));
        }
        change.sync()?;
        let extent = Extent { state: change.state.write(), dead: Tombstones::default() };
        Ok(Finished { extent, moved, obsolete: paths(&dir, state.set).to_vec(), later: None })
    }
}

/// Files of a set that nothing counts in yet are made anew: a reader may have others of the same names mapped.
fn open_files(paths: &[PathBuf; 3], is_new: bool) -> Result<[File; 3]> {
    let open = |path: &PathBuf| {
        if is_new {
            fs::remove_file_if_present(path)?;
        }
        fs::open_to_patch(path)
    };
    Ok([open(&paths[0])?, open(&paths[1])?, open(&paths[2])?])
}

impl VectorChange for MmapChange {
    fn before(&self) -> &dyn VectorIndex {
        &self.before
    }

    fn put(&mut self, entry: &Entry<'_>) -> Result<u32> {
        let norm = norm_of(entry.vector, self.dimension)?;
        let vector: Vec<u8> = entry.vector.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut code = Vec::with_capacity(code_bytes(self.dimension));
        write_code(entry.vector, &mut code);
        self.add(&Slot { meta: entry.meta, norm, check: entry.check }, &vector, &code)
    }

    fn remove(&mut self, place: u32) {
        if place < self.state.n_slots {
            self.dead.insert(DocNo(place));
        }
    }

    fn finish(mut self: Box<Self>) -> Result<Finished> {
        self.sync()?;
        if self.state.n_slots >= COMPACTED_FROM && self.dead.count() > self.state.n_slots / 2 {
            return self.compact();
        }
        let extent = Extent { state: self.state.write(), dead: self.dead };
        Ok(Finished { extent, ..Finished::default() })
    }
}
