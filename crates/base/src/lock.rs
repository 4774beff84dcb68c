//! Advisory file locks that the system releases when the process dies, however it dies.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Cancel, ErrorCode, Failure, Result, fs};

/// Holds an exclusive lock until dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, waiting up to `patience` for another process to release it.
    pub fn acquire(path: &Path, patience: Duration, cancel: &Cancel) -> Result<Self> {
        let started = Instant::now();
        // Short sleeps first: most holders are done in milliseconds.
        let mut pause = Duration::from_micros(200);
        loop {
            if let Some(lock) = Self::try_acquire(path)? {
                return Ok(lock);
            }
            cancel.check()?;
            if started.elapsed() >= patience {
                return Err(Failure::new(
                    ErrorCode::StoreBusy,
                    format!(
                        "another process has held `{}` for {} s",
                        path.display(),
                        patience.as_secs()
                    ),
                )
                .hint("wait for it to finish, or stop it, and run the command again"));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Takes the lock if nobody holds it.
    pub fn try_acquire(path: &Path) -> Result<Option<Self>> {
        let file = fs::open_lock_file(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(fs::failure("lock", path, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_holder_waits_and_then_gives_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = Lock::try_acquire(&path).unwrap().unwrap();
        let failure =
            Lock::acquire(&path, Duration::from_millis(5), &Cancel::default()).unwrap_err();
        assert_eq!(failure.code(), ErrorCode::StoreBusy);
        drop(first);
        assert!(Lock::try_acquire(&path).unwrap().is_some());
    }
}
