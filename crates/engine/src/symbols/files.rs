//! What is known of the files of symbols: rows by number, each read once.

use std::collections::hash_map::Entry;

use gik_base::Result;
use gik_base::collections::HashMap;
use gik_index::FileNo;
use gik_retrieve::signals::is_noise_file;
use gik_store::{FileRow, Snapshot};

/// A file, and what ranking asks of it.
#[derive(Debug, Clone)]
pub(crate) struct KnownFile {
    pub(crate) row: FileRow,
    pub(crate) is_noise: bool,
}

/// File rows of a snapshot by number.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    snapshot: &'a Snapshot<'a>,
    known: HashMap<FileNo, Option<KnownFile>>,
}

impl<'a> Files<'a> {
    pub(crate) fn of(snapshot: &'a Snapshot<'a>) -> Self {
        Self { snapshot, known: HashMap::default() }
    }

    /// The file with that number.
    pub(crate) fn get(&mut self, id: FileNo) -> Result<Option<&KnownFile>> {
        let known = match self.known.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unread) => {
                let row = self.snapshot.file(id)?;
                unread.insert(row.map(|row| KnownFile { is_noise: is_noise_file(&row), row }))
            },
        };
        Ok(known.as_ref())
    }
}
