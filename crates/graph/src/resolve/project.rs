//! All files of a project, as far as resolution asks for them: which there are, what they hold, how modules are named.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gik_base::collections::{HashMap, HashSet};
use gik_base::hash::fast64;

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
}

impl AllTables {
    /// The tables of all files, by place.
    pub fn new(tables: Vec<Option<Table>>) -> Self {
        let mut defining: HashMap<String, Vec<u32>> = HashMap::default();
        for (place, table) in (0..).zip(&tables) {
            for name in table.iter().flat_map(Table::names) {
                let files = defining.entry(name.to_owned()).or_default();
                if files.last() != Some(&place) && files.len() <= DEFINING_MAX {
                    files.push(place);
                }
            }
        }
        Self { tables, defining }
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
}

/// Which files there are, and what their manifests say about the names of modules.
#[derive(Debug, Default)]
pub struct Layout {
    /// Every path, sorted.
    paths: Vec<String>,
    /// The key of each: names are looked for in the same files again and again.
    keys: Vec<u32>,
    /// Which files are in each folder.
    folders: HashMap<String, Vec<u32>>,
    /// Files by the package they name, for languages whose packages are not folders.
    packages: HashMap<String, Vec<u32>>,
    /// Folders that absolute imports of Python start from.
    python_roots: BTreeSet<String>,
    /// Those of them that hold something of a name, by that name.
    python_tops: BTreeMap<String, BTreeSet<String>>,
    /// What manifests say.
    pub(crate) manifests: Manifests,
}

/// What manifests say about the names of modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifests {
    /// Packages of JavaScript by name.
    pub node: BTreeMap<String, NodePackage>,
    /// Settings of TypeScript, by the folder they are for.
    pub scripts: BTreeMap<String, ScriptPaths>,
    /// Modules of Go: their path and their folder.
    pub go: BTreeMap<String, String>,
    /// Crates of Rust: their name in code and the file they start at.
    pub crates: BTreeMap<String, CrateRoot>,
    /// Namespaces of PHP with the folders that hold them (PSR-4).
    pub php: BTreeMap<String, Vec<String>>,
    /// Names that files of a package of JavaScript give to others (`#name`), by the folder of the package.
    pub subpaths: BTreeMap<String, Vec<(String, Vec<String>)>>,
    /// Folders that hold what is built from TypeScript, and those that its sources may be in.
    pub built: BTreeMap<String, Vec<String>>,
    /// Folders whose files are named by the constants of Ruby that they define.
    pub autoloaded: BTreeSet<String>,
    /// Folders that C includes start from, sorted.
    pub includes: Vec<String>,
}

/// A package of JavaScript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodePackage {
    /// Its folder; empty at the root.
    pub folder: String,
    /// What it offers: a path after the name (`.` for the name alone) and files of the package that may be meant, best
    /// first. A path may hold one `*`.
    pub exports: Vec<(String, Vec<String>)>,
}

/// What a `tsconfig.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptPaths {
    /// The folder that plain names start from.
    pub base: Option<String>,
    /// Patterns with at most one `*`, and what they stand for, from the root of the workspace.
    pub paths: Vec<(String, Vec<String>)>,
}

/// Where a crate starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrateRoot {
    /// The folder of its manifest.
    pub folder: String,
    /// Its first file.
    pub file: String,
}

impl Layout {
    /// Notes all files, sorted by path.
    pub fn of(paths: Vec<String>) -> Self {
        let keys = paths.iter().map(|path| file_key(path)).collect();
        let mut folders = HashMap::<String, Vec<u32>>::default();
        for (at, path) in (0..).zip(&paths) {
            let folder = folder_of(path);
            match folders.get_mut(folder) {
                Some(files) => files.push(at),
                None => drop(folders.insert(folder.to_owned(), vec![at])),
            }
        }
        let (python_roots, python_tops) = python_roots(&paths);
        Self { paths, keys, folders, python_roots, python_tops, ..Self::default() }
    }

    /// Notes what manifests say.
    pub fn with_manifests(self, manifests: Manifests) -> Self {
        Self { manifests, ..self }
    }

    /// Notes which files say that they are part of a package.
    pub fn with_packages(mut self, packages: impl IntoIterator<Item = (u32, String)>) -> Self {
        for (file, package) in packages {
            self.packages.entry(package).or_default().push(file);
        }
        self
    }

    /// A hash of all that many files depend on: manifests and roots. Where it changes, everything is resolved anew.
    pub fn ground(&self) -> u64 {
        fast64(format!("{:?} {:?}", self.python_roots, self.manifests).as_bytes())
    }

