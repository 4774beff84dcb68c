//! `author:ann`: which files did someone change, as far as git's history tells?

use std::collections::BTreeMap;
use std::sync::Arc;

use gik_base::collections::HashSet;
use gik_base::{ErrorCode, Failure, Result};
use gik_discover::history::PastCommit;

use super::Conditions;
use crate::Workspace;
use crate::history::{self, no_history};

/// So many names are told where nobody has the one that was asked for.
const MOST_NAMES: usize = 5;

/// Someone who commits.
#[derive(Debug, Clone)]
pub(super) struct Author {
    /// A part of the name or of the address, in small letters.
    name: String,
    /// What they changed; unknown until the history is asked.
    files: Option<Arc<HashSet<String>>>,
}

impl Author {
    pub(super) fn named(value: &str) -> Self {
        Self { name: value.to_lowercase(), files: None }
    }

    fn wrote(&self, commit: &PastCommit) -> bool {
        [&commit.author, &commit.mail].iter().any(|text| text.to_lowercase().contains(&self.name))
    }

    fn ask(&mut self, commits: &[PastCommit]) -> Result<()> {
        let own: Vec<&PastCommit> = commits.iter().filter(|commit| self.wrote(commit)).collect();
        if own.is_empty() {
            let message = format!("nobody called `{}` has committed here", self.name);
            return Err(Failure::new(ErrorCode::ArgumentInvalid, message)
                .hint(format!("those who did most: {}", most_active(commits).join(", "))));
        }
        let files = own.iter().flat_map(|commit| commit.files.iter().cloned()).collect();
        self.files = Some(Arc::new(files));
        Ok(())
    }
}

fn most_active(commits: &[PastCommit]) -> Vec<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for commit in commits {
        *counts.entry(&commit.author).or_default() += 1;
    }
    let mut names: Vec<(usize, &str)> = counts.into_iter().map(|(name, n)| (n, name)).collect();
    names.sort_by(|(n, name), (other, other_name)| other.cmp(n).then(name.cmp(other_name)));
    names.into_iter().take(MOST_NAMES).map(|(_, name)| name).collect()
}

impl Conditions {
    /// Whether git's history must be asked.
    pub(crate) fn name_authors(&self) -> bool {
        !self.authors.is_empty()
    }

    /// The same, with what each author changed.
    pub(crate) fn with_authors(&self, ws: &Workspace<'_>) -> Result<Self> {
        let mut known = self.clone();
        let commits = history::commits(ws)?;
        if commits.is_empty() {
            return Err(no_history(&ws.root));
        }
        let Self { authors, .. } = &mut known;
        for author in authors.wanted.iter_mut().chain(&mut authors.unwanted) {
            author.ask(&commits)?;
        }
        Ok(known)
    }

    /// Files that count, and files that do not, by who changed them; `None` where that is all the same.
    pub(super) fn authored(&self) -> (Option<HashSet<String>>, HashSet<String>) {
        let all = |authors: &[Author]| -> HashSet<String> {
            let files = authors.iter().filter_map(|author| author.files.as_deref());
            files.flatten().cloned().collect()
        };
        let wanted = &self.authors.wanted;
        ((!wanted.is_empty()).then(|| all(wanted)), all(&self.authors.unwanted))
    }
}
