//! The only door to files: errors name the path, and whole files are replaced atomically.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub use std::fs::{DirEntry, File, FileType, Metadata, ReadDir};

use crate::{ErrorCode, Failure, FileStat, Result};

/// Whether bytes must survive a power cut before the call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Synced to the disk: for what cannot be derived again.
    Synced,
    /// Left to the system: for what can be rebuilt.
    Cached,
}

/// The failure of an operation on a path; a full disk and a read-only tree have codes of their own.
pub fn failure(action: &str, path: &Path, error: io::Error) -> Failure {
    let message = format!("cannot {action} `{}`", path.display());
    let kind = error.kind();
    let failure = if matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        Failure::new(ErrorCode::DiskFull, message)
            .hint("free some space and run the command again; nothing committed is lost")
    } else if kind == io::ErrorKind::ReadOnlyFilesystem {
        Failure::new(ErrorCode::WorkspaceReadOnly, message)
    } else if kind == io::ErrorKind::PermissionDenied {
        Failure::new(ErrorCode::WorkspaceReadOnly, message).hint("check the permissions")
    } else if kind == io::ErrorKind::NotFound {
        Failure::new(ErrorCode::PathMissing, message)
    } else {
        Failure::new(ErrorCode::Io, message)
    };
    failure.caused_by(error)
}

/// Opens a file for reading.
pub fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| failure("open", path, error))
}

/// Makes an empty file for writing, or empties the one that is there.
pub fn create(path: &Path) -> Result<File> {
    File::create(path).map_err(|error| failure("write", path, error))
}

/// Opens a lock file, making it and its folder where they are missing.
pub fn open_lock_file(path: &Path) -> Result<File> {
    let options = || OpenOptions::new().create(true).truncate(false).write(true).open(path);
    let opened = match options() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(parent) = path.parent() {
                create_dir_all(parent)?;
            }
            options()
        },
        other => other,
    };
    opened.map_err(|error| failure("open", path, error))
}

/// Opens a file for writing at any place, making it where it is missing; what is there stays.
pub fn open_to_patch(path: &Path) -> Result<File> {
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    opened.map_err(|error| failure("write", path, error))
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| failure("read", path, error))
}

/// The bytes of a file, or `None` where there is none.
pub fn read_if_present(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failure("read", path, error)),
    }
}

/// The bytes of a file, or `None` where there is none, with what [`FileStat::of_any_change`] says of it after the last byte
/// was read: bytes of an earlier state come with the time of a later one, never the other way round.
pub fn read_with_stat(path: &Path) -> Result<Option<(Vec<u8>, FileStat)>> {
    let failed = |error| failure("read", path, error);
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let stat = FileStat::of_any_change(&file.metadata().map_err(failed)?);
    Ok(Some((bytes, stat)))
}

/// What the system knows of a path; links are followed.
pub fn metadata(path: &Path) -> Result<Metadata> {
    std::fs::metadata(path).map_err(|error| failure("look at", path, error))
}

/// What the system knows of a path, or `None` where there is nothing; links are not followed.
pub fn symlink_metadata_if_present(path: &Path) -> Result<Option<Metadata>> {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        },
        Err(error) => Err(failure("look at", path, error)),
    }
}

/// Whether something is there.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether a file may be written to; it is not changed.
pub fn is_writable(path: &Path) -> bool {
    OpenOptions::new().append(true).open(path).is_ok()
}

/// Makes a folder and its parents.
pub fn create_dir_all(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| failure("create", path, error))
}

/// Makes one folder; that it is there is fine.
pub fn create_dir(path: &Path) -> Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(failure("create", path, error))
        },
        _ => Ok(()),
    }
}

/// Makes a folder and its parents, for this user's eyes alone where the system knows users.
pub fn create_private_dir_all(path: &Path) -> Result<()> {
    create_dir_all(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let only_user = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(path, only_user)
            .map_err(|error| failure("protect", path, error))?;
    }
    Ok(())
}

