//! Real source code to measure with: which packages stand for a language, and where they are on this machine.
//!
//! `xtask/corpora.toml` is the table, `registry` knows how each registry hands out a package. A package is fetched once
//! into `target/corpora/<language>/<name>@<version>/`; a folder that is there is complete.

mod registry;

use std::path::{Path, PathBuf};

use toml::Value;

use crate::stop::{Result, Stop};
use crate::workspace;

pub(crate) use registry::Registry;

const TABLE: &str = "xtask/corpora.toml";
const FOLDER: &str = "target/corpora";

/// The packages that stand for a language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Corpus {
    /// The id of the language.
    pub(crate) language: String,
    packages: Vec<Package>,
    /// Names of files inside packages that are unpacked in place.
    archives: Vec<String>,
}

/// A package as its registry names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    registry: Registry,
    name: String,
    version: Option<String>,
}

/// A package on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
    /// `name@version`, also where the registry chose the version.
    pub(crate) label: String,
    pub(crate) folder: PathBuf,
}

/// Every corpus of the table, in the order of languages.
pub(crate) fn table(root: &Path) -> Result<Vec<Corpus>> {
    let path = root.join(TABLE);
    let table = workspace::read_toml(&path)?;
    table.iter().map(|(language, entry)| Corpus::parse(language, entry)).collect()
}

impl Corpus {
    fn parse(language: &str, entry: &Value) -> Result<Self> {
        let mut packages = Vec::new();
        for registry in Registry::ALL {
            for text in words(entry, registry.key(), language)? {
                let (name, version) = match text.split_once(' ') {
                    Some((name, version)) => (name, Some(version.to_owned())),
                    None => (text.as_str(), None),
                };
                if version.is_none() && !registry.chooses_versions() {
                    return Err(Stop::Failed(format!("{TABLE}: `{text}` names no version")));
                }
                packages.push(Package { registry: *registry, name: name.to_owned(), version });
            }
        }
        let archives = words(entry, "archives", language)?;
        Ok(Self { language: language.to_owned(), packages, archives })
    }

    /// The packages on this machine, fetched where they are missing, sorted by label.
    pub(crate) fn fetch(&self, root: &Path) -> Result<Vec<Fetched>> {
        let folder = root.join(FOLDER).join(&self.language);
        workspace::create_folder(&folder)?;
        for registry in Registry::ALL {
            let have = labels(&folder)?;
            let missing: Vec<&Package> = self
                .packages
                .iter()
                .filter(|package| package.registry == *registry && !package.is_among(&have))
                .collect();
            if !missing.is_empty() {
                eprintln!(
                    "corpora: {} packages of {} for {}",
                    missing.len(),
                    registry.key(),
                    self.language
                );
                registry.fetch(&missing, &folder, &self.archives)?;
            }
        }
        let have = labels(&folder)?;
        let ours = have.into_iter().filter(|label| {
            self.packages.iter().any(|package| package.is_among(std::slice::from_ref(label)))
        });
        Ok(ours.map(|label| Fetched { folder: folder.join(&label), label }).collect())
    }
}

/// One package on this machine, in the folder of that name, fetched where it is missing.
pub(crate) fn fetch_one(
    root: &Path,
    folder: &str,
    registry: Registry,
    name: &str,
    version: &str,
) -> Result<PathBuf> {
    let version = Some(version.to_owned()).filter(|version| !version.is_empty());
    let package = Package { registry, name: name.to_owned(), version };
    let corpus =
        Corpus { language: folder.to_owned(), packages: vec![package], archives: Vec::new() };
    let fetched = corpus.fetch(root)?;
    fetched
        .into_iter()
        .next()
        .map(|fetched| fetched.folder)
        .ok_or_else(|| Stop::Failed(format!("`{name}` was not fetched")))
}

impl Package {
    /// The name of its folder, with the version that was found.
    fn label(&self, version: &str) -> String {
        // A scope of npm has a slash.
        format!("{}@{version}", self.name.replace('/', "+"))
    }

    fn is_among(&self, labels: &[String]) -> bool {
        match &self.version {
            Some(version) => labels.contains(&self.label(version)),
            None => labels.iter().any(|label| label.starts_with(&self.label(""))),
        }
    }
}

/// The texts below a key; none where the key is missing.
fn words(entry: &Value, key: &str, language: &str) -> Result<Vec<String>> {
    let Some(value) = entry.get(key) else { return Ok(Vec::new()) };
    let list = value.as_array().and_then(|list| {
        list.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    });
    list.ok_or_else(|| {
        Stop::Failed(format!("{TABLE}: `{key}` of `{language}` is no list of texts"))
    })
}

/// The names of finished folders, sorted.
fn labels(folder: &Path) -> Result<Vec<String>> {
    let list = |error| Stop::on_path("list", folder, error);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(list)? {
        let name = entry.map_err(list)?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// So many items in all, an equal share from every group and evenly spread inside it; a small group gives all it has.
pub(crate) fn spread<T: Clone>(groups: &[Vec<T>], count: usize) -> Vec<T> {
    let mut left = count;
    let mut shares = vec![0; groups.len()];
    let mut by_size: Vec<usize> = (0..groups.len()).collect();
    by_size.sort_by_key(|group| groups[*group].len());
    for (done, group) in by_size.iter().enumerate() {
        let share = left.div_ceil(groups.len() - done).min(groups[*group].len());
        shares[*group] = share;
        left -= share;
    }
    let mut chosen = Vec::new();
    for (group, share) in groups.iter().zip(shares) {
        chosen.extend((0..share).map(|at| group[at * group.len() / share].clone()));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn the_table_of_the_checkout_can_be_read() {
        let corpora = table(&workspace::root()).unwrap();
        assert!(corpora.len() >= 11);
        assert!(corpora.iter().all(|corpus| !corpus.packages.is_empty()));
    }

    #[test]
    fn a_package_of_a_registry_with_versions_names_one() {
        let parse = |text: &str| Corpus::parse("x", &Value::Table(text.parse().unwrap()));
        assert!(parse("npm = [\"a\"]").is_err());
        assert!(parse("npm = \"a 1\"").is_err());
        let corpus = parse("npm = [\"@a/b 1.0\"]\napt = [\"c\"]").unwrap();
        let labels = ["@a+b@1.0".to_owned(), "c@2-1".to_owned()];
        assert!(corpus.packages.iter().all(|package| package.is_among(&labels)));
        assert!(!corpus.packages.iter().any(|package| package.is_among(&["@a+b@1.1".to_owned()])));
    }

    #[test]
    fn a_package_that_is_there_is_not_fetched_again() {
        let tree = Tree::new(
            "//- target/corpora/x/a@1/f\n//- target/corpora/x/.part/f\n//- target/corpora/x/old@1/f\n",
        );
        let corpus = Corpus::parse("x", &Value::Table("npm = [\"a 1\"]".parse().unwrap())).unwrap();
        let fetched = corpus.fetch(tree.root()).unwrap();
        assert_eq!(fetched.len(), 1);
        assert_eq!(fetched[0].label, "a@1");
    }

    #[test]
    fn every_group_has_a_share_and_small_groups_give_all() {
        let groups = [(0..10).collect(), vec![100], (200..300).collect::<Vec<_>>()];
        let chosen = spread(&groups, 9);
        assert_eq!(chosen, [0, 2, 5, 7, 100, 200, 225, 250, 275]);
        assert_eq!(spread(&groups, 1_000).len(), 111);
        assert!(spread::<u8>(&[], 3).is_empty());
    }
}
