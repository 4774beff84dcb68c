//! How a branch begins: from nothing, or from another branch.

use gik_base::{ErrorCode, Failure, Result, fs};
use gik_contract::{Revision, RevisionOperation};
use serde_json::json;

use crate::tracking::is_begun;
use crate::transaction::Origin;
use crate::{Branch, Held, disk, jsonl};

impl Branch {
    /// Makes the branch: its folders, the first revision, HEAD. Fails with `AlreadyInitialized` where there is a HEAD.
    ///
    /// With `from`, the branch starts with the other one's timeline and indexed sources. Memory is not copied:
    /// entries of the project are visible from every branch as they are.
    pub fn init(
        &self,
        held: &Held,
        message: &str,
        git_commit: Option<String>,
        from: Option<&Self>,
    ) -> Result<Revision> {
        // A timeline without HEAD is a branch that lost its HEAD, not one to begin again.
        self.recover(held)?;
        if self.is_initialized() {
            return Err(Failure::new(
                ErrorCode::AlreadyInitialized,
                format!("branch `{}` is initialized already", self.name()),
            ));
        }
        self.make_folders()?;
        let mut transaction = self.transaction(held);
        match from {
            None => {
                transaction.revision(message, git_commit, vec![RevisionOperation::Init]);
            },
            Some(source) => {
                source.require_initialized()?;
                // The source may have been left torn, and its end is copied.
                source.recover(held)?;
                let parent = source.head()?.unwrap_or_default();
                let operation = RevisionOperation::Custom {
                    name: "branch".to_owned(),
                    data: Some(json!({ "from": source.name(), "revision": parent })),
                };
                let timeline = fs::read(&source.timeline_path())?;
                // Fails on a timeline that cannot be understood instead of spreading it.
                jsonl::parse_lines::<Revision>(&source.timeline_path(), &timeline)?;
                transaction.start_from(Origin { timeline, parent });
                transaction.revision(message, git_commit, vec![operation]);
                let mut sources = source.pending()?;
                sources.retain(is_begun);
                for entry in &mut sources {
                    self.name().clone_into(&mut entry.branch);
                }
                if !sources.is_empty() {
                    transaction.set_pending(&sources)?;
                }
            },
        }
        transaction.commit()?.ok_or_else(|| {
            Failure::new(ErrorCode::Internal, "the first revision was not made".to_owned())
        })
    }

    fn make_folders(&self) -> Result<()> {
        let bases = ["code", "docs", "memory"].map(|base| self.base_dir(base));
        for folder in [self.dir().join("staging"), self.stack_dir()].iter().chain(&bases) {
            disk::create_dir_all(folder)?;
        }
        disk::sync_dir(self.dir())?;
        disk::sync_dir(self.knowledge_dir())
    }
}