/// Whether a folder is there; fails where it is no folder of this user's that nobody else can enter.
#[cfg(unix)]
pub fn is_private_dir(path: &Path) -> Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let Some(found) = symlink_metadata_if_present(path)? else { return Ok(false) };
    let problem = if !found.is_dir() {
        "is not a folder"
    } else if found.uid() != crate::process::user_id() {
        "belongs to another user"
    } else if found.mode() & 0o077 != 0 {
        "can be entered by others"
    } else {
        return Ok(true);
    };
    let message = format!("`{}` {problem}", path.display());
    let repair = format!("remove it, or run `chmod 700 {}` if it is yours", path.display());
    Err(Failure::new(ErrorCode::PathRefused, message).hint(repair))
}

/// Writes a file that must not be there yet, for this user's eyes alone where the system knows users.
pub fn write_private_new(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let written = options.open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|error| failure("write", path, error))
}

/// Whether a file may be run as a program.
pub fn is_executable(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Gives a file the permissions of another, or of a new one, and lets it be run as a program or not.
pub fn set_permissions_like(
    path: &Path,
    like: Option<&Metadata>,
    is_executable: bool,
) -> Result<()> {
    let own = metadata(path)?;
    let permissions = like.unwrap_or(&own).permissions();
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = permissions.mode() & 0o777;
        // Whoever may read it may run it, as git does.
        let run = if is_executable && mode & 0o111 == 0 { (mode & 0o444) >> 2 } else { 0 };
        let mode = if is_executable { mode | run } else { mode & !0o111 };
        std::fs::Permissions::from_mode(mode)
    };
    #[cfg(not(unix))]
    let _ = is_executable;
    std::fs::set_permissions(path, permissions).map_err(|error| failure("protect", path, error))
}

/// The names in a folder, sorted; empty where there is no folder.
pub fn list_dir(path: &Path) -> Result<Vec<PathBuf>> {
    Ok(list_kinds(path)?.into_iter().map(|(path, _)| path).collect())
}

/// As [`list_dir`], with what each entry is, which most systems tell without a look at it. Links are not followed.
pub fn list_kinds(path: &Path) -> Result<Vec<(PathBuf, FileType)>> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failure("list", path, error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failure("list", path, error))?;
        match entry.file_type() {
            Ok(kind) => found.push((entry.path(), kind)),
            // It went away in this very moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {},
            Err(error) => return Err(failure("list", path, error)),
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

/// The entries of a folder as the system gives them, in no order, for walkers that look at many.
pub fn read_dir(path: &Path) -> Result<ReadDir> {
    std::fs::read_dir(path).map_err(|error| failure("list", path, error))
}

/// Removes a file; that there is none is fine.
pub fn remove_file_if_present(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failure("remove", path, error))
        },
        _ => Ok(()),
    }
}

/// Removes a file and says whether there was one: of several that try at once, one is told so.
pub fn take_file(path: &Path) -> Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failure("remove", path, error)),
    }
}

/// Removes a folder if nothing is in it, and says whether it did.
pub fn remove_dir_if_empty(path: &Path) -> Result<bool> {
    match std::fs::remove_dir(path) {
        Ok(()) => Ok(true),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty
            ) =>
        {
            Ok(false)
        },
        Err(error) => Err(failure("remove", path, error)),
    }
}

/// Removes a folder and all below it; that there is none is fine.
pub fn remove_dir_all_if_present(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(failure("remove", path, error))
        },
        _ => Ok(()),
    }
}

/// Moves a file over another in one step.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    std::fs::rename(from, to).map_err(|error| failure("replace", to, error))
}

/// Gives a file that never changes a second name, or copies it where the file system cannot.
pub fn link_or_copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::hard_link(from, to)
        .or_else(|_| std::fs::copy(from, to).map(|_| ()))
        .map_err(|error| failure("copy", to, error))
}

/// Copies a file, over another where there is one.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::copy(from, to).map(|_| ()).map_err(|error| failure("copy", to, error))
}

/// The real absolute path, links resolved.
pub fn canonicalize(path: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(path).map_err(|error| failure("find", path, error))
}

