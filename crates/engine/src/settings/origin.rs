//! Where a config value comes from.

use std::fmt;
use std::path::{Path, PathBuf};

use gik_base::env;

/// The layer a value was set in, and the place inside it. Later variants win over earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Built in.
    Default,
    /// The user's own file.
    Global {
        /// The file.
        file: PathBuf,
        /// The line, from 1; 0 where the file as a whole is meant.
        line: usize,
    },
    /// The file of the workspace.
    Project {
        /// The file.
        file: PathBuf,
        /// The line, from 1; 0 where the file as a whole is meant.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its full name.
        variable: String,
    },
    /// `--set` on the command line.
    Flag,
}

impl Origin {
    /// The name of the layer.
    pub fn layer(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Global { .. } => "global",
            Self::Project { .. } => "project",
            Self::Environment { .. } => "environment",
            Self::Flag => "flag",
        }
    }

    /// The file and line, where there are any.
    pub fn file_and_line(&self) -> Option<(&Path, usize)> {
        match self {
            Self::Global { file, line } | Self::Project { file, line } => Some((file, *line)),
            Self::Default | Self::Environment { .. } | Self::Flag => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Global { file, line: 0 } | Self::Project { file, line: 0 } => {
                f.write_str(&short_path(file))
            },
            Self::Global { file, line } | Self::Project { file, line } => {
                write!(f, "{}:{line}", short_path(file))
            },
            Self::Environment { variable } => f.write_str(variable),
            Self::Flag => f.write_str("--set"),
        }
    }
}

/// The path with `~` for the home folder.
pub(crate) fn short_path(path: &Path) -> String {
    let below_home = env::home_dir().and_then(|home| path.strip_prefix(home).ok());
    match below_home {
        Some(rest) => Path::new("~").join(rest).display().to_string(),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_layers_are_greater_and_lines_follow_the_file() {
        let file = PathBuf::from("/w/config.yaml");
        let global = Origin::Global { file: file.clone(), line: 9 };
        let project = Origin::Project { file, line: 3 };
        assert!(Origin::Default < global && global < project);
        assert!(project < Origin::Environment { variable: "A".to_owned() });
        assert!(Origin::Environment { variable: "Z".to_owned() } < Origin::Flag);
        assert_eq!(project.to_string(), "/w/config.yaml:3");
    }

    #[test]
    fn the_home_folder_is_a_tilde() {
        let home = env::home_dir().unwrap();
        assert_eq!(short_path(&home.join(".gik/config.yaml")), "~/.gik/config.yaml");
    }
}
