//! A table of LanceDB: where it is, opening one of its versions, writing new ones and forgetting old ones.
//!
//! The library is asynchronous, and this is where that stops: a table has a runtime of its own, on the thread that asks.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use gik_base::{ErrorCode, Failure, Result, env, fs};
use lance::Dataset;
use lance::dataset::builder::DatasetBuilder;
use lance::dataset::cleanup::CleanupPolicy;
use lance::dataset::optimize::{CompactionOptions, compact_files};
use lance::dataset::{InsertBuilder, WriteMode, WriteParams};
use lance::deps::arrow_array::RecordBatch;
use lance::index::DatasetIndexExt as _;
use lance::index::vector::VectorIndexParams;
use lance::io::{ObjectStoreParams, StorageOptionsAccessor};
use lance_index::IndexType;
use lance_linalg::distance::MetricType;
use tokio::runtime::{Builder, Runtime};

use super::FOLDER;
use crate::vectors::{Location, Place};

/// The name of the index of vectors.
const INDEX: &str = "vector_idx";
/// More parts than these are made one.
const MOST_PARTS: usize = 16;
/// Ids that are removed at a time.
const REMOVED_AT_ONCE: usize = 4096;
/// Rounds of training an index.
const TRAINING_ROUNDS: usize = 20;
/// The server is asked again so often before it counts as unreachable.
const RETRIES: &str = "2";

/// Where a table is.
pub(super) struct Table {
    runtime: Runtime,
    url: String,
    /// Its folder, where it is on this machine.
    pub(super) folder: Option<PathBuf>,
    options: Vec<(&'static str, String)>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The options may hold keys.
        f.debug_struct("Table").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Table {
    pub(super) fn at(place: &Place) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| {
            Failure::new(ErrorCode::Internal, "asynchronous code cannot be run").caused_by(error)
        })?;
        let (url, folder, options) = match &place.tables.location {
            Some(location) if location.url.contains("://") => {
                (format!("{}/{FOLDER}", location.url), None, options_of(location))
            },
            elsewhere => {
                let dir =
                    elsewhere.as_ref().map_or_else(|| place.dir.clone(), |at| (&at.url).into());
                let folder = dir.join(FOLDER);
                let url = folder.to_str().map(str::to_owned).ok_or_else(|| {
                    let message = format!("`{}` is no name that LanceDB takes", folder.display());
                    Failure::new(ErrorCode::NotSupported, message)
                        .hint("set `indexes.default.backend` to `mmap`")
                })?;
                (url, Some(folder), Vec::new())
            },
        };
        Ok(Self { runtime, url, folder, options })
    }

    /// Runs what the library does, to its end.
    pub(super) fn run<T>(&self, doing: impl Future<Output = lance::Result<T>>) -> Result<T> {
        self.runtime.block_on(doing).map_err(|error| self.failure(&error))
    }

    /// The same for what reads: `None` where the files are not there or damaged. A server that does not answer says
    /// nothing about its files, so that is a failure.
    pub(super) fn read<T>(
        &self,
        doing: impl Future<Output = lance::Result<T>>,
    ) -> Result<Option<T>> {
        match self.runtime.block_on(doing) {
            Ok(found) => Ok(Some(found)),
            Err(error) if self.folder.is_some() || is_absent(&error) => Ok(None),
            Err(error) => Err(self.failure(&error)),
        }
    }

    fn failure(&self, error: &lance::Error) -> Failure {
        let message = format!("the table of vectors `{}` cannot be used: {error}", self.url);
        let failure = Failure::new(ErrorCode::Io, message);
        if self.folder.is_some() {
            failure
        } else {
            failure
                .hint("check the server, the keys in the environment and `gik config show indexes`")
        }
    }

    /// Opens a version, or the newest one. `None` where there is none that could be trusted.
    pub(super) fn open(&self, version: Option<u64>) -> Result<Option<Dataset>> {
        if self.folder.is_none() && env::is_offline() {
            let message = format!(
                "the table of vectors `{}` needs the network, and gik is to stay offline",
                self.url
            );
            return Err(Failure::new(ErrorCode::Offline, message));
        }
        let mut builder = DatasetBuilder::from_uri(&self.url);
        for (name, value) in &self.options {
            builder = builder.with_storage_option(name, value);
        }
        if let Some(version) = version {
            builder = builder.with_version(version);
        }
        let found = self.read(builder.load())?;
        // A table may name files anywhere else. One that came with somebody's workspace must not lead there.
        Ok(found.filter(|dataset| dataset.manifest().base_paths.is_empty()))
    }

    /// Writes a table that holds these rows alone, as the next version of what is there.
    pub(super) fn replace(&self, rows: RecordBatch) -> Result<Dataset> {
        let known = self.open(None)?;
        if let Some(folder) = self.folder.as_ref().filter(|_| known.is_none()) {
            // Remains that cannot be read would be in the way.
            fs::remove_dir_all_if_present(folder)?;
        }
        let options = self.options.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let accessor = StorageOptionsAccessor::with_static_options(options.collect());
        let params = WriteParams {
            mode: if known.is_some() { WriteMode::Overwrite } else { WriteMode::Create },
            store_params: Some(ObjectStoreParams {
                storage_options_accessor: Some(Arc::new(accessor)),
                ..ObjectStoreParams::default()
            }),
            ..WriteParams::default()
        };
        let writing = match known {
            Some(dataset) => InsertBuilder::new(Arc::new(dataset)),
            None => InsertBuilder::new(self.url.as_str()),
        };
        self.run(writing.with_params(&params).execute(vec![rows]))
    }