/// Replaces a file as a whole: readers see the old bytes or the new ones, never a part.
pub fn write_atomic(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    let temporary = temporary_beside(path);
    let written = write_new(&temporary, bytes, durability).and_then(|()| rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to tell; a left-over temporary file is swept at the next start.
        drop(std::fs::remove_file(&temporary));
    }
    written?;
    if durability == Durability::Synced {
        sync_parent(path)?;
    }
    Ok(())
}

/// As [`write_atomic`], for a file that belongs to somebody else: it keeps its mode, and nobody who could not read it
/// can read it meanwhile.
pub fn replace_keeping_mode(path: &Path, bytes: &[u8]) -> Result<()> {
    let before = metadata(path)?.permissions();
    let temporary = temporary_beside(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.set_permissions(before)?;
        file.sync_all()
    });
    let replaced = written
        .map_err(|error| failure("write", path, error))
        .and_then(|()| rename(&temporary, path));
    if replaced.is_err() {
        // The first error is the one to tell.
        drop(std::fs::remove_file(&temporary));
    }
    replaced?;
    sync_parent(path)
}

/// Writes a new file in place, for callers that rename it themselves.
pub fn write_new(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    let mut file = File::create(path).map_err(|error| failure("write", path, error))?;
    file.write_all(bytes).map_err(|error| failure("write", path, error))?;
    if durability == Durability::Synced {
        file.sync_all().map_err(|error| failure("write", path, error))?;
    }
    Ok(())
}

/// Adds bytes at the end of a file, making it where it is missing.
pub fn append(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(|error| failure("append to", path, error))?;
    file.write_all(bytes).map_err(|error| failure("append to", path, error))?;
    if durability == Durability::Synced {
        file.sync_data().map_err(|error| failure("append to", path, error))?;
    }
    Ok(())
}

/// Opens a file for adding at its end, cut or filled to a length first.
pub fn open_at_end(path: &Path, length: u64) -> Result<File> {
    let opened = OpenOptions::new().create(true).append(true).open(path).and_then(|file| {
        file.set_len(length)?;
        Ok(file)
    });
    opened.map_err(|error| failure("write", path, error))
}

/// Puts bytes in the place of others and syncs them; the file must be there.
pub fn overwrite(path: &Path, at: u64, bytes: &[u8]) -> Result<()> {
    let written = OpenOptions::new().write(true).open(path).and_then(|mut file| {
        file.seek(io::SeekFrom::Start(at))?;
        file.write_all(bytes)?;
        file.sync_data()
    });
    written.map_err(|error| failure("write", path, error))
}

/// Cuts a file to a length.
pub fn truncate(path: &Path, length: u64) -> Result<()> {
    let file =
        OpenOptions::new().write(true).open(path).map_err(|error| failure("cut", path, error))?;
    file.set_len(length).and_then(|()| file.sync_all()).map_err(|error| failure("cut", path, error))
}

/// Makes renames and new names in the folder of `path` survive a power cut.
pub fn sync_parent(path: &Path) -> Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    let synced = File::open(parent).and_then(|dir| dir.sync_all());
    match synced {
        // Some file systems cannot sync folders; they order renames by themselves.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        other => other.map_err(|error| failure("sync", parent, error)),
    }
}

/// The suffix of temporary files; what carries it and is not in use may be removed.
pub const TEMPORARY_SUFFIX: &str = ".gik-tmp";

/// A fresh name in the same folder, so that a rename stays on one file system.
pub fn temporary_beside(path: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{count}{TEMPORARY_SUFFIX}", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomic_write_replaces_and_leaves_no_temporary() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        write_atomic(&path, b"one", Durability::Synced).unwrap();
        write_atomic(&path, b"two", Durability::Cached).unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(list_dir(dir.path()).unwrap(), [path]);
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        write_new(&path, b"one", Durability::Cached).unwrap();
        for mode in [0o600, 0o640, 0o755] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            replace_keeping_mode(&path, b"two").unwrap();
            assert_eq!(metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        assert_eq!(list_dir(dir.path()).unwrap(), [path]);
    }

    #[test]
    fn a_missing_folder_is_named_in_the_failure() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("no/such/file");
        let failure = write_atomic(&path, b"", Durability::Synced).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::PathMissing);
        assert!(failure.to_string().contains("no/such"));
    }
}
