//! Which program a process runs, and in which environment: both must be the same for one to answer for the other.

use gik_base::{FileStat, Result, env, fs, hash};
use serde::{Deserialize, Serialize};

/// The build of a program. Two builds of one version are told apart by their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Build {
    pub(super) version: String,
    program: String,
    bytes: u64,
    modified_ns: i64,
}

impl Build {
    /// The build of this process. Fails where its file was replaced or removed since it was started.
    pub(super) fn of_this() -> Result<Self> {
        let program =
            env::current_exe().map_err(|error| fs::failure("find", "gik".as_ref(), error))?;
        let stat = FileStat::of(&fs::metadata(&program)?);
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: program.to_string_lossy().into_owned(),
            bytes: stat.size,
            modified_ns: stat.mtime_ns,
        })
    }

    /// Whether it should take the place of another one.
    pub(super) fn is_newer_than(&self, other: &Self) -> bool {
        (numbers(&self.version), self.modified_ns) > (numbers(&other.version), other.modified_ns)
    }
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// A hash over the variables that tools look at.
pub(super) fn environment() -> String {
    let mut bytes = Vec::new();
    for (name, value) in env::seen_by_tools() {
        for part in [name, value] {
            bytes.extend_from_slice(part.as_encoded_bytes());
            bytes.push(0);
        }
    }
    hash::sha256_hex(&bytes)
}

#[cfg(test)]
mod tests {
    use super::Build;

    fn build(version: &str, modified_ns: i64) -> Build {
        Build { version: version.to_owned(), program: "/bin/gik".to_owned(), bytes: 1, modified_ns }
    }

    #[test]
    fn a_later_version_is_newer_and_within_one_version_a_later_file() {
        assert!(build("0.10.0", 1).is_newer_than(&build("0.9.1", 2)));
        assert!(build("0.9.1", 2).is_newer_than(&build("0.9.1", 1)));
        assert!(!build("0.9.1", 1).is_newer_than(&build("0.9.1", 1)));
        assert!(!build("0.9.1", 3).is_newer_than(&build("0.10.0", 1)));
    }
}
