//! Where the checkout is and which files and crates it has.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::stop::{Result, Stop};

/// The root of the checkout this tool was built from.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| Stop::on_path("read", path, error))
}

/// A file of TOML.
pub(crate) fn read_toml(path: &Path) -> Result<toml::Table> {
    read(path)?.parse().map_err(|error| Stop::on_path("parse", path, error))
}

/// Makes a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Stop::on_path("create", folder, error))
}

/// Writes a file, making its folder.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    fs::write(path, text).map_err(|error| Stop::on_path("write", path, error))
}

/// Copies files, given relative to `from`, to the same places below `to`, and gives the number of bytes.
pub(crate) fn copy_files(from: &Path, files: &[String], to: &Path) -> Result<u64> {
    let mut bytes = 0;
    for file in files {
        let to = to.join(file);
        if let Some(folder) = to.parent() {
            create_folder(folder)?;
        }
        bytes +=
            fs::copy(from.join(file), &to).map_err(|error| Stop::on_path("write", &to, error))?;
    }
    Ok(bytes)
}

/// Every file below the root that git would not ignore, relative with `/`, sorted.
pub(crate) fn files(root: &Path) -> Result<Vec<String>> {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(false).parents(false).require_git(false);
    listed(root, walk.filter_entry(|entry| entry.file_name() != ".git"))
}

/// Every file below the root, ignored ones included, relative with `/`, sorted.
pub(crate) fn all_files(root: &Path) -> Result<Vec<String>> {
    listed(root, WalkBuilder::new(root).standard_filters(false))
}

fn listed(root: &Path, walk: &WalkBuilder) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in walk.build() {
        let entry = entry.map_err(|error| Stop::Failed(error.to_string()))?;
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Ok(relative) = entry.path().strip_prefix(root)
        {
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            found.push(parts.join("/"));
        }
    }
    found.sort();
    Ok(found)
}

/// A member of the workspace.
#[derive(Debug)]
pub(crate) struct Member {
    /// The folder's own name: `parse`, `xtask`.
    pub(crate) name: String,
    /// Its folder, relative with `/`: `crates/parse`.
    pub(crate) folder: String,
    /// Its `Cargo.toml`.
    pub(crate) manifest: toml::Table,
}

impl Member {
    /// The names in the given dependency sections, those of platforms included.
    pub(crate) fn dependencies(&self, sections: &[&str]) -> Vec<String> {
        let mut tables = vec![&self.manifest];
        if let Some(targets) = self.manifest.get("target").and_then(toml::Value::as_table) {
            tables.extend(targets.values().filter_map(toml::Value::as_table));
        }
        let mut names: Vec<String> = tables
            .iter()
            .flat_map(|table| sections.iter().filter_map(|section| table.get(*section)))
            .filter_map(toml::Value::as_table)
            .flat_map(|dependencies| dependencies.keys().cloned())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The members, sorted by folder.
pub(crate) fn members(root: &Path, files: &[String]) -> Result<Vec<Member>> {
    let mut members = Vec::new();
    for file in files {
        let parts: Vec<&str> = file.split('/').collect();
        let (name, folder) = match parts.as_slice() {
            ["crates", name, "Cargo.toml"] => (*name, format!("crates/{name}")),
            ["xtask", "Cargo.toml"] => ("xtask", "xtask".to_owned()),
            _ => continue,
        };
        let manifest = read_toml(&root.join(file))?;
        members.push(Member { name: name.to_owned(), folder, manifest });
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn ignored_files_are_not_ours() {
        let tree = Tree::new(
            "
            //- .gitignore
            /target
            //- target/debug/x
            //- .ci/run
            //- crates/a/src/lib.rs
            ",
        );
        assert_eq!(files(tree.root()).unwrap(), [".ci/run", ".gitignore", "crates/a/src/lib.rs"]);
    }

    #[test]
    fn all_files_are_listed_and_copied_where_that_is_asked_for() {
        let tree = Tree::new("//- a/.gitignore\n/x\n//- a/x\n12\n//- a/b/c\n3\n");
        let from = tree.path("a");
        let all = all_files(&from).unwrap();
        assert_eq!(all, [".gitignore", "b/c", "x"]);
        assert_eq!(copy_files(&from, &all, &tree.path("to")).unwrap(), 8);
        assert_eq!(tree.read("to/b/c"), "3\n");
    }

    #[test]
    fn dependencies_of_platforms_count() {
        let tree = Tree::new(
            "
            //- crates/a/Cargo.toml
            [dependencies]
            x.workspace = true
            [target.'cfg(unix)'.dependencies]
            libc = \"1\"
            [dev-dependencies]
            y = \"1\"
            ",
        );
        let members = members(tree.root(), &files(tree.root()).unwrap()).unwrap();
        assert_eq!(members[0].dependencies(&["dependencies"]), ["libc", "x"]);
        assert_eq!(members[0].dependencies(&["dev-dependencies"]), ["y"]);
    }
}
