//! What do manifests take from one another? Fills in shared values and tells look-alike managers apart.
//!
//! A value is looked for in the manifest itself, then in the parents it names, then in manifests that share with
//! everything below their folder, nearest first. A Cargo workspace, a Maven parent, a pnpm catalog, central NuGet
//! versions and Gradle catalogs are all this one rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gik_base::FileKey;

use crate::declaration::{Key, Part, Target, Template};
use crate::inventory::StackFile;
use crate::manager::{Ecosystem, Manager};
use crate::manifest::{CatalogPackage, Manifest, ManifestProblem, Manifests, Reach};
use crate::scope::Scope;

/// A chain of parents longer than this is a mistake or a loop.
const MAX_PARENTS: usize = 16;
/// Manifests of one folder that share with what is below; more are ignored.
const MAX_SHARING: usize = 64;
/// A version or name longer than this is cut.
const MAX_TEXT: usize = 256;
/// Values that refer to values that refer to values.
const MAX_LOOKUPS: usize = 32;

/// A dependency with everything filled in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resolved {
    pub(crate) manager: Manager,
    pub(crate) name: String,
    pub(crate) manifest: FileKey,
    pub(crate) scope: Scope,
    pub(crate) version: String,
}

/// All manifests together.
#[derive(Debug, Default)]
pub(crate) struct Resolution {
    pub(crate) dependencies: BTreeSet<Resolved>,
    pub(crate) managers: BTreeSet<Manager>,
    pub(crate) problems: BTreeSet<ManifestProblem>,
}

/// Resolves the manifests that are among the files.
pub(crate) fn resolve(files: &[StackFile<'_>], manifests: &Manifests) -> Resolution {
    let neighbours = Neighbours::of(files, manifests);
    let mut resolution = Resolution::default();
    for (path, manifest) in &neighbours.manifests {
        resolution.problems.extend(manifest.problems.iter().cloned());
        let Some(declared) = manifest.manager else { continue };
        let manager = neighbours.manager(path, manifest, declared);
        resolution.managers.insert(manager);
        let chain = neighbours.chain(path, manifest);
        for declaration in &manifest.declarations {
            let packages = match &declaration.target {
                Target::Package { name, version } => {
                    vec![CatalogPackage {
                        name: expand(name, &chain),
                        version: expand(version, &chain),
                    }]
                },
                Target::CatalogEntry { accessor } => {
                    match chain.iter().find_map(|manifest| manifest.catalog.get(accessor)) {
                        Some(packages) => packages.clone(),
                        None if accessor.starts_with("libs.") => {
                            let message = format!("no version catalog has `{accessor}`");
                            resolution.problems.insert(problem(path, message));
                            continue;
                        },
                        // Any dotted word of a script, such as `project.version`.
                        None => continue,
                    }
                },
            };
            for CatalogPackage { name, version } in packages {
                if name.is_empty() || name.contains('$') {
                    // Names made by loops are the rule in CMake and a mistake elsewhere.
                    if manager != Manager::Cmake {
                        let message = format!("cannot tell which package `{name}` is");
                        resolution.problems.insert(problem(path, message));
                    }
                    continue;
                }
                let version = if version.is_empty() { "*".to_owned() } else { version };
                let scope = declaration.scope;
                let manifest = (*path).clone();
                resolution.dependencies.insert(Resolved {
                    manager,
                    name,
                    manifest,
                    scope,
                    version,
                });
            }
        }
    }
    resolution
}

fn problem(path: &FileKey, message: String) -> ManifestProblem {
    ManifestProblem { path: path.clone(), message }
}

/// What is where.
struct Neighbours<'a> {
    manifests: BTreeMap<&'a FileKey, &'a Manifest>,
    sharing: BTreeMap<&'a str, Vec<&'a Manifest>>,
    managers: BTreeMap<&'a str, Vec<Manager>>,
}

