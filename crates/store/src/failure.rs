//! What SQLite's errors mean to the user.

use gik_base::{ErrorCode, Failure};
use rusqlite::ffi::{ErrorCode as Sqlite, SQLITE_IOERR_SHMSIZE};

/// Classifies an error of the database.
pub(crate) fn sql(error: rusqlite::Error) -> Failure {
    let code = error.sqlite_error_code();
    let extended = error.sqlite_error().map(|error| error.extended_code);
    // The index of the log is a file of its own; that it cannot grow is told as an error of input and output.
    let failure = if code == Some(Sqlite::DiskFull) || extended == Some(SQLITE_IOERR_SHMSIZE) {
        Failure::new(ErrorCode::DiskFull, "the disk is full")
            .hint("free some space and run the command again; nothing committed is lost")
    } else if matches!(code, Some(Sqlite::DatabaseBusy | Sqlite::DatabaseLocked)) {
        Failure::new(ErrorCode::StoreBusy, "another process is writing the index")
            .hint("wait for it to finish and run the command again")
    } else if matches!(code, Some(Sqlite::ReadOnly | Sqlite::PermissionDenied)) {
        Failure::new(ErrorCode::WorkspaceReadOnly, "the index cannot be written to")
    } else if matches!(code, Some(Sqlite::SystemIoFailure | Sqlite::CannotOpen)) {
        Failure::new(ErrorCode::Io, "the index cannot be read or written")
    } else {
        Failure::new(ErrorCode::StoreBroken, "the index is damaged")
            .hint("run `gik reindex`: it is made anew from the working tree")
    };
    failure.caused_by(error)
}
