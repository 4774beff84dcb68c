//! Which commit does each line come from, and which changed what stood there before?
//!
//! Lines are followed from the text at hand to the commit that is checked out, and from every commit to its parents,
//! newest first: what a parent has as well came from there. A file that a parent does not have may have another name
//! there: that of a file which went, and whose lines are mostly its.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use gik_base::collections::{HashMap, HashSet};
use gik_base::{Cancel, FileKey, Result};

use super::changes::Difference;
use super::lines::{Hunk, LineNumbers, hunks, lines};
use super::{Commit, Repository};
use crate::objects::{EntryKind, Kind, ObjectId, entries};

/// So many commits are looked at: beyond, a line is told to be older.
const MOST_COMMITS: usize = 50_000;
/// A file is another under a new name where this share of its lines, in percent, is the same.
const LIKENESS: usize = 50;
/// So many files that went are compared with one that came.
const MOST_COMPARED: usize = 200;

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The commit.
    pub commit: Commit,
    /// The key that the file had there; `None` where it lay outside of the workspace.
    pub key: Option<String>,
    /// Lines of the text at hand that it wrote, counted from 1.
    pub lines: Vec<u32>,
    /// Lines of the text at hand in whose place something stood that it wrote, and that was replaced since.
    pub replaced: Vec<u32>,
}

/// The commits behind some lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traced {
    /// Newest first.
    pub origins: Vec<Origin>,
    /// Lines that no commit has.
    pub uncommitted: Vec<u32>,
    /// Lines that are older than what was looked at.
    pub older: Vec<u32>,
    /// Whether the commit that is checked out has the file, under this name or another.
    pub is_known: bool,
}

impl Traced {
    /// Adds lines of a commit. Clocks that were wrong can bring one up more than once.
    fn take(&mut self, origin: Origin) {
        let same =
            |known: &&mut Origin| known.commit.id == origin.commit.id && known.key == origin.key;
        let Some(known) = self.origins.iter_mut().find(same) else {
            self.origins.push(origin);
            return;
        };
        let join = |known: &mut Vec<u32>, new: Vec<u32>| {
            known.extend(new);
            known.sort_unstable();
            known.dedup();
        };
        join(&mut known.lines, origin.lines);
        join(&mut known.replaced, origin.replaced);
    }
}

/// A line on its way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    /// In the text at hand, from 0.
    now: u32,
    /// In the file of the commit, from 0.
    then: usize,
    /// Whether it is still that line, or one that stood in its place.
    is_same: bool,
}

/// A file of a commit, newest first.
type Suspect = (std::cmp::Reverse<i64>, ObjectId, Vec<u8>);

struct Trace<'r> {
    repository: &'r Repository,
    commits: HashMap<ObjectId, Commit>,
    /// Where a path leads from a folder.
    found: HashMap<(ObjectId, Vec<u8>), Option<ObjectId>>,
    open: BTreeMap<Suspect, Vec<Line>>,
}

impl Repository {
    /// Follows lines of a file, counted from 1, to the commits they come from; at most `most` commits that wrote what
    /// stood there before are told as well.
    pub fn trace(
        &self,
        key: &FileKey,
        text: &[u8],
        wanted: RangeInclusive<u32>,
        most: usize,
        cancel: &Cancel,
    ) -> Result<Traced> {
        let mut trace = Trace {
            repository: self,
            commits: HashMap::default(),
            found: HashMap::default(),
            open: BTreeMap::new(),
        };
        let mut traced = Traced::default();
        let wanted = wanted.start().saturating_sub(1)..*wanted.end();
        let path = self.path_of(key);
        let Some((head, blob)) = trace.file(&self.head, &path) else {
            traced.uncommitted = wanted.map(|line| line + 1).collect();
            return Ok(traced);
        };
        traced.is_known = true;
        let old = trace.text(&blob);
        let all: Vec<Line> =
            wanted.map(|now| Line { now, then: now as usize, is_same: true }).collect();
        let (kept, changed) = carried(&all, &differences(&old, text));
        traced.uncommitted = changed.iter().map(|(line, _)| line.now + 1).collect();
        trace.push(&head, path, kept);
        trace.run(&mut traced, most, cancel)?;
        Ok(traced)
    }
}

