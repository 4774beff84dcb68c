//! Gradle version catalogs: `gradle/libs.versions.toml`. They give names to packages; scripts depend on the names.

use gik_base::FileKey;
use toml::{Table, Value};

use crate::formats::toml::{entries_at, strings, table, text};
use crate::manifest::{CatalogPackage, Manifest, Reach};

const SUFFIX: &str = ".versions.toml";

pub(crate) fn claims(path: &FileKey) -> bool {
    path.file_name().ends_with(SUFFIX)
}

pub(crate) fn read(path: &FileKey, source: &str, manifest: &mut Manifest) -> Result<(), String> {
    manifest.reach = Reach::Below;
    let root = table(source)?;
    let catalog = path.file_name().trim_end_matches(SUFFIX);
    for (alias, spec) in entries_at(&root, &["libraries"]) {
        if let Some(package) = library(&root, spec) {
            manifest.catalog.insert(accessor(catalog, alias), vec![package]);
        }
    }
    for (alias, spec) in entries_at(&root, &["plugins"]) {
        if let Some(package) = plugin(&root, spec) {
            let accessor = accessor(&format!("{catalog}.plugins"), alias);
            manifest.catalog.insert(accessor, vec![package]);
        }
    }
    for (alias, members) in entries_at(&root, &["bundles"]) {
        let packages = strings(Some(members))
            .filter_map(|member| manifest.catalog.get(&accessor(catalog, member)))
            .flatten()
            .cloned()
            .collect();
        manifest.catalog.insert(accessor(&format!("{catalog}.bundles"), alias), packages);
    }
    Ok(())
}

/// How scripts spell the alias: every `-` and `_` is a dot.
fn accessor(prefix: &str, alias: &str) -> String {
    format!("{prefix}.{}", alias.replace(['-', '_'], "."))
}

fn library(root: &Table, spec: &Value) -> Option<CatalogPackage> {
    if let Some(notation) = spec.as_str() {
        let mut parts = notation.splitn(3, ':');
        let name = format!("{}:{}", parts.next()?, parts.next()?);
        return Some(CatalogPackage { name, version: parts.next().unwrap_or("*").to_owned() });
    }
    let fields = spec.as_table()?;
    let name = match text(fields, "module") {
        Some(module) => module.to_owned(),
        None => format!("{}:{}", text(fields, "group")?, text(fields, "name")?),
    };
    Some(CatalogPackage { name, version: version(root, fields.get("version")) })
}

fn plugin(root: &Table, spec: &Value) -> Option<CatalogPackage> {
    if let Some(notation) = spec.as_str() {
        let (id, version) = notation.split_once(':')?;
        return Some(CatalogPackage { name: id.to_owned(), version: version.to_owned() });
    }
    let fields = spec.as_table()?;
    let name = text(fields, "id")?.to_owned();
    Some(CatalogPackage { name, version: version(root, fields.get("version")) })
}

/// A text, a rich version, or a reference into `[versions]`.
fn version(root: &Table, wanted: Option<&Value>) -> String {
    let Some(wanted) = wanted else { return "*".to_owned() };
    let referenced = wanted.as_table().and_then(|fields| text(fields, "ref"));
    let value = match referenced {
        Some(name) => entries_at(root, &["versions"]).find(|(key, _)| *key == name).map(|at| at.1),
        None => Some(wanted),
    };
    let rich =
        |fields| ["strictly", "require", "prefer"].into_iter().find_map(|key| text(fields, key));
    value
        .and_then(|value| value.as_str().or_else(|| value.as_table().and_then(rich)))
        .unwrap_or("*")
        .to_owned()
}
