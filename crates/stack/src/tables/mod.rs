//! What is known about technologies, as data. To teach GIK a technology, add a row.

mod dependencies;
mod files;
mod images;

pub(crate) use dependencies::DEPENDENCIES;
pub(crate) use files::FILES;
pub(crate) use images::IMAGES;

/// What sort of thing a technology is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TechKind {
    Cache,
    Ci,
    Cloud,
    Database,
    Framework,
    Library,
    Orm,
    Platform,
    Queue,
    Service,
    Testing,
    Tool,
}

impl TechKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Ci => "ci",
            Self::Cloud => "cloud",
            Self::Database => "database",
            Self::Framework => "framework",
            Self::Library => "library",
            Self::Orm => "orm",
            Self::Platform => "platform",
            Self::Queue => "queue",
            Self::Service => "service",
            Self::Testing => "testing",
            Self::Tool => "tool",
        }
    }
}

/// A lower-case name, or the beginning of names when it ends in `*`; what it stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TechRow(pub(crate) &'static str, pub(crate) TechKind, pub(crate) &'static str);

/// How a file is recognised.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FilePattern {
    /// By its whole name, in any folder.
    Name(&'static str),
    /// By how its name starts.
    Start(&'static str),
    /// By how its name ends.
    End(&'static str),
    /// By a folder above it and how its name ends.
    Within(&'static str, &'static str),
    /// The same, where the folder is custom rather than rule.
    LikelyWithin(&'static str, &'static str),
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn all() -> Vec<(&'static str, TechKind, &'static str)> {
        let dependencies = DEPENDENCIES.iter().flat_map(|(_, rows)| *rows);
        let rows =
            dependencies.chain(IMAGES).map(|TechRow(pattern, kind, name)| (*pattern, *kind, *name));
        rows.chain(FILES.iter().map(|(_, kind, name)| ("", *kind, *name))).collect()
    }

    #[test]
    fn one_technology_is_of_one_kind_everywhere() {
        let mut kinds = BTreeMap::new();
        for (_, kind, name) in all() {
            let known = kinds.entry(name).or_insert(kind.as_str());
            assert_eq!(*known, kind.as_str(), "{name}");
        }
    }

    #[test]
    fn patterns_are_lower_case_and_not_repeated() {
        for (ecosystem, rows) in DEPENDENCIES {
            let mut seen = BTreeSet::new();
            for TechRow(pattern, ..) in *rows {
                assert_eq!(*pattern, pattern.to_lowercase());
                assert!(seen.insert(pattern), "{ecosystem:?} {pattern} twice");
            }
        }
    }
}
