//! The stack inventory of the whole workspace, and its contract files.

use std::io::Write;

use gik_base::{FileKey, Result, clock, fs};
use gik_contract::StackStats;
use gik_discover::walk::{Explain, walk};
use gik_ledger::{Durability, Transaction, jsonl};
use gik_stack::{Inventory, Manifests, StackFile, inventory, is_manifest, refresh};
use gik_store::Unprojected;
use serde::Serialize;

use crate::Workspace;

/// Looks at every file of the workspace that is not ignored, tracked or not.
pub(crate) fn scan(ws: &Workspace<'_>) -> Result<Inventory> {
    let walked =
        walk(&ws.root, &[FileKey::default()], &ws.walk_options(Explain::Quiet), &ws.ctx.cancel)?;
    let files: Vec<StackFile<'_>> = walked
        .files
        .iter()
        .map(|file| StackFile {
            path: &file.key,
            language: gik_parse::detect_by_name(&file.key).map(|language| language.id),
        })
        .collect();
    let mut manifests = Manifests::new();
    refresh(&mut manifests, &files, &|key| fs::read(&key.to_path(&ws.root)).ok());
    Ok(inventory(&files, &manifests))
}

/// Whether the files of `stack/` are all there.
pub(crate) fn is_written(ws: &Workspace<'_>) -> bool {
    ["files.jsonl", "dependencies.jsonl", "tech.jsonl", "stats.json"]
        .iter()
        .all(|name| fs::exists(&ws.branch.stack_dir().join(name)))
}

/// Whether the inventory could have changed: a file came or went, or a manifest changed.
pub(crate) fn is_outdated(changed: &[Unprojected]) -> bool {
    changed.iter().any(|file| file.is_listed || is_manifest(&file.key))
}

/// Adds the four files of `stack/` to a transaction.
pub(crate) fn write(inventory: &Inventory, transaction: &Transaction<'_>) -> Result<()> {
    transaction.replace_with("stack/files.jsonl", Durability::Cached, |out| {
        write_lines(out, &inventory.files)
    })?;
    transaction.replace_with("stack/dependencies.jsonl", Durability::Cached, |out| {
        write_lines(out, &inventory.dependencies)
    })?;
    transaction.replace_with("stack/tech.jsonl", Durability::Cached, |out| {
        write_lines(out, &inventory.tech)
    })?;
    let stats = StackStats {
        total_files: inventory.total_files,
        languages: inventory.languages.clone(),
        managers: inventory.managers.clone(),
        generated_at: clock::now(),
    };
    transaction.replace("stack/stats.json", jsonl::to_json(&stats)?, Durability::Cached);
    Ok(())
}

fn write_lines<T: Serialize>(out: &mut dyn Write, items: &[T]) -> std::io::Result<()> {
    for item in items {
        serde_json::to_writer(&mut *out, item)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