    pub(crate) fn path(&self, file: u32) -> &str {
        self.paths.get(file as usize).map_or("", String::as_str)
    }

    /// The key of a file, by its place.
    fn key_of(&self, file: u32) -> u32 {
        self.keys.get(file as usize).copied().unwrap_or_else(|| file_key(""))
    }

    fn place(&self, path: &str) -> Option<u32> {
        let at = self.paths.binary_search_by(|known| known.as_str().cmp(path)).ok()?;
        u32::try_from(at).ok()
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

/// The key of a file: of what others can see of it, and of whether it is there.
pub fn file_key(path: &str) -> u32 {
    key(path)
}

/// Short: of two things with one key, each is found anew when the other changes, and nothing worse.
fn key(text: &str) -> u32 {
    (fast64(text.as_bytes()) >> 32) as u32
}

/// The key of a definition: of which files define something of that name.
pub fn defined_key(name: &str) -> u32 {
    key(&format!("defined {name}"))
}

/// The key of a folder: of which files it holds.
pub fn folder_key(folder: &str) -> u32 {
    key(&format!("{folder}/"))
}

/// The key of a package: of which files say that they are part of it.
pub fn package_key(package: &str) -> u32 {
    key(&format!("package {package}"))
}

/// The key of a name: of where Python may find a module or package that is called so.
fn name_key(name: &str) -> u32 {
    key(&format!("name {name}"))
}

/// The keys of the names that a path gives to what it leads through.
pub fn name_keys(path: &str) -> impl Iterator<Item = u32> {
    parts(path).filter(|_| is_python(path)).map(|(_, name)| name_key(name))
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
        self.looked.note(file_key(path));
        self.layout.place(path)
    }

    /// The files of a folder.
    pub(crate) fn files_in(&self, folder: &str) -> &'p [u32] {
        self.looked.note(folder_key(folder));
        self.layout.folders.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The folders that absolute imports of Python start from and that hold something of this name, in order.
    pub(crate) fn python_roots_with(&self, name: &str) -> impl DoubleEndedIterator<Item = &'p str> {
        self.looked.note(name_key(name));
        self.layout.python_tops.get(name).into_iter().flatten().map(String::as_str)
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
        self.layout.packages.get(package).map_or(&[], Vec::as_slice)
    }
}

fn is_python(path: &str) -> bool {
    path.ends_with(".py") || path.ends_with(".pyi")
}

/// The folders that absolute imports of Python start from; and those of them that hold something of a name, by name.
fn python_roots(paths: &[String]) -> (BTreeSet<String>, BTreeMap<String, BTreeSet<String>>) {
    let modules = || paths.iter().filter(|path| is_python(path));
    let is_mark = |path: &&String| matches!(file_name(path), "__init__.py" | "__init__.pyi");
    let packages: HashSet<&str> = modules().filter(is_mark).map(|path| folder_of(path)).collect();
    let mut roots = HashSet::<&str>::default();
    for path in modules() {
        let mut folder = folder_of(path);
        while !folder.is_empty() && packages.contains(folder) {
            folder = folder_of(folder);
        }
        roots.insert(folder);
    }
    let mut tops = BTreeMap::<String, BTreeSet<String>>::new();
    // The same few names are met again and again.
    let mut met = HashSet::default();
    for part @ (folder, name) in modules().flat_map(|path| parts(path)) {
        if roots.contains(folder) && met.insert(part) {
            tops.entry(name.to_owned()).or_default().insert(folder.to_owned());
        }
    }
    (roots.into_iter().map(str::to_owned).collect(), tops)
}

/// Each folder above a path, with the name in it that leads on, without its ending.
fn parts(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let slashes = path.match_indices('/').map(|(at, _)| at);
    let starts = std::iter::once(0).chain(slashes.clone().map(|at| at + 1));
    starts.zip(slashes.chain(std::iter::once(path.len()))).map(|(start, end)| {
        let name = &path[start..end];
        (path[..start].trim_end_matches('/'), name.split('.').next().unwrap_or(name))
    })
}

/// The folder of a path; empty for one at the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path below a folder.
pub(crate) fn join(folder: &str, rest: &str) -> String {
    if folder.is_empty() { rest.to_owned() } else { format!("{folder}/{rest}") }
}

/// A path from a folder with `.` and `..` followed; none where it leaves the workspace.
pub(crate) fn join_relative(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {},
            ".." => {
                parts.pop()?;
            },
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
