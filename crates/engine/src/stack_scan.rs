//! The stack inventory of the whole workspace, and its contract files.

use std::io::Write;

use gik_base::{FileKey, Result, clock, fs};
use gik_contract::StackStats;
use gik_discover::walk::{Explain, walk};
use gik_ledger::{Durability, Tracking, Transaction, jsonl};
use gik_stack::{Inventory, Manifests, StackFile, inventory, is_manifest, refresh};
use gik_store::{FileOrigin, FileRow, Unprojected};
use serde::Serialize;

use crate::Workspace;

/// Looks at every file of the workspace that is not ignored, tracked or not.
pub(crate) fn scan(ws: &Workspace<'_>) -> Result<Inventory> {
    let walked =
        walk(&ws.root, &[FileKey::default()], &ws.walk_options(Explain::Quiet), &ws.ctx.cancel)?;
    Ok(inventory_of(ws, walked.files.iter().map(|file| &file.key)))
}

/// The same where the files of the index were just found, and are all files of the workspace if all of it is tracked.
pub(crate) fn scan_after(
    ws: &Workspace<'_>,
    tracking: &Tracking,
    files: &[FileRow],
) -> Result<Inventory> {
    if !tracking.is_whole_workspace() {
        return scan(ws);
    }
    let found = files.iter().filter(|file| file.origin == FileOrigin::File);
    Ok(inventory_of(ws, found.map(|file| &file.key)))
}

/// The inventory of all files, sorted by name.
fn inventory_of<'k>(ws: &Workspace<'_>, keys: impl Iterator<Item = &'k FileKey>) -> Inventory {
    let language = |key| gik_parse::detect_by_name(key).map(|language| language.id);
    let files: Vec<StackFile<'_>> =
        keys.map(|path| StackFile { path, language: language(path) }).collect();
    let mut manifests = Manifests::new();
    refresh(&mut manifests, &files, &|key| fs::read(&key.to_path(&ws.root)).ok());
    inventory(&files, &manifests)
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

#[cfg(test)]
mod tests {
    use gik_base::Cancel;
    use gik_base::progress::Silent;
    use gik_store::Access;
    use gik_testkit::Tree;

    use super::*;
    use crate::tools::index;
    use crate::{Context, Options};

    #[test]
    fn the_files_of_the_index_give_the_inventory_of_a_walk() {
        let tree = Tree::new(
            "//- Cargo.toml\n[package]\nname = \"a\"\n[dependencies]\nserde = \"1\"\n//- src/a.rs\nfn a() {}\n\
             //- web/package.json\n{\"dependencies\": {\"vue\": \"3\"}}\n//- .gitignore\n*.log\n//- x.log\nx\n\
             //- gen.rs\n// @generated\nfn b() {}\n//- empty.txt\n",
        );
        tree.write("picture.png", [0x89, b'P', b'N', b'G', 0, 1, 2]);
        let ctx = Context {
            options: Options { workspace: Some(tree.root().to_owned()), ..Options::default() },
            cwd: tree.root().to_owned(),
            progress: &Silent,
            cancel: Cancel::default(),
        };
        let ws = ctx.open().unwrap();
        index::index(&ws, &[], None, None, None).unwrap();
        let files = ws.store(Access::ReadOnly).unwrap().snapshot().unwrap().files().unwrap();
        let tracking = ws.tracking().unwrap();
        assert!(tracking.is_whole_workspace());
        let known = scan_after(&ws, &tracking, &files).unwrap();
        assert_eq!(known, scan(&ws).unwrap());
        assert_eq!(known.total_files, 7, "without what is ignored");
    }
}
