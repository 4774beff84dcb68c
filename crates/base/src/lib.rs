//! The host door, atomic writes, locks, cancellation, progress, failures, hashing.
