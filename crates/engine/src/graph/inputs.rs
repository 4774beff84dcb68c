//! What the index knows of a file, as facts that edges are found from.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use gik_base::collections::HashMap;
use gik_base::{Failure, Result};
use gik_graph::resolve::{DEFINING_MAX, Definition, Table, Tables, names_packages};
use gik_graph::{FileFacts, ReferenceFact, Role, ScopeFact, ScopeKind, SymbolFact, SymbolKind};
use gik_index::FileNo;
use gik_parse::ReferenceRole;
use gik_store::{
    FileOrigin, FileRow, FileState, ReferenceRow, ScopeRow, Snapshot, Stage, SymbolPlace, SymbolRow,
};

use crate::ingest::Recent;
use crate::projection::text_on_disk;

/// Whether edges can leave or reach a file.
pub(super) fn takes_part(file: &FileRow) -> bool {
    file.state == FileState::Indexed && file.stage == Stage::Structure && !file.language.is_empty()
}

/// The text of a file; none where it is not what the index saw.
fn text(root: &Path, snapshot: &Snapshot<'_>, file: &FileRow) -> Result<Option<String>> {
    match file.origin {
        FileOrigin::File => Ok(text_on_disk(root, file)),
        FileOrigin::Archive | FileOrigin::Url => snapshot.content_of(file.id),
    }
}

/// The package that a file says it is part of. One that is not what the index saw is added to `unread`.
pub(super) fn package(
    root: &Path,
    snapshot: &Snapshot<'_>,
    recent: &Recent,
    file: &FileRow,
    unread: &mut Vec<FileNo>,
) -> Result<Option<String>> {
    if !names_packages(&file.language) {
        return Ok(None);
    }
    if let Some(known) = recent.get(file.id) {
        let place = place_of_package(&known.said.scopes);
        return Ok(place.map(|place| str_at(&known.text, place)));
    }
    let known = snapshot.facts_of(file.id)?;
    let Some(place) = place_of_package(&known.scopes) else { return Ok(None) };
    let Some(text) = text(root, snapshot, file)? else {
        unread.push(file.id);
        return Ok(None);
    };
    Ok(Some(str_at(&text, place)))
}

/// Where a file names the package that it is part of.
fn place_of_package(scopes: &[ScopeRow]) -> Option<Range<u32>> {
    let said = scopes.iter().find(|fact| fact.kind == ScopeKind::Package as u8)?;
    Some(said.name.clone().unwrap_or_default())
}

fn str_at(text: &str, place: Range<u32>) -> String {
    text.get(place.start as usize..place.end as usize).unwrap_or_default().to_owned()
}

fn facts(
    file: &FileRow,
    symbols: &[SymbolRow],
    references: &[ReferenceRow],
    scopes: &[ScopeRow],
    text: String,
) -> FileFacts {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    FileFacts {
        path: file.key.as_str().to_owned(),
        language: file.language.to_string(),
        text,
        symbols: symbols
            .iter()
            .map(|symbol| SymbolFact {
                kind: SymbolKind::from_word(&symbol.kind),
                bytes: place(symbol.bytes.start)..place(symbol.bytes.end),
                name_start: place(symbol.name_start),
                is_public: symbol.visibility.as_deref() != Some("private"),
                name: symbol.name.clone(),
                container: symbol.container.clone(),
            })
            .collect(),
        references: references
            .iter()
            .filter_map(|reference| {
                Some(ReferenceFact {
                    name: reference.name.clone(),
                    role: role(ReferenceRole::from_number(reference.role)?),
                    receiver: reference.receiver.clone(),
                })
            })
            .collect(),
        scopes: scopes
            .iter()
            .filter_map(|fact| {
                Some(ScopeFact {
                    kind: ScopeKind::from_number(fact.kind)?,
                    name: fact.name.clone(),
                    from: fact.from.clone(),
                    alias: fact.alias.clone(),
                })
            })
            .collect(),
    }
}

fn role(role: ReferenceRole) -> Role {
    match role {
        ReferenceRole::Call => Role::Call,
        ReferenceRole::Usage => Role::Usage,
        ReferenceRole::Import => Role::Import,
        ReferenceRole::Type => Role::Type,
        ReferenceRole::Write => Role::Write,
    }
}

/// Which files say that they are part of which package.
#[derive(Debug)]
pub(super) enum Packages {
    /// By package.
    Read(HashMap<String, Vec<u32>>),
    /// As the index keeps them, but for these places.
    Kept(BTreeMap<u32, Option<String>>),
}

/// All files of the index, and where each row is among them: made once for all who look at these files.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    pub(super) files: &'a [FileRow],
    /// What was just read of some.
    pub(super) recent: &'a Recent,
    by_row: OnceLock<HashMap<u32, u32>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(files: &'a [FileRow], recent: &'a Recent) -> Self {
        Self { files, recent, by_row: OnceLock::new() }
    }

    /// The places of files that take part, by row.
    fn places(&self) -> &HashMap<u32, u32> {
        self.by_row.get_or_init(|| {
            let parts = (0..).zip(self.files).filter(|(_, file)| takes_part(file));
            parts.map(|(place, file)| (file.id.0, place)).collect()
        })
    }
}

