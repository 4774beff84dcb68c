//! Which files differ between two trees of git?

use std::collections::BTreeMap;

use crate::objects::{EntryKind, Kind, ObjectId, Objects, entries};

/// So many folders are compared at most: trees can be made that unfold without end.
const MOST_FOLDERS: usize = 200_000;
/// A longer path is no path.
const LONGEST_PATH: usize = 4096;
/// Folders that lie deeper are not looked into: a tree may name itself.
const DEEPEST_FOLDER: usize = 256;

/// A file at a path, as bytes, with its content.
pub(crate) type FileAt = (Vec<u8>, ObjectId);

/// The files that differ between two trees, each list in the order of the paths.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) added: Vec<FileAt>,
    pub(crate) removed: Vec<FileAt>,
    /// With the new content.
    pub(crate) modified: Vec<FileAt>,
    /// Whether there are more than were asked for.
    pub(crate) is_cut: bool,
}

impl Difference {
    /// The files that differ, up to `most`.
    pub(crate) fn of(
        objects: &Objects,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        most: usize,
    ) -> Self {
        let mut found = Self::default();
        let mut walk =
            Walk { objects, most, folders: 0, depth: 0, path: Vec::new(), found: &mut found };
        walk.folders(old, new);
        found
    }

    fn len(&self) -> usize {
        self.added.len() + self.removed.len() + self.modified.len()
    }

    /// The removed file that an added one was, where they have the same content.
    pub(crate) fn moved_from(&self, added: &ObjectId) -> Option<&FileAt> {
        self.removed.iter().find(|(_, id)| id == added)
    }
}

struct Walk<'a> {
    objects: &'a Objects,
    most: usize,
    folders: usize,
    depth: usize,
    path: Vec<u8>,
    found: &'a mut Difference,
}

type Entries<'t> = BTreeMap<&'t [u8], (ObjectId, EntryKind)>;

fn names(tree: Option<&[u8]>, id_bytes: usize) -> Entries<'_> {
    let entries = entries(tree.unwrap_or_default(), id_bytes);
    entries.map(|entry| (entry.name, (entry.id, entry.kind))).collect()
}

impl Walk<'_> {
    fn folders(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) {
        self.folders += 1;
        let is_deep = self.path.len() > LONGEST_PATH || self.depth > DEEPEST_FOLDER;
        if old == new || is_deep || self.found.is_cut {
            return;
        }
        if self.folders > MOST_FOLDERS || self.found.len() >= self.most {
            self.found.is_cut = true;
            return;
        }
        let tree = |id: Option<ObjectId>| self.objects.read(&id?, Kind::Tree);
        let id_bytes = old.or(new).map_or(0, |id| id.n_bytes());
        let (old, new) = (tree(old), tree(new));
        let (old, new) = (names(old.as_deref(), id_bytes), names(new.as_deref(), id_bytes));
        let mut all: Vec<&[u8]> = old.keys().chain(new.keys()).copied().collect();
        all.sort_unstable();
        all.dedup();
        for name in all {
            let (before, after) = (old.get(name).copied(), new.get(name).copied());
            if before == after {
                continue;
            }
            let length = self.path.len();
            if length > 0 {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(name);
            self.entry(before, after);
            self.path.truncate(length);
        }
    }

    fn entry(&mut self, old: Option<(ObjectId, EntryKind)>, new: Option<(ObjectId, EntryKind)>) {
        let of = |entry: Option<(ObjectId, EntryKind)>, wanted| {
            entry.filter(|(_, kind)| *kind == wanted).map(|(id, _)| id)
        };
        let folders = (of(old, EntryKind::Folder), of(new, EntryKind::Folder));
        if folders != (None, None) {
            self.depth += 1;
            self.folders(folders.0, folders.1);
            self.depth -= 1;
        }
        let path = || self.path.clone();
        match (of(old, EntryKind::File), of(new, EntryKind::File)) {
            (None, None) => {},
            (None, Some(id)) => self.found.added.push((path(), id)),
            (Some(id), None) => self.found.removed.push((path(), id)),
            // A file that can be run now differs in no line.
            (Some(old), Some(new)) if old == new => {},
            (Some(_), Some(new)) => self.found.modified.push((path(), new)),
        }
        if self.found.len() >= self.most {
            self.found.is_cut = true;
        }
    }
}
