//! What was kept and what is new as one history.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::{Kept, PastCommit};
use crate::history::{Changes, Commit, ObjectId, commit};

/// What a message says beyond so many bytes is not kept.
pub(in crate::history) const MESSAGE_BYTES: usize = 4096;

impl Kept {
    /// What was kept and what is new as one: only commits that lead to `head`, newest first, at most `most`, with the
    /// files under the names that they have today. Both lists come newest first.
    pub fn joined(
        kept: Vec<PastCommit>,
        new: Vec<(Commit, Changes)>,
        head: ObjectId,
        most: usize,
    ) -> (Vec<PastCommit>, bool) {
        let mut today: BTreeMap<String, String> = BTreeMap::new();
        let mut all = Vec::with_capacity(kept.len() + new.len());
        for (commit, changes) in new {
            let name = |key: &String| today.get(key).unwrap_or(key).clone();
            let mut files: Vec<String> =
                changes.files.iter().map(|change| name(&change.key)).collect();
            for change in &changes.files {
                if let Some(from) = &change.from {
                    let now = today.get(&change.key).unwrap_or(&change.key).clone();
                    today.insert(from.clone(), now);
                }
            }
            files.sort();
            files.dedup();
            all.push(PastCommit {
                id: commit.id,
                parents: commit.parents,
                author: commit.author,
                mail: commit.mail,
                authored: commit.authored,
                committed: commit.committed,
                message: commit::cut(&commit.message, MESSAGE_BYTES).to_owned(),
                files,
                is_bulk: changes.is_bulk,
            });
        }
        for mut commit in kept {
            if commit.files.iter().any(|file| today.contains_key(file)) {
                for file in &mut commit.files {
                    if let Some(now) = today.get(file) {
                        file.clone_from(now);
                    }
                }
                commit.files.sort();
                commit.files.dedup();
            }
            all.push(commit);
        }
        in_order(all, head, most)
    }
}

/// The commits that lead to `head` in the order in which [`super::Repository::commits`] gives them, and whether older
/// ones are missing. Times alone do not tell: many commits may have been made in one second.
fn in_order(all: Vec<PastCommit>, head: ObjectId, most: usize) -> (Vec<PastCommit>, bool) {
    let mut by_id: BTreeMap<ObjectId, PastCommit> =
        all.into_iter().map(|commit| (commit.id, commit)).collect();
    let mut reached = BTreeSet::new();
    let mut open = BinaryHeap::new();
    let (mut ordered, mut is_cut) = (Vec::new(), false);
    let mut next = vec![head];
    loop {
        for id in next.drain(..) {
            match by_id.get(&id) {
                Some(commit) if reached.insert(id) => open.push((commit.committed, id)),
                Some(_) => {},
                None => is_cut |= !reached.contains(&id),
            }
        }
        let Some((_, id)) = open.pop() else { return (ordered, is_cut) };
        if ordered.len() == most {
            return (ordered, true);
        }
        if let Some(commit) = by_id.remove(&id) {
            next.extend(&commit.parents);
            ordered.push(commit);
        }
    }
}
