//! All files of a project, as far as resolution asks for them: what they hold, and that it was looked at.

use std::cell::RefCell;

use gik_base::collections::HashMap;

use super::layout::{Layout, defined_key, file_key, folder_key, name_key, package_key};
use super::table::Table;
use crate::facts::SymbolKind;

/// Where tables come from: all of them in memory, or read when they are asked for.
pub trait Tables {
    /// The table of a file, by its place among all files; none where the file has none.
    fn table(&self, file: u32) -> Option<&Table>;

    /// The language of a file that has a table.
    fn language(&self, file: u32) -> Option<&str>;

    /// The files that define a name, in order: no more than one beyond [`DEFINING_MAX`].
    fn defining(&self, name: &str) -> Vec<u32>;

    /// The definitions of a name, by file; for names that few files define.
    fn definitions(&self, name: &str) -> Vec<Definition>;

    /// The place of a definition in its file.
    fn symbol(&self, definition: &Definition) -> u32;

    /// The files that say they are part of a package, in order; for languages whose packages are not folders.
    fn of_package(&self, package: &str) -> &[u32];
}

/// Where a definition is: what can be told without the table of its file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// The place of the file among all files.
    pub file: u32,
    /// What [`Tables::symbol`] knows it by.
    pub row: i64,
    /// What it is.
    pub kind: SymbolKind,
    /// What it stands in.
    pub container: Option<String>,
}

/// A name that more files define says nothing.
pub const DEFINING_MAX: usize = 16;

/// All tables, in memory.
#[derive(Debug, Default)]
pub struct AllTables {
    tables: Vec<Option<Table>>,
    defining: HashMap<String, Vec<u32>>,
    packages: HashMap<String, Vec<u32>>,
}

impl AllTables {
    /// The tables of all files, by place.
    pub fn new(tables: Vec<Option<Table>>) -> Self {
        let mut defining: HashMap<String, Vec<u32>> = HashMap::default();
        let mut packages: HashMap<String, Vec<u32>> = HashMap::default();
        for (place, table) in (0..).zip(&tables) {
            if let Some(package) = table.as_ref().and_then(Table::package) {
                packages.entry(package.to_owned()).or_default().push(place);
            }
            for name in table.iter().flat_map(Table::names) {
                let files = defining.entry(name.to_owned()).or_default();
                if files.last() != Some(&place) && files.len() <= DEFINING_MAX {
                    files.push(place);
                }
            }
        }
        Self { tables, defining, packages }
    }

    /// All of them, by place.
    pub fn all(&self) -> &[Option<Table>] {
        &self.tables
    }
}

impl Tables for AllTables {
    fn table(&self, file: u32) -> Option<&Table> {
        self.tables.get(file as usize)?.as_ref()
    }

    fn language(&self, file: u32) -> Option<&str> {
        self.table(file).map(|table| table.facts.language.as_str())
    }

    fn defining(&self, name: &str) -> Vec<u32> {
        self.defining.get(name).cloned().unwrap_or_default()
    }

    fn definitions(&self, name: &str) -> Vec<Definition> {
        let mut found = Vec::new();
        for file in self.defining(name) {
            let symbols = self.table(file).map(|table| table.facts.symbols.as_slice());
            let named =
                (0_u32..).zip(symbols.unwrap_or_default()).filter(|(_, one)| one.name == name);
            found.extend(named.map(|(symbol, one)| {
                let container = one.container.clone();
                Definition { file, row: i64::from(symbol), kind: one.kind, container }
            }));
        }
        found
    }

    fn symbol(&self, definition: &Definition) -> u32 {
        u32::try_from(definition.row).unwrap_or_default()
    }

    fn of_package(&self, package: &str) -> &[u32] {
        self.packages.get(package).map_or(&[], Vec::as_slice)
    }
}

/// What was looked at while the edges of a file were found, as keys: where one of them changes, so may the edges.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    keys: RefCell<Vec<u32>>,
    /// A bit for each file that is noted already, by place: all files of a package are asked for every name.
    files: RefCell<Vec<u64>>,
}

impl Looked {
    pub(crate) fn take(&self) -> Vec<u32> {
        let mut keys = std::mem::take(&mut *self.keys.borrow_mut());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn note_file(&self, file: u32, layout: &Layout) {
        let mut files = self.files.borrow_mut();
        let (word, bit) = (file as usize / 64, 1 << (file % 64));
        if files.len() <= word {
            files.resize(word + 1, 0);
        }
        if files[word] & bit == 0 {
            files[word] |= bit;
            self.keys.borrow_mut().push(layout.key_of(file));
        }
    }

    fn note(&self, key: u32) {
        let mut keys = self.keys.borrow_mut();
        // The same file is asked again and again.
        if !keys.iter().rev().take(16).any(|known| *known == key) {
            keys.push(key);
        }
    }
}

/// A project to look things up in, noting what was looked at.
pub(crate) struct Project<'p> {
    pub(crate) layout: &'p Layout,
    pub(crate) tables: &'p dyn Tables,
    pub(crate) looked: Looked,
}

impl<'p> Project<'p> {
    /// The table of a file.
    pub(crate) fn table(&self, file: u32) -> Option<&'p Table> {
        self.looked.note_file(file, self.layout);
        self.tables.table(file)
    }

    /// The file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<u32> {
        let key = file_key(path);
        self.looked.note(key);
        self.layout.place(path, key)
    }

    /// The files of a folder.
    pub(crate) fn files_in(&self, folder: &str) -> &'p [u32] {
        self.looked.note(folder_key(folder));
        self.layout.files_in(folder)
    }

    /// The folders that absolute imports of Python start from and that hold something of this name, in order.
    pub(crate) fn python_roots_with(&self, name: &str) -> impl DoubleEndedIterator<Item = &'p str> {
        self.looked.note(name_key(name));
        self.layout.python_roots_with(name)
    }

    /// The files that define a name, as far as so many may be meant.
    pub(crate) fn files_defining(&self, name: &str) -> Vec<u32> {
        self.looked.note(defined_key(name));
        self.tables.defining(name)
    }

    /// The language of a file that takes part.
    pub(crate) fn language(&self, file: u32) -> Option<&'p str> {
        self.looked.note_file(file, self.layout);
        self.tables.language(file)
    }

    /// What some files define by a name.
    pub(crate) fn definitions_in(&self, files: &[u32], name: &str) -> Vec<Definition> {
        for file in files {
            self.looked.note_file(*file, self.layout);
        }
        if files.is_empty() { Vec::new() } else { self.tables.definitions(name) }
    }

    /// The files of a package.
    pub(crate) fn files_of_package(&self, package: &str) -> &'p [u32] {
        self.looked.note(package_key(package));
        self.tables.of_package(package)
    }
}
