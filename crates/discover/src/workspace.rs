//! Which folder is the workspace, and which file does a typed path mean?

use std::path::{Component, Path, PathBuf};

use gik_base::{ErrorCode, Failure, FileKey, Result, env, fs};
use unicode_normalization::UnicodeNormalization as _;

use crate::git;

/// The folder that makes its parent a workspace.
const KNOWLEDGE_FOLDER: &str = ".guided";

/// How the workspace was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootChoice {
    /// From the current folder upward.
    Discover,
    /// This folder, as named by `--workspace`.
    Exact(PathBuf),
}

/// Whether a folder that is too wide may be a workspace all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Refuse `/`, the home folder and what lies above it.
    No,
    /// The user insists.
    Yes,
}

/// The workspace by the user's choice, as a canonical path.
pub fn resolve_workspace(choice: &RootChoice, cwd: &Path, force: Force) -> Result<PathBuf> {
    match choice {
        RootChoice::Discover => find_workspace(cwd, force),
        RootChoice::Exact(path) => {
            let root = existing_folder(&cwd.join(path))?;
            refuse_if_too_wide(&root, canonical_home().as_deref(), force)?;
            Ok(root)
        },
    }
}

/// The nearest folder at or above `start` with `.guided/`, else the root of its repository, else `start` itself.
///
/// Folders that are too wide are passed over on the way up and refused as `start`, unless forced. The path is canonical.
pub fn find_workspace(start: &Path, force: Force) -> Result<PathBuf> {
    let start = existing_folder(start)?;
    let home = canonical_home();
    let verdict = |folder: &Path| refuse_if_too_wide(folder, home.as_deref(), force);
    verdict(&start)?;
    let allowed = || start.ancestors().take_while(|folder| verdict(folder).is_ok());
    let knowledge = allowed().find(|folder| is_folder(&folder.join(KNOWLEDGE_FOLDER)));
    let chosen = knowledge.or_else(|| allowed().find(|folder| git::is_repository(folder)));
    Ok(chosen.unwrap_or(&start).to_owned())
}

/// The key of a path as the user typed it, absolute or relative to `cwd`. `root` must be canonical.
///
/// The path need not exist. Links on the way are resolved; a link at its end is kept, but must stay inside as well.
pub fn key_of(root: &Path, cwd: &Path, typed: &Path) -> Result<FileKey> {
    if typed.as_os_str().as_encoded_bytes().contains(&0) {
        return Err(Failure::new(ErrorCode::ArgumentInvalid, "a path has no zero bytes"));
    }
    let resolved = resolve(&cwd.join(typed))?;
    let key = resolved.strip_prefix(root).ok().and_then(FileKey::from_relative);
    // What a link points to counts too, where it points to something.
    let leaves = fs::canonicalize(&resolved).is_ok_and(|target| !target.starts_with(root));
    match key {
        Some(key) if !leaves => Ok(key),
        _ => Err(Failure::new(
            ErrorCode::PathOutside,
            format!("`{}` is outside the workspace `{}`", typed.display(), root.display()),
        )
        .hint("name a path inside the workspace, or another workspace with `--workspace`")),
    }
}

/// Whether two names are the same but for the way their accents are composed.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.nfc().eq(b.nfc())
}

fn existing_folder(path: &Path) -> Result<PathBuf> {
    let missing = |message: String| {
        Failure::new(ErrorCode::WorkspaceMissing, message)
            .hint("name an existing folder with `--workspace`")
    };
    let canonical = fs::canonicalize(path).map_err(|failure| {
        if failure.code() == ErrorCode::PathMissing {
            missing(format!("there is no `{}`", path.display()))
        } else {
            missing(format!("`{}` cannot be entered", path.display())).caused_by(failure)
        }
    })?;
    if !is_folder(&canonical) {
        return Err(missing(format!("`{}` is not a folder", path.display())));
    }
    Ok(canonical)
}

fn is_folder(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

fn canonical_home() -> Option<PathBuf> {
    env::home_dir().and_then(|home| fs::canonicalize(&home).ok())
}

fn refuse_if_too_wide(folder: &Path, home: Option<&Path>, force: Force) -> Result<()> {
    if force == Force::Yes {
        return Ok(());
    }
    let what = if folder.parent().is_none() {
        "the root of the file system"
    } else if home == Some(folder) {
        "your home folder"
    } else if home.is_some_and(|home| home.starts_with(folder)) {
        "a folder above your home folder"
    } else {
        return Ok(());
    };
    Err(Failure::new(
        ErrorCode::WorkspaceRefused,
        format!("`{}` is {what}: too wide to be a workspace", folder.display()),
    )
    .hint("change to a project folder, or name one with `--workspace`")
    .hint("add `--force-root` if you mean it"))
}

/// An absolute path with links, `.` and `..` resolved part by part; what does not exist is kept as typed.
fn resolve(path: &Path) -> Result<PathBuf> {
    let mut resolved = PathBuf::new();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        match part {
            Component::Prefix(_) | Component::RootDir => {
                resolved.push(part);
                if parts.peek().is_none_or(|next| *next != Component::RootDir) {
                    // On Windows this gives the drive the same long form as the workspace has.
                    resolved = fs::canonicalize(&resolved)?;
                }
            },
            Component::CurDir => {},
            Component::ParentDir => {
                resolved.pop();
            },
            Component::Normal(name) => {
                let here = resolved.join(name);
                let found = fs::symlink_metadata_if_present(&here)?;
                let is_last = parts.peek().is_none();
                resolved = match found {
                    Some(metadata) if metadata.is_symlink() && !is_last => fs::canonicalize(&here)?,
                    Some(_) => here,
                    None => sibling_with_same_name(&resolved, &here).unwrap_or(here),
                };
            },
        }
    }
    Ok(resolved)
}

