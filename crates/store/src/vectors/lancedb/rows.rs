//! The rows of a table: its schema, how rows become a batch of Arrow, and what is read back from one.

use std::sync::Arc;

use gik_base::{ErrorCode, Failure, Result, clock, hash};
use gik_contract::VectorPayload;
use gik_index::{ChunkNo, FileNo};
use lance::deps::arrow_array::builder::{ListBuilder, StringBuilder};
use lance::deps::arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Float32Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, UInt64Array,
};
use lance::deps::arrow_schema::{DataType, Field, Schema, TimeUnit};

use crate::vectors::{Entry, Place, RowMeta};

/// The columns that questions need.
pub(super) const ASKED: [&str; 3] = ["id", "payload", "vector"];

/// The part of a payload that ties its vector to it.
const VECTOR_CHECK: &str = "vector_check";

/// A row that is to be written.
#[derive(Debug)]
pub(super) struct NewRow {
    pub(super) payload: String,
    pub(super) path: String,
    pub(super) vector: Vec<f32>,
}

impl NewRow {
    pub(super) fn of(entry: &Entry<'_>) -> Result<Self> {
        let mut payload = entry.payload();
        payload.extra.insert(VECTOR_CHECK.to_owned(), check_of(entry.vector).into());
        let payload = serde_json::to_string(&payload).map_err(|error| {
            let message = "what is known of a chunk cannot be written as JSON";
            Failure::new(ErrorCode::Internal, message).caused_by(error)
        })?;
        Ok(Self { payload, path: entry.path.to_owned(), vector: entry.vector.to_vec() })
    }
}

/// A row as it was read; only one whose vector is the one that was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) meta: RowMeta,
    pub(super) check: u64,
    /// Where it is in its batch.
    pub(super) at: usize,
}

/// Rows that were read, in the order of their chunks, with their vectors.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    vectors: Float32Array,
    dimension: usize,
}

impl Default for Rows {
    fn default() -> Self {
        Self { rows: Vec::new(), vectors: Float32Array::from(Vec::<f32>::new()), dimension: 0 }
    }
}

impl Rows {
    /// What a batch with the columns [`ASKED`] holds, `None` where it has other ones. Damaged rows are left out.
    pub(super) fn of(batch: &RecordBatch, dimension: usize) -> Option<Self> {
        let ids: &UInt64Array = column(batch, "id")?;
        let payloads: &StringArray = column(batch, "payload")?;
        let lists: &FixedSizeListArray = column(batch, "vector")?;
        if usize::try_from(lists.value_length()).ok()? != dimension {
            return None;
        }
        let vectors = lists.values().as_any().downcast_ref::<Float32Array>()?.clone();
        let mut rows = Vec::with_capacity(batch.num_rows());
        for at in 0..batch.num_rows() {
            let Ok(payload) = serde_json::from_str::<VectorPayload>(payloads.value(at)) else {
                continue;
            };
            let vector = &vectors.values()[at * dimension..][..dimension];
            let is_sound = payload.extra.get(VECTOR_CHECK).and_then(|text| text.as_str())
                == Some(check_of(vector).as_str());
            let (Ok(chunk), Ok(check), true) =
                (u32::try_from(ids.value(at)), u64::from_str_radix(&payload.check, 16), is_sound)
            else {
                continue;
            };
            let VectorPayload { file_id, labels, .. } = payload;
            let meta = RowMeta { chunk: ChunkNo(chunk), file: FileNo(file_id), labels };
            rows.push(Row { meta, check, at });
        }
        rows.sort_unstable_by_key(|row: &Row| row.meta.chunk);
        Some(Self { rows, vectors, dimension })
    }

    pub(super) fn of_chunk(&self, chunk: ChunkNo) -> Option<&Row> {
        let at = self.rows.binary_search_by_key(&chunk, |row| row.meta.chunk).ok()?;
        self.rows.get(at)
    }

