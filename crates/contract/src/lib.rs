//! Every type that is written to disk or leaves the process.

mod codes;

pub use codes::ErrorCode;
