//! Connections for reading that stay open between questions, in a process that answers many: opening one means reading
//! and parsing the schema, and planning every statement anew.
//!
//! A kept connection has no transaction, so it is in nobody's way. It is used again only while the file of the database
//! is the one it was opened from and nobody wrote to it, or wrote the log back into it, since.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gik_base::{FileStat, fs};
use rusqlite::Connection;

/// Enough for as many questions at once as a process answers.
const MOST: usize = 16;
/// What was not used for so long is closed with the next question: its workspace may be gone.
const LONGEST: Duration = Duration::from_secs(60);

static IS_ON: AtomicBool = AtomicBool::new(false);
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Kept {
    origin: Origin,
    connection: Connection,
    since: Instant,
}

/// Has connections for reading stay open from here on.
pub fn keep_connections_open() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// The file that a connection was opened from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    database: PathBuf,
    stat: FileStat,
}

impl Origin {
    /// The file as it is now; `None` where connections are not kept.
    pub(crate) fn of(database: &Path) -> Option<Self> {
        if !IS_ON.load(Ordering::Relaxed) {
            return None;
        }
        let stat = FileStat::of_any_change(&fs::metadata(database).ok()?);
        Some(Self { database: database.to_owned(), stat })
    }
}

/// A connection that is given back when it is no longer used, where that was wanted.
#[derive(Debug)]
pub(crate) struct Lent {
    /// There until it is given back.
    connection: Option<Connection>,
    origin: Option<Origin>,
}

impl Lent {
    /// A connection of this file that was given back.
    pub(crate) fn again(origin: &Origin) -> Option<Self> {
        let mut kept = locked();
        let at = kept.iter().rposition(|known| known.origin == *origin)?;
        let Kept { origin, connection, .. } = kept.remove(at);
        Some(Self { connection: Some(connection), origin: Some(origin) })
    }

    /// A new one; without an origin it is closed at the end.
    pub(crate) fn new(connection: Connection, origin: Option<Origin>) -> Self {
        Self { connection: Some(connection), origin }
    }

    /// Has it closed at the end: it is not as others want it.
    pub(crate) fn close_at_end(&mut self) {
        self.origin = None;
    }
}

impl Deref for Lent {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is given back at the end")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Connection {
        self.connection.as_mut().expect("it is given back at the end")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let (Some(connection), Some(origin)) = (self.connection.take(), self.origin.take()) else {
            return;
        };
        // One that was left in the middle of something is closed instead.
        if !connection.is_autocommit() {
            return;
        }
        let mut kept = locked();
        // What was opened from the file as it was before is of no more use.
        kept.retain(|known| {
            let is_of_use = known.origin.database != origin.database || known.origin == origin;
            is_of_use && known.since.elapsed() < LONGEST
        });
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push(Kept { origin, connection, since: Instant::now() });
    }
}

fn locked() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
