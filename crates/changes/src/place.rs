//! Which files may a proposal touch? Plain names below the workspace, no link on the way, nothing that holds secrets or
//! belongs to version control or to this product.

use std::path::{Component, Path, PathBuf};

use gik_base::fs::Metadata;
use gik_base::{ErrorCode, Failure, FileKey, Result, fs};
use gik_discover::{NEVER_WALKED, forced_by, may_hold_secrets, same_name};

use crate::content::Content;

/// Longer files are not changed.
const MOST_FILE_BYTES: u64 = 4 << 20;
/// The file that says which files are shown to tools.
const IGNORE_FILE: &str = ".gikignore";

/// A workspace whose files may be changed.
#[derive(Debug, Clone)]
pub struct Site {
    root: PathBuf,
    /// The folder of the user's own settings and tokens.
    home: Option<PathBuf>,
}

impl Site {
    /// The workspace with that root.
    pub fn new(root: &Path, home: Option<&Path>) -> Result<Self> {
        let home = home.filter(|home| fs::exists(home)).map(fs::canonicalize).transpose()?;
        Ok(Self { root: fs::canonicalize(root)?, home })
    }

    /// The name of the workspace in tokens and proposals: its real path.
    pub fn name(&self) -> String {
        // Paths that are not UTF-8 get an escaped form that no other path has.
        self.root.to_str().map_or_else(|| format!("{:?}", self.root), str::to_owned)
    }

    /// Whether the user's own folder lies where proposals may write.
    pub fn holds_home(&self) -> bool {
        self.home.as_ref().is_some_and(|home| home.starts_with(&self.root))
    }

    /// The place of a file that a checked path names.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Fails unless a file of that name may be changed. Nothing needs to be there.
    pub(crate) fn check(&self, path: &str) -> Result<()> {
        check_name(path)?;
        let refused =
            |why: &str| Failure::new(ErrorCode::PathRefused, format!("`{}` {why}", shown(path)));
        if path.split('/').any(is_kept) {
            return Err(refused("belongs to version control or to the index"));
        }
        if path.split('/').any(|part| part.eq_ignore_ascii_case(IGNORE_FILE)) {
            return Err(refused("says what tools may read, which is for you to decide"));
        }
        let whole = self.path(path);
        if self.home.as_ref().is_some_and(|home| whole.starts_with(home)) {
            return Err(refused("belongs to your own settings"));
        }
        self.check_way(path)?;
        let key = FileKey::from_text(path);
        if may_hold_secrets(path) && forced_by(&self.root, &key)?.is_none() {
            return Err(
                refused("may hold secrets").hint("a `!` line in `.gikignore` allows a file")
            );
        }
        Ok(())
    }

    /// Fails where a part of the way is a link, no folder, or there under another spelling.
    pub(crate) fn check_way(&self, path: &str) -> Result<()> {
        let mut here = self.root.clone();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let folder = here.clone();
            here.push(part);
            let Some(found) = fs::symlink_metadata_if_present(&here)? else {
                return refuse_other_spelling(&folder, part);
            };
            let refused = |why: &str| {
                let message = format!("`{}` {why}", shown(path));
                Err(Failure::new(ErrorCode::PathRefused, message))
            };
            if found.is_symlink() {
                return refused("leads through a symbolic link");
            }
            if parts.peek().is_some() && !found.is_dir() {
                return refused("leads through a file");
            }
            if parts.peek().is_none() && !found.is_file() {
                return refused("is not a file");
            }
        }
        Ok(())
    }

    /// What is at a path: a file of text, or nothing.
    pub(crate) fn content(&self, path: &str) -> Result<Option<Content>> {
        self.check_way(path)?;
        let whole = self.path(path);
        let Some(metadata) = fs::symlink_metadata_if_present(&whole)? else { return Ok(None) };
        if metadata.len() > MOST_FILE_BYTES {
            let message = format!("`{path}` has {} bytes", metadata.len());
            return Err(Failure::new(ErrorCode::TooLarge, message)
                .hint(format!("files of more than {MOST_FILE_BYTES} bytes are not changed")));
        }
        let text = String::from_utf8(fs::read(&whole)?).map_err(|_| {
            Failure::new(ErrorCode::ArgumentInvalid, format!("`{path}` is not UTF-8 text"))
        })?;
        Ok(Some(Content { text, executable: fs::is_executable(&metadata) }))
    }

    /// What the system knows of a file; `None` where there is none.
    pub(crate) fn metadata(&self, path: &str) -> Result<Option<Metadata>> {
        fs::symlink_metadata_if_present(&self.path(path))
    }
}

/// Fails unless a name is a plain path below the workspace.
fn check_name(path: &str) -> Result<()> {
    let invalid = |why: &str| {
        Err(Failure::new(ErrorCode::ArgumentInvalid, format!("`{}` {why}", shown(path)))
            .hint("write the path from the root of the workspace, as `src/main.rs`"))
    };
    if path.is_empty() || path.contains(['\0', '\\']) || path.chars().any(is_unseen) {
        return invalid("is not a path");
    }
    let is_outside =
        |part| matches!(part, Component::ParentDir | Component::RootDir | Component::Prefix(_));
    if Path::new(path).components().any(is_outside) {
        let message = format!("`{}` is not below the workspace", shown(path));
        return Err(Failure::new(ErrorCode::PathOutside, message));
    }
    let key = FileKey::from_relative(Path::new(path));
    if key.is_none_or(|key| key.as_str() != path) || path.contains("!/") || path.contains("://") {
        return invalid("is not written as a plain path");
    }
    let looks_like_dots = |part: &str| {
        part.chars().all(|c| ".\u{2024}\u{2025}\u{2026}\u{ff0e}\u{fe52}\u{3002}".contains(c))
    };
    let looks_like_slash =
        |c: char| "\u{2044}\u{2215}\u{29f8}\u{ff0f}\u{ff3c}\u{fe68}\u{29f5}".contains(c);
    if path.split('/').any(looks_like_dots) || path.contains(looks_like_slash) {
        return invalid("looks like another path");
    }
    Ok(())
}

