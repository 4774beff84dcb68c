//! The SQLite extension sqlite-vec, which is part of this program, for one connection.

#![expect(unsafe_code, reason = "the extension is C; it is entered here only")]

use std::ffi::{c_char, c_int};

use gik_base::Result;
use rusqlite::{Connection, ffi};

use crate::failure::sql;

/// What SQLite calls when it loads an extension.
type Entry = unsafe extern "C" fn(
    *mut ffi::sqlite3,
    *mut *mut c_char,
    *const ffi::sqlite3_api_routines,
) -> c_int;

/// Lets a connection know the table `vec0`.
pub(super) fn load(connection: &Connection) -> Result<()> {
    // SAFETY: the function has this type in C; the crate declares it without arguments because it names no types of
    // SQLite.
    let entry = unsafe {
        std::mem::transmute::<unsafe extern "C" fn(), Entry>(sqlite_vec::sqlite3_vec_init)
    };
    // SAFETY: the handle is used while the connection is borrowed, and not kept.
    let handle = unsafe { connection.handle() };
    // SAFETY: the handle is an open connection. Neither a place for a message nor the table of routines is looked at by
    // an extension that is linked with SQLite and succeeds or fails by its result alone.
    let code = unsafe { entry(handle, std::ptr::null_mut(), std::ptr::null()) };
    if code == ffi::SQLITE_OK {
        Ok(())
    } else {
        Err(sql(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_connection_knows_the_extension_and_no_other() {
        let version = |connection: &Connection| -> rusqlite::Result<String> {
            connection.query_row("SELECT vec_version()", [], |row| row.get(0))
        };
        let (with, without) =
            (Connection::open_in_memory().unwrap(), Connection::open_in_memory().unwrap());
        load(&with).unwrap();
        assert!(version(&with).unwrap().starts_with('v'));
        assert!(version(&without).is_err());
    }
}
