//! `bases/<base>/model-info.json`: which model made the vectors of a base, and since when.

use gik_base::fs::Durability;
use gik_base::{Result, clock, fs};
use gik_contract::{ModelInfo, Timestamp};
use gik_ledger::{Held, jsonl};
use gik_store::EmbeddingModel;

use crate::Workspace;
use crate::embedding::read_info;

/// Sees to it that the file names the model.
pub(super) fn keep(
    ws: &Workspace<'_>,
    held: &Held,
    base: &str,
    model: &EmbeddingModel,
    now: Timestamp,
) -> Result<()> {
    let is_of_model = |info: &ModelInfo| {
        info.provider == model.provider
            && info.model_id == model.id
            && info.dimension == model.dimension as u64
    };
    if read_info(&ws.branch, base).as_ref().is_some_and(is_of_model) {
        return Ok(());
    }
    let info = ModelInfo {
        provider: model.provider.clone(),
        model_id: model.id.clone(),
        dimension: model.dimension as u64,
        created_at: now,
        last_reindexed_at: None,
    };
    write(ws, held, base, &info)
}

/// Notes that all vectors of a base were made anew.
pub(crate) fn note_reindexed(ws: &Workspace<'_>, held: &Held, base: &str) -> Result<()> {
    match read_info(&ws.branch, base) {
        Some(info) => {
            let info = ModelInfo { last_reindexed_at: Some(clock::now()), ..info };
            write(ws, held, base, &info)
        },
        None => Ok(()),
    }
}

/// It is derived from the vectors, so it need not wait for the disk.
fn write(ws: &Workspace<'_>, _held: &Held, base: &str, info: &ModelInfo) -> Result<()> {
    let path = ws.branch.base_model_info_path(base);
    fs::create_dir_all(&ws.branch.base_dir(base))?;
    fs::write_atomic(&path, &jsonl::to_json(info)?, Durability::Cached)
}