/// The entry of a folder whose name differs from the wanted one only in how its accents are composed.
fn sibling_with_same_name(folder: &Path, wanted: &Path) -> Option<PathBuf> {
    let name = wanted.file_name()?.to_str()?;
    if name.is_ascii() {
        return None;
    }
    let entries = fs::list_dir(folder).ok()?;
    entries.into_iter().find(|entry| {
        entry
            .file_name()
            .and_then(|other| other.to_str())
            .is_some_and(|other| same_name(other, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        (dir, root)
    }

    fn make(root: &Path, folder: &str) -> PathBuf {
        let path = root.join(folder);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn knowledge_wins_over_a_repository_and_both_over_the_start() {
        let (_dir, root) = tree();
        let deep = make(&root, "outer/inner/deep");
        assert_eq!(find_workspace(&deep, Force::No).unwrap(), deep);
        make(&root, "outer/inner/.jj");
        assert_eq!(find_workspace(&deep, Force::No).unwrap(), root.join("outer/inner"));
        make(&root, "outer/.guided");
        assert_eq!(find_workspace(&deep, Force::No).unwrap(), root.join("outer"));
    }

    #[test]
    fn an_exact_folder_is_not_searched_upward_from() {
        let (_dir, root) = tree();
        make(&root, ".guided");
        let inner = make(&root, "inner");
        let choice = RootChoice::Exact("inner".into());
        assert_eq!(resolve_workspace(&choice, &root, Force::No).unwrap(), inner);
        assert_eq!(resolve_workspace(&RootChoice::Discover, &inner, Force::No).unwrap(), root);
    }

    #[test]
    fn what_is_no_folder_is_missing() {
        let (_dir, root) = tree();
        std::fs::write(root.join("file"), "").unwrap();
        for path in ["nowhere", "file"] {
            let failure = find_workspace(&root.join(path), Force::No).unwrap_err();
            assert_eq!(failure.code(), ErrorCode::WorkspaceMissing);
        }
    }

    #[test]
    fn wide_folders_are_refused_unless_forced() {
        let home = Some(Path::new("/home/ann"));
        let code = |folder: &str, force| {
            refuse_if_too_wide(Path::new(folder), home, force).err().map(|failure| failure.code())
        };
        for folder in ["/", "/home", "/home/ann"] {
            assert_eq!(code(folder, Force::No), Some(ErrorCode::WorkspaceRefused));
            assert_eq!(code(folder, Force::Yes), None);
        }
        assert_eq!(code("/home/ann/project", Force::No), None);
        assert_eq!(code("/home/anna", Force::No), None);
        let failure = find_workspace(Path::new("/"), Force::No).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::WorkspaceRefused);
        assert!(!failure.hints().is_empty());
    }

    #[test]
    fn typed_paths_become_keys_from_any_folder() {
        let (_dir, root) = tree();
        let src = make(&root, "src/a b");
        let key = |cwd: &Path, typed: &str| {
            key_of(&root, cwd, Path::new(typed)).map(|key| key.as_str().to_owned())
        };
        assert_eq!(key(&src, "x.rs").unwrap(), "src/a b/x.rs");
        assert_eq!(key(&src, "../../new/y.rs").unwrap(), "new/y.rs");
        assert_eq!(key(&src, root.to_str().unwrap()).unwrap(), "");
        assert_eq!(key(&root, ".").unwrap(), "");
        let failure = key(&src, "../../../other").unwrap_err();
        assert_eq!(failure.code(), ErrorCode::PathOutside);
        assert!(failure.to_string().contains(root.to_str().unwrap()));
        assert!(failure.to_string().contains("../../../other"));
        assert!(key(&root, "/etc/passwd").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_their_target_and_never_outside() {
        use std::os::unix::fs::symlink;
        let (_dir, root) = tree();
        let (_other, outside) = tree();
        make(&root, "real");
        make(&outside, "folder");
        symlink(root.join("real"), root.join("inside")).unwrap();
        symlink(&outside, root.join("escape")).unwrap();
        symlink(root.join("loop"), root.join("loop")).unwrap();
        symlink(&root, outside.join("back")).unwrap();
        let key = |typed: &Path| key_of(&root, &root, typed);
        assert_eq!(key(Path::new("inside/x")).unwrap().as_str(), "real/x");
        assert_eq!(key(Path::new("inside")).unwrap().as_str(), "inside");
        assert_eq!(key(Path::new("loop")).unwrap().as_str(), "loop");
        assert_eq!(key(&outside.join("back/real")).unwrap().as_str(), "real");
        for typed in ["escape", "escape/folder", "escape/none"] {
            assert_eq!(key(Path::new(typed)).unwrap_err().code(), ErrorCode::PathOutside);
        }
    }

    #[test]
    fn names_are_the_same_however_their_accents_are_composed() {
        assert!(same_name("caf\u{e9}", "cafe\u{301}"));
        assert!(!same_name("cafe", "caf\u{e9}"));
        let (_dir, root) = tree();
        std::fs::write(root.join("cafe\u{301}.md"), "").unwrap();
        let key = key_of(&root, &root, Path::new("caf\u{e9}.md")).unwrap();
        assert_eq!(key.as_str(), "cafe\u{301}.md");
    }
}
