//! What does the system know of the files and folders below a root? Asked by names relative to it: the parts of its own
//! path are not looked up again for each of them.

use std::path::Path;

use crate::{FileStat, FolderStat, Result};

/// A root to look from. Links are not followed.
#[derive(Debug)]
pub struct Below(imp::Root);

impl Below {
    /// Holds on to a folder.
    pub fn open(root: &Path) -> Result<Self> {
        imp::Root::open(root).map(Self)
    }

    /// What is known of the file with this name; `None` where there is nothing, or something else.
    pub fn file(&self, name: &str) -> Result<Option<FileStat>> {
        self.0.file(name)
    }

    /// What is known of the folder with this name, the root for an empty one; `None` where there is none or nothing is
    /// known of it.
    pub fn folder(&self, name: &str) -> Option<FolderStat> {
        self.0.folder(name)
    }
}

#[cfg(target_os = "linux")]
mod imp {
    use std::path::{Path, PathBuf};

    use rustix::fd::OwnedFd;
    use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
    use rustix::io::Errno;

    use crate::{FileStat, FolderStat, Result, fs};

    #[derive(Debug)]
    pub(super) struct Root {
        path: PathBuf,
        handle: OwnedFd,
    }

    impl Root {
        pub(super) fn open(path: &Path) -> Result<Self> {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let handle = rustix::fs::open(path, flags, Mode::empty())
                .map_err(|error| fs::failure("open", path, error.into()))?;
            Ok(Self { path: path.to_owned(), handle })
        }

        pub(super) fn file(&self, name: &str) -> Result<Option<FileStat>> {
            match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if is(&stat, FileType::RegularFile) => Ok(Some(FileStat {
                    size: u64::try_from(stat.st_size).unwrap_or_default(),
                    mtime_ns: ns(stat.st_mtime, stat.st_mtime_nsec),
                    inode: stat.st_ino,
                })),
                Ok(_) | Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
                Err(error) => Err(fs::failure("look at", &self.path.join(name), error.into())),
            }
        }

        pub(super) fn folder(&self, name: &str) -> Option<FolderStat> {
            let name = if name.is_empty() { "." } else { name };
            let stat = rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            is(&stat, FileType::Directory).then(|| FolderStat {
                mtime_ns: ns(stat.st_mtime, stat.st_mtime_nsec),
                ctime_ns: ns(stat.st_ctime, stat.st_ctime_nsec),
                inode: stat.st_ino,
                device: stat.st_dev,
            })
        }
    }

    fn is(stat: &Stat, kind: FileType) -> bool {
        FileType::from_raw_mode(stat.st_mode) == kind
    }

    /// The types of both differ between processors.
    fn ns(seconds: impl TryInto<i64>, rest: impl TryInto<i64>) -> i64 {
        let seconds: i64 = seconds.try_into().unwrap_or(i64::MAX);
        seconds.saturating_mul(1_000_000_000).saturating_add(rest.try_into().unwrap_or_default())
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::path::{Path, PathBuf};

    use crate::{FileStat, FolderStat, Result, fs};

    #[derive(Debug)]
    pub(super) struct Root(PathBuf);

    impl Root {
        pub(super) fn open(path: &Path) -> Result<Self> {
            Ok(Self(path.to_owned()))
        }

        pub(super) fn file(&self, name: &str) -> Result<Option<FileStat>> {
            let found = fs::symlink_metadata_if_present(&self.0.join(name))?;
            Ok(found.filter(std::fs::Metadata::is_file).as_ref().map(FileStat::of))
        }

        pub(super) fn folder(&self, name: &str) -> Option<FolderStat> {
            FolderStat::at(&if name.is_empty() { self.0.clone() } else { self.0.join(name) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_below_a_root_tells_what_its_whole_path_tells() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir(root.join("in")).unwrap();
        std::fs::write(root.join("in/ä.txt"), "text").unwrap();
        let below = Below::open(root).unwrap();
        assert_eq!(below.file("in/ä.txt").unwrap(), FileStat::at(&root.join("in/ä.txt")).unwrap());
        assert_eq!(below.folder("in"), FolderStat::at(&root.join("in")));
        assert_eq!(below.folder(""), FolderStat::at(root));
        assert_eq!(below.file("in").unwrap(), None);
        assert_eq!(below.file("in/gone").unwrap(), None);
        assert_eq!(below.file("in/ä.txt/below a file").unwrap(), None);
        assert_eq!(below.folder("in/ä.txt"), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink(".", dir.path().join("loop")).unwrap();
        let below = Below::open(dir.path()).unwrap();
        assert_eq!(below.file("link").unwrap(), None);
        assert_eq!(below.folder("loop"), None);
    }
}
