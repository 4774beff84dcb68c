//! Can what changed concern the index? A log that is written all day beside the sources is no reason to look.

use std::path::Path;

use gik_base::{FileKey, Result};

use super::heard::About;
use crate::explain::{Approach, approach};
use crate::rules::Rules;

/// Whether a look is worth it. In doubt it is.
pub(super) fn is_worth_a_look(root: &Path, about: &About) -> bool {
    match about {
        About::Anything => true,
        About::Paths(paths) => {
            let left_out = || -> Result<bool> {
                let judge = Judge::new(root)?;
                for path in paths {
                    if !judge.is_left_out(path)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            !left_out().unwrap_or(false)
        },
    }
}

struct Judge<'a> {
    root: &'a Path,
    rules: Rules,
    layer: std::sync::Arc<crate::rules::Layer>,
}

impl<'a> Judge<'a> {
    fn new(root: &'a Path) -> Result<Self> {
        let (rules, layer) = Rules::load(root)?;
        Ok(Self { root, rules, layer })
    }

    /// Whether the rules leave out a path in a folder that they do not leave out. A folder that became one of those
    /// since it was watched has to leave the index.
    fn is_left_out(&self, path: &Path) -> Result<bool> {
        let Some(parent) = path.parent() else { return Ok(false) };
        Ok(matches!(self.approach(path)?, Approach::Skipped(_))
            && matches!(self.approach(parent)?, Approach::Folder { .. }))
    }

    /// What is outside the workspace counts as missing.
    fn approach(&self, path: &Path) -> Result<Approach> {
        let key = path.strip_prefix(self.root).ok().and_then(FileKey::from_relative);
        match key {
            Some(key) => approach(self.root, &self.rules, &self.layer, &key),
            None => Ok(Approach::Missing),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn worth(root: &Path, paths: &[&str]) -> bool {
        is_worth_a_look(root, &About::Paths(paths.iter().map(|path| root.join(path)).collect()))
    }

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (dir, root)
    }

    #[test]
    fn ignored_files_are_not_worth_a_look_and_others_are() {
        let (_dir, root) =
            tree(&[(".ignore", "*.log\n"), ("run.log", ""), ("a.rs", ""), ("Cargo.lock", "")]);
        assert!(!worth(&root, &["run.log", "Cargo.lock"]));
        assert!(worth(&root, &["run.log", "a.rs"]));
        assert!(worth(&root, &[".ignore"]));
        assert!(worth(&root, &["gone.log"]), "it may have been taken when it was there");
        assert!(is_worth_a_look(&root, &About::Anything));
    }

    #[test]
    fn a_folder_that_became_derived_is_worth_a_look() {
        let (_dir, root) = tree(&[("target/CACHEDIR.TAG", ""), ("target/x.rs", "")]);
        assert!(worth(&root, &["target/CACHEDIR.TAG"]));
        assert!(!worth(&root, &["target"]));
    }

    #[test]
    fn files_elsewhere_are_worth_a_look() {
        let (_dir, root) = tree(&[("a.rs", "")]);
        assert!(is_worth_a_look(&root, &About::Paths([PathBuf::from("/elsewhere/HEAD")].into())));
    }
}
