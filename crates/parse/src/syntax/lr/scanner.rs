//! The scanner that a grammar may have for what rules cannot say.

#![expect(unsafe_code, reason = "scanners of grammars are C")]

use std::ffi::c_void;

use super::cursor::Cursor;
use super::tables::Tables;

/// So many bytes a scanner may keep.
pub(super) const STATE_MAX: usize = 1024;
/// Some look for room before they write, and not for enough: a few bytes more than allowed may come.
pub(super) const STATE_ROOM: usize = STATE_MAX + 64;

/// The scanner of a grammar, with what it keeps in mind.
pub(super) struct Scanner<'a> {
    tables: &'a Tables,
    mind: *mut c_void,
}

impl<'a> Scanner<'a> {
    pub(super) fn of(tables: &'a Tables) -> Option<Self> {
        let create = tables.scanner.create?;
        // SAFETY: it makes what the other functions of the scanner are given.
        let mind = unsafe { create() };
        Some(Self { tables, mind })
    }

    pub(super) fn restore(&mut self, kept: &[u8]) {
        let len = u32::try_from(kept.len()).unwrap_or_default();
        let start = if kept.is_empty() { std::ptr::null() } else { kept.as_ptr() };
        if let Some(deserialize) = self.tables.scanner.deserialize {
            // SAFETY: these are bytes that the scanner wrote, or none.
            unsafe { deserialize(self.mind, start.cast(), len) };
        }
    }

    pub(super) fn scan(&mut self, cursor: &mut Cursor, wanted: &[bool]) -> bool {
        // SAFETY: the scanner looks at the text through the cursor, and at a flag for each of its tokens.
        let scan = |scan: unsafe extern "C" fn(_, _, _) -> bool| unsafe {
            scan(self.mind, (&raw mut *cursor).cast(), wanted.as_ptr())
        };
        self.tables.scanner.scan.is_some_and(scan)
    }

    pub(super) fn keep(&mut self, buffer: &mut [u8; STATE_ROOM]) -> usize {
        // SAFETY: a scanner writes no more than it may, and the few bytes for which there is room.
        let keep = |serialize: unsafe extern "C" fn(_, _) -> u32| unsafe {
            serialize(self.mind, buffer.as_mut_ptr().cast())
        };
        self.tables.scanner.serialize.map_or(0, keep) as usize
    }
}

impl Drop for Scanner<'_> {
    fn drop(&mut self) {
        if let Some(destroy) = self.tables.scanner.destroy
            && !self.mind.is_null()
        {
            // SAFETY: made by `create`, and not used afterwards.
            unsafe { destroy(self.mind) };
        }
    }
}
