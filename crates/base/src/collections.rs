//! Hash maps with a fixed, fast hasher: equal runs on every machine. Iterating over one is a lint; sort first.

#![expect(clippy::disallowed_types, reason = "this is the replacement")]

/// A hash map with the fixed hasher.
pub type HashMap<K, V> = std::collections::HashMap<K, V, rustc_hash::FxBuildHasher>;
/// A hash set with the fixed hasher.
pub type HashSet<K> = std::collections::HashSet<K, rustc_hash::FxBuildHasher>;
