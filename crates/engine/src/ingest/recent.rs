//! What was just read of files, for who goes on with the index at once: edges and contract files need the same texts,
//! symbols and facts, and reading them again takes longer than keeping them.

use gik_base::collections::HashMap;
use gik_index::FileNo;
use gik_store::{ReferenceRow, ScopeRow, SymbolRow};

/// So much text is kept; with what was found in it, it takes about three times as much.
const MOST_BYTES: usize = 48 << 20;

/// Files as the index holds them since a moment ago; as many as there is room for.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    files: HashMap<FileNo, RecentFile>,
    bytes: usize,
}

/// A file that was taken apart.
#[derive(Debug)]
pub(crate) struct RecentFile {
    pub(crate) text: String,
    /// In the order in which the index gives them.
    pub(crate) symbols: Vec<SymbolRow>,
    pub(crate) said: Said,
}

/// What a file says of names.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) references: Vec<ReferenceRow>,
    pub(crate) scopes: Vec<ScopeRow>,
}

impl Recent {
    pub(super) fn add(&mut self, id: FileNo, mut file: RecentFile) {
        if self.bytes + file.text.len() > MOST_BYTES {
            return;
        }
        self.bytes += file.text.len();
        file.symbols.iter_mut().for_each(|symbol| symbol.file = id);
        self.files.insert(id, file);
    }

    pub(crate) fn get(&self, id: FileNo) -> Option<&RecentFile> {
        self.files.get(&id)
    }
}
