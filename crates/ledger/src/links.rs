//! Whether anything of the knowledge repository is a symbolic link, which a clone may bring along.
//!
//! A link would lead writes, and the removal of what is no longer needed, to files outside the workspace.

use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result, fs};

use crate::{Branch, Knowledge};

impl Knowledge {
    /// Fails when a file or folder that a change of `branch` may touch is a symbolic link.
    pub fn refuse_links(&self, branch: &Branch) -> Result<()> {
        for path in [self.guided_dir(), self.dir(), &self.changes_dir()] {
            if is_link(path)? {
                return Err(refusal(path));
            }
        }
        for (path, kind) in fs::list_kinds(self.dir())? {
            if kind.is_symlink() {
                return Err(refusal(&path));
            }
        }
        refuse_below(self.dir().join("asks"))?;
        refuse_below(self.history_dir())?;
        refuse_below(self.changes_dir())?;
        refuse_below(branch.dir().to_owned())
    }
}

fn refuse_below(dir: PathBuf) -> Result<()> {
    let mut open = vec![dir];
    while let Some(dir) = open.pop() {
        for (path, kind) in fs::list_kinds(&dir)? {
            if kind.is_symlink() {
                return Err(refusal(&path));
            }
            if kind.is_dir() {
                open.push(path);
            }
        }
    }
    Ok(())
}

fn is_link(path: &Path) -> Result<bool> {
    Ok(fs::symlink_metadata_if_present(path)?.is_some_and(|metadata| metadata.is_symlink()))
}

fn refusal(path: &Path) -> Failure {
    Failure::new(
        ErrorCode::PathOutside,
        format!("`{}` is a symbolic link, which could lead out of the workspace", path.display()),
    )
    .hint("remove the link; nothing inside `.guided` may be one")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_at_any_depth_is_refused() {
        for name in [
            ".guided",
            ".guided/knowledge",
            ".guided/knowledge/main",
            ".guided/knowledge/main/lexical",
            ".guided/knowledge/main/timeline.jsonl",
            ".guided/knowledge/main/bases/code/sources.jsonl",
            ".guided/knowledge/asks/ask.log.jsonl",
            ".guided/changes",
            ".guided/changes/journal.json",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let knowledge = Knowledge::at(folder.path());
            let branch = knowledge.branch("main");
            knowledge.refuse_links(&branch).unwrap();
            std::os::unix::fs::symlink("/nowhere", &path).unwrap();
            let failure = knowledge.refuse_links(&branch).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::PathOutside, "{name}");
        }
    }
}
