//! The stack inventory of the whole workspace, and its contract files.

use std::io::Write;

use gik_base::{FileKey, Result, clock, fs};
use gik_contract::StackStats;
use gik_discover::walk::{Explain, walk};
use gik_ledger::{Durability, Transaction};
use gik_stack::{Inventory, StackFile, inventory};
use serde::Serialize;

use crate::Workspace;
use crate::projection::pretty;

/// Looks at every file of the workspace that is not ignored, tracked or not.
pub(crate) fn scan(ws: &Workspace<'_>) -> Result<Inventory> {
    let walked = walk(&ws.root, &[FileKey::default()], &ws.walk_options(Explain::Quiet), &ws.ctx.cancel)?;
    let files: Vec<StackFile<'_>> = walked
        .files
        .iter()
        .map(|file| StackFile {
            path: &file.key,
            language: gik_parse::detect_by_name(&file.key).map(|language| language.id),
        })
        .collect();
    let read = |key: &FileKey| fs::read(&key.to_path(&ws.root)).ok();
    Ok(inventory(&files, &read))
}

/// Adds the four files of `stack/` to a transaction.
pub(crate) fn write(ws: &Workspace<'_>, inventory: &Inventory, transaction: &mut Transaction<'_>) -> Result<()> {
    let dir = ws.branch.stack_dir();
    let lines = |transaction: &mut Transaction<'_>, name: &str, write: &dyn Fn(&mut dyn Write) -> std::io::Result<()>| {
        let path = dir.join(name);
        transaction.replace_with(path.clone(), Durability::Cached, |out| {
            write(out).map_err(|error| fs::failure("write", &path, error))
        })
    };
    lines(transaction, "files.jsonl", &|out| write_lines(out, &inventory.files))?;
    lines(transaction, "dependencies.jsonl", &|out| write_lines(out, &inventory.dependencies))?;
    lines(transaction, "tech.jsonl", &|out| write_lines(out, &inventory.tech))?;
    let stats = StackStats {
        total_files: inventory.total_files,
        languages: inventory.languages.clone(),
        managers: inventory.managers.clone(),
        generated_at: clock::now(),
    };
    transaction.replace(dir.join("stats.json"), pretty(&stats)?, Durability::Cached)
}

fn write_lines<T: Serialize>(out: &mut dyn Write, items: &[T]) -> std::io::Result<()> {
    for item in items {
        serde_json::to_writer(&mut *out, item)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
