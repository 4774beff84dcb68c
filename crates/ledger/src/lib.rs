//! The contract files: branches, HEAD, timeline, staging, memory, ask log; commit and recovery.
