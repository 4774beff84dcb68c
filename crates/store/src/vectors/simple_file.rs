//! The backend of the data contract: `records.jsonl`, one record per line, read into memory.
//!
//! The place of a record is the row id of its chunk. New records are added at the end; where one goes or is replaced,
//! the file is written anew. The extent names the file by length and hash, so that a file which a killed writer left, or
//! someone changed, is noticed: its records count as far as they pass the checks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gik_base::fs::Durability;
use gik_base::{ErrorCode, Failure, Result, fs, hash};
use gik_contract::{VectorInsert, VectorPayload};
use gik_index::vectors::{Best, Kernels, Neighbour};
use gik_index::{ChunkNo, DocNo, FileNo, Tombstones};

use super::{
    Entry, Extent, Finished, Found, Question, RowMeta, VectorChange, VectorIndex, norm_of,
};

/// The file in the folder of the index.
pub(super) const FILE: &str = "records.jsonl";

/// The state of an index whose file is not looked at.
const FRESH: &str = "1 fresh";

/// An empty index; the file that is there counts no more.
pub(super) fn fresh() -> Extent {
    Extent { state: FRESH.to_owned(), dead: Tombstones::default() }
}

fn state_of(bytes: &[u8]) -> String {
    format!("1 {} {:016x}", bytes.len(), hash::fast64(bytes))
}

/// The records in memory, by chunk.
#[derive(Debug)]
pub(super) struct SimpleFile {
    dimension: usize,
    is_whole: bool,
    records: BTreeMap<u32, (VectorInsert, f32)>,
    dead: Tombstones,
}

impl SimpleFile {
    pub(super) fn open(dir: &Path, dimension: usize, extent: &Extent) -> Result<Self> {
        let bytes = read(dir, &extent.state)?;
        Ok(Self::of(&bytes, dimension, extent))
    }

    fn of(bytes: &[u8], dimension: usize, extent: &Extent) -> Self {
        let mut records = BTreeMap::new();
        // A last line without an end was cut.
        for line in
            bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"))
        {
            let Ok(record) = serde_json::from_slice::<VectorInsert>(line) else { continue };
            let (Ok(chunk), Ok(norm)) =
                (u32::try_from(record.id), norm_of(&record.embedding, dimension))
            else {
                continue;
            };
            records.insert(chunk, (record, norm));
        }
        let is_whole = match extent.state.as_str() {
            "" | FRESH => bytes.is_empty(),
            state => state == state_of(bytes),
        };
        Self { dimension, is_whole, records, dead: extent.dead.clone() }
    }

    fn record(&self, chunk: ChunkNo, place: u32, check: u64) -> Option<&VectorInsert> {
        let is_living = chunk.0 == place && !self.dead.contains(DocNo(place));
        let (record, _) = self.records.get(&place).filter(|_| is_living)?;
        (check_of(record) == Some(check)).then_some(record)
    }

    fn living(&self) -> impl Iterator<Item = (u32, &VectorInsert, f32)> {
        let living = self.records.iter().filter(|(chunk, _)| !self.dead.contains(DocNo(**chunk)));
        living.map(|(chunk, (record, norm))| (*chunk, record, *norm))
    }
}

/// The bytes of the file, none where they do not count.
fn read(dir: &Path, state: &str) -> Result<Vec<u8>> {
    if ["", FRESH].contains(&state) {
        return Ok(Vec::new());
    }
    Ok(fs::read_if_present(&dir.join(FILE))?.unwrap_or_default())
}

/// The check of a record; one without a check fits no chunk.
fn check_of(record: &VectorInsert) -> Option<u64> {
    u64::from_str_radix(&record.payload.check, 16).ok()
}

impl VectorIndex for SimpleFile {
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>> {
        let &Question { vector, k, metric, filter } = question;
        let norm = norm_of(vector, self.dimension)?;
        let kernels = Kernels::best();
        let mut best = Best::new(k);
        for (chunk, record, record_norm) in self.living() {
            let VectorPayload { file_id, labels, .. } = record.payload;
            let meta = RowMeta { chunk: ChunkNo(chunk), file: FileNo(file_id), labels };
            let Some(check) = check_of(record).filter(|_| filter(meta)) else { continue };
            let score = kernels.score(metric, (vector, norm), (&record.embedding, record_norm));
            best.push(Neighbour { score, id: u64::from(chunk), row: (chunk, check) });
        }
        let found = best.into_sorted().into_iter().map(
            |Neighbour { score, id: _, row: (chunk, check) }| Found {
                chunk: ChunkNo(chunk),
                place: chunk,
                check,
                score,
            },
        );
        Ok(found.collect())
    }

    fn vector(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<Option<Vec<f32>>> {
        Ok(self.record(chunk, place, check).map(|record| record.embedding.clone()))
    }

    fn holds(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<bool> {
        Ok(self.record(chunk, place, check).is_some())
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// Records to be added and removed.
#[derive(Debug)]
pub(super) struct SimpleFileChange {
    path: PathBuf,
    before: SimpleFile,
    bytes: Vec<u8>,
    dead: Tombstones,
    added: BTreeMap<u32, VectorInsert>,
}

impl SimpleFileChange {
    pub(super) fn open(dir: &Path, dimension: usize, extent: Extent) -> Result<Self> {
        let bytes = read(dir, &extent.state)?;
        let before = SimpleFile::of(&bytes, dimension, &extent);
        let path = dir.join(FILE);
        Ok(Self { path, before, bytes, dead: extent.dead, added: BTreeMap::new() })
    }
}

impl VectorChange for SimpleFileChange {
    fn before(&self) -> &dyn VectorIndex {
        &self.before
    }

    fn put(&mut self, entry: &Entry<'_>) -> Result<u32> {
        norm_of(entry.vector, self.before.dimension)?;
        let (chunk, payload) = (entry.meta.chunk, entry.payload());
        let embedding = entry.vector.to_vec();
        self.added.insert(chunk.0, VectorInsert { id: u64::from(chunk.0), embedding, payload });
        Ok(chunk.0)
    }

    fn remove(&mut self, place: u32) {
        self.added.remove(&place);
        self.dead.insert(DocNo(place));
    }

    fn finish(self: Box<Self>) -> Result<Finished> {
        let Self { path, before, mut bytes, dead, added } = *self;
        let stays = |chunk: u32| !dead.contains(DocNo(chunk)) && !added.contains_key(&chunk);
        let is_appended = before.is_whole && before.records.keys().all(|chunk| stays(*chunk));
        let mut lines = Vec::new();
        if !is_appended {
            bytes.clear();
            for (_, (record, _)) in before.records.iter().filter(|(chunk, _)| stays(**chunk)) {
                write_line(record, &mut lines)?;
            }
        }
        for record in added.values() {
            write_line(record, &mut lines)?;
        }
        if is_appended && !bytes.is_empty() {
            fs::append(&path, &lines, Durability::Synced)?;
        } else {
            fs::write_atomic(&path, &lines, Durability::Synced)?;
        }
        bytes.append(&mut lines);
        let extent = Extent { state: state_of(&bytes), dead: Tombstones::default() };
        Ok(Finished { extent, ..Finished::default() })
    }
}

fn write_line(record: &VectorInsert, out: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(&mut *out, record).map_err(|error| {
        Failure::new(ErrorCode::Internal, "a record cannot be written as JSON").caused_by(error)
    })?;
    out.push(b'\n');
    Ok(())
}