/// Signs that steer a terminal, or are not seen at all and ignored by some file systems.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a part of a path names a folder of version control or of this product, also as Windows reads names.
fn is_kept(part: &str) -> bool {
    let part = part.split(':').next().unwrap_or_default();
    let part = part.trim_end_matches(['.', ' ']).to_lowercase();
    let is_short_name = NEVER_WALKED.iter().any(|kept| {
        let stem = kept.trim_matches(['.', '/']);
        part.strip_prefix(stem).is_some_and(|rest| rest.starts_with('~'))
    });
    is_short_name || NEVER_WALKED.contains(&format!("{part}/").as_str())
}

/// A name that differs from one that is there only in how its accents are composed is the same on some systems.
fn refuse_other_spelling(folder: &Path, part: &str) -> Result<()> {
    if part.is_ascii() || !fs::exists(folder) {
        return Ok(());
    }
    for entry in fs::list_dir(folder)? {
        let other = entry.file_name().and_then(|name| name.to_str());
        if other.is_some_and(|other| same_name(other, part)) {
            let message = format!("`{part}` is there under another spelling of its accents");
            return Err(Failure::new(ErrorCode::PathRefused, message));
        }
    }
    Ok(())
}

/// A name as it may be shown: what is not seen is made visible, and not all of it where it is long.
fn shown(path: &str) -> String {
    path.chars()
        .take(200)
        .flat_map(|c| {
            let escaped = is_unseen(c).then(|| c.escape_unicode().collect::<Vec<_>>());
            escaped.unwrap_or_else(|| vec![c])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(site: &Site, path: &str) -> Option<ErrorCode> {
        site.check(path).err().map(|failure| failure.code())
    }

    #[test]
    fn only_plain_names_below_the_workspace_are_taken() {
        let dir = tempfile::tempdir().unwrap();
        let site = Site::new(dir.path(), None).unwrap();
        for path in ["a.rs", "new/folder/ü.rs", "with space.md", "a…b.txt", ".github/x.yml"] {
            assert_eq!(code(&site, path), None, "{path}");
        }
        for path in ["../x", "a/../../x", "a/../b", "/etc/passwd", "//x", "..", "/"] {
            assert_eq!(code(&site, path), Some(ErrorCode::PathOutside), "{path}");
        }
        for path in [
            "",
            "a\0b",
            "a\nb",
            "a/\u{202e}cod.exe",
            "..\\x",
            "a//b",
            "./a",
            "a/./b",
            "a/",
            "%raw%/x",
            ".",
            "\u{2024}\u{2024}/x",
            "\u{ff0e}\u{ff0e}/x",
            "..\u{2215}x",
            "a.zip!/b",
            "file://x",
            "x\u{200b}.rs",
            ".g\u{200c}it/config",
        ] {
            assert_eq!(code(&site, path), Some(ErrorCode::ArgumentInvalid), "{path:?}");
        }
        for path in [
            ".git/config",
            "sub/.GIT/hooks/pre-commit",
            ".guided/changes/x",
            ".git./config",
            "GIT~1/config",
            ".git::$INDEX_ALLOCATION/x",
            ".env",
            "deploy/id_rsa",
            "KEYS/server.PEM",
            ".gikignore",
            "sub/.GikIgnore",
            ".ssh/config",
        ] {
            assert_eq!(code(&site, path), Some(ErrorCode::PathRefused), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_no_other_spelling_is_made() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let site = Site::new(dir.path(), None).unwrap();
        std::fs::create_dir(dir.path().join("real")).unwrap();
        std::fs::write(dir.path().join("real/file"), "x").unwrap();
        std::fs::write(dir.path().join("cafe\u{301}.md"), "x").unwrap();
        symlink("real", dir.path().join("inside")).unwrap();
        symlink("/etc", dir.path().join("outside")).unwrap();
        symlink("real/file", dir.path().join("file")).unwrap();
        symlink("nowhere", dir.path().join("broken")).unwrap();
        for path in [
            "inside/file",
            "outside/passwd",
            "file",
            "broken",
            "real/file/x",
            "real",
            "caf\u{e9}.md",
        ] {
            assert_eq!(code(&site, path), Some(ErrorCode::PathRefused), "{path}");
        }
        assert_eq!(code(&site, "real/file"), None);
    }

    #[test]
    fn the_users_own_settings_are_not_changed() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join(".gik");
        std::fs::create_dir(&home).unwrap();
        let site = Site::new(dir.path(), Some(&home)).unwrap();
        assert!(site.holds_home());
        assert_eq!(code(&site, ".gik/config.yaml"), Some(ErrorCode::PathRefused));
        assert_eq!(code(&site, "src/config.yaml"), None);
    }
}