    /// Adds rows.
    pub(super) fn append(&self, dataset: Dataset, rows: RecordBatch) -> Result<Dataset> {
        let params = WriteParams { mode: WriteMode::Append, ..WriteParams::default() };
        let dataset = Arc::new(dataset);
        self.run(InsertBuilder::new(dataset).with_params(&params).execute(vec![rows]))
    }

    /// Removes the rows of these ids.
    pub(super) fn delete(&self, dataset: &mut Dataset, ids: &[u32]) -> Result<()> {
        for ids in ids.chunks(REMOVED_AT_ONCE) {
            let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
            let predicate = format!("id IN ({})", ids.join(", "));
            self.run(dataset.delete(&predicate))?;
        }
        Ok(())
    }

    /// Makes this version the newest one, whatever a writer that never came to its end has left.
    pub(super) fn make_newest(&self, dataset: &mut Dataset) -> Result<()> {
        if self.run(dataset.latest_version_id())? != dataset.version().version {
            self.run(dataset.restore())?;
        }
        Ok(())
    }

    /// Makes many small parts one.
    pub(super) fn compact(&self, dataset: &mut Dataset) -> Result<()> {
        if dataset.count_fragments() > MOST_PARTS {
            self.run(compact_files(dataset, CompactionOptions::default(), None))?;
        }
        Ok(())
    }

    /// How many rows the index of vectors covers; `None` where there is no index.
    pub(super) fn n_indexed(&self, dataset: &Dataset) -> Result<Option<usize>> {
        let indices = self.run(dataset.load_indices_by_name(INDEX))?;
        if indices.is_empty() {
            return Ok(None);
        }
        let text = self.run(dataset.index_statistics(INDEX))?;
        let found: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        let n_rows = found.and_then(|found| found.get("num_indexed_rows")?.as_u64());
        Ok(Some(n_rows.and_then(|n_rows| usize::try_from(n_rows).ok()).unwrap_or(0)))
    }

    /// Trains an index of vectors: cells around centres (IVF), and in them codes of a byte for four numbers (PQ).
    pub(super) fn train(
        &self,
        dataset: &mut Dataset,
        n_rows: usize,
        dimension: usize,
    ) -> Result<()> {
        let n_codes = [4, 2].into_iter().find(|part| dimension.is_multiple_of(*part));
        let n_codes = dimension / n_codes.unwrap_or(1);
        let params = VectorIndexParams::ivf_pq(
            n_cells(n_rows),
            8,
            n_codes,
            MetricType::Cosine,
            TRAINING_ROUNDS,
        );
        let name = Some(INDEX.to_owned());
        let training = dataset.create_index(&["vector"], IndexType::Vector, name, &params, true);
        self.run(training).map(drop)
    }

    /// Removes all versions before that of the dataset but one, and on this machine what never became part of one.
    pub(super) fn prune(&self, dataset: &Dataset, kept: u64) -> Result<()> {
        let newest = dataset.version().version;
        let known = self.run(dataset.version_refs())?.into_iter().map(|known| known.version);
        let policy = CleanupPolicy {
            versions: Some(known.filter(|known| *known < newest && *known != kept).collect()),
            delete_unverified: self.folder.is_some(),
            error_if_tagged_old_versions: false,
            ..CleanupPolicy::default()
        };
        self.run(dataset.cleanup_with_policy(policy)).map(drop)
    }
}

/// How many cells an index over so many rows has.
pub(super) fn n_cells(n_rows: usize) -> usize {
    n_rows.isqrt().max(1)
}

fn options_of(location: &Location) -> Vec<(&'static str, String)> {
    let mut options = vec![("client_max_retries", RETRIES.to_owned())];
    if let Some(endpoint) = &location.endpoint {
        options.push(("aws_endpoint", endpoint.clone()));
        if endpoint.starts_with("http://") {
            options.push(("allow_http", "true".to_owned()));
        }
    }
    options.extend(location.region.clone().map(|region| ("aws_region", region)));
    // The library would read them as well. Named here, it is known that the answer depends on them.
    for (option, variable) in [
        ("aws_access_key_id", env::AWS_ACCESS_KEY_ID),
        ("aws_secret_access_key", env::AWS_SECRET_ACCESS_KEY),
        ("aws_session_token", env::AWS_SESSION_TOKEN),
    ] {
        options.extend(env::secret(variable).map(|value| (option, value)));
    }
    options
}

/// Whether a table or a version of it is not there.
fn is_absent(error: &lance::Error) -> bool {
    error.is_not_found()
        || matches!(
            error,
            lance::Error::DatasetNotFound { .. } | lance::Error::VersionNotFound { .. }
        )
}
