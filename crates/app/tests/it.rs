//! The real binary in throw-away workspaces, as one test program: what people see (`cli`), what other programs read
//! (`contract`), what is left when things go wrong (`faults`).

mod cli;
mod contract;
#[cfg(unix)]
mod faults;