impl Trace<'_> {
    fn run(&mut self, traced: &mut Traced, most: usize, cancel: &Cancel) -> Result<()> {
        for _ in 0..MOST_COMMITS {
            let Some(((_, id, path), lines)) = self.open.pop_first() else { return Ok(()) };
            cancel.check()?;
            let is_done = !lines.iter().any(|line| line.is_same)
                && !self.open.values().flatten().any(|line| line.is_same);
            if is_done && traced.origins.len() >= most {
                return Ok(());
            }
            let Some(commit) = self.commits.get(&id).cloned() else { continue };
            self.step(&commit, &path, lines, traced);
        }
        let open = std::mem::take(&mut self.open);
        let older = open.into_values().flatten().filter(|line| line.is_same);
        traced.older = older.map(|line| line.now + 1).collect();
        traced.older.sort_unstable();
        Ok(())
    }

    /// Gives the lines of a file of a commit to its parents as far as they have them, and the others to the commit.
    fn step(&mut self, commit: &Commit, path: &[u8], mut lines: Vec<Line>, traced: &mut Traced) {
        let Some(blob) = self.blob_at(commit, path) else { return };
        let mut before: Vec<(Commit, Vec<u8>, ObjectId)> = Vec::new();
        for parent in &commit.parents {
            let Some((parent, there)) = self.file_before(commit, &blob, parent, path) else {
                continue;
            };
            before.push((parent, there.0, there.1));
        }
        // A merge that took the file of one side as it was has changed none of its lines.
        if let Some(at) = before.iter().position(|(_, _, id)| *id == blob) {
            let (parent, path, _) = before.swap_remove(at);
            self.push(&parent, path, lines);
            return;
        }
        let new = self.text(&blob);
        let mut replaced: Vec<(Commit, Vec<u8>, Vec<Line>)> = Vec::new();
        for (parent, path, id) in before {
            let old = self.text(&id);
            let (kept, changed) = carried(&lines, &differences(&old, &new));
            let stood_there: Vec<Line> =
                changed.iter().filter_map(|(line, hunk)| stood(line, hunk)).collect();
            lines = changed.into_iter().map(|(line, _)| line).collect();
            replaced.push((parent.clone(), path.clone(), stood_there));
            self.push(&parent, path, kept);
        }
        if lines.is_empty() {
            return;
        }
        for (parent, path, stood_there) in replaced {
            self.push(&parent, path, stood_there);
        }
        let of = |is_same: bool| -> Vec<u32> {
            let mut numbers: Vec<u32> = lines
                .iter()
                .filter(|line| line.is_same == is_same)
                .map(|line| line.now + 1)
                .collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let origin = Origin {
            commit: commit.clone(),
            key: self.repository.key_of(path),
            lines: of(true),
            replaced: of(false),
        };
        traced.take(origin);
    }

    fn push(&mut self, commit: &Commit, path: Vec<u8>, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        self.commits.entry(commit.id).or_insert_with(|| commit.clone());
        let suspect = (std::cmp::Reverse(commit.committed), commit.id, path);
        let known = self.open.entry(suspect).or_default();
        let seen: HashSet<(u32, usize, bool)> =
            known.iter().map(|line| (line.now, line.then, line.is_same)).collect();
        known.extend(
            lines.into_iter().filter(|line| !seen.contains(&(line.now, line.then, line.is_same))),
        );
    }

    /// The commit and the content that a path has there.
    fn file(&mut self, id: &ObjectId, path: &[u8]) -> Option<(Commit, ObjectId)> {
        let commit = self.repository.commit(id)?;
        let blob = self.blob_at(&commit, path)?;
        Some((commit, blob))
    }

    fn blob_at(&mut self, commit: &Commit, path: &[u8]) -> Option<ObjectId> {
        self.look_up(commit.tree, path)
    }

    /// What a path leads to. Folders that did not change are looked into once.
    fn look_up(&mut self, tree: ObjectId, path: &[u8]) -> Option<ObjectId> {
        let memory = (tree, path.to_vec());
        if let Some(known) = self.found.get(&memory) {
            return *known;
        }
        let mut parts = path.splitn(2, |byte| *byte == b'/');
        let (name, rest) = (parts.next()?, parts.next());
        let entry = self.repository.objects.read(&tree, Kind::Tree).and_then(|bytes| {
            let entry = entries(&bytes, tree.n_bytes()).find(|entry| entry.name == name)?;
            Some((entry.id, entry.kind))
        });
        let found = match (entry, rest) {
            (Some((id, EntryKind::File)), None) => Some(id),
            (Some((id, EntryKind::Folder)), Some(rest)) => self.look_up(id, rest),
            _ => None,
        };
        self.found.insert(memory, found);
        found
    }

    /// The parent, and the path and content that the file had there.
    fn file_before(
        &mut self,
        commit: &Commit,
        blob: &ObjectId,
        parent: &ObjectId,
        path: &[u8],
    ) -> Option<(Commit, (Vec<u8>, ObjectId))> {
        let parent = self.repository.commit(parent)?;
        if let Some(id) = self.blob_at(&parent, path) {
            return Some((parent, (path.to_vec(), id)));
        }
        let all = usize::MAX;
        let difference =
            Difference::of(&self.repository.objects, Some(parent.tree), Some(commit.tree), all);
        if let Some(moved) = difference.moved_from(blob) {
            return Some((parent, moved.clone()));
        }
        let new = self.text(blob);
        let most_alike = difference
            .removed
            .iter()
            .take(MOST_COMPARED)
            .map(|file| (likeness(&self.text(&file.1), &new), file))
            .filter(|(likeness, _)| *likeness >= LIKENESS)
            .max_by(|(a, one), (b, other)| a.cmp(b).then_with(|| other.0.cmp(&one.0)))?;
        Some((parent, most_alike.1.clone()))
    }

    fn text(&self, blob: &ObjectId) -> Vec<u8> {
        self.repository
            .objects
            .read(blob, Kind::Blob)
            .map(|bytes| bytes.to_vec())
            .unwrap_or_default()
    }
}

