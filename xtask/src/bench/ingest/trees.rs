//! Trees of the sizes that are measured, made from the packages that stand for the languages.

use std::path::{Path, PathBuf};

use gik_base::FileKey;
use gik_parse::LanguageClass;

use super::super::series::Subject;
use crate::corpus;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Larger files are data; a project would not index them.
const MAX_BYTES: u64 = 1 << 20;

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::bench) struct File {
    package: PathBuf,
    /// Below the package.
    path: String,
    /// The folder of the package in the tree.
    folder: String,
}

/// The files of every language: its code and what surrounds it, fetched where they are missing.
pub(in crate::bench) fn candidates(root: &Path) -> Result<Vec<Vec<File>>> {
    let mut groups = Vec::new();
    for corpus in corpus::table(root)? {
        let mut group = Vec::new();
        for package in corpus.fetch(root)? {
            let folder = format!("{}/{}", corpus.language, package.label);
            for path in workspace::all_files(&package.folder)? {
                if is_wanted(&package.folder, &path, &corpus.language)? {
                    let package = package.folder.clone();
                    group.push(File { package, path, folder: folder.clone() });
                }
            }
        }
        groups.push(group);
    }
    Ok(groups)
}

/// Code of the corpus' language, documents and settings. A package may be in several corpora, so other code is left out.
fn is_wanted(package: &Path, path: &str, language: &str) -> Result<bool> {
    if path.split('/').any(|part| part.starts_with('.')) {
        return Ok(false);
    }
    let Some(found) = gik_parse::detect_by_name(&FileKey::from_text(path)) else {
        return Ok(false);
    };
    let is_ours = found.id == language || language == "cpp" && found.id == "c";
    if !is_ours && found.class == LanguageClass::Code {
        return Ok(false);
    }
    let path = package.join(path);
    let metadata = path.metadata().map_err(|error| Stop::on_path("look at", &path, error))?;
    Ok(metadata.len() <= MAX_BYTES)
}

/// Copies so many files, an equal share of every language, to a folder and describes it.
pub(in crate::bench) fn build(
    groups: &[Vec<File>],
    count: usize,
    folder: &Path,
) -> Result<Subject> {
    let chosen = corpus::spread(groups, count);
    let mut bytes = 0;
    for file in &chosen {
        let to = folder.join(&file.folder);
        bytes += workspace::copy_files(&file.package, std::slice::from_ref(&file.path), &to)?;
    }
    let label = format!("{} files of real packages", chosen.len());
    Ok(Subject { label, generated: None, files: chosen.len(), bytes })
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn code_of_other_languages_and_hidden_files_are_left_out() {
        let tree = Tree::new(
            "//- a.go\nx\n//- b.py\nx\n//- README.md\nx\n//- .github/ci.yml\nx\n//- noise\nx\n",
        );
        let wanted: Vec<String> = tree
            .list()
            .into_iter()
            .filter(|path| is_wanted(tree.root(), path, "go").unwrap())
            .collect();
        assert_eq!(wanted, ["README.md", "a.go"]);
    }

    #[test]
    fn a_tree_has_a_share_of_every_language() {
        let tree = Tree::new("//- go/a.go\n1\n//- go/b.go\n2\n//- go/c.go\n3\n//- rs/a.rs\n4\n");
        let group = |package: &str, names: &[&str]| {
            let file = |name: &&str| File {
                package: tree.path(package),
                path: (*name).to_owned(),
                folder: format!("{package}/p@1"),
            };
            names.iter().map(file).collect::<Vec<_>>()
        };
        let groups = [group("go", &["a.go", "b.go", "c.go"]), group("rs", &["a.rs"])];
        let subject = build(&groups, 3, &tree.path("to")).unwrap();
        assert_eq!((subject.files, subject.bytes), (3, 6));
        assert_eq!(tree.list_below("to"), ["to/go/p@1/a.go", "to/go/p@1/b.go", "to/rs/p@1/a.rs"]);
    }
}
