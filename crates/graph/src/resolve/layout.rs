//! Which files there are, and how modules are named: what is told by paths and manifests alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use gik_base::collections::{HashMap, HashSet};
use gik_base::hash::fast64;

/// Which files there are, and what their manifests say about the names of modules. What takes a look at all files is
/// made when it is asked for: few of them change at a time, and most languages need little of it.
#[derive(Debug, Default)]
pub struct Layout {
    /// Every path, sorted.
    paths: Vec<String>,
    /// The key of each, where many are asked for: names are looked for in the same files again and again.
    keys: OnceLock<Vec<u32>>,
    /// The last file of each key, where many are asked for: most paths that are tried are those of no file.
    places: OnceLock<HashMap<u32, u32>>,
    /// Which files are in each folder.
    folders: OnceLock<HashMap<String, Vec<u32>>>,
    python: OnceLock<Python>,
    /// What manifests say.
    pub(crate) manifests: Manifests,
}

/// Where modules of Python are.
#[derive(Debug, Default)]
struct Python {
    /// Folders that absolute imports start from.
    roots: BTreeSet<String>,
    /// Those of them that hold something of a name, by that name.
    tops: BTreeMap<String, BTreeSet<String>>,
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
        Self { paths, ..Self::default() }
    }

    /// Makes all of it now, for who finds the edges of many files.
    #[must_use]
    pub fn at_once(self) -> Self {
        let keys = self.keys.get_or_init(|| self.paths.iter().map(|path| file_key(path)).collect());
        self.places.get_or_init(|| keys.iter().copied().zip(0..).collect());
        self.folders();
        self.python();
        self
    }

    /// Notes what manifests say.
    pub fn with_manifests(self, manifests: Manifests) -> Self {
        Self { manifests, ..self }
    }

    /// A hash of all that many files depend on: manifests and roots. Where it changes, everything is resolved anew.
    pub fn ground(&self) -> u64 {
        fast64(format!("{:?} {:?}", self.python().roots, self.manifests).as_bytes())
    }

    pub(crate) fn path(&self, file: u32) -> &str {
        self.paths.get(file as usize).map_or("", String::as_str)
    }

    /// The key of a file, by its place.
    pub(super) fn key_of(&self, file: u32) -> u32 {
        let known = self.keys.get().and_then(|keys| keys.get(file as usize)).copied();
        known.unwrap_or_else(|| file_key(self.path(file)))
    }

    /// The files of a folder.
    pub(super) fn files_in(&self, folder: &str) -> &[u32] {
        self.folders().get(folder).map_or(&[], Vec::as_slice)
    }

    /// The folders that absolute imports of Python start from and that hold something of this name, in order.
    pub(super) fn python_roots_with(&self, name: &str) -> impl DoubleEndedIterator<Item = &str> {
        self.python().tops.get(name).into_iter().flatten().map(String::as_str)
    }

    fn folders(&self) -> &HashMap<String, Vec<u32>> {
        self.folders.get_or_init(|| {
            let mut folders = HashMap::<String, Vec<u32>>::default();
            for (at, path) in (0..).zip(&self.paths) {
                let folder = folder_of(path);
                match folders.get_mut(folder) {
                    Some(files) => files.push(at),
                    None => drop(folders.insert(folder.to_owned(), vec![at])),
                }
            }
            folders
        })
    }

    fn python(&self) -> &Python {
        self.python.get_or_init(|| python(&self.paths))
    }

    /// The place of a path with this key.
    pub(super) fn place(&self, path: &str, key: u32) -> Option<u32> {
        if let Some(places) = self.places.get() {
            let last = *places.get(&key)?;
            if self.path(last) == path {
                return Some(last);
            }
        }
        let at = self.paths.binary_search_by(|known| known.as_str().cmp(path)).ok()?;
        u32::try_from(at).ok()
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
pub(super) fn name_key(name: &str) -> u32 {
    key(&format!("name {name}"))
}

/// The keys of the names that a path gives to what it leads through.
pub fn name_keys(path: &str) -> impl Iterator<Item = u32> {
    parts(path).filter(|_| is_python(path)).map(|(_, name)| name_key(name))
}

fn is_python(path: &str) -> bool {
    path.ends_with(".py") || path.ends_with(".pyi")
}

/// Where modules of Python are among all files.
fn python(paths: &[String]) -> Python {
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
    Python { roots: roots.into_iter().map(str::to_owned).collect(), tops }
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
pub fn join_relative(folder: &str, relative: &str) -> Option<String> {
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
