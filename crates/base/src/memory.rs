//! How a process that answers many keeps its memory.

/// Has all threads that start from here on share so many heaps. The C library of Linux has eight for each core, and each
/// of them keeps what was freed in it: many threads of which few work at once would hold several times what they need.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn share_heaps(most: usize) {
    let most = i32::try_from(most).unwrap_or(i32::MAX);
    #[expect(unsafe_code, reason = "the C library is told by a call of its own")]
    // SAFETY: it sets one number, under a lock of its own, and takes no pointers.
    let _is_set = unsafe { libc::mallopt(libc::M_ARENA_MAX, most) };
}

/// Other systems keep one heap, or give back what threads do not use.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn share_heaps(_most: usize) {}
