//! Which rule decides about a path? The ignore files from the root down to a folder, and their order of precedence.
//!
//! From strongest to weakest: what is never walked, `.gikignore`, the built-in table, `.ignore`, `.gitignore`,
//! `.git/info/exclude`, the user's global excludes. Within one kind the nearest file wins, within a file the last line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gik_base::{Result, env, fs};
use ignore::Match;
use ignore::gitignore::{Glob, gitconfig_excludes_path};

use crate::builtin;
use crate::git;
use crate::ignore_file::IgnoreFile;
use crate::skip::{Rule, SkipReason};

mod grounds;

pub(crate) use grounds::Grounds;

pub(crate) const GIK_IGNORE: &str = ".gikignore";
const IGNORE: &str = ".ignore";
const GIT_IGNORE: &str = ".gitignore";

/// The rules of one workspace.
#[derive(Debug)]
pub(crate) struct Rules {
    root: PathBuf,
    global: Option<IgnoreFile>,
    grounds: Mutex<Grounds>,
}

/// The ignore files that count inside a folder, the nearest first in each list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layer {
    gik: Vec<Arc<IgnoreFile>>,
    ignore: Vec<Arc<IgnoreFile>>,
    git: Vec<Arc<IgnoreFile>>,
    exclude: Vec<Arc<IgnoreFile>>,
}

/// Which of the names that change the rules a folder holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Present {
    gik: bool,
    ignore: bool,
    git_ignore: bool,
    repository: bool,
}

impl Present {
    /// Anything may be there: look for each.
    pub(crate) const UNKNOWN: Self =
        Self { gik: true, ignore: true, git_ignore: true, repository: true };

    /// Takes note of one name in the folder.
    pub(crate) fn note(&mut self, name: &OsStr) {
        // Nearly every name fails at the first byte.
        if name.as_encoded_bytes().first() != Some(&b'.') {
            return;
        }
        if name == GIT_IGNORE {
            self.git_ignore = true;
        } else if name == ".git" || name == ".jj" {
            self.repository = true;
        } else if name == IGNORE {
            self.ignore = true;
        } else if name == GIK_IGNORE {
            self.gik = true;
        }
    }
}

/// How we stand in a folder.
#[derive(Debug, Clone)]
pub(crate) enum Standing {
    /// What no rule leaves out is taken.
    Open,
    /// The folder is left out for this reason; only what a `.gikignore` asks for by name is taken.
    ReachedInto(Arc<SkipReason>),
}

/// The pattern that decided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    file: &'a IgnoreFile,
    glob: &'a Glob,
}

impl Line<'_> {
    pub(crate) fn rule(self) -> Rule {
        self.file.rule(self.glob)
    }
}

