//! Asking one version of a table.

use std::cell::OnceCell;

use gik_base::{ErrorCode, Failure, Result};
use gik_index::vectors::{Best, Kernels, Metric, Neighbour};
use gik_index::{ChunkNo, DocNo, Tombstones};
use lance::Dataset;
use lance::dataset::ProjectionRequest;
use lance::deps::arrow_array::{Float32Array, UInt64Array};
use lance::deps::arrow_schema::DataType;
use lance_linalg::distance::MetricType;

use super::rows::{ASKED, Row, Rows, column};
use super::table::{Table, n_cells};
use super::{FRESH, INDEXED_FROM, parsed};
use crate::vectors::{Extent, Found, Place, Question, VectorIndex, norm_of};

/// Candidates that the index gives at first, and for every answer that is wanted.
const FIRST_LOOK: usize = 100;
const LOOK_PER_ANSWER: usize = 10;
/// The least cells that are looked into, and their share.
const LEAST_CELLS: usize = 24;
const SHARE_OF_CELLS: usize = 10;

/// One version of a table.
#[derive(Debug)]
pub(crate) struct LanceDb {
    pub(super) dataset: Option<Dataset>,
    pub(super) table: Table,
    pub(super) dimension: usize,
    pub(super) is_whole: bool,
    n_rows: usize,
    dead: Tombstones,
    /// Why the server cannot be asked.
    unreachable: Option<(ErrorCode, String)>,
    /// All rows of a small table.
    all: OnceCell<Rows>,
    /// Chunks with their checks, of all rows that are undamaged.
    sound: OnceCell<Vec<(u32, u64)>>,
    /// Chunks with the ids by which the library finds rows.
    row_ids: OnceCell<Vec<(u32, u64)>>,
}

impl LanceDb {
    pub(crate) fn open(place: &Place, dimension: usize, extent: &Extent) -> Result<Self> {
        let mut opened = Self {
            dataset: None,
            table: Table::at(place)?,
            dimension,
            n_rows: 0,
            is_whole: true,
            dead: extent.dead.clone(),
            unreachable: None,
            all: OnceCell::new(),
            sound: OnceCell::new(),
            row_ids: OnceCell::new(),
        };
        if ["", FRESH].contains(&extent.state.as_str()) {
            return Ok(opened);
        }
        match opened.find(&extent.state) {
            Ok(is_whole) => opened.is_whole = is_whole,
            // What is counted is what was there when the server was last asked.
            Err(failure) => opened.unreachable = Some((failure.code(), failure.to_string())),
        }
        Ok(opened)
    }

    /// Opens the version that a state names, and says whether it is as the state tells.
    fn find(&mut self, state: &str) -> Result<bool> {
        let Some((version, n_rows)) = parsed(state) else { return Ok(false) };
        let Some(dataset) = self.table.open(Some(version))? else { return Ok(false) };
        let dimension = dataset.schema().field("vector").map(|field| field.data_type());
        let Some(DataType::FixedSizeList(_, dimension)) = dimension else { return Ok(false) };
        if usize::try_from(dimension) != Ok(self.dimension) {
            return Ok(false);
        }
        let Some(found) = self.table.read(dataset.count_rows(None))? else { return Ok(false) };
        self.n_rows = found;
        self.dataset = Some(dataset);
        Ok(found == n_rows)
    }

    fn is_living(&self, chunk: ChunkNo) -> bool {
        !self.dead.contains(DocNo(chunk.0))
    }

    fn is_small(&self) -> bool {
        self.n_rows < INDEXED_FROM
    }

    /// Rows in the order of the table; none where they cannot be read.
    fn rows(&self, dataset: &Dataset, first: usize) -> Result<Rows> {
        let range = (i64::try_from(INDEXED_FROM).ok(), i64::try_from(first).ok());
        let read = self.table.read(async {
            let mut scan = dataset.scan();
            scan.project(&ASKED)?.limit(range.0, range.1)?;
            scan.try_into_batch().await
        })?;
        Ok(read.and_then(|batch| Rows::of(&batch, self.dimension)).unwrap_or_default())
    }

