//! The binary `gik`.
fn main() {}
