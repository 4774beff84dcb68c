//! What does a manifest say before its neighbours are known?
//!
//! A version may be a plain text or lean on a value that another manifest holds. [`Template`] keeps both, so that a
//! manifest is parsed once and resolved whenever the inventory is made.

use crate::scope::Scope;

/// One dependency as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) target: Target,
    pub(crate) scope: Scope,
}

/// What is depended on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A package by name.
    Package { name: Template, version: Template },
    /// Entries of a Gradle version catalog by accessor, such as `libs.bundles.ktor`.
    CatalogEntry { accessor: String },
}

/// Which table of values a [`Key`] belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Namespace {
    CargoPackage,
    CargoVersion,
    CmakeVariable,
    GradleProperty,
    MavenManaged,
    MavenPlugin,
    MavenProperty,
    MsbuildProperty,
    NugetCentral,
    PnpmCatalog,
}

/// The name of a value that one manifest shares and another looks up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    space: Namespace,
    name: String,
}

impl Key {
    pub(crate) fn new(space: Namespace, name: impl Into<String>) -> Self {
        Self { space, name: name.into() }
    }
}

/// A text with holes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Template(Vec<Part>);

/// A piece of a [`Template`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    /// The value of `key`, or `otherwise` when no manifest in reach has it.
    Lookup {
        key: Key,
        otherwise: String,
    },
}

impl Template {
    /// The value of `key`, or `otherwise`.
    pub(crate) fn lookup(key: Key, otherwise: impl Into<String>) -> Self {
        Self(vec![Part::Lookup { key, otherwise: otherwise.into() }])
    }

    /// Reads `open name close` as a hole whose name is looked up in `space`, such as `${name}` of Maven.
    pub(crate) fn with_holes(text: &str, open: &str, close: char, space: Namespace) -> Self {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let inner = &rest[start + open.len()..];
            let Some(end) = inner.find(close) else { break };
            if start > 0 {
                parts.push(Part::Text(rest[..start].to_owned()));
            }
            let name = inner[..end].trim();
            let whole = &rest[start..start + open.len() + end + close.len_utf8()];
            let key = match space {
                // MSBuild does not tell case apart.
                Namespace::MsbuildProperty => Key::new(space, name.to_ascii_lowercase()),
                // Gradle writes both `kotlinVersion` and `versions.kotlin`; the last word names the value.
                Namespace::GradleProperty => Key::new(space, last_word(name)),
                Namespace::CargoPackage
                | Namespace::CargoVersion
                | Namespace::CmakeVariable
                | Namespace::MavenManaged
                | Namespace::MavenPlugin
                | Namespace::MavenProperty
                | Namespace::NugetCentral
                | Namespace::PnpmCatalog => Key::new(space, name),
            };
            parts.push(Part::Lookup { key, otherwise: whole.to_owned() });
            rest = &inner[end + close.len_utf8()..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Self(parts)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.0
    }
}

/// The text after the last dot.
pub(crate) fn last_word(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

impl From<&str> for Template {
    fn from(text: &str) -> Self {
        Self(vec![Part::Text(text.to_owned())])
    }
}

impl From<String> for Template {
    fn from(text: String) -> Self {
        Self(vec![Part::Text(text)])
    }
}

/// The version of a dependency that lives in a folder of the same machine.
pub(crate) fn path_version(path: &str) -> String {
    format!("path:{path}")
}

/// The version of a dependency that is a repository, with the commit, tag or branch where one is named.
pub(crate) fn git_version(url: &str, reference: Option<&str>) -> String {
    match reference {
        Some(reference) => format!("git:{url}#{reference}"),
        None => format!("git:{url}"),
    }
}