    /// All rows of a small table.
    fn all(&self, dataset: &Dataset) -> Result<&Rows> {
        if let Some(known) = self.all.get() {
            return Ok(known);
        }
        let rows = self.rows(dataset, 0)?;
        Ok(self.all.get_or_init(|| rows))
    }

    /// Calls `each` with all rows, part by part.
    fn for_all(&self, dataset: &Dataset, mut each: impl FnMut(&Rows)) -> Result<()> {
        if self.is_small() {
            each(self.all(dataset)?);
            return Ok(());
        }
        for first in (0..self.n_rows).step_by(INDEXED_FROM) {
            each(&self.rows(dataset, first)?);
        }
        Ok(())
    }

    /// The candidates that the index of the table gives.
    fn candidates(&self, dataset: &Dataset, vector: &[f32], look: usize) -> Result<Rows> {
        let asked = Float32Array::from(vector.to_vec());
        let n_cells = (n_cells(self.n_rows) / SHARE_OF_CELLS).max(LEAST_CELLS);
        let read = self.table.read(async {
            let mut scan = dataset.scan();
            scan.project(&ASKED)?
                .nearest("vector", &asked, look)?
                .nprobes(n_cells)
                .distance_metric(MetricType::Cosine)
                .disable_scoring_autoprojection();
            scan.try_into_batch().await
        })?;
        Ok(read.and_then(|batch| Rows::of(&batch, self.dimension)).unwrap_or_default())
    }

    fn offer(
        &self,
        rows: &Rows,
        question: &Question<'_>,
        norm: f32,
        best: &mut Best<(ChunkNo, u64)>,
    ) {
        let kernels = Kernels::best();
        for row in &rows.rows {
            let Row { meta, check, .. } = *row;
            let (vector, id) = (rows.vector(row), u64::from(meta.chunk.0));
            let score = kernels.score(
                question.metric,
                (question.vector, norm),
                (vector, kernels.norm(vector)),
            );
            if best.wants(score, id) && self.is_living(meta.chunk) && (question.filter)(meta) {
                best.push(Neighbour { score, id, row: (meta.chunk, check) });
            }
        }
    }

    /// Chunks with the ids of their rows.
    fn row_ids(&self, dataset: &Dataset) -> Result<&[(u32, u64)]> {
        if let Some(known) = self.row_ids.get() {
            return Ok(known);
        }
        let read = self.table.read(async {
            let mut scan = dataset.scan();
            scan.project(&["id"])?.with_row_id();
            scan.try_into_batch().await
        })?;
        let mut found = Vec::new();
        if let Some(batch) = read
            && let Some(ids) = column::<UInt64Array>(&batch, "id")
            && let Some(row_ids) = column::<UInt64Array>(&batch, lance::dataset::ROW_ID)
        {
            let both = ids.values().iter().zip(row_ids.values());
            found.extend(both.filter_map(|(id, row_id)| Some((u32::try_from(*id).ok()?, *row_id))));
        }
        found.sort_unstable();
        Ok(self.row_ids.get_or_init(|| found))
    }

    /// The rows of some chunks.
    fn rows_of(&self, dataset: &Dataset, chunks: impl Iterator<Item = ChunkNo>) -> Result<Rows> {
        let known = self.row_ids(dataset)?;
        let row_id = |chunk: ChunkNo| {
            let at = known.binary_search_by_key(&chunk.0, |(chunk, _)| *chunk).ok()?;
            Some(known[at].1)
        };
        let row_ids: Vec<u64> = chunks.filter_map(row_id).collect();
        if row_ids.is_empty() {
            return Ok(Rows::default());
        }
        let wanted = ProjectionRequest::from_columns(ASKED, dataset.schema());
        let read = self.table.read(dataset.take_rows(&row_ids, wanted))?;
        Ok(read.and_then(|batch| Rows::of(&batch, self.dimension)).unwrap_or_default())
    }

