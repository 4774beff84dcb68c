//! Labelled questions and the packages they are about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::corpus::{self, Registry};
use crate::process;
use crate::stop::{Result, Stop};
use crate::workspace;

/// Where packages of sets are fetched to.
const FETCHED: &str = "eval";

/// A set of questions.
#[derive(Debug)]
pub(super) struct Set {
    /// Each package with its questions, as lines whose paths begin at the root of the corpus.
    pub(super) corpora: Vec<(Corpus, String)>,
}

/// A package that questions are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Corpus {
    pub(super) name: String,
    registry: Registry,
    package: String,
    version: String,
    /// The folder inside the package that is indexed.
    pub(super) root: String,
}

impl Set {
    /// Reads the questions and, beside them, `<name>.corpora.json`.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let table = path.with_extension("corpora.json");
        let broken = |what: String| Stop::Failed(format!("{}: {what}", table.display()));
        let list: Value = serde_json::from_str(&workspace::read(&table)?)
            .map_err(|error| broken(error.to_string()))?;
        let mut questions: BTreeMap<String, String> = BTreeMap::new();
        let mut roots: BTreeMap<String, String> = BTreeMap::new();
        let mut corpora = Vec::new();
        for entry in list.as_array().into_iter().flatten() {
            let corpus =
                Corpus::parse(entry).ok_or_else(|| broken(format!("`{entry}` is no package")))?;
            roots.insert(corpus.name.clone(), corpus.root.clone());
            corpora.push(corpus);
        }
        for (number, line) in (1..).zip(workspace::read(path)?.lines()) {
            let broken =
                |what: &str| Stop::Failed(format!("{} line {number}: {what}", path.display()));
            let mut label: Value =
                serde_json::from_str(line).map_err(|error| broken(&error.to_string()))?;
            let corpus = label["corpus"].as_str().unwrap_or_default().to_owned();
            let root =
                roots.get(&corpus).ok_or_else(|| broken("its corpus is not in the table"))?;
            for key in ["relevant", "secondary"] {
                for path in label[key].as_array_mut().into_iter().flatten() {
                    let text = path.as_str().unwrap_or_default();
                    let below = text.strip_prefix(root.as_str()).unwrap_or(text);
                    *path = Value::from(below.trim_start_matches('/'));
                }
            }
            let lines = questions.entry(corpus).or_default();
            lines.push_str(&label.to_string());
            lines.push('\n');
        }
        let with_questions = |corpus: Corpus| Some((questions.remove(&corpus.name)?, corpus));
        let corpora = corpora.into_iter().filter_map(with_questions);
        Ok(Self { corpora: corpora.map(|(lines, corpus)| (corpus, lines)).collect() })
    }

    /// The questions about some packages.
    pub(super) fn only(mut self, wanted: impl Fn(&Corpus) -> bool) -> Self {
        self.corpora.retain(|(corpus, _)| wanted(corpus));
        self
    }
}

impl Corpus {
    fn parse(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry[key].as_str().map(str::to_owned);
        Some(Self {
            name: text("corpus")?,
            registry: Registry::from_name(&text("registry")?)?,
            package: text("package")?,
            version: text("version").unwrap_or_default(),
            root: text("root")?.trim_matches('/').trim_matches('.').to_owned(),
        })
    }

    /// The package on this machine, fetched where it is missing.
    pub(super) fn folder(&self, root: &Path) -> Result<PathBuf> {
        if let Some(folder) = self.as_dependency(root) {
            return Ok(folder);
        }
        corpus::fetch_one(root, FETCHED, self.registry, &self.package, &self.version)
    }

    /// Whether the product is built with it.
    pub(super) fn is_dependency(&self, root: &Path) -> bool {
        self.as_dependency(root).is_some()
    }

    /// Where cargo has the package, if the product is built with it.
    fn as_dependency(&self, root: &Path) -> Option<PathBuf> {
        if self.registry != Registry::Cargo {
            return None;
        }
        let mut command = process::cargo(root);
        command.args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--filter-platform",
            "host-tuple",
        ]);
        let metadata: Value =
            serde_json::from_str(&process::quiet_output(&mut command).ok()?).ok()?;
        let packages = metadata["packages"].as_array()?;
        let is_it = |it: &&Value| it["name"] == *self.package && it["version"] == *self.version;
        let manifest = packages.iter().find(is_it)?["manifest_path"].as_str()?;
        Path::new(manifest).parent().map(Path::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use gik_testkit::Tree;

    use super::*;

    #[test]
    fn questions_go_to_their_packages_with_paths_from_the_root() {
        let tree = Tree::new("//- set.jsonl\n");
        tree.write(
            "set.jsonl",
            "{\"corpus\":\"a\",\"query\":\"q\",\"relevant\":[\"src/x.rs\"],\"secondary\":[]}\n",
        );
        tree.write(
            "set.corpora.json",
            "[{\"corpus\":\"a\",\"registry\":\"crates.io\",\"package\":\"p\",\"version\":\"1\",\"root\":\"src\"},\
             {\"corpus\":\"b\",\"registry\":\"npm\",\"package\":\"p\",\"version\":\"1\",\"root\":\".\"}]",
        );
        let set = Set::read(&tree.path("set.jsonl")).unwrap();
        let [(corpus, lines)] = set.corpora.as_slice() else { panic!("{set:?}") };
        assert_eq!((corpus.name.as_str(), corpus.root.as_str()), ("a", "src"));
        assert!(lines.contains("[\"x.rs\"]"), "{lines}");
        tree.write("set.jsonl", "{\"corpus\":\"c\",\"query\":\"q\",\"relevant\":[\"x\"]}\n");
        assert!(Set::read(&tree.path("set.jsonl")).is_err());
    }
}
