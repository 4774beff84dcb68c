//! Where the vectors of a base are: a folder of the branch, and for tables of `lancedb` a location of the user's choice.

use std::path::{Path, PathBuf};

use gik_base::{ErrorCode, Failure, Result};

/// Where the vectors of all bases of a branch are.
#[derive(Debug, Clone)]
pub(crate) struct Bases {
    pub(crate) dir: PathBuf,
    pub(crate) tables: Tables,
}

/// What is said of the tables of `lancedb`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    /// The name of the branch, for those who read tables with other programs.
    pub branch: Option<String>,
    /// Where they are, if not in the folders of the bases. Never what a file of the workspace says: whoever is named
    /// here gets vectors to keep, and requests that are signed with the user's keys.
    pub location: Option<Location>,
}

/// A place for tables that the user chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// `s3://bucket/prefix`, or a folder. What is below it belongs to this branch alone.
    pub url: String,
    /// The server of the object storage, instead of the usual one.
    pub endpoint: Option<String>,
    /// Its region.
    pub region: Option<String>,
}

/// Where the vectors of one base are.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder of its index.
    pub dir: PathBuf,
    /// Its name.
    pub base: String,
    /// What is said of its table, with the location that belongs to it alone.
    pub tables: Tables,
}

impl Place {
    /// A folder, with everything inside.
    pub fn folder(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), base: String::new(), tables: Tables::default() }
    }
}

impl Bases {
    /// The place of a base. Names come from a file of the workspace, so they are not trusted to stay inside.
    pub(crate) fn place(&self, base: &str) -> Result<Place> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if base.is_empty() || base.starts_with('.') || !base.bytes().all(is_name) {
            let message = format!("`{base}` is no name of a base");
            return Err(Failure::new(ErrorCode::StoreBroken, message));
        }
        let mut tables = self.tables.clone();
        if let Some(location) = &mut tables.location {
            location.url = format!("{}/{base}", location.url.trim_end_matches('/'));
        }
        Ok(Place { dir: self.dir.join(base).join("index"), base: base.to_owned(), tables })
    }
}
