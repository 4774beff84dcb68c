//! How the program ends: with a status, and at once.

use std::io::Write as _;

/// What the shell is told, as [`std::process::ExitCode`], whose number cannot be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExitCode(u8);

impl ExitCode {
    pub(crate) const SUCCESS: Self = Self(0);

    /// Ends the process and leaves its memory to the system: the allocator would give back every page of it first.
    pub(crate) fn end(self) -> ! {
        // Whoever reads may be gone; there is nobody left to tell.
        drop(std::io::stdout().flush());
        signal_hook::low_level::exit(i32::from(self.0))
    }
}

impl From<u8> for ExitCode {
    fn from(status: u8) -> Self {
        Self(status)
    }
}