/// Why something is left out, told without making strings of it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cause<'a> {
    Line(Line<'a>),
    Builtin(&'static str),
    Inherited(&'a Arc<SkipReason>),
}

impl Cause<'_> {
    pub(crate) fn reason(self) -> SkipReason {
        match self {
            Self::Line(line) => line.rule().into(),
            Self::Builtin(pattern) => SkipReason::Builtin { pattern },
            Self::Inherited(reason) => SkipReason::clone(reason),
        }
    }

    /// How we stand in a folder that is left out for this and looked into all the same.
    pub(crate) fn standing(self) -> Standing {
        Standing::ReachedInto(match self {
            Self::Inherited(reason) => Arc::clone(reason),
            Self::Line(_) | Self::Builtin(_) => Arc::new(self.reason()),
        })
    }
}

/// What the rules say of one path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Judgement<'a> {
    /// Take it; a `!` line may have said so.
    Take(Option<Line<'a>>),
    /// A `!` line of a `.gikignore` asks for it, whatever else says otherwise.
    Force(Line<'a>),
    /// Leave the folder out, but look into it for what a `.gikignore` asks for.
    Reach(Cause<'a>),
    /// Leave it out.
    Skip(Cause<'a>),
}

impl Rules {
    /// Reads what counts for the whole workspace, and the rules of its root folder.
    pub(crate) fn load(root: &Path) -> Result<(Self, Arc<Layer>)> {
        Self::load_with_global(root, global_excludes().as_deref())
    }

    fn load_with_global(root: &Path, global: Option<&Path>) -> Result<(Self, Arc<Layer>)> {
        let repository = git::repository_root(root);
        let mut grounds = Grounds {
            repository: repository.clone(),
            global: global.map(Path::to_owned),
            ..Grounds::default()
        };
        let global = global.and_then(|path| {
            grounds.note_file(path);
            IgnoreFile::load(path, repository.as_deref().unwrap_or(root), root)
        });
        let rules = Self { root: root.to_owned(), global, grounds: Mutex::new(grounds) };
        let mut layer = Layer::default();
        if let Some(repository) = repository {
            let mut above: Vec<&Path> = root
                .ancestors()
                .skip(1)
                .take_while(|folder| folder.starts_with(&repository))
                .collect();
            above.reverse();
            for folder in above {
                // The spec gives `.gikignore` to the workspace: one above it is not ours.
                layer = rules.inside(&layer, folder, Present { gik: false, ..Present::UNKNOWN })?;
            }
        }
        let layer = rules.inside(&layer, root, Present::UNKNOWN)?;
        Ok((rules, Arc::new(layer)))
    }

    /// The rules inside a folder, given those of its parent; shared where the folder adds none.
    pub(crate) fn enter(
        &self,
        above: &Arc<Layer>,
        folder: &Path,
        present: Present,
    ) -> Result<Arc<Layer>> {
        if present == Present::default() {
            return Ok(Arc::clone(above));
        }
        Ok(Arc::new(self.inside(above, folder, present)?))
    }

    fn inside(&self, above: &Layer, folder: &Path, present: Present) -> Result<Layer> {
        let mut layer = above.clone();
        let load = |path: &Path| {
            self.note(|grounds| grounds.note_file(path));
            IgnoreFile::load(path, folder, &self.root).map(Arc::new)
        };
        let is_repository = present.repository && git::is_repository(folder);
        if present.repository {
            self.note(|grounds| {
                grounds.repositories.insert(folder.to_owned(), is_repository);
            });
        }
        // A file here names the repository's real folder.
        let dot_git = folder.join(".git");
        if is_repository && fs::metadata(&dot_git).is_ok_and(|found| found.is_file()) {
            self.note(|grounds| grounds.note_file(&dot_git));
        }
        if is_repository {
            // A nested repository has rules of its own; those of the outer one end here.
            layer.git.clear();
            layer.exclude.clear();
            if let Some(dirs) = git::git_dirs(folder)? {
                layer.exclude.extend(load(&dirs.common.join("info/exclude")));
            }
        }
        for (is_present, list, name) in [
            (present.gik, &mut layer.gik, GIK_IGNORE),
            (present.ignore, &mut layer.ignore, IGNORE),
            (present.git_ignore, &mut layer.git, GIT_IGNORE),
        ] {
            if is_present && let Some(file) = load(&folder.join(name)) {
                list.insert(0, file);
            }
        }
        Ok(layer)
    }

    fn note(&self, note: impl FnOnce(&mut Grounds)) {
        note(&mut self.grounds.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What these rules were made from.
    pub(crate) fn into_grounds(self) -> Grounds {
        self.grounds.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the rules say of a path in a folder with that layer and standing.
    pub(crate) fn judge<'a>(
        &'a self,
        layer: &'a Layer,
        standing: &'a Standing,
        path: &Path,
        name: &OsStr,
        is_dir: bool,
    ) -> Judgement<'a> {
        // Names that are not UTF-8 are in no table.
        let name = name.to_str().unwrap_or_default();
        if let Some(pattern) = builtin::never_walked(name) {
            return Judgement::Skip(Cause::Builtin(pattern));
        }
        match first_match(&layer.gik, path, is_dir) {
            Some((line, Says::Take)) => return Judgement::Force(line),
            Some((line, Says::Skip)) => return Judgement::Skip(Cause::Line(line)),
            None => {},
        }
        let cause = match standing {
            Standing::ReachedInto(reason) => Cause::Inherited(reason),
            Standing::Open => {
                let derived = if is_dir {
                    builtin::derived_folder(name, path, |marker, is_there| {
                        self.note(|grounds| {
                            grounds.markers.insert(marker, is_there);
                        });
                    })
                } else {
                    builtin::derived_file(name)
                };
                match derived {
                    Some(pattern) => Cause::Builtin(pattern),
                    None => match self.weaker_match(layer, path, is_dir) {
                        Some((line, Says::Skip)) => Cause::Line(line),
                        Some((line, Says::Take)) => return Judgement::Take(Some(line)),
                        None => return Judgement::Take(None),
                    },
                }
            },
        };
        if is_dir && layer.gik.iter().any(|file| file.reaches_into(path)) {
            Judgement::Reach(cause)
        } else {
            Judgement::Skip(cause)
        }
    }

    fn weaker_match<'a>(
        &'a self,
        layer: &'a Layer,
        path: &Path,
        is_dir: bool,
    ) -> Option<(Line<'a>, Says)> {
        first_match(&layer.ignore, path, is_dir)
            .or_else(|| first_match(&layer.git, path, is_dir))
            .or_else(|| first_match(&layer.exclude, path, is_dir))
            .or_else(|| self.global.as_ref().and_then(|file| says(file, path, is_dir)))
    }
}

#[derive(Debug, Clone, Copy)]
enum Says {
    Take,
    Skip,
}

fn first_match<'a>(
    files: &'a [Arc<IgnoreFile>],
    path: &Path,
    is_dir: bool,
) -> Option<(Line<'a>, Says)> {
    files.iter().find_map(|file| says(file, path, is_dir))
}

fn says<'a>(file: &'a IgnoreFile, path: &Path, is_dir: bool) -> Option<(Line<'a>, Says)> {
    match file.matched(path, is_dir) {
        Match::None => None,
        Match::Ignore(glob) => Some((Line { file, glob }, Says::Skip)),
        Match::Whitelist(glob) => Some((Line { file, glob }, Says::Take)),
    }
}

/// The user's excludes file. Git's config is searched for it with a regular expression that takes longer to build than
/// a small tree to walk, so only when the config names one at all.
fn global_excludes() -> Option<PathBuf> {
    let home = env::home_dir();
    let config_home = env::var_os(env::XDG_CONFIG_HOME)
        .map(PathBuf::from)
        .or_else(|| home.as_ref().map(|home| home.join(".config")));
    let configs = [
        home.map(|home| home.join(".gitconfig")),
        config_home.as_ref().map(|dir| dir.join("git/config")),
    ];
    let names_one = configs.into_iter().flatten().any(|config| {
        fs::read_if_present(&config).ok().flatten().is_some_and(|bytes| {
            bytes
                .windows(b"excludesfile".len())
                .any(|word| word.eq_ignore_ascii_case(b"excludesfile"))
        })
    });
    if names_one {
        gitconfig_excludes_path()
    } else {
        config_home.map(|dir| dir.join("git/ignore"))
    }
}

#[cfg(test)]
mod tests;
