//! Frozen files of every released format still read and write back unchanged.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::*;

fn round_trip<T: Serialize + DeserializeOwned>(sample: &str) {
    let documents: Vec<&str> = if sample.trim().lines().count() > 1 {
        sample.trim().lines().collect()
    } else {
        vec![sample]
    };
    for document in documents {
        let expected: Value = serde_json::from_str(document).unwrap();
        let typed: T = serde_json::from_str(document).unwrap();
        assert_eq!(serde_json::to_value(&typed).unwrap(), expected);
        // The order of the fields is part of what people see in the files.
        assert_eq!(serde_json::to_string(&typed).unwrap(), document.trim());
    }
}

macro_rules! samples {
    ($($name:ident: $type:ty = $file:literal;)*) => {
        $(#[test] fn $name() { round_trip::<$type>(include_str!(concat!("../samples/v1/", $file))); })*

        #[test]
        fn every_sample_and_every_schema_is_covered() {
            let mut listed: Vec<&str> = vec![$($file,)*];
            listed.sort_unstable();
            let mut there: Vec<String> =
                std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/v1")).unwrap()
                    .map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            there.sort();
            assert_eq!(listed, there);
            for (name, _) in schema::all() {
                // An answer is printed, never stored, so no frozen file of it is read back.
                assert!(name == "ask-bundle" || there.iter().any(|file| file.starts_with(name)), "{name}");
            }
        }
    };
}

samples! {
    answers: AnswerLogEntry = "answers.jsonl";
    ask_log: AskLogEntry = "ask-log.jsonl";
    base_sources: BaseSourceEntry = "base-sources.jsonl";
    base_stats: BaseStats = "base-stats.json";
    build_state: BuildState = "build-state.json";
    context_packs: ContextPack = "context-packs.jsonl";
    context_packs_meta: ContextPacksMeta = "context-packs-meta.json";
    index_state: IndexState = "index-state.json";
    kg_edges: KgEdge = "kg-edges.jsonl";
    kg_nodes: KgNode = "kg-nodes.jsonl";
    kg_stats: KgStats = "kg-stats.json";
    memory_config: MemoryConfig = "memory-config.json";
    memory_sources: MemoryEntry = "memory-sources.jsonl";
    memory_stats: MemoryStats = "memory-stats.json";
    model_info: ModelInfo = "model-info.json";
    model_manifest: ModelManifest = "model-manifest.json";
    stack_dependencies: StackDependencyEntry = "stack-dependencies.jsonl";
    stack_files: StackFileEntry = "stack-files.jsonl";
    stack_stats: StackStats = "stack-stats.json";
    stack_tech: StackTechEntry = "stack-tech.jsonl";
    staging_pending: PendingSource = "staging-pending.jsonl";
    staging_summary: StagingSummary = "staging-summary.json";
    timeline: Revision = "timeline.jsonl";
    vector_meta: VectorIndexMeta = "vector-meta.json";
    vector_records: VectorInsert = "vector-records.jsonl";
}

#[test]
fn unknown_operations_are_named_by_their_type() {
    let last = include_str!("../samples/v1/timeline.jsonl").lines().last().unwrap();
    let revision: Revision = serde_json::from_str(last).unwrap();
    assert_eq!(revision.operations[0].kind(), "Teleport");
    assert!(matches!(revision.operations[1], RevisionOperation::Unknown(_)));
    assert_eq!(revision.extra["signedBy"], "someone");
}