    /// Chunks with their checks, of all rows that are undamaged. Reads everything.
    fn sound(&self, dataset: &Dataset) -> Result<&[(u32, u64)]> {
        if let Some(known) = self.sound.get() {
            return Ok(known);
        }
        let mut sound = Vec::with_capacity(self.n_rows);
        self.for_all(dataset, |rows| {
            sound.extend(rows.rows.iter().map(|row| (row.meta.chunk.0, row.check)));
        })?;
        sound.sort_unstable();
        Ok(self.sound.get_or_init(|| sound))
    }

    /// The table, if there is one that counts; fails where its server does not answer.
    fn reached(&self) -> Result<Option<&Dataset>> {
        match self.unreachable() {
            Some(failure) => Err(failure),
            None => Ok(self.dataset.as_ref()),
        }
    }
}

impl VectorIndex for LanceDb {
    fn nearest(&self, question: &Question<'_>) -> Result<Vec<Found>> {
        let &Question { vector, k, metric, .. } = question;
        let norm = norm_of(vector, self.dimension)?;
        let Some(dataset) = self.reached()?.filter(|_| k > 0) else { return Ok(Vec::new()) };
        // The index is made for the cosine, and knows none for vectors without direction.
        let mut look = (k.saturating_mul(LOOK_PER_ANSWER)).max(FIRST_LOOK);
        while !self.is_small() && metric == Metric::Cosine && norm > 0.0 && look < self.n_rows / 2 {
            let mut best = Best::new(k);
            self.offer(&self.candidates(dataset, vector, look)?, question, norm, &mut best);
            let found = found_of(best);
            if found.len() == k {
                return Ok(found);
            }
            // The filter left too few.
            look = look.saturating_mul(8);
        }
        let mut best = Best::new(k);
        self.for_all(dataset, |rows| self.offer(rows, question, norm, &mut best))?;
        Ok(found_of(best))
    }

    fn vector(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<Option<Vec<f32>>> {
        Ok(self.vectors(&[(chunk, place, check)])?.pop().flatten())
    }

    fn vectors(&self, wanted: &[(ChunkNo, u32, u64)]) -> Result<Vec<Option<Vec<f32>>>> {
        let Some(dataset) = self.reached()? else { return Ok(vec![None; wanted.len()]) };
        let taken;
        let rows = if self.is_small() {
            self.all(dataset)?
        } else {
            taken = self.rows_of(dataset, wanted.iter().map(|(chunk, ..)| *chunk))?;
            &taken
        };
        let vector = |&(chunk, place, check): &(ChunkNo, u32, u64)| {
            let row = rows.of_chunk(chunk)?;
            let is_it = chunk.0 == place && row.check == check && self.is_living(chunk);
            is_it.then(|| rows.vector(row).to_vec())
        };
        Ok(wanted.iter().map(vector).collect())
    }

    fn holds(&self, chunk: ChunkNo, place: u32, check: u64) -> Result<bool> {
        let Some(dataset) = self.reached()? else { return Ok(false) };
        let is_sound = self.sound(dataset)?.binary_search(&(chunk.0, check)).is_ok();
        Ok(is_sound && chunk.0 == place && self.is_living(chunk))
    }

    fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn unreachable(&self) -> Option<Failure> {
        self.unreachable.as_ref().map(|(code, message)| Failure::new(*code, message.clone()))
    }
}

fn found_of(best: Best<(ChunkNo, u64)>) -> Vec<Found> {
    let found = best.into_sorted().into_iter();
    found
        .map(|Neighbour { score, id: _, row: (chunk, check) }| Found {
            chunk,
            place: chunk.0,
            check,
            score,
        })
        .collect()
}