/// Tables that are read when they are asked for.
pub(super) struct Lazy<'a> {
    root: &'a Path,
    snapshot: &'a Snapshot<'a>,
    rows: &'a Rows<'a>,
    packages: &'a Packages,
    /// Those that the index keeps.
    kept_packages: OnceCell<HashMap<String, Vec<u32>>>,
    tables: Vec<OnceCell<Option<Box<Table>>>>,
    /// Files that were asked for and are not what the index saw.
    unread: RefCell<Vec<FileNo>>,
    /// The files that define a name, as far as that was asked.
    defining: RefCell<HashMap<String, Vec<u32>>>,
    /// The same for definitions themselves.
    definitions: RefCell<HashMap<String, Vec<Definition>>>,
    /// The first failure; questions cannot tell it.
    failure: RefCell<Option<Failure>>,
}

impl<'a> Lazy<'a> {
    pub(super) fn new(
        root: &'a Path,
        snapshot: &'a Snapshot<'a>,
        rows: &'a Rows<'a>,
        packages: &'a Packages,
    ) -> Self {
        let tables = rows.files.iter().map(|_| OnceCell::new()).collect();
        Self {
            root,
            snapshot,
            rows,
            packages,
            kept_packages: OnceCell::new(),
            tables,
            unread: RefCell::default(),
            defining: RefCell::default(),
            definitions: RefCell::default(),
            failure: RefCell::new(None),
        }
    }

    /// Fails where reading a table failed.
    pub(super) fn check(&self) -> Result<()> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// The files that were asked for and are not what the index saw.
    pub(super) fn into_unread(self) -> Vec<FileNo> {
        self.unread.into_inner()
    }

    fn or_note<T: Default>(&self, read: Result<T>) -> T {
        read.unwrap_or_else(|failure| {
            self.failure.borrow_mut().get_or_insert(failure);
            T::default()
        })
    }

    fn find(&self, name: &str) -> Result<Vec<u32>> {
        let places = self.rows.places();
        // Which they are does not matter where there are too many.
        let is_wanted = |file: FileNo| places.contains_key(&file.0);
        let files = self.snapshot.files_naming(name, DEFINING_MAX + 1, is_wanted)?;
        let mut found: Vec<u32> =
            files.iter().filter_map(|file| places.get(&file.0).copied()).collect();
        found.sort_unstable();
        Ok(found)
    }

    fn find_definitions(&self, name: &str) -> Result<Vec<Definition>> {
        let definition = |found: SymbolPlace| {
            Some(Definition {
                file: *self.rows.places().get(&found.file.0)?,
                row: found.row,
                kind: SymbolKind::from_word(&found.kind),
                container: found.container,
            })
        };
        let places = self.snapshot.places_of(name)?;
        let mut found: Vec<Definition> = places.into_iter().filter_map(definition).collect();
        found.sort_unstable();
        Ok(found)
    }

    /// The packages that the index keeps, but for some places.
    fn read_packages(
        &self,
        but: &BTreeMap<u32, Option<String>>,
    ) -> Result<HashMap<String, Vec<u32>>> {
        let places = self.rows.places();
        let known = self.snapshot.graph_packages()?.into_iter();
        let known = known.filter_map(|(file, package)| Some((*places.get(&file.0)?, package)));
        let mut by_place: BTreeMap<u32, Option<String>> =
            known.map(|(place, package)| (place, Some(package))).collect();
        by_place.extend(but.iter().map(|(place, package)| (*place, package.clone())));
        let mut packages: HashMap<String, Vec<u32>> = HashMap::default();
        for (place, package) in by_place {
            if let Some(package) = package {
                packages.entry(package).or_default().push(place);
            }
        }
        Ok(packages)
    }

    fn read(&self, file: &FileRow) -> Result<Option<Table>> {
        if !takes_part(file) {
            return Ok(None);
        }
        if let Some(known) = self.rows.recent.get(file.id) {
            let said = &known.said;
            let text = known.text.clone();
            return Ok(Some(Table::new(facts(
                file,
                &known.symbols,
                &said.references,
                &said.scopes,
                text,
            ))));
        }
        let Some(text) = text(self.root, self.snapshot, file)? else {
            self.unread.borrow_mut().push(file.id);
            return Ok(None);
        };
        let symbols = self.snapshot.symbols_of(file.id)?;
        let known = self.snapshot.facts_of(file.id)?;
        Ok(Some(Table::new(facts(file, &symbols, &known.references, &known.scopes, text))))
    }
}

impl Tables for Lazy<'_> {
    fn table(&self, file: u32) -> Option<&Table> {
        let table = self.tables.get(file as usize)?.get_or_init(|| {
            let row = &self.rows.files[file as usize];
            self.or_note(self.read(row)).map(Box::new)
        });
        table.as_deref()
    }

    fn language(&self, file: u32) -> Option<&str> {
        self.rows
            .files
            .get(file as usize)
            .filter(|file| takes_part(file))
            .map(|file| &*file.language)
    }

    fn definitions(&self, name: &str) -> Vec<Definition> {
        if let Some(known) = self.definitions.borrow().get(name) {
            return known.clone();
        }
        let found = self.or_note(self.find_definitions(name));
        self.definitions.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn symbol(&self, definition: &Definition) -> u32 {
        self.or_note(self.snapshot.nth_symbol(definition.row))
    }

    fn defining(&self, name: &str) -> Vec<u32> {
        if let Some(known) = self.defining.borrow().get(name) {
            return known.clone();
        }
        let found = self.or_note(self.find(name));
        self.defining.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn of_package(&self, package: &str) -> &[u32] {
        let packages = match self.packages {
            Packages::Read(packages) => packages,
            Packages::Kept(but) => {
                self.kept_packages.get_or_init(|| self.or_note(self.read_packages(but)))
            },
        };
        packages.get(package).map_or(&[], Vec::as_slice)
    }
}
