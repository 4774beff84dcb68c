//! The real binary in throw-away workspaces, as one test program: what people see (`cli`), what other programs read
//! (`contract`), what is left when things go wrong (`faults`), what programs are served (`serve`), what one process answers
//! for others (`daemon`).

// Lints know helpers of tests only by this attribute.
#[cfg(test)]
mod cli;
#[cfg(test)]
mod contract;
#[cfg(test)]
#[cfg(unix)]
mod daemon;
#[cfg(unix)]
mod faults;
#[cfg(test)]
mod serve;
