//! The rows that say what of the vector files counts, and the folders those are in.

use std::path::Path;

use gik_base::fs::Durability;
use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::VectorIndexMeta;
use gik_index::Tombstones;
use rusqlite::{Connection, OptionalExtension as _};

use super::{Backend, Bases, Extent, VectorTarget};
use crate::failure::sql;

/// The file that says how vectors are kept.
pub(super) const META_FILE: &str = "meta.json";

/// What the database knows of the vectors of a base.
#[derive(Debug, Clone)]
pub(super) struct IndexRow {
    pub(super) backend: Backend,
    pub(super) model_id: i64,
    pub(super) model: String,
    pub(super) dimension: usize,
    pub(super) n_vectors: u64,
    pub(super) extent: Extent,
}

impl IndexRow {
    pub(super) fn load(connection: &Connection, base: &str) -> Result<Option<Self>> {
        let row = connection
            .prepare_cached(
                "SELECT v.backend, v.model_id, m.name, m.dim, v.n_vectors, v.state, v.dead
                 FROM vector_indexes AS v JOIN embedding_models AS m ON m.id = v.model_id WHERE v.base = ?1",
            )
            .and_then(|mut statement| {
                statement
                    .query_row([base], |row| {
                        let row = (
                            row.get::<_, String>(0)?,
                            row.get(1)?,
                            row.get(2)?,
                            row.get::<_, u32>(3)?,
                            row.get::<_, i64>(4)?,
                            row.get(5)?,
                            row.get::<_, Vec<u8>>(6)?,
                        );
                        Ok(row)
                    })
                    .optional()
            })
            .map_err(sql)?;
        let Some((backend, model_id, model, dimension, n_vectors, state, dead)) = row else {
            return Ok(None);
        };
        let backend = Backend::from_name(&backend).ok_or_else(|| {
            Failure::new(
                ErrorCode::StoreBroken,
                format!("the vectors of `{base}` are kept by `{backend}`, which this program does not know"),
            )
        })?;
        let extent = Extent { state, dead: Tombstones::from_bytes(&dead)? };
        let (dimension, n_vectors) = (dimension as usize, n_vectors.unsigned_abs());
        Ok(Some(Self { backend, model_id, model, dimension, n_vectors, extent }))
    }

    pub(super) fn save(&self, connection: &Connection, base: &str) -> Result<()> {
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO vector_indexes(base, backend, model_id, n_vectors, state, dead)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )
            .and_then(|mut statement| {
                statement.execute((
                    base,
                    self.backend.as_str(),
                    self.model_id,
                    self.n_vectors.cast_signed(),
                    &self.extent.state,
                    self.extent.dead.to_bytes(),
                ))
            })
            .map_err(sql)?;
        Ok(())
    }
}

/// Writes `meta.json`. The time of making stays as long as backend and model do.
pub(super) fn write_meta(dir: &Path, target: &VectorTarget<'_>) -> Result<()> {
    let path = dir.join(META_FILE);
    let known: Option<VectorIndexMeta> =
        fs::read_if_present(&path)?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut meta = VectorIndexMeta {
        backend: target.backend.as_str().to_owned(),
        metric: target.metric.as_str().to_owned(),
        dimension: target.model.dimension as u64,
        base: target.base.to_owned(),
        embedding_provider: target.model.provider.clone(),
        embedding_model_id: target.model.id.clone(),
        created_at: target.now,
        updated_at: target.now,
    };
    if let Some(known) = known {
        let made = known.created_at;
        if (VectorIndexMeta { created_at: target.now, updated_at: target.now, ..known }) == meta {
            meta.created_at = made;
        }
    }
    let mut bytes = serde_json::to_vec(&meta).map_err(|error| {
        Failure::new(ErrorCode::Internal, "meta.json cannot be written as JSON").caused_by(error)
    })?;
    bytes.push(b'\n');
    fs::write_atomic(&path, &bytes, Durability::Cached)
}

/// The bases that have vectors, sorted.
pub(super) fn bases(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT base FROM vector_indexes ORDER BY base")
        .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
        .map_err(sql)
}

/// Copies the vector files to another branch. They grow in place, so a second name would not do.
/// A table in a location of the user's choice stays where it is: the other branch has one of its own there.
pub(crate) fn copy_files(connection: &Connection, from: &Bases, to: &Bases) -> Result<()> {
    for base in bases(connection)? {
        copy_below(&from.place(&base)?.dir, &to.place(&base)?.dir)?;
    }
    Ok(())
}

fn copy_below(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for (path, kind) in fs::list_kinds(from)? {
        let Some(name) = path.file_name() else { continue };
        if kind.is_dir() {
            copy_below(&path, &to.join(name))?;
        } else {
            fs::copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Removes the vector files of all bases.
pub(crate) fn remove_all(bases_dir: &Path) -> Result<()> {
    for base in fs::list_dir(bases_dir)? {
        super::remove_files(&base.join("index"))?;
    }
    Ok(())
}
