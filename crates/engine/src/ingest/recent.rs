//! What was just read of files, for who goes on with the index at once: edges and contract files need the same texts,
//! symbols and facts, and reading them again takes longer than keeping them.

use gik_base::collections::HashMap;
use gik_index::FileNo;
use gik_store::{ReferenceRow, ScopeRow, SymbolRow};

/// So much memory is taken, as far as it can be told.
const MOST_BYTES: usize = 32 << 20;
/// A symbol, with the names that it holds.
const SYMBOL_BYTES: usize = size_of::<SymbolRow>() + 160;

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

impl RecentFile {
    fn memory_bytes(&self) -> usize {
        self.text.len()
            + self.symbols.len() * SYMBOL_BYTES
            + self.said.references.len() * size_of::<ReferenceRow>()
            + self.said.scopes.len() * size_of::<ScopeRow>()
    }
}

/// What a file says of names.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) references: Vec<ReferenceRow>,
    pub(crate) scopes: Vec<ScopeRow>,
}

impl Recent {
    pub(super) fn add(&mut self, id: FileNo, mut file: RecentFile) {
        let bytes = file.memory_bytes();
        if self.bytes + bytes > MOST_BYTES {
            return;
        }
        self.bytes += bytes;
        file.symbols.iter_mut().for_each(|symbol| symbol.file = id);
        self.files.insert(id, file);
    }

    pub(crate) fn get(&self, id: FileNo) -> Option<&RecentFile> {
        self.files.get(&id)
    }
}