    pub(super) fn vector(&self, row: &Row) -> &[f32] {
        &self.vectors.values()[row.at * self.dimension..][..self.dimension]
    }
}

/// A column of a batch, if it has that type.
pub(super) fn column<'a, T: 'static>(batch: &'a RecordBatch, name: &str) -> Option<&'a T> {
    batch.column_by_name(name)?.as_any().downcast_ref::<T>()
}

fn check_of(vector: &[f32]) -> String {
    let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    format!("{:016x}", hash::fast64(&bytes))
}

/// The columns of the table, as the data contract has them.
pub(super) fn schema(dimension: i32) -> Arc<Schema> {
    let text = |name: &str, is_nullable| Field::new(name, DataType::Utf8, is_nullable);
    let time = |name: &str| {
        let kind = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        Field::new(name, kind, false)
    };
    let number = Arc::new(Field::new("item", DataType::Float32, true));
    let tag = Arc::new(Field::new("item", DataType::Utf8, true));
    Arc::new(Schema::new(vec![
        Field::new("id", DataType::UInt64, false),
        Field::new("vector", DataType::FixedSizeList(number, dimension), false),
        text("payload", false),
        text("base", false),
        text("branch", true),
        text("source_type", false),
        text("path", true),
        Field::new("tags", DataType::List(tag), true),
        text("revision_id", true),
        time("created_at"),
        time("updated_at"),
    ]))
}

/// Rows as a batch of the table, in the order of their ids.
pub(super) fn batch<'a>(
    place: &Place,
    schema: Arc<Schema>,
    rows: impl Iterator<Item = (u32, &'a NewRow)> + Clone,
) -> Result<RecordBatch> {
    let broken = |error: &dyn std::fmt::Display| {
        let message = format!("rows cannot be made part of a table: {error}");
        Failure::new(ErrorCode::Internal, message)
    };
    let DataType::FixedSizeList(number, dimension) = schema.field(1).data_type() else {
        return Err(broken(&"no vectors"));
    };
    let n_rows = rows.clone().count();
    let numbers: Float32Array =
        rows.clone().flat_map(|(_, row)| row.vector.iter().copied()).collect::<Vec<_>>().into();
    let vectors =
        FixedSizeListArray::try_new(Arc::clone(number), *dimension, Arc::new(numbers), None)
            .map_err(|error| broken(&error))?;
    let texts = |text: &dyn Fn(&'a NewRow) -> Option<&'a str>| -> ArrayRef {
        Arc::new(rows.clone().map(|(_, row)| text(row)).collect::<StringArray>())
    };
    let same = |text: Option<&str>| -> ArrayRef {
        Arc::new((0..n_rows).map(|_| text).collect::<StringArray>())
    };
    let mut tags = ListBuilder::new(StringBuilder::new());
    for _ in 0..n_rows {
        tags.append_null();
    }
    let times = |micros: i64| -> ArrayRef {
        let times = TimestampMicrosecondArray::from(vec![micros; n_rows]);
        Arc::new(times.with_timezone("UTC"))
    };
    let now = clock::now().as_microsecond();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(rows.clone().map(|(id, _)| u64::from(id)).collect::<UInt64Array>()),
        Arc::new(vectors),
        texts(&|row| Some(&row.payload)),
        same(Some(&place.base)),
        same(place.tables.branch.as_deref()),
        texts(&|row| Some(source_type(&place.base, &row.path))),
        texts(&|row| Some(&row.path)),
        Arc::new(tags.finish()),
        same(None),
        times(now),
        times(now),
    ];
    RecordBatch::try_new(schema, columns).map_err(|error| broken(&error))
}

/// `file`, `memory`, `url` or `archive`.
fn source_type(base: &str, path: &str) -> &'static str {
    if base == "memory" {
        "memory"
    } else if path.starts_with("https://") || path.starts_with("http://") {
        "url"
    } else if path.contains("!/") {
        "archive"
    } else {
        "file"
    }
}
