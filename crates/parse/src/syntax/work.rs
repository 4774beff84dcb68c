//! How much memory the parser has asked for: unlike its steps, that grows with what each of them costs.
//!
//! Where a text has thousands of errors, every step may carry all of them along, and the time grows with the square of
//! the text. The bytes depend on the text alone, not on the machine.

#![expect(unsafe_code, reason = "the parser is C and asks for memory through these")]

use std::alloc::{Layout, handle_alloc_error};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Once;

use tree_sitter::Allocator;

thread_local! {
    static ASKED_FOR: Cell<u64> = const { Cell::new(0) };
}

/// How many bytes the parsers of this thread have asked for in all.
pub(super) fn asked_for() -> u64 {
    ASKED_FOR.get()
}

/// Has everything counted from here on. To be called before the first parser is made.
pub(super) fn count() {
    static COUNTED: Once = Once::new();
    let allocator =
        Allocator { malloc: counted, calloc: counted_zeros, realloc: counted_again, free };
    // SAFETY: no thread has made a parser of tree-sitter's yet, and the memory itself is that of the usual functions;
    // scanners that run without such a parser call those functions themselves.
    COUNTED.call_once(|| unsafe { tree_sitter::set_allocator(Some(allocator)) });
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(old: *mut c_void, size: usize) -> *mut c_void;
    fn free(old: *mut c_void);
}

unsafe extern "C" fn counted(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    noted(size, unsafe { malloc(size) })
}

unsafe extern "C" fn counted_zeros(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    noted(count.saturating_mul(size), unsafe { calloc(count, size) })
}

unsafe extern "C" fn counted_again(old: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the parser gives back what it got from one of these.
    noted(size, unsafe { realloc(old, size) })
}

/// The parser does not look whether there was any memory left.
fn noted(size: usize, memory: *mut c_void) -> *mut c_void {
    if memory.is_null() && size > 0 {
        handle_alloc_error(Layout::array::<u8>(size).unwrap_or(Layout::new::<u8>()));
    }
    ASKED_FOR.set(ASKED_FOR.get() + size as u64);
    memory
}
