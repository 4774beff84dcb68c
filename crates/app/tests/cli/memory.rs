//! `gik memory`.