impl<'a> Neighbours<'a> {
    fn of(files: &[StackFile<'a>], manifests: &'a Manifests) -> Self {
        let mut neighbours = Self {
            manifests: BTreeMap::new(),
            sharing: BTreeMap::new(),
            managers: BTreeMap::new(),
        };
        for file in files {
            let folder = folder_of(file.path.as_str());
            if let Some(manager) = Manager::of_lock_file(file.path.file_name()) {
                neighbours.managers.entry(folder).or_default().push(manager);
            }
            if let Some(manifest) = manifests.get(file.path) {
                neighbours.add(file.path, folder, manifest);
            }
        }
        neighbours
    }

    fn add(&mut self, path: &'a FileKey, folder: &'a str, manifest: &'a Manifest) {
        self.manifests.insert(path, manifest);
        if let Some(manager) = manifest.package_manager {
            // What a manifest says outright goes before what lock files suggest.
            self.managers.entry(folder).or_default().insert(0, manager);
        }
        let shares = !manifest.shared.is_empty() || !manifest.catalog.is_empty();
        if shares && manifest.reach == Reach::Below {
            // Gradle keeps catalogs and scripts for the whole build in a folder of its own.
            let home = if folder.rsplit('/').next() == Some("gradle") {
                folder_of(folder)
            } else {
                folder
            };
            let sharing = self.sharing.entry(home).or_default();
            if sharing.len() < MAX_SHARING {
                sharing.push(manifest);
            }
        }
    }

    /// The manager of a manifest that several managers read, by what the nearest folder says.
    fn manager(&self, path: &FileKey, manifest: &Manifest, declared: Manager) -> Manager {
        let ecosystem = declared.ecosystem();
        let is_open = match ecosystem {
            Ecosystem::Js => true,
            Ecosystem::Python => path.file_name() == "pyproject.toml",
            Ecosystem::Cpp
            | Ecosystem::Dart
            | Ecosystem::DotNet
            | Ecosystem::Elixir
            | Ecosystem::Go
            | Ecosystem::Jvm
            | Ecosystem::Php
            | Ecosystem::Ruby
            | Ecosystem::Rust
            | Ecosystem::Swift => false,
        };
        if !is_open {
            return declared;
        }
        let around = folders_up(path.as_str()).find_map(|folder| {
            let managers = self.managers.get(folder)?;
            managers.iter().copied().find(|manager| manager.ecosystem() == ecosystem)
        });
        manifest.package_manager.or(around).unwrap_or(declared)
    }

    /// The manifests a value is looked for in, in order.
    fn chain(&self, path: &FileKey, manifest: &'a Manifest) -> Vec<&'a Manifest> {
        let mut chain = vec![manifest];
        let mut at = path.clone();
        let mut current = manifest;
        while let Some(parent) = &current.parent
            && chain.len() <= MAX_PARENTS
        {
            let relative = Path::new(folder_of(at.as_str())).join(parent.replace('\\', "/"));
            let Some(key) = FileKey::from_relative(&relative) else { break };
            let Some(found) = self.manifests.get(&key) else { break };
            current = found;
            chain.push(current);
            at = key;
        }
        for folder in folders_up(path.as_str()) {
            chain.extend(self.sharing.get(folder).into_iter().flatten());
        }
        chain
    }
}

/// The text with its holes filled.
fn expand(template: &Template, chain: &[&Manifest]) -> String {
    let mut text = String::new();
    let mut lookups = 0;
    fill(template, chain, &mut lookups, &mut text);
    let mut clean = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(word);
    }
    if let Some((end, _)) = clean.char_indices().nth(MAX_TEXT) {
        clean.truncate(end);
    }
    clean
}

fn fill(template: &Template, chain: &[&Manifest], lookups: &mut usize, out: &mut String) {
    for part in template.parts() {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Lookup { key, otherwise } => {
                *lookups += 1;
                let value = if *lookups > MAX_LOOKUPS { None } else { find(key, chain) };
                match value {
                    Some(value) => fill(value, chain, lookups, out),
                    None => out.push_str(otherwise),
                }
            },
        }
        if out.len() > MAX_TEXT * 4 {
            return;
        }
    }
}

fn find<'a>(key: &Key, chain: &[&'a Manifest]) -> Option<&'a Template> {
    chain.iter().find_map(|manifest| manifest.shared.get(key))
}

/// The folder of a path; empty for the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders a path is in, innermost first, the root last.
fn folders_up(path: &str) -> impl Iterator<Item = &str> {
    let innermost = folder_of(path);
    std::iter::successors(Some(innermost), |folder| (!folder.is_empty()).then(|| folder_of(folder)))
}
