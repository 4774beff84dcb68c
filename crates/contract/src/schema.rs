//! JSON Schemas of every format, by the name of the file that holds it.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};

use crate::{
    AnswerLogEntry, AskContextBundle, AskLogEntry, BaseSourceEntry, BaseStats, BuildState,
    ContextPack, ContextPacksMeta, IndexState, KgEdge, KgNode, KgStats, MemoryConfig, MemoryEntry,
    MemoryStats, ModelInfo, ModelManifest, PendingSource, Revision, StackDependencyEntry,
    StackFileEntry, StackStats, StackTechEntry, StagingSummary, VectorIndexMeta, VectorInsert,
};

/// Name and schema of every format, sorted by name.
pub fn all() -> Vec<(&'static str, Schema)> {
    fn of<T: schemars::JsonSchema>() -> Schema {
        SchemaGenerator::new(SchemaSettings::draft2020_12()).into_root_schema_for::<T>()
    }
    vec![
        ("answers", of::<AnswerLogEntry>()),
        ("ask-bundle", of::<AskContextBundle>()),
        ("ask-log", of::<AskLogEntry>()),
        ("base-sources", of::<BaseSourceEntry>()),
        ("base-stats", of::<BaseStats>()),
        ("build-state", of::<BuildState>()),
        ("context-packs", of::<ContextPack>()),
        ("context-packs-meta", of::<ContextPacksMeta>()),
        ("index-state", of::<IndexState>()),
        ("kg-edges", of::<KgEdge>()),
        ("kg-nodes", of::<KgNode>()),
        ("kg-stats", of::<KgStats>()),
        ("memory-config", of::<MemoryConfig>()),
        ("memory-sources", of::<MemoryEntry>()),
        ("memory-stats", of::<MemoryStats>()),
        ("model-info", of::<ModelInfo>()),
        ("model-manifest", of::<ModelManifest>()),
        ("stack-dependencies", of::<StackDependencyEntry>()),
        ("stack-files", of::<StackFileEntry>()),
        ("stack-stats", of::<StackStats>()),
        ("stack-tech", of::<StackTechEntry>()),
        ("staging-pending", of::<PendingSource>()),
        ("staging-summary", of::<StagingSummary>()),
        ("timeline", of::<Revision>()),
        ("vector-meta", of::<VectorIndexMeta>()),
        ("vector-records", of::<VectorInsert>()),
    ]
}
