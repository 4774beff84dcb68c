//! What ties a vector to the text it was made from.

use gik_base::hash::{self, Digest};

/// Of everything that the passage of a chunk and its vector depend on: the name of the file, the text and the model.
pub(super) fn of(path: &str, content: &Digest, model: &str) -> u64 {
    let mut bytes = Vec::with_capacity(path.len() + model.len() + 48);
    for part in [path.as_bytes(), model.as_bytes()] {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    bytes.extend(content.0);
    hash::fast64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_text_and_model_all_count() {
        let (one, two) = (hash::sha256(b"1"), hash::sha256(b"2"));
        let all = [of("a", &one, "m"), of("b", &one, "m"), of("a", &two, "m"), of("a", &one, "n")];
        let mut different = all.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), all.len());
        assert_ne!(of("ab", &one, "c"), of("a", &one, "bc"));
    }
}
