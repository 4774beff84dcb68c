//! Do the files of `kg/` hold what they promise?

use std::collections::BTreeSet;

use gik_base::{Result, fs};
use gik_contract::{KgEdge, KgNode, KgStats, kg::KG_VERSION};
use gik_ledger::jsonl;

use crate::Workspace;

/// How much the last commit wrote; none where there is no graph, or it cannot be read.
pub(crate) fn stats(ws: &Workspace<'_>) -> Option<KgStats> {
    jsonl::read_json(&ws.branch.kg_dir().join("stats.json")).unwrap_or(None)
}

/// What is wrong, with the file it is wrong in. Where there is none of them, no graph was written yet.
pub(crate) fn problems(ws: &Workspace<'_>) -> Vec<(String, String)> {
    let dir = ws.branch.kg_dir();
    let names = ["nodes.jsonl", "edges.jsonl", "stats.json"];
    let missing: Vec<&str> =
        names.into_iter().filter(|name| !fs::exists(&dir.join(name))).collect();
    // A folder alone is what a killed writer leaves.
    if missing.len() == names.len() {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let mut report = |name: &str, message: String| problems.push((format!("kg/{name}"), message));
    for name in missing {
        report(name, "the file is missing".to_owned());
    }
    let nodes: Result<Vec<KgNode>> = jsonl::read_lines(&dir.join("nodes.jsonl"));
    let edges: Result<Vec<KgEdge>> = jsonl::read_lines(&dir.join("edges.jsonl"));
    let stats: Result<Option<KgStats>> = jsonl::read_json(&dir.join("stats.json"));
    let (nodes, edges, stats) = match (nodes, edges, stats) {
        (Ok(nodes), Ok(edges), Ok(Some(stats))) => (nodes, edges, stats),
        (nodes, edges, stats) => {
            let failures = [
                ("nodes.jsonl", nodes.err()),
                ("edges.jsonl", edges.err()),
                ("stats.json", stats.err()),
            ];
            for (name, failure) in failures {
                if let Some(failure) = failure {
                    report(name, failure.to_string());
                }
            }
            return problems;
        },
    };
    if stats.version != KG_VERSION {
        report("stats.json", format!("the version is `{}`, not `{KG_VERSION}`", stats.version));
    }
    for (name, counted, found) in [
        ("nodes.jsonl", stats.node_count, nodes.len() as u64),
        ("edges.jsonl", stats.edge_count, edges.len() as u64),
    ] {
        if counted != found {
            report(name, format!("{found} lines, but stats.json counts {counted}"));
        }
    }
    let mut ids = BTreeSet::new();
    if let Some(twice) = nodes.iter().find(|node| !ids.insert(node.id.as_str())) {
        report("nodes.jsonl", format!("the id {} is there twice", twice.id));
    }
    let mut edge_ids = BTreeSet::new();
    if let Some(twice) = edges.iter().find(|edge| !edge_ids.insert(edge.id.as_str())) {
        report("edges.jsonl", format!("the id {} is there twice", twice.id));
    }
    let ends = edges.iter().flat_map(|edge| [(&edge.id, &edge.from), (&edge.id, &edge.to)]);
    if let Some((edge, node)) = ends.into_iter().find(|(_, node)| !ids.contains(node.as_str())) {
        report("edges.jsonl", format!("{edge} names {node}, which is no node"));
    }
    problems
}
