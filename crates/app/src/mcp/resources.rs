//! What can be read by address: `gik://status`, `gik://memory`, one entry of it, packs that are kept, files.

use gik_base::{Cancel, ErrorCode, Failure};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value, json};

use super::roots::percent_decoded;
use crate::service::{Answered, Call, Heard, Service};

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// What is always there.
pub(super) fn all() -> Vec<Resource> {
    vec![
        Resource::new("gik://status", "status")
            .with_title("State of the knowledge")
            .with_description("Branch, revision, what changed since, what is indexed")
            .with_mime_type(JSON),
        Resource::new("gik://memory", "memory")
            .with_title("What is remembered")
            .with_description("Decisions, notes and observations, newest first")
            .with_mime_type(JSON),
    ]
}

/// What is there for every name.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("gik://file/{+path}", "file")
            .with_title("A file of the project")
            .with_description("Text of a file as it is now")
            .with_mime_type(TEXT),
        ResourceTemplate::new("gik://memory/{id}", "memory-entry")
            .with_title("One thing that is remembered")
            .with_mime_type(JSON),
        ResourceTemplate::new("gik://pack/{id}", "pack")
            .with_title("A context pack that was kept")
            .with_description("What `pack` with `write` made, by its `packId`")
            .with_mime_type(JSON),
    ]
}

/// Reads one.
pub(super) fn read(service: &Service, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let missing =
        || ErrorData::resource_not_found("there is no such resource", Some(json!({"uri": uri})));
    let rest = uri.strip_prefix("gik://").ok_or_else(missing)?;
    let (kind, name) = match rest.split_once('/') {
        Some((kind, name)) => (kind, Some(percent_decoded(name).ok_or_else(missing)?)),
        None => (rest, None),
    };
    let told = |failure: Failure| {
        let is_one_of = |codes: &[ErrorCode]| codes.contains(&failure.code());
        if is_one_of(&[ErrorCode::PathMissing, ErrorCode::MemoryMissing, ErrorCode::PackMissing]) {
            missing()
        } else if is_one_of(&[ErrorCode::Internal, ErrorCode::Io, ErrorCode::StoreBroken]) {
            ErrorData::internal_error(failure.to_string(), None)
        } else {
            ErrorData::invalid_params(failure.to_string(), Some(json!({"uri": uri})))
        }
    };
    let (content, mime) = match (kind, name) {
        ("status", None) => (run(service, "status", json!({})).map_err(told)?.json, JSON),
        ("memory", None) => (run(service, "memory_list", json!({})).map_err(told)?.json, JSON),
        ("memory", Some(id)) => {
            (run(service, "memory_show", json!({"id": id})).map_err(told)?.json, JSON)
        },
        ("pack", Some(id)) => (run(service, "pack", json!({"read": id})).map_err(told)?.json, JSON),
        ("file", Some(path)) if !path.is_empty() => {
            (Value::String(file(service, &path).map_err(told)?), TEXT)
        },
        _ => return Err(missing()),
    };
    let text = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)]))
}

fn run(service: &Service, name: &str, arguments: Value) -> gik_base::Result<Answered> {
    let arguments = arguments.as_object().cloned().unwrap_or_else(Map::new);
    let heard = Heard::new(|_| {});
    service.call_any(Call { name, arguments, heard: &heard, cancel: Cancel::default() })
}

fn file(service: &Service, path: &str) -> gik_base::Result<String> {
    const LINES: u64 = 1_000_000;
    let lines = json!({"path": path, "start_line": 1, "end_line": LINES, "max_bytes": 200_000});
    let answered = run(service, "read_file", lines)?;
    if answered.is_failure {
        let why = answered.json["meta"]["warnings"][0].as_str().unwrap_or_default();
        let code = match answered.json["error"].as_str() {
            Some("not_found") => ErrorCode::PathMissing,
            _ => ErrorCode::ArgumentInvalid,
        };
        return Err(Failure::new(code, why));
    }
    let mut text = answered.json["data"]["content"].as_str().unwrap_or_default().to_owned();
    if answered.json["meta"]["truncated"] == json!(true) {
        text.push_str("\n[cut here: the file is longer; read the rest with `read_file`]\n");
    }
    Ok(text)
}
