//! Packs that are kept: `packs/context_packs.jsonl` of a branch, in several files above 16 MiB.
//!
//! All records belong to one state of the index; writing a pack of another state takes the old ones out. Records are
//! sorted by their id. With several files, `context_packs.meta.json` names them, and without it there is one file: each
//! step of writing leaves one of the two whole.

use std::path::{Path, PathBuf};

use gik_base::{Context as _, ErrorCode, Failure, Result, fs};
use gik_contract::pack::{ContextPack, ContextPackShard, ContextPacksMeta};
use gik_ledger::{Durability, jsonl};
use serde::Deserialize;

use super::current_signature;
use crate::Workspace;

const ONE_FILE: &str = "context_packs.jsonl";
const META: &str = "context_packs.meta.json";
/// A file ends when it would be larger.
const MOST_SHARD_BYTES: usize = 16 << 20;

/// What of a record is needed without reading all of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    format_version: u32,
    #[serde(default)]
    schema_version: String,
    index_signature: String,
    pack_id: String,
}

/// Keeps a pack.
pub(crate) fn write(ws: &Workspace<'_>, pack: &ContextPack) -> Result<()> {
    let _held = ws.hold()?;
    let folder = folder(ws);
    let mut line = serde_json::to_string(pack)
        .context(ErrorCode::Internal, || "cannot write the pack".to_owned())?;
    line.push('\n');
    let mut records: Vec<(String, String)> = vec![(pack.pack_id.clone(), line)];
    for text in texts(&folder)? {
        for line in text.lines() {
            // What cannot be read is of another version, and what is of another state is of no use.
            let Ok(head) = serde_json::from_str::<Head>(line) else { continue };
            if head.index_signature == pack.index_signature && head.pack_id != pack.pack_id {
                records.push((head.pack_id, format!("{line}\n")));
            }
        }
    }
    records.sort();
    replace(&folder, &pack.index_signature, &records, MOST_SHARD_BYTES)
}

/// The pack with that id or the beginning of one, if it is of the state of the index at hand.
pub(crate) fn read(ws: &Workspace<'_>, id: &str) -> Result<ContextPack> {
    let mut found: Vec<String> = Vec::new();
    for text in texts(&folder(ws))? {
        let is_it = |line: &&str| {
            serde_json::from_str::<Head>(line).is_ok_and(|head| {
                head.pack_id == id || (id.len() >= SHORTEST_ID && head.pack_id.starts_with(id))
            })
        };
        found.extend(text.lines().filter(is_it).map(str::to_owned));
    }
    let line = match found.as_slice() {
        [line] => line,
        [] => {
            return Err(Failure::new(ErrorCode::PackMissing, format!("no pack is called `{id}`"))
                .hint("`gik pack … --write` keeps a pack and prints its id"));
        },
        several => {
            let message = format!("`{id}` is the beginning of {} packs", several.len());
            return Err(Failure::new(ErrorCode::PackMissing, message).hint("write more of the id"));
        },
    };
    let pack = parsed(line)?;
    if current_signature(ws)? != pack.index_signature {
        let message = format!("pack `{}` is of another state of the index", pack.pack_id);
        return Err(Failure::new(ErrorCode::PackOutdated, message)
            .hint("run the `gik pack` command that made it again"));
    }
    Ok(pack)
}

/// Fewer letters of an id are too few to mean one.
const SHORTEST_ID: usize = 8;

fn parsed(line: &str) -> Result<ContextPack> {
    let head: Head = serde_json::from_str(line)
        .context(ErrorCode::ContractInvalid, || "a stored pack is damaged".to_owned())?;
    let major = |version: &str| version.split('.').next().map(str::to_owned);
    if head.format_version != ContextPack::FORMAT_VERSION
        || major(&head.schema_version) != major(ContextPack::SCHEMA_VERSION)
    {
        let message = format!(
            "pack `{}` has version {} of the format, and this program reads version {}",
            head.pack_id,
            head.format_version,
            ContextPack::FORMAT_VERSION
        );
        return Err(Failure::new(ErrorCode::PackVersion, message)
            .hint("run the `gik pack` command that made it again"));
    }
    serde_json::from_str(line).context(ErrorCode::ContractInvalid, || {
        format!("the stored pack `{}` is damaged", head.pack_id)
    })
}

fn folder(ws: &Workspace<'_>) -> PathBuf {
    ws.branch.dir().join("packs")
}

/// The files of records, in order.
fn shards(folder: &Path) -> Result<Vec<PathBuf>> {
    let meta: Option<ContextPacksMeta> = jsonl::read_json(&folder.join(META))?;
    Ok(match meta {
        Some(meta) => meta
            .shards
            .iter()
            .filter(|shard| is_shard(&shard.file))
            .map(|shard| folder.join(&shard.file))
            .collect(),
        None => vec![folder.join(ONE_FILE)],
    })
}

fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for path in shards(folder)? {
        if let Some(bytes) = fs::read_if_present(&path)? {
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(texts)
}

/// Whether a name is that of one of several files.
fn is_shard(name: &str) -> bool {
    let number = name.strip_prefix("context_packs.").and_then(|it| it.strip_suffix(".jsonl"));
    number.is_some_and(|it| it.len() == 5 && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Writes all records, sorted, into files of at most so many bytes; a record that is larger has one of its own.
fn replace(
    folder: &Path,
    signature: &str,
    records: &[(String, String)],
    most_bytes: usize,
) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut files: Vec<(String, u64)> = Vec::new();
    for (_, line) in records {
        match files.last_mut() {
            Some((text, n)) if text.len() + line.len() <= most_bytes => {
                text.push_str(line);
                *n += 1;
            },
            _ => files.push((line.clone(), 1)),
        }
    }
    let put =
        |name: &str, bytes: &[u8]| fs::write_atomic(&folder.join(name), bytes, Durability::Cached);
    let mut kept: Vec<String> = Vec::new();
    if let [(text, _)] = files.as_slice() {
        put(ONE_FILE, text.as_bytes())?;
        fs::remove_file_if_present(&folder.join(META))?;
    } else {
        let mut shards = Vec::new();
        for (number, (text, n)) in files.iter().enumerate() {
            let file = format!("context_packs.{number:05}.jsonl");
            put(&file, text.as_bytes())?;
            kept.push(file.clone());
            shards.push(ContextPackShard { file, bytes: text.len() as u64, records: *n });
        }
        let meta = ContextPacksMeta {
            format_version: ContextPack::FORMAT_VERSION,
            index_signature: signature.to_owned(),
            max_shard_bytes: most_bytes as u64,
            records: records.len() as u64,
            shards,
        };
        put(META, &jsonl::to_json(&meta)?)?;
        fs::remove_file_if_present(&folder.join(ONE_FILE))?;
    }
    for path in fs::list_dir(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| is_shard(&name) && !kept.contains(&name)) {
            fs::remove_file_if_present(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(n: usize) -> Vec<(String, String)> {
        (0..n).map(|at| (format!("pack:{at}"), format!("{{\"n\":{at}}}\n"))).collect()
    }

    fn names(folder: &Path) -> Vec<String> {
        let paths = fs::list_dir(folder).unwrap();
        let mut names: Vec<String> = paths
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn records_go_into_several_files_above_a_size_and_back() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let all = |folder: &Path| texts(folder).unwrap().concat();
        let expected = |n| records(n).into_iter().map(|(_, line)| line).collect::<String>();
        replace(folder, "s", &records(2), 16).unwrap();
        assert_eq!(names(folder), [ONE_FILE], "exactly at the border");
        replace(folder, "s", &records(5), 16).unwrap();
        assert_eq!(
            names(folder),
            [
                "context_packs.00000.jsonl",
                "context_packs.00001.jsonl",
                "context_packs.00002.jsonl",
                META
            ]
        );
        assert_eq!(all(folder), expected(5));
        let meta: ContextPacksMeta = jsonl::read_json(&folder.join(META)).unwrap().unwrap();
        let sizes: Vec<(u64, u64)> =
            meta.shards.iter().map(|shard| (shard.bytes, shard.records)).collect();
        assert_eq!((meta.records, sizes), (5, vec![(16, 2), (16, 2), (8, 1)]));
        replace(folder, "s", &records(3), 16).unwrap();
        assert_eq!(names(folder).len(), 3);
        replace(folder, "s", &records(1), 16).unwrap();
        assert_eq!(names(folder), [ONE_FILE]);
        assert_eq!(all(folder), expected(1));
    }

    #[test]
    fn only_files_of_packs_are_read_and_removed() {
        assert!(is_shard("context_packs.00012.jsonl"));
        for name in ["../x", "context_packs.jsonl", "context_packs.1.jsonl", META, "notes.jsonl"] {
            assert!(!is_shard(name), "{name}");
        }
    }

    #[test]
    fn a_record_of_another_version_is_refused_by_name() {
        let line =
            r#"{"formatVersion":2,"schemaVersion":"2.0.0","indexSignature":"s","packId":"pack:1"}"#;
        assert_eq!(parsed(line).unwrap_err().code(), ErrorCode::PackVersion);
        let line =
            r#"{"formatVersion":1,"schemaVersion":"1.0.0","indexSignature":"s","packId":"pack:1"}"#;
        assert_eq!(parsed(line).unwrap_err().code(), ErrorCode::ContractInvalid);
    }
}
