//! What a pack belongs to: which repository, which state of the index, and when that was made.

use gik_base::clock::Timestamp;
use gik_base::{Result, hash};
use gik_contract::pack::SeedProvider;
use gik_pack::Known;
use gik_retrieve::signals::Weights;
use gik_store::FileRow;

use super::seeds;
use crate::embedding::EmbeddingConfig;
use crate::graph::RESOLVER_VERSION;
use crate::{Workspace, bases, commit, signature};

/// What the same index and request give changes with this number.
const PACKING_VERSION: &str = "2";

/// What the project adds to a request.
pub(crate) fn known(ws: &Workspace<'_>, files: &[FileRow], tokenizer: &str) -> Result<Known> {
    let folder = ws.branch.dir().strip_prefix(&ws.root).unwrap_or(ws.branch.dir());
    let folder: Vec<_> = folder.iter().map(|part| part.to_string_lossy()).collect();
    Ok(Known {
        repo_id: gik_discover::origin(&ws.root).unwrap_or_else(|| "workspace".to_owned()),
        index_root: folder.join("/"),
        index_signature: index_signature(ws, files, tokenizer)?,
    })
}

/// What the index is made of and what else decides what a question finds. Derived from content and settings alone.
fn index_signature(ws: &Workspace<'_>, files: &[FileRow], tokenizer: &str) -> Result<String> {
    let tree = signature::of(files).all;
    let mut parts: Vec<Vec<u8>> = vec![
        tree.into_bytes(),
        format!("{PACKING_VERSION}.{RESOLVER_VERSION}").into_bytes(),
        tokenizer.as_bytes().to_vec(),
    ];
    let mut weights = seeds::weights(ws.settings.ranking.weights(), SeedProvider::Hybrid);
    for name in Weights::FIELDS {
        let weight = weights.field(name).map_or(0.0, |weight| *weight);
        parts.push(weight.to_bits().to_le_bytes().to_vec());
    }
    for base in bases::FILE_BASES {
        parts.push(EmbeddingConfig::of(&ws.settings, base)?.model_id.into_bytes());
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    Ok(hash::fast128_hex(&parts))
}

/// When the indexed revision was made.
pub(crate) fn created_at(ws: &Workspace<'_>) -> Result<Timestamp> {
    let timeline = ws.branch.timeline()?;
    let revision = commit::last_signed_of(&timeline).or(timeline.last());
    revision.map(|revision| revision.timestamp).ok_or_else(|| ws.not_initialized())
}