fn differences(old: &[u8], new: &[u8]) -> Vec<Hunk> {
    let mut numbers = LineNumbers::default();
    let (old, new) = (numbers.of(old), numbers.of(new));
    hunks(&old, &new)
}

/// The lines that the old text has, with their places there, and the others with the hunk they are in.
fn carried(lines: &[Line], hunks: &[Hunk]) -> (Vec<Line>, Vec<(Line, Hunk)>) {
    let (mut kept, mut changed) = (Vec::new(), Vec::new());
    for line in lines {
        let at = hunks.partition_point(|hunk| hunk.new.end <= line.then);
        if let Some(hunk) = hunks.get(at).filter(|hunk| hunk.new.contains(&line.then)) {
            changed.push((*line, hunk.clone()));
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| hunks.get(at));
        let (old_end, new_end) = before.map_or((0, 0), |hunk| (hunk.old.end, hunk.new.end));
        kept.push(Line { then: line.then - new_end + old_end, ..*line });
    }
    (kept, changed)
}

/// The lines that stood where a line is now: the one at the same place of what was replaced, or the last of it.
fn stood(line: &Line, hunk: &Hunk) -> Option<Line> {
    let last = hunk.old.end.checked_sub(1).filter(|last| *last >= hunk.old.start)?;
    let then = (hunk.old.start + (line.then - hunk.new.start)).min(last);
    Some(Line { then, is_same: false, ..*line })
}

/// The share of lines that two texts have in common, in percent of the longer one.
fn likeness(old: &[u8], new: &[u8]) -> usize {
    let longer = lines(old).count().max(lines(new).count());
    if longer == 0 {
        return 0;
    }
    let mut counts: HashMap<&[u8], usize> = HashMap::default();
    for line in lines(old) {
        *counts.entry(line).or_default() += 1;
    }
    let same = lines(new)
        .filter(|line| match counts.get_mut(line) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            },
            _ => false,
        })
        .count();
    same * 100 / longer
}
